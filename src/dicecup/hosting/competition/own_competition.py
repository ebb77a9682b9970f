"""What a person has done in tournaments and rated games, for the export of the person."""

from collections.abc import Sequence
from typing import Any, Final, TypeAlias

from sqlalchemy import bindparam, select

from dicecup.hosting.competition.standings import ratings_of
from dicecup.hosting.competition.tournament_store import TournamentStore
from dicecup.hosting.fair_queue import Client
from dicecup.hosting.store.driver_errors import translated
from dicecup.hosting.store.rating_models import RATING_CHANGES
from dicecup.hosting.table_host import TableHost
from dicecup.tournament.events import StoredEvent
from dicecup.tournament.permissions import is_organiser
from dicecup.tournament.state import TournamentState
from dicecup.tournament.views import crosstable_view, summary

Json: TypeAlias = dict[str, Any]


async def tournaments_of(host: TableHost, identity: str, client: Client) -> list[Json]:
    """Return all tournaments that a person has entered or organises, the oldest first; see
    `own_tournament`. `client` is that in the queue of the pool. Raises `DicecupError`."""
    store = TournamentStore(host.store)
    found = [
        await host.pool.run_for(client, own_tournament, await store.events(tournament), identity)
        for tournament in await store.ids_of(identity)
    ]
    return sorted(found, key=lambda each: (each["created"], each["tournament"]))


def own_tournament(events: Sequence[StoredEvent], identity: str) -> Json:
    """Return a tournament as lists show it, whether the person organises it, and the person's name
    and line of the standings, with what the person did in each round."""
    state = TournamentState.from_events(events)
    entrant = state.entrant_of(identity)
    own: Json = summary(state) | {"organiser": is_organiser(state, identity), "entrant": None}
    if entrant is None:
        return own
    (line,) = [each for each in crosstable_view(state)["lines"] if each["entrant"] == entrant.number]
    meetings = [
        meeting | {"opponent": None if meeting["opponent"] is None else state.entrant(meeting["opponent"]).name}
        for meeting in line["meetings"]
    ]
    return own | {"entrant": line | {"name": entrant.name, "active": entrant.is_active, "meetings": meetings}}


async def ratings_for_export(host: TableHost, identity: str) -> list[Json]:
    """Return the ratings of a person by pool, each with what every rated game changed. Raises
    `StoreError`."""
    with translated():
        async with host.store.engines.readers.connect() as connection:
            changes = (await connection.execute(_CHANGES, {"identity": identity})).mappings().all()
    found = []
    for rating in await ratings_of(host.store, identity, host.clock()):
        games = [{name: row[name] for name in _SHOWN} for row in changes if row["pool"] == rating.pool]
        found.append({"pool": rating.pool, **rating.strength._asdict(), "games": games})
    return found


_SHOWN: Final = ("table_id", "ended", "before", "rating", "deviation", "share")
_CHANGES: Final = (
    select(RATING_CHANGES).where(RATING_CHANGES.c.identity == bindparam("identity")).order_by(RATING_CHANGES.c.number)
)
