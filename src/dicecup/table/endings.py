"""How a game ends, who wins it, and what follows: the next game of a match, or a rematch."""

import hmac
from collections.abc import Iterable
from dataclasses import replace

from dicecup import yam_master, yamm
from dicecup.core.game import Position
from dicecup.record.tags import end_text, result_text
from dicecup.table.events import Ended
from dicecup.table.outcomes import result_of
from dicecup.table.seats import named_writers
from dicecup.table.setup import MatchSoFar, Occupant, SeatSetup, Setup
from dicecup.table.state import TableState


def by_the_rules(state: TableState) -> Ended | None:
    """The end that the rules have brought; None while the game runs."""
    position = state.position
    end = end_text(position)
    if end is None:
        return None
    return Ended(end, result_text(position), state.seats_of_sides(_sides_that_won(position)))


def _sides_that_won(position: Position) -> tuple[int, ...]:
    if position.outcome is None:
        return ()
    if isinstance(position.outcome, yam_master.Outcome):
        return () if position.outcome.winner is None else (position.outcome.winner,)
    return position.outcome.winners


def otherwise(state: TableState, end: str, sides: Iterable[int]) -> Ended:
    """The end of a game that people, a clock or a limit ended; these `sides` win. In Yamm all sides: they share it; in Yam
    Master both: a draw."""
    winning = tuple(sides)
    drawn = isinstance(state.rules, yam_master.YamMaster) and len(winning) != 1
    return Ended(end, result_of(state.position, winning), () if drawn else state.seats_of_sides(winning))


# --- What follows ------------------------------------------------------------------------------------------------------------


def has_next_game(state: TableState) -> bool:
    """Whether the match has another game after this one, which is over. A game that was abandoned ends the match."""
    number = 1 if state.setup.so_far is None else state.setup.so_far.number
    return number < state.setup.games and state.end is not None and state.end.end != "abandoned"


def next_table_id(secret: bytes) -> str:
    """The id of the table at which the next game is played: the same, whichever worker makes it."""
    return hmac.digest(secret, b"next table", "sha256").hex()[:20]


def next_setup(state: TableState) -> Setup:
    """What is agreed for the next game, of the match or as a rematch: in Yam Master the start alternates, in Yamm it is rolled
    for again. Seats that the computer took over stay the computer's."""
    setup = state.setup
    seats = tuple(SeatSetup(Occupant.LEVEL, seat.level) if seat.level else SeatSetup() for seat in state.seats)
    first = 1 - state.order[0] if isinstance(state.rules, yam_master.YamMaster) and state.order else setup.first
    return replace(setup, seats=seats, first=first, start="", writers=_writers(state), so_far=_so_far(state))


def _writers(state: TableState) -> tuple[int, ...]:
    """Those who can still write for both of a pair."""
    rules = state.rules
    if not isinstance(rules, yamm.Yamm):
        return ()
    people = [seat.is_human for seat in state.seats]
    return tuple(seat for seat in state.setup.writers if named_writers(rules.options, people, [seat]) is not None)


def _so_far(state: TableState) -> MatchSoFar | None:
    if not has_next_game(state):
        return None
    before = state.setup.so_far
    standing = standing_after(state)
    return MatchSoFar(state.table, 2, standing) if before is None else MatchSoFar(before.match, before.number + 1, standing)


def standing_after(state: TableState) -> tuple[int, ...]:
    """What the match's games brought each side so far, in seating order, the one that is over included: in Yam Master the
    games won, in Yamm the added totals."""
    so_far = state.setup.so_far
    standing = list((0,) * state.sides if so_far is None else so_far.standing)
    if state.end is None or not state.order:
        return tuple(standing)
    if isinstance(state.rules, yam_master.YamMaster):
        for seat in state.end.winners:
            standing[seat] += 1
    else:
        for sheet, total in enumerate(state.end.result.split(" ")):
            standing[state.order[sheet] % state.sides] += int(total)
    return tuple(standing)
