"""Going on without the server, and coming back (docs/decisions/0029).

When the connection breaks in a game of one person against computers, the device of that person goes
on with it: `go_on` makes a table of what the person has seen. When the server is back, the device
hands in what was played there (`hand_back_of`). The server checks every step (`checked_section`)
and then adds it to the table (`hand_back`).
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from typing import ClassVar, Final, NamedTuple

from dicecup import games
from dicecup.core.source import throw_text
from dicecup.core.start import StartingRoll
from dicecup.record import Journal, Record
from dicecup.table import codec as wire
from dicecup.table import fairness, leaving
from dicecup.table.consequences import is_meant_for, pass_time, settle
from dicecup.table.errors import TableCode, TableError
from dicecup.table.events import Created, LevelSeated, Seated, Stored
from dicecup.table.permissions import Actor, check, go_on_refusal
from dicecup.table.playing import LONGEST_ACTION
from dicecup.table.sections import BroughtOver, PlayedOnDevice, is_throw, known_steps, steps_since
from dicecup.table.setup import DiceOf, Occupant, SeatSetup, Setup
from dicecup.table.state import TableState
from dicecup.table.transition import Draft, Transition

LONGEST_SECTION: Final = 100_000
"""Characters of the steps of a section, so that they fit into a request."""
SEPARATOR: Final = ","
"""What stands between the steps in a request. No step contains it."""
_HASH: Final = re.compile("[0-9a-f]{64}", re.ASCII)
_SEED: Final = re.compile("(?:[0-9a-f]{2})*", re.ASCII)


@dataclass(frozen=True, slots=True)
class SeenSeat:
    """A seat as its people saw it. `level` is empty for a person, `seed` for a seat without one."""

    name: str
    level: str
    seed: str
    __pydantic_config__: ClassVar[wire.Config] = wire.STRICT


@dataclass(frozen=True, slots=True)
class Seen:
    """What the person at a table has seen of its game, from the view after event `number`."""

    table: str
    number: int
    game: str
    dice_of: DiceOf
    seats: tuple[SeenSeat, ...]
    order: tuple[int, ...]
    lot: int | None
    rounds: tuple[tuple[int, ...], ...]
    position: str
    history: tuple[str, ...]
    running: tuple[str, ...]
    commitment: str
    throws: int
    __pydantic_config__: ClassVar[wire.Config] = wire.STRICT


class HandedBack(NamedTuple):
    """What a device hands in: the `steps` since event `since` of the table, all of them however
    often it hands in, and whether the person gave the game up after them.

    `device`, `commitment` and `secret`: as in `PlayedOnDevice`.
    """

    device: str
    since: int
    commitment: str
    secret: str
    steps: tuple[str, ...]
    resigned: bool


class CheckedSection(NamedTuple):
    """A section whose steps were checked for the state after event `number`.

    `event` is `None` if the table has all of its steps; `journal` is the journal after them.
    """

    number: int
    event: PlayedOnDevice | None
    journal: Journal
    resigned: bool


# --- On the device --------------------------------------------------------------------------------


def go_on(table: str, seen: Seen, identity: str, secret: bytes, now: float) -> Transition:
    """Create the table on a device at which the game of another table goes on, with dice of the
    device.

    Raises `TableError` (`not-for-devices`, `not-a-start`), and as `Setup` for what no table has.
    """
    seats = tuple(SeatSetup(Occupant.LEVEL, held.level) if held.level else SeatSetup() for held in seen.seats)
    setup = Setup(seen.game, seats, seen.dice_of, start=_record_of(seen))
    _check_seen(seen, setup)
    created = Created(table, setup, seen.commitment)
    draft = Draft(TableState.from_events([Stored(1, now, created)]), now, secret)
    for seat, held in enumerate(seen.seats):
        draft.append(LevelSeated(seat, held.level, held.name) if held.level else Seated(seat, held.name, identity))
    seeds = tuple(held.seed for held in seen.seats)
    draft.append(BroughtOver(seen.table, seen.number, seen.order, seen.throws, seeds, seen.lot, seen.rounds))
    pass_time(draft)
    check(go_on_refusal(draft.state, draft.state.people))
    events, state = draft.finish()
    return Transition((created, *events), state)


def _record_of(seen: Seen) -> str:
    """Return the record of the turns that were seen, from which the table on the device begins."""
    rules = games.from_id(seen.game)
    real = seen.dice_of is DiceOf.TABLE
    tags = {"Game": rules.id} | ({"Dice": "table"} if real else {})
    journal = Journal(rules, real, rules.position(seen.position), seen.history, seen.running)
    return Record(tags, journal).to_text()


def _check_seen(seen: Seen, setup: Setup) -> None:
    """Raise `TableError` (`not-a-start`) for a view that no table has."""
    count = len(seen.seats)
    faces = tuple(chain.from_iterable(seen.rounds))
    hashes = seen.commitment == "" if seen.dice_of is DiceOf.TABLE else bool(_HASH.fullmatch(seen.commitment))
    right = (
        sorted(seen.order) == list(range(count))
        and str(setup.beginning.position) == seen.position
        and seen.lot in (None, *range(1, 7))
        and all(face in range(1, 7) for face in faces)
        and str(StartingRoll(count, seen.rounds)) == str(_rolled(count, faces))
        and seen.throws >= 0
        and hashes
        and all(_SEED.fullmatch(held.seed) for held in seen.seats)
    )
    if not right:
        raise TableError(TableCode.NOT_A_START, text=seen.table)


def _rolled(count: int, faces: Sequence[int]) -> StartingRoll:
    """Return the starting roll of these faces, which ends where the rules end it."""
    roll = StartingRoll(count)
    for face in faces:
        roll = roll.throw(face) if roll.contenders else roll
    return roll


def hand_back_of(state: TableState, secret: bytes) -> HandedBack | None:
    """Return what the table of a device hands in now.

    `None` while it waits for a computer: the server would play on for it, too.
    """
    origin, end = state.origin, state.end
    if origin is None or (end is None and not set(state.pending.seats) & set(state.people)):
        return None
    committed = ("", "") if state.real_dice else (state.commitment.hash, secret.hex())
    return HandedBack(state.table, origin.number, *committed, steps_since(origin, state.journal), _gave_up(state))


def _gave_up(state: TableState) -> bool:
    """Return whether the person ended the game. A game without opponents is then abandoned."""
    if state.end is None:
        return False
    return state.end.end == "resign" or (state.end.end == "abandoned" and state.rules.sides == 1)


# --- On the server --------------------------------------------------------------------------------


def checked_section(state: TableState, back: HandedBack, seats: frozenset[int]) -> CheckedSection:
    """Check what a device hands in for a person on these seats.

    Steps that came back before are not added again. Raises `TableError`: `moved-on` if the game
    went on at the server, `not-for-devices`, `not-your-seat`, `not-a-section`; `FairnessError` for
    other dice than those of the secret; and what the rules of the game raise.
    """
    if not seats:
        raise TableError(TableCode.NOT_YOUR_SEAT, text=None)
    steps = back.steps[known_steps(state.sections, back.device) :]
    resigned = back.resigned and state.end is None
    if not steps and not resigned:
        return CheckedSection(state.number, None, state.journal, resigned)
    last = next((section.number for section in reversed(state.sections) if section.device == back.device), back.since)
    if state.end is not None or not is_meant_for(state, last):
        raise TableError(TableCode.MOVED_ON)
    check(go_on_refusal(state, seats))
    if not steps:
        return CheckedSection(state.number, None, state.journal, resigned)
    event = PlayedOnDevice(state.people[0], back.device, back.commitment, back.secret, steps)
    return CheckedSection(state.number, event, checked_journal(state, event), resigned)


def checked_journal(state: TableState, event: PlayedOnDevice) -> Journal:
    """Return the journal after a section, whose steps the rules allow and whose dice follow from
    its secret. Raises as `checked_section`."""
    source = _source(state, event)
    if not 0 < max(map(len, event.steps), default=0) <= LONGEST_ACTION:
        raise TableError(TableCode.NOT_A_SECTION, text=len(event.steps), why="length")
    journal = state.journal
    for step in event.steps:
        turn = journal.position.turn
        if turn is None:
            raise TableError(TableCode.NOT_A_SECTION, text=step, why="over")
        if not is_throw(journal, step):
            journal = journal.play(step)
            continue
        if source is not None:
            thrown = source.throw(turn.kept)
            expected = "" if thrown is None else throw_text(thrown)
            if step != expected:
                place = {"turn": journal.position.number, "throw": turn.throws + 1}
                code = fairness.FairnessCode.THROW_MISMATCH
                raise fairness.FairnessError(code, **place, shown=step, expected=expected)
        journal = journal.word(step)
    turn = journal.position.turn
    if source is not None and turn is not None and turn.waiting and turn.throws:
        raise TableError(TableCode.NOT_A_SECTION, text=event.steps[-1], why="throw-missing")
    return journal


def _source(state: TableState, event: PlayedOnDevice) -> fairness.CommittedSource | None:
    """Return the dice of a section, `None` for real ones. Raises `TableError` (`not-a-section`) and
    `FairnessError` (`not-a-secret`, `wrong-secret`)."""
    if state.real_dice:
        if event.commitment or event.secret:
            raise TableError(TableCode.NOT_A_SECTION, text=event.commitment, why="real-dice")
        return None
    secret = fairness.secret_from_text(event.secret)
    if fairness.commitment(secret) != event.commitment:
        code = fairness.FairnessCode.WRONG_SECRET
        raise fairness.FairnessError(code, text=event.secret, committed=event.commitment)
    return fairness.CommittedSource(secret, state.rules.id, state.seeds, thrown=state.counter)


def hand_back(
    state: TableState, section: CheckedSection, actor: Actor, now: float, secret: bytes, earlier: Sequence[bytes] = ()
) -> Transition:
    """Add a section to the table for whose state it was checked. It takes no time, however long the
    section is. `earlier`: as for `handlers.handle`.

    Raises `TableError` (`moved-on`) if the state is another one.
    """
    if section.number != state.number:
        raise TableError(TableCode.MOVED_ON)
    draft = Draft(state, now, secret, earlier=earlier)
    if section.event is not None:
        draft.append(section.event, section.journal)
    if section.resigned:
        leaving.resign(draft, actor, None)
    settle(draft)
    return draft.finish()
