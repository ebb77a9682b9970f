"""Ratings over HTTP: your own, those of a person, of a table and of a pool."""

from fastapi import APIRouter, Response

from dicecup import games
from dicecup.hosting.competition import standings
from dicecup.hosting.competition.accuracy import accuracy_of
from dicecup.hosting.competition.levels import level_strengths
from dicecup.hosting.competition.pools import Pool
from dicecup.hosting.competition.standings import PoolRating
from dicecup.hosting.competition.strength import Strength
from dicecup.hosting.errors import HostingCode, HostingError
from dicecup.hosting.people.accounts import account_by_handle
from dicecup.web.competition.rating_messages import (
    Leaderboard,
    PersonAccuracy,
    PersonRating,
    PersonRatings,
    Pools,
    RankedPerson,
    RatedLevel,
    RatedSeat,
    RatedTable,
    Rating,
    RatingPoint,
    RatingPool,
)
from dicecup.web.context import AppContext
from dicecup.web.refusals import WebCode, WebError
from dicecup.web.requests import Context, KnownIdentity, LinkKey, answer
from dicecup.web.tables import checked_id

router = APIRouter(prefix="/api", tags=["competition"])


@router.get("/ratings", response_model=Pools)
async def pools_with_ratings(context: Context) -> Response:
    """The pools of rated games in which a person has a rating."""
    return answer(Pools(pools=[_pool(name) for name in await standings.rated_pools(context.tables.store)]))


@router.get("/ratings/mine", response_model=PersonRatings)
async def my_ratings(context: Context, identity: KnownIdentity) -> Response:
    """Your ratings with their history, and your accuracy."""
    return answer(PersonRatings(ratings=[], accuracy=[]) if identity is None else await _of_person(context, identity))


@router.get("/ratings/{pool}", response_model=Leaderboard)
async def leaderboard(context: Context, identity: KnownIdentity, pool: str) -> Response:
    """The people with the highest ratings in a pool, such as `yamm:open:duel:fast`."""
    read = Pool.read(pool)
    if read is None or read.game not in games.names():
        raise HostingError(HostingCode.NO_SUCH_POOL, text=pool)
    store, now = context.tables.store, context.tables.clock()
    own = {} if identity is None else await standings.strengths_of(store, identity, now)
    people = await standings.leaderboard(store, read, now)
    return answer(
        Leaderboard(
            pool=_pool(pool),
            people=[RankedPerson(handle=each.handle, rating=_rating(each.strength), games=each.games) for each in people],
            levels=[
                RatedLevel(level=level, rating=strength.rating)
                for level, strength in reversed(list(level_strengths(read.game).items()))
            ],
            you=_rating(own[pool]) if pool in own else None,
        )
    )


@router.get("/people/{handle}/ratings", response_model=PersonRatings)
async def ratings_of_a_person(context: Context, handle: str) -> Response:
    """The ratings and the accuracy of a person whose account is public."""
    account = await account_by_handle(context.tables.store, handle)
    if account is None or not account.public:
        raise WebError(WebCode.NO_SUCH_PROFILE, text=handle)
    return answer(await _of_person(context, account.identity))


@router.get("/tables/{table}/ratings", response_model=RatedTable)
async def ratings_at_a_table(context: Context, identity: KnownIdentity, table: str, key: LinkKey = None) -> Response:
    """The ratings of those who sit at a rated table, after the end with what the game changed.
    Refused with `not-rated` if the game is not rated."""
    tables = context.tables
    state = await tables.visible_state(checked_id(table), identity, key)
    found = await standings.ratings_at(tables.store, state, tables.clock())
    if found is None:
        raise HostingError(HostingCode.NOT_RATED, text=table)
    seats = [
        RatedSeat(seat=each.seat, rating=_rating(each.strength), change=each.change, share=each.share) for each in found.seats
    ]
    pool, progress, refusal, _ = found
    return answer(RatedTable(pool=_pool(pool), state=progress, refusal=refusal, seats=seats))  # type: ignore[arg-type]


async def _of_person(context: AppContext, identity: str) -> PersonRatings:
    """Return the ratings and the accuracy of a person. Raises `StoreError`."""
    tables = context.tables
    ratings = await standings.ratings_of(tables.store, identity, tables.clock())
    accuracy = []
    for game in sorted({each.pool.partition(":")[0] for each in ratings}):
        found = await accuracy_of(tables.store, tables.own_games, identity, game)
        accuracy.append(PersonAccuracy(game=game, **found._asdict()))
    return PersonRatings(ratings=[_person_rating(each) for each in ratings], accuracy=accuracy)


def _person_rating(found: PoolRating) -> PersonRating:
    return PersonRating(
        pool=_pool(found.pool),
        rating=_rating(found.strength),
        games=found.games,
        history=[RatingPoint(time=point.time, rating=point.rating) for point in found.history],
    )


def _rating(strength: Strength) -> Rating:
    return Rating(rating=strength.rating, deviation=strength.deviation, provisional=strength.is_provisional)


def _pool(name: str) -> RatingPool:
    """Return the pool with this name, which the database holds."""
    pool = Pool.read(name)
    assert pool is not None
    return RatingPool(pool=name, **pool._asdict())
