"""What a table waits for, and of whom."""

from enum import StrEnum
from typing import TYPE_CHECKING, Final, NamedTuple

from dicecup import yam_master
from dicecup.core.turn import THROWS
from dicecup.service.seats import player_to_act, wet_turn, writer
from dicecup.service.setup import DiceOf

if TYPE_CHECKING:
    from dicecup.service.story import Story


class Wanted(StrEnum):
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


class Demand(NamedTuple):
    """`seats`: who can do it; `clock`: whose time runs meanwhile, the person for whom the game waits."""

    what: Wanted
    seats: tuple[int, ...] = ()
    clock: int | None = None


NOTHING: Final = Demand(Wanted.NOTHING)
OVER: Final = Demand(Wanted.OVER)


def demand(story: "Story") -> Demand:
    """What the table waits for now."""
    if story.end is not None:
        return OVER
    if not story.started:
        return _before_the_start(story)
    real = story.setup.dice is DiceOf.TABLE
    if not story.order:
        if story.starting is None:
            return Demand(Wanted.LOT, story.people) if real else NOTHING
        seat = story.starting.seat
        if seat is None or not real:
            return NOTHING
        return Demand(Wanted.DIE, (seat,) if story.seats[seat].is_human else story.people)
    position = story.position
    if position.turn is None:
        return NOTHING
    thrower = story.order[player_to_act(position)]
    human = story.seats[thrower].is_human
    if position.waiting:
        if real:
            return Demand(Wanted.DICE, (thrower,) if human else story.people, thrower if human else None)
        keeper = wet_writer(story)
        if not human and keeper is not None and story.seats[keeper].is_human:
            return Demand(Wanted.THROW, (keeper,), keeper)
        return Demand(Wanted.THROW, (thrower,), thrower if human else None)
    return _decision(story, thrower)


def _before_the_start(story: "Story") -> Demand:
    free = tuple(seat for seat, held in enumerate(story.seats) if not held.is_taken)
    if free:
        return Demand(Wanted.SEATS, free)
    people = [seat for seat in story.people if story.seats[seat].seed is None]
    promised = [seat for seat in people if story.seats[seat].hash is not None]
    if story.setup.dice is DiceOf.TABLE or not people:
        return NOTHING
    if len(promised) < len(people):
        return Demand(Wanted.COMMITMENTS, tuple(seat for seat in people if seat not in promised))
    return Demand(Wanted.SEEDS, tuple(people))


def _decision(story: "Story", thrower: int) -> Demand:
    """The thrower keeps; whoever writes for both ends the turn. After the third throw only the latter is left."""
    position = story.position
    assert position.turn is not None
    writing = writer_of(story, position.number)
    seats = (thrower,) if writing == thrower else (writing,) if position.turn.throws == THROWS else (thrower, writing)
    return Demand(Wanted.ACTION, seats, seats[0] if story.seats[seats[0]].is_human else None)


def writer_of(story: "Story", turn: int) -> int:
    """The seat that ends this turn, and may move its result in Yamm."""
    game = story.rules
    if isinstance(game, yam_master.YamMaster) or not game.options.pairs:
        return story.order[(turn - 1) % len(story.order)]
    people = [story.seats[seat].is_human for seat in story.order]
    named = [story.order.index(seat) for seat in story.setup.writers]
    return story.order[writer(game.options, people, named, turn)]


def wet_writer(story: "Story") -> int | None:
    """The seat that may still move the result which the throw now due would make final, if it would any."""
    turn = wet_turn(story.position)
    return None if turn is None else writer_of(story, turn)
