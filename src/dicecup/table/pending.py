"""What a table waits for, and of whom."""

from enum import StrEnum
from typing import TYPE_CHECKING, Final, NamedTuple

from dicecup import yam_master
from dicecup.core.turn import THROWS
from dicecup.table.seats import player_to_act, wet_turn, writer
from dicecup.table.setup import DiceOf

if TYPE_CHECKING:
    from dicecup.table.state import TableState


class PendingKind(StrEnum):
    """What a table waits for."""

    SEATS = "seats"
    """Somebody on every seat."""
    COMMITMENTS = "commitments"
    """The commitments to the seats' seeds."""
    SEEDS = "seeds"
    """The seeds themselves."""
    LOT = "lot"
    """A real die that says who is x."""
    DIE = "die"
    """A real die of the starting roll."""
    THROW = "throw"
    """Somebody's word to throw: the throw makes results final that can still be moved."""
    DICE = "dice"
    """What real dice show."""
    ACTION = "action"
    """A decision."""
    NOTHING = "nothing"
    """What follows comes by itself."""
    OVER = "over"


class Pending(NamedTuple):
    """`seats`: who can do it; `clock`: whose time runs meanwhile, the person for whom the game waits."""

    kind: PendingKind
    seats: tuple[int, ...] = ()
    clock: int | None = None


NOTHING: Final = Pending(PendingKind.NOTHING)
OVER: Final = Pending(PendingKind.OVER)


def pending_of(state: "TableState") -> Pending:
    """What the table waits for now."""
    if state.end is not None:
        return OVER
    if not state.started:
        return _before_the_start(state)
    real = state.setup.dice is DiceOf.TABLE
    if not state.order:
        if state.starting is None:
            return Pending(PendingKind.LOT, state.people) if real else NOTHING
        seat = state.starting.seat
        if seat is None or not real:
            return NOTHING
        return Pending(PendingKind.DIE, (seat,) if state.seats[seat].is_human else state.people)
    position = state.position
    if position.turn is None:
        return NOTHING
    thrower = state.order[player_to_act(position)]
    human = state.seats[thrower].is_human
    if position.waiting:
        if real:
            return Pending(PendingKind.DICE, (thrower,) if human else state.people, thrower if human else None)
        keeper = wet_writer(state)
        if not human and keeper is not None and state.seats[keeper].is_human:
            return Pending(PendingKind.THROW, (keeper,), keeper)
        return Pending(PendingKind.THROW, (thrower,), thrower if human else None)
    return _decision(state, thrower)


def _before_the_start(state: "TableState") -> Pending:
    free = tuple(seat for seat, held in enumerate(state.seats) if not held.is_taken)
    if free:
        return Pending(PendingKind.SEATS, free)
    people = [seat for seat in state.people if state.seats[seat].seed is None]
    promised = [seat for seat in people if state.seats[seat].hash is not None]
    if state.setup.dice is DiceOf.TABLE or not people:
        return NOTHING
    if len(promised) < len(people):
        return Pending(PendingKind.COMMITMENTS, tuple(seat for seat in people if seat not in promised))
    return Pending(PendingKind.SEEDS, tuple(people))


def _decision(state: "TableState", thrower: int) -> Pending:
    """The thrower keeps; whoever writes for both ends the turn. After the third throw only the latter is left."""
    position = state.position
    assert position.turn is not None
    writing = writer_of(state, position.number)
    seats = (thrower,) if writing == thrower else (writing,) if position.turn.throws == THROWS else (thrower, writing)
    return Pending(PendingKind.ACTION, seats, seats[0] if state.seats[seats[0]].is_human else None)


def writer_of(state: "TableState", turn: int) -> int:
    """The seat that ends this turn, and may move its result in Yamm."""
    game = state.rules
    if isinstance(game, yam_master.YamMaster) or not game.options.pairs:
        return state.order[(turn - 1) % len(state.order)]
    people = [state.seats[seat].is_human for seat in state.order]
    named = [state.order.index(seat) for seat in state.setup.writers]
    return state.order[writer(game.options, people, named, turn)]


def wet_writer(state: "TableState") -> int | None:
    """The seat that may still move the result which the throw now due would make final, if it would any."""
    turn = wet_turn(state.position)
    return None if turn is None else writer_of(state, turn)
