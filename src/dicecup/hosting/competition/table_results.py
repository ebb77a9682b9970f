"""What the end of a table means for its tournament."""

from collections.abc import Sequence

from dicecup.core.game import Scoring
from dicecup.table.events import Acted, Claimed, DieThrown, LotCast, Resigned, Seated, Stored, Thrown
from dicecup.table.state import TableState
from dicecup.tournament.events import Cause, Result
from dicecup.tournament.handlers import EndedGame
from dicecup.tournament.state import TournamentState
from dicecup.tournament.values import SWAPPED, Pairing

CAUSES = {"time": Cause.TIME, "resign": Cause.RESIGNED, "agreed": Cause.AGREED, "abandoned": Cause.LEFT}
"""Tag `End` of a record → cause. All other ends are those of the rules."""


def ended_game(
    tournament: TournamentState, pairing: Pairing, game: int, table: TableState | None, events: Sequence[Stored]
) -> EndedGame:
    """Return the result of a game of a pairing from its table, which has ended. `None`: the table
    was deleted, and both have lost.

    Who left the table has lost, also if a computer or another person played on, and if the opponent
    claimed a draw. Both have lost if nobody came.
    """
    played = pairing.games[game - 1]
    if table is None:
        return EndedGame(played.table, pairing.number, game, Result.NEITHER, Cause.LEFT)
    seats = played.seats(pairing.first, pairing.second)
    expected = [tournament.entrant(number).identity or _first_on(seat, events) for seat, number in enumerate(seats)]
    result, cause = _result(table, expected, events)
    lost = {Result.WON: (1,), Result.LOST: (0,), Result.NEITHER: (0, 1)}.get(result, ())
    absent = tuple(seats[seat] for seat in lost if cause is not Cause.RULES and not _acted(seat, table, events))
    points = _points(table)
    if seats[0] != pairing.first:
        result, points = SWAPPED.get(result, result), points[::-1]
    return EndedGame(played.table, pairing.number, game, result, cause, points, absent)


def _first_on(seat: int, events: Sequence[Stored]) -> str | None:
    """Return the identity that the server seated for a person without a device."""
    found = (stored.event for stored in events if isinstance(stored.event, Seated) and stored.event.seat == seat)
    return next((event.identity for event in found), None)


def _result(table: TableState, expected: Sequence[str | None], events: Sequence[Stored]) -> tuple[Result, Cause]:
    """Return the result for the first seat, and its cause. `expected`: the identity on each
    seat."""
    end = table.end
    assert end is not None
    gone = [seat for seat, identity in enumerate(expected) if table.seats[seat].identity != identity]
    if not gone and end.end == "abandoned":
        gone = _leavers(events) or [seat for seat in (0, 1) if seat not in end.winners] or [0, 1]
    if gone:
        return _lost_by(gone), Cause.LEFT
    cause = CAUSES.get(end.end, Cause.RULES)
    if len(end.winners) != 1:
        return Result.DRAWN, cause
    return (Result.WON if end.winners == (0,) else Result.LOST), cause


def _lost_by(seats: Sequence[int]) -> Result:
    return Result.NEITHER if len(set(seats)) > 1 else Result.LOST if 0 in seats else Result.WON


def _leavers(events: Sequence[Stored]) -> list[int]:
    """Return the seat that resigned or against which the other seat claimed, if any."""
    for stored in reversed(events):
        match stored.event:
            case Claimed(_, _, against):
                return [against]
            case Resigned(seat):
                return [seat]
            case _:
                pass
    return []


def _points(table: TableState) -> tuple[int, ...]:
    """Return the points of both seats where totals count and it is known who began."""
    end = table.end
    if table.rules.scoring is Scoring.WINS or end is None or not table.order:
        return ()
    totals = [int(total) for total in end.result.split()]
    return tuple(totals[table.side_of(seat)] for seat in (0, 1))


def _acted(seat: int, table: TableState, events: Sequence[Stored]) -> bool:
    """Return whether the person on a seat did anything in the game. The server throws the dice of a
    turn only for who asks for them, so a throw of the last turn counts."""
    for stored in events:
        match stored.event:
            case Acted(actor) | Resigned(actor) if actor == seat:
                return True
            case Thrown(_, _, actor) | DieThrown(_, _, actor) | LotCast(_, actor) if actor == seat:
                return True
            case _:
                pass
    turn = table.position.turn
    return bool(table.order) and turn is not None and turn.throws > 0 and table.seat_of_turn(table.position.number) == seat
