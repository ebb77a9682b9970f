"""What becomes of a command, and of time: pure functions from a story to the events that follow.

The hub hands in the time, the secret of the table's dice and who is away, stores what comes back, and only then tells anybody.
A refusal is an error and leaves nothing behind.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from dicecup.service import commands, endings, fairness, parting, playing, sitting
from dicecup.service.commands import Command
from dicecup.service.errors import ServiceCode, ServiceError
from dicecup.service.events import Created, Event, LevelSeated, Seated, Stored
from dicecup.service.may import check_seat
from dicecup.service.outcomes import all_sides
from dicecup.service.seats import check_name, free_name
from dicecup.service.settle import hold, pass_time, settle, wake_at
from dicecup.service.setup import DiceOf, Setup
from dicecup.service.story import Story
from dicecup.service.telling import Telling, Who

__all__ = ["Sitter", "Who", "closing", "decide", "due", "hold", "next_opening", "opening", "wake_at"]


class Sitter(NamedTuple):
    """Somebody who sits down as the table is made."""

    seat: int
    name: str
    identity: str


def opening(table: str, setup: Setup, secret: bytes, sitters: Sequence[Sitter], now: float) -> tuple[Event, ...]:
    """The events with which a table begins: the computers sit, and whoever sits down at once. Raises `ServiceError`
    (`not-a-setup` for a match that did not begin here, `not-a-name`, `name-twice`, `no-such-seat`, `seat-taken`)."""
    if setup.so_far is not None:
        raise ServiceError(ServiceCode.NOT_A_SETUP, text="so_far", why="match")
    return _opening(table, setup, secret, sitters, now)


def _opening(table: str, setup: Setup, secret: bytes, sitters: Sequence[Sitter], now: float) -> tuple[Event, ...]:
    created = Created(table, setup, "" if setup.dice is DiceOf.TABLE else fairness.commitment(secret))
    telling = Telling(Story.of([Stored(1, now, created)]), now, secret)
    for sitter in sitters:
        if not 0 <= sitter.seat < len(setup.seats):
            raise ServiceError(ServiceCode.NO_SUCH_SEAT, text=sitter.seat)
        if telling.story.seats[sitter.seat].is_taken or setup.seats[sitter.seat].level:
            raise ServiceError(ServiceCode.SEAT_TAKEN, text=sitter.seat)
        check_name(sitter.name, [seat.name for seat in telling.story.seats])
        telling.tell(Seated(sitter.seat, sitter.name, sitter.identity))
    for seat, held in enumerate(setup.seats):
        if held.level:
            name = free_name(held.level, [other.name for other in telling.story.seats])
            telling.tell(LevelSeated(seat, held.level, name))
    settle(telling)
    return (created, *telling.events)


def next_opening(story: Story, secret: bytes, now: float) -> tuple[Event, ...]:
    """The events with which the table begins that `NextTable` named: the same people on the same seats. `secret`: the new
    table's."""
    assert story.next is not None
    sitters = [Sitter(seat, held.name, held.identity) for seat, held in enumerate(story.seats) if held.identity is not None]
    return _opening(story.next, endings.next_setup(story), secret, sitters, now)


def decide(story: Story, who: Who, command: Command, now: float, secret: bytes, away: Mapping[int, float]) -> tuple[Event, ...]:
    """The events that this command makes, one at least. `away`: of each seat whose person is not there, since when.

    What time has brought by `now` comes first, as `due` says it. Raises `DicecupError`; then nothing has happened."""
    telling = Telling(story, now, secret)
    pass_time(telling)
    _do(telling, who, command, away)
    settle(telling)
    return tuple(telling.events)


def due(story: Story, now: float, secret: bytes) -> tuple[Event, ...]:
    """What has happened by itself by `now`: seeds that came too late, a flag that fell, a table that everybody left, a secret
    that this server does not know; mostly nothing."""
    telling = Telling(story, now, secret)
    pass_time(telling)
    return tuple(telling.events)


def closing(story: Story, now: float, secret: bytes) -> tuple[Event, ...]:
    """The events that close a table which is still open: it is abandoned, its secret published; none where it is over."""
    telling = Telling(story, now, secret)
    pass_time(telling)
    if telling.story.end is None:
        telling.tell(endings.otherwise(telling.story, "abandoned", all_sides(story.position)))
        settle(telling)
    return tuple(telling.events)


def _do(telling: Telling, who: Who, command: Command, away: Mapping[int, float]) -> None:
    """Tells what this command does. Raises `DicecupError`."""
    check_seat(telling.story, who, command.seat, sitting=isinstance(command, commands.Sit))
    match command:
        case commands.Sit(name, seat):
            sitting.sit(telling, who, name, seat)
        case commands.StandUp(seat):
            sitting.stand_up(telling, who, seat)
        case commands.SeatComputer(level, free):
            sitting.seat_computer(telling, level, free)
        case commands.CommitSeed(promised, seat):
            sitting.commit_seed(telling, who, promised, seat)
        case commands.RevealSeed(seed, seat):
            sitting.reveal_seed(telling, who, seed, seat)
        case commands.Rematch(seat):
            parting.ask_for_rematch(telling, who, seat)
        case _:
            _check_running(telling.story)
            _play(telling, who, command, away)


def _play(telling: Telling, who: Who, command: Command, away: Mapping[int, float]) -> None:
    """What is done in a running game."""
    match command:
        case commands.Throw(seat):
            playing.throw(telling, who, seat)
        case commands.EnterDice(text, seat):
            playing.enter_dice(telling, who, text, seat)
        case commands.EnterDie(face, seat):
            playing.enter_die(telling, who, face, seat)
        case commands.Act(action, seat):
            playing.act(telling, who, action, seat)
        case commands.TakeBack():
            playing.take_back(telling, who)
        case commands.Resign(seat):
            parting.resign(telling, who, seat)
        case commands.OfferDraw(seat):
            parting.offer_draw(telling, who, seat)
        case commands.AnswerDraw(accept, seat):
            parting.answer_draw(telling, who, seat, accept=accept)
        case commands.Claim(what, level, seat):
            parting.claim(telling, who, what, level, seat, away)


def _check_running(story: Story) -> None:
    if story.end is not None:
        raise ServiceError(ServiceCode.GAME_OVER)
    if not story.started:
        raise ServiceError(ServiceCode.GAME_NOT_BEGUN)
