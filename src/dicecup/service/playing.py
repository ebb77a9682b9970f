"""Throwing, typing what real dice show, acting, and taking a typing mistake back."""

from collections.abc import Collection

from dicecup.core.errors import DiceCode, DiceError, TextCode, TextError
from dicecup.core.source import VOID_THROW, Throw, throw_from_text, throw_text
from dicecup.games import Action
from dicecup.service.demand import Wanted, writer_of
from dicecup.service.errors import ServiceCode, ServiceError
from dicecup.service.events import Acted, DieThrown, LotCast, TakenBack, Thrown
from dicecup.service.may import seat_for
from dicecup.service.story import Entry, Story
from dicecup.service.telling import Telling, Who
from dicecup.yamm import Correct, Write


def throw(telling: Telling, who: Who, named: int | None) -> None:
    story = telling.story
    if story.real_dice:
        raise ServiceError(ServiceCode.REAL_DICE)
    seat_for(who, named, story.demand.seats if story.demand.what is Wanted.THROW else ())
    telling.throw()


def enter_dice(telling: Telling, who: Who, text: str, named: int | None) -> None:
    story = telling.story
    if not story.real_dice:
        raise ServiceError(ServiceCode.NOT_REAL_DICE)
    if not story.order:
        raise ServiceError(ServiceCode.NOT_YOUR_TURN)
    able = story.demand.seats
    if story.demand.what is not Wanted.DICE:
        able = story.people  # so that the position says why not
    seat = seat_for(who, named, able)
    fallen = _throw_from_entry(text)
    telling.tell(Thrown(VOID_THROW if fallen is None else throw_text(fallen), seat=seat))


def _throw_from_entry(text: str) -> Throw | None:
    """The throw that somebody typed, its faces in any order; None: it was void. Raises `DiceError`."""
    if text == VOID_THROW:
        return None
    if len(text) > 16:
        raise DiceError(DiceCode.TOO_MANY_DICE, text=text)
    left, bar, right = text.partition("|")
    return throw_from_text("".join(sorted(left)) + bar + "".join(sorted(right)))


def enter_die(telling: Telling, who: Who, face: int, named: int | None) -> None:
    story = telling.story
    if not story.real_dice:
        raise ServiceError(ServiceCode.NOT_REAL_DICE)
    wanted = story.demand.what
    seat = seat_for(who, named, story.demand.seats if wanted in (Wanted.DIE, Wanted.LOT) else ())
    if face not in range(1, 7):
        raise DiceError(DiceCode.NOT_A_FACE, text=str(face))
    telling.tell(LotCast(face, seat) if wanted is Wanted.LOT else DieThrown(face, seat=seat))


# --- Actions -----------------------------------------------------------------------------------------------------------------


def act(telling: Telling, who: Who, text: str, named: int | None) -> None:
    story = telling.story
    if not story.order:
        raise ServiceError(ServiceCode.NOT_YOUR_TURN)
    if len(text) > 40:
        raise TextError(TextCode.NOT_AN_ACTION, text=text)
    action = story.rules.action(text)
    seat = _corrector(story, who, named, action) if isinstance(action, Correct) else _actor(story, who, named, action)
    before = story.position.number
    telling.tell(Acted(seat, str(action)))
    ended = telling.story.position.number != before
    if not story.real_dice and not ended and not isinstance(action, Correct):
        telling.throw()


def _corrector(story: Story, who: Who, named: int | None, action: Correct) -> int:
    """Whoever wrote a result moves it. Raises as `Position.play`, and `ServiceError` (`not-your-result`)."""
    story.journal.play(action)
    seat = writer_of(story, action.turn)
    if seat not in who.seats or named not in (None, seat):
        raise ServiceError(ServiceCode.NOT_YOUR_RESULT, turn=action.turn, name=story.seats[seat].name)
    return seat


def _actor(story: Story, who: Who, named: int | None, action: Action) -> int:
    """The thrower keeps; whoever writes for a pair ends its turns."""
    thrower = story.order[(story.position.number - 1) % len(story.order)]
    able = writer_of(story, story.position.number) if isinstance(action, Write) else thrower
    return seat_for(who, named, (able,))


def take_back(telling: Telling, who: Who) -> None:
    entry = entry_to_take_back(telling.story, who.seats, telling.now)
    if entry is None:
        raise ServiceError(ServiceCode.NOTHING_TO_TAKE_BACK)
    telling.tell(TakenBack(entry.seat, entry.text))


def entry_to_take_back(story: Story, seats: Collection[int], now: float) -> Entry | None:
    """What one of these seats typed last. Taken back, the clock goes on that ran before, so that it must not have run out since."""
    entry = story.last_entry
    if entry is None or entry.seat not in seats:
        return None
    deadline = entry.clocks.deadline
    return entry if deadline is None or now < deadline else None
