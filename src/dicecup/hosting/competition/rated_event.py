"""A rated pair or table of four, whose games are rated together as one game.

The end of each table saves a row that does not count by itself (`rated_game.IN_EVENT`). The row
of the event is saved when the event is settled, and its key is the id of the event.
"""

from collections.abc import Sequence

from sqlalchemy import Connection, select

from dicecup.hosting.competition.entering import BOARDS_OF
from dicecup.hosting.competition.events import Entry, Event
from dicecup.hosting.competition.rated_game import Member, RatedGame, Refusal, game_of, row_of
from dicecup.hosting.competition.results import side_of_place, sums
from dicecup.hosting.store.competition_models import BOARDS
from dicecup.hosting.store.rating_models import RATED_GAMES
from dicecup.hosting.store.rows import RatedRow
from dicecup.hosting.store.statements import insert_if_missing
from dicecup.table.state import TableState


def save_rated_event(
    connection: Connection, event: Event, entries: Sequence[Entry], states: Sequence[TableState], ended: float
) -> None:
    """Save the row of a rated event whose games are over; none if no game was played.

    `states`: the tables of the event that still exist.
    """
    own = select(RATED_GAMES).join(BOARDS, BOARDS.c.table_id == RATED_GAMES.c.table_id).where(BOARDS.c.event == event.event)
    rows = connection.execute(own.order_by(BOARDS.c.board)).all()
    games = [game_of(RatedRow(row.table_id, row.ended, row.pool, row.body, row.refusal)) for row in rows]
    if games:
        found = rated_event(event, entries, games, points_of_sides(entries, states), ended)
        new = row_of(found)._asdict() | {"number": None}
        connection.execute(insert_if_missing(RATED_GAMES, connection.dialect.name), new)


def points_of_sides(entries: Sequence[Entry], states: Sequence[TableState]) -> tuple[int, int] | None:
    """Return the points of both sides in all games, `None` unless every game was played to an end
    that the rules made."""
    if not states or any(state.position.outcome is None for state in states):
        return None
    one, other = sums(sorted(entries, key=lambda entry: entry.place), states)
    return one.points, other.points


def rated_event(
    event: Event, entries: Sequence[Entry], games: Sequence[RatedGame], points: tuple[int, int] | None, ended: float
) -> RatedGame:
    """Return an event as one game. The side with more wins has won; between equal wins the points
    decide, unless a game was given up. `games`: those of its tables, in their order."""
    sides = {entry.identity: side_of_place(entry.place, len(entries)) for entry in entries}
    members: tuple[dict[int, Member], dict[int, Member]] = ({}, {})
    twice_wins = [0, 0]
    for board, game in enumerate(games):
        (one,), (other,) = game.sides
        first = sides.get(one.identity or "", 1 - sides.get(other.identity or "", 1))  # one may be deleted
        rank, against = game.ranks
        twice_wins[first] += 1 + (rank < against) - (rank > against)
        twice_wins[1 - first] += 1 + (rank > against) - (rank < against)
        person = board if event.kind == "four" else 0
        for side, member in ((first, one), (1 - first, other)):
            left = member.left or members[side].get(person, member).left
            members[side][person] = member._replace(left=left)
    scores = [(wins, 0) for wins in twice_wins]
    if points is not None and not any(member.left for side in members for member in side.values()):
        scores = list(zip(twice_wins, points, strict=True))
    return RatedGame(
        event.event,
        ended,
        games[0].pool,
        tuple(tuple(side[person] for person in sorted(side)) for side in members),
        tuple(int(score < max(scores)) for score in scores),
        _refusal(event, entries, games),
    )


def _refusal(event: Event, entries: Sequence[Entry], games: Sequence[RatedGame]) -> str | None:
    """Return why an event does not count, `None` if it does.

    A game that was given up too early is lost, so that nobody escapes a defeat in the other game.
    """
    own = [game.refusal for game in games]
    if not all(entry.counts for entry in entries):
        return Refusal.RESTORED.value
    if len(games) < len(BOARDS_OF[event.kind]):
        return Refusal.CLOSED.value
    if all(refusal == Refusal.TOO_SHORT for refusal in own):
        return Refusal.TOO_SHORT.value
    others = [refusal for refusal in own if refusal not in (Refusal.IN_EVENT, Refusal.TOO_SHORT)]
    return others[0] if others else None
