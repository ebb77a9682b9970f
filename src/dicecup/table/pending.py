"""What a table waits for, and which seats can do it."""

from collections.abc import Sequence
from enum import StrEnum
from typing import Final, NamedTuple

from dicecup.core.game import Position
from dicecup.core.start import StartingRoll
from dicecup.core.turn import THROWS
from dicecup.table.seats import Seat, people_among
from dicecup.table.setup import DiceOf, Setup


class PendingKind(StrEnum):
    """What a table waits for."""

    SEATS = "seats"
    """Every seat is to be taken."""
    COMMITMENTS = "commitments"
    """The seats' commitments to their seeds."""
    SEEDS = "seeds"
    """The seeds that the seats have committed to."""
    LOT = "lot"
    """A real die that decides which of two seats starts."""
    DIE = "die"
    """A real die of the starting roll."""
    THROW = "throw"
    """The command to throw the server's dice. The throw makes a result final."""
    DICE = "dice"
    """The faces that real dice show."""
    ACTION = "action"
    """An action of the game."""
    REPLACEMENT = "replacement"
    """A computer for the seat that gave up, chosen by the people who remain."""
    NOTHING = "nothing"
    """No command: the next event follows by itself."""
    OVER = "over"
    """No command: the game is over."""


class Pending(NamedTuple):
    """What a table waits for.

    `seats` are the seats that can do it. `clock` is the seat whose clock runs meanwhile, `None`
    while no clock runs.
    """

    kind: PendingKind
    seats: tuple[int, ...] = ()
    clock: int | None = None


NOTHING: Final = Pending(PendingKind.NOTHING)
OVER: Final = Pending(PendingKind.OVER)


def pending_before_start(seats: Sequence[Seat], *, needs_seeds: bool) -> Pending:
    """Return what a table waits for before the game starts: people on the seats, then
    their seeds."""
    free = tuple(seat for seat, held in enumerate(seats) if not held.is_taken)
    if free:
        return Pending(PendingKind.SEATS, free)
    unrevealed = [seat for seat in people_among(seats) if seats[seat].seed is None]
    if not needs_seeds or not unrevealed:
        return NOTHING
    uncommitted = tuple(seat for seat in unrevealed if seats[seat].hash is None)
    if uncommitted:
        return Pending(PendingKind.COMMITMENTS, uncommitted)
    return Pending(PendingKind.SEEDS, tuple(unrevealed))


def pending_before_order(seats: Sequence[Seat], starting: StartingRoll | None, *, real_dice: bool) -> Pending:
    """Return what a started game waits for before it is known who starts: real dice.

    The server throws its own by itself.
    """
    if not real_dice:
        return NOTHING
    people = _seats_to_enter_dice(seats)
    if starting is None:
        return Pending(PendingKind.LOT, people)
    seat = starting.seat
    if seat is None:
        return NOTHING
    return Pending(PendingKind.DIE, (seat,) if seats[seat].is_human else people)


def pending_in_game(setup: Setup, seats: Sequence[Seat], order: Sequence[int], position: Position) -> Pending:
    """Return what a game waits for whose order of play is known."""
    player = position.player
    if position.turn is None or player is None:
        return NOTHING
    thrower = order[player]
    human = seats[thrower].is_human
    if not position.waiting:
        return _pending_action(setup, seats, order, position)
    if setup.dice is DiceOf.TABLE:
        return (
            Pending(PendingKind.DICE, (thrower,), thrower) if human else Pending(PendingKind.DICE, _seats_to_enter_dice(seats))
        )
    corrector = correcting_seat(setup, seats, order, position)
    if not human and corrector is not None and seats[corrector].is_human:
        return Pending(PendingKind.THROW, (corrector,), corrector)
    return Pending(PendingKind.THROW, (thrower,), thrower if human else None)


def _seats_to_enter_dice(seats: Sequence[Seat]) -> tuple[int, ...]:
    """Return the seats that may enter the dice of a computer: those of people, or all if there are
    only computers.
    """
    return people_among(seats) or tuple(range(len(seats)))


def _pending_action(setup: Setup, seats: Sequence[Seat], order: Sequence[int], position: Position) -> Pending:
    """Return the pending action: the thrower keeps dice, the writer ends the turn.

    After the last throw only the writer acts.
    """
    assert position.turn is not None
    assert position.player is not None
    thrower = order[position.player]
    writer = writing_seat(setup, seats, order, position, position.number)
    if writer == thrower:
        able: tuple[int, ...] = (thrower,)
    elif position.turn.throws == THROWS:
        able = (writer,)
    else:
        able = (thrower, writer)
    return Pending(PendingKind.ACTION, able, able[0] if seats[able[0]].is_human else None)


def writing_seat(setup: Setup, seats: Sequence[Seat], order: Sequence[int], position: Position, turn: int) -> int:
    """Return the seat that ends this turn and may correct its result."""
    if not setup.writers:
        return order[position.game.player_of_turn(turn)]
    people = [seats[seat].is_human for seat in order]
    named = [order.index(seat) for seat in setup.writers]
    return order[position.game.writer_of_turn(turn, people, named)]


def correcting_seat(setup: Setup, seats: Sequence[Seat], order: Sequence[int], position: Position) -> int | None:
    """Return the seat that may correct the result which the next throw makes final, if there is
    one.
    """
    turn = position.finalized_turn
    return None if turn is None else writing_seat(setup, seats, order, position, turn)
