"""What becomes of a command, and of time: pure functions from a state to the events that follow.

The hub hands in the time, the secret of the table's dice and who is away, stores what comes back, and only then tells anybody.
A refusal is an error and leaves nothing behind.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from dicecup.table import commands, endings, fairness, playing
from dicecup.table import leaving as parting
from dicecup.table import seating as sitting
from dicecup.table.commands import Command
from dicecup.table.consequences import hold, pass_time, settle, wake_at
from dicecup.table.errors import TableCode, TableError
from dicecup.table.events import Created, Event, LevelSeated, Seated, Stored
from dicecup.table.outcomes import all_sides
from dicecup.table.permissions import check_seat
from dicecup.table.seats import check_name, free_name
from dicecup.table.setup import DiceOf, Setup
from dicecup.table.state import TableState
from dicecup.table.transition import Transition, Who

__all__ = ["Sitter", "Who", "closing", "decide", "due", "hold", "next_opening", "opening", "wake_at"]


class Sitter(NamedTuple):
    """Somebody who sits down as the table is made."""

    seat: int
    name: str
    identity: str


def opening(table: str, setup: Setup, secret: bytes, sitters: Sequence[Sitter], now: float) -> tuple[Event, ...]:
    """The events with which a table begins: the computers sit, and whoever sits down at once. Raises `TableError`
    (`not-a-setup` for a match that did not begin here, `not-a-name`, `name-twice`, `no-such-seat`, `seat-taken`)."""
    if setup.so_far is not None:
        raise TableError(TableCode.NOT_A_SETUP, text="so_far", why="match")
    return _opening(table, setup, secret, sitters, now)


def _opening(table: str, setup: Setup, secret: bytes, sitters: Sequence[Sitter], now: float) -> tuple[Event, ...]:
    created = Created(table, setup, "" if setup.dice is DiceOf.TABLE else fairness.commitment(secret))
    transition = Transition(TableState.of([Stored(1, now, created)]), now, secret)
    for sitter in sitters:
        if not 0 <= sitter.seat < len(setup.seats):
            raise TableError(TableCode.NO_SUCH_SEAT, text=sitter.seat)
        if transition.state.seats[sitter.seat].is_taken or setup.seats[sitter.seat].level:
            raise TableError(TableCode.SEAT_TAKEN, text=sitter.seat)
        check_name(sitter.name, [seat.name for seat in transition.state.seats])
        transition.tell(Seated(sitter.seat, sitter.name, sitter.identity))
    for seat, held in enumerate(setup.seats):
        if held.level:
            name = free_name(held.level, [other.name for other in transition.state.seats])
            transition.tell(LevelSeated(seat, held.level, name))
    settle(transition)
    return (created, *transition.events)


def next_opening(state: TableState, secret: bytes, now: float) -> tuple[Event, ...]:
    """The events with which the table begins that `NextTable` named: the same people on the same seats. `secret`: the new
    table's."""
    assert state.next is not None
    sitters = [Sitter(seat, held.name, held.identity) for seat, held in enumerate(state.seats) if held.identity is not None]
    return _opening(state.next, endings.next_setup(state), secret, sitters, now)


def decide(
    state: TableState, who: Who, command: Command, now: float, secret: bytes, away: Mapping[int, float]
) -> tuple[Event, ...]:
    """The events that this command makes, one at least. `away`: of each seat whose person is not there, since when.

    What time has brought by `now` comes first, as `due` says it. Raises `DicecupError`; then nothing has happened."""
    transition = Transition(state, now, secret)
    pass_time(transition)
    _do(transition, who, command, away)
    settle(transition)
    return tuple(transition.events)


def due(state: TableState, now: float, secret: bytes) -> tuple[Event, ...]:
    """What has happened by itself by `now`: seeds that came too late, a flag that fell, a table that everybody left, a secret
    that this server does not know; mostly nothing."""
    transition = Transition(state, now, secret)
    pass_time(transition)
    return tuple(transition.events)


def closing(state: TableState, now: float, secret: bytes) -> tuple[Event, ...]:
    """The events that close a table which is still open: it is abandoned, its secret published; none where it is over."""
    transition = Transition(state, now, secret)
    pass_time(transition)
    if transition.state.end is None:
        transition.tell(endings.otherwise(transition.state, "abandoned", all_sides(state.position)))
        settle(transition)
    return tuple(transition.events)


def _do(transition: Transition, who: Who, command: Command, away: Mapping[int, float]) -> None:
    """Tells what this command does. Raises `DicecupError`."""
    check_seat(transition.state, who, command.seat, sitting=isinstance(command, commands.Sit))
    match command:
        case commands.Sit(name, seat):
            sitting.sit(transition, who, name, seat)
        case commands.StandUp(seat):
            sitting.stand_up(transition, who, seat)
        case commands.SeatComputer(level, free):
            sitting.seat_computer(transition, level, free)
        case commands.CommitSeed(promised, seat):
            sitting.commit_seed(transition, who, promised, seat)
        case commands.RevealSeed(seed, seat):
            sitting.reveal_seed(transition, who, seed, seat)
        case commands.Rematch(seat):
            parting.ask_for_rematch(transition, who, seat)
        case _:
            _check_running(transition.state)
            _play(transition, who, command, away)


def _play(transition: Transition, who: Who, command: Command, away: Mapping[int, float]) -> None:
    """What is done in a running game."""
    match command:
        case commands.Throw(seat):
            playing.throw(transition, who, seat)
        case commands.EnterDice(text, seat):
            playing.enter_dice(transition, who, text, seat)
        case commands.EnterDie(face, seat):
            playing.enter_die(transition, who, face, seat)
        case commands.Act(action, seat):
            playing.act(transition, who, action, seat)
        case commands.TakeBack():
            playing.take_back(transition, who)
        case commands.Resign(seat):
            parting.resign(transition, who, seat)
        case commands.OfferDraw(seat):
            parting.offer_draw(transition, who, seat)
        case commands.AnswerDraw(accept, seat):
            parting.answer_draw(transition, who, seat, accept=accept)
        case commands.Claim(what, level, seat):
            parting.claim(transition, who, what, level, seat, away)


def _check_running(state: TableState) -> None:
    if state.end is not None:
        raise TableError(TableCode.GAME_OVER)
    if not state.started:
        raise TableError(TableCode.GAME_NOT_BEGUN)
