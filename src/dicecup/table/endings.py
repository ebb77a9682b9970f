"""How a game ends, who wins it, and which game follows: the next one of a match, or a rematch."""

import hmac
from collections.abc import Iterable
from dataclasses import replace

from dicecup.core.game import FirstPlayer, Scoring
from dicecup.record.tags import end_text, result_text
from dicecup.table.events import Ended
from dicecup.table.setup import MatchSoFar, Occupant, SeatSetup, Setup
from dicecup.table.state import TableState


def ended_by_rules(state: TableState) -> Ended | None:
    """Return the end that the rules have brought, `None` while the game runs."""
    position = state.position
    end = end_text(position)
    if end is None:
        return None
    winners = () if position.outcome is None else position.outcome.winners
    return Ended(end, result_text(position), state.seats_of_sides(winners))


def ended(state: TableState, end: str, sides: Iterable[int] | None = None) -> Ended:
    """Return the end of a game that people, a clock or a limit ended.

    These `sides` win, all of them for `None`.

    Several sides share a win where totals count. Where wins count the game is drawn.
    """
    winning = tuple(range(state.rules.sides) if sides is None else sides)
    drawn = state.rules.scoring is Scoring.WINS and len(winning) != 1
    return Ended(end, state.rules.result(state.position, winning), () if drawn else state.seats_of_sides(winning))


def goes_on_without(state: TableState, seat: int) -> bool:
    """Return whether the game goes on when this seat gives up.

    It needs three sides and other people.
    """
    return bool(state.order) and state.rules.sides > 2 and any(person != seat for person in state.people)


def sides_without(state: TableState, seat: int) -> tuple[int, ...]:
    """Return the sides that win when this seat gives up, none where there is no other side."""
    return state.rules.winners_without(state.position, state.player_of(seat))


# --- The next game --------------------------------------------------------------------------------


def has_next_game(state: TableState) -> bool:
    """Return whether the match has another game after this one, which is over.

    An abandoned game ends the match.
    """
    number = 1 if state.setup.so_far is None else state.setup.so_far.number
    return number < state.setup.games and state.end is not None and state.end.end != "abandoned"


def next_table_id(secret: bytes, now: float) -> str:
    """Return the id of the next game's table.

    It follows from this table's secret and the time, so a table that is restored from a backup does
    not get the next table, with the dice, that it had before.
    """
    return hmac.digest(secret, f"next table {now!r}".encode(), "sha256").hex()[:20]


def next_setup(state: TableState) -> Setup:
    """Return the setup of the next game of the match or of a rematch.

    Where a lot decides who starts, the start alternates from the second game on. Computers keep the
    seats that they took over.
    """
    setup = state.setup
    seats = tuple(SeatSetup(Occupant.LEVEL, seat.level) if seat.level else SeatSetup() for seat in state.seats)
    alternates = state.rules.first_player is FirstPlayer.LOT and bool(state.order)
    first = 1 - state.order[0] if alternates else setup.first
    return replace(setup, seats=seats, first=first, start="", writers=_next_writers(state), so_far=_so_far(state))


def _next_writers(state: TableState) -> tuple[int, ...]:
    """Return the named writers who can still write for their sides."""
    people = [seat.is_human for seat in state.seats]
    return tuple(seat for seat in state.setup.writers if state.rules.accepts_writers(people, [seat]))


def _so_far(state: TableState) -> MatchSoFar | None:
    if not has_next_game(state):
        return None
    before = state.setup.so_far
    standing = standing_after(state)
    return MatchSoFar(state.table, 2, standing) if before is None else MatchSoFar(before.match, before.number + 1, standing)


def standing_after(state: TableState) -> tuple[int, ...]:
    """Return what the match has brought each side, in seating order: games won, or added totals.

    The game at this table counts once it is over. A side in seating order is the side of its seats'
    numbers.
    """
    rules, so_far = state.rules, state.setup.so_far
    standing = list((0,) * rules.sides if so_far is None else so_far.standing)
    if state.end is None or not state.order:
        return tuple(standing)
    if rules.scoring is Scoring.WINS:
        for side in {rules.side_of_player(seat) for seat in state.end.winners}:
            standing[side] += 1
    else:
        for seats, total in zip(_seats_by_side(state), state.end.result.split(" "), strict=True):
            standing[rules.side_of_player(seats[0])] += int(total)
    return tuple(standing)


def _seats_by_side(state: TableState) -> list[tuple[int, ...]]:
    return [state.seats_of_sides([side]) for side in range(state.rules.sides)]
