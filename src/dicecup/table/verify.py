"""Verification of the dice of a record by repeating every throw (docs/fairness.md).

The rules are not checked here: they were checked when the record was read.
"""

import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final, TypeAlias

from dicecup.core.dice import NO_DICE, Keep, keep
from dicecup.core.errors import DicecupError
from dicecup.core.game import FirstPlayer
from dicecup.core.source import DiceSource, SeededSource, throw_text
from dicecup.core.turn import BEGIN, Turn
from dicecup.record import Fault, Record, RecordCode
from dicecup.record.journal import split_notes
from dicecup.table.duplicate import RowSource, is_event_id
from dicecup.table.fairness import (
    NO_SEED,
    CommittedSource,
    FairnessCode,
    FairnessError,
    commitment,
    secret_from_text,
    seeds_from_text,
)

START: Final = 0
"""The turn number of the lot and of the starting roll."""
_SEED: Final = "seed:"
_COMMITTED: Final = "committed:"
_DUPLICATE: Final = "duplicate:"
_PLACE: Final = re.compile(r"(0|[1-9][0-9]{0,5})\.([1-9][0-9]{0,5})", re.ASCII)
_PARTS: Final = re.compile(r"[0-9]+\.[0-9]+-[0-9]+\.[0-9]+(; [0-9]+\.[0-9]+-[0-9]+\.[0-9]+)*", re.ASCII)
_HEX: Final = re.compile("[0-9a-f]{64}", re.ASCII)
_TURN: Final = re.compile(r"([1-9][0-9]*)\. ([^>].*)", re.ASCII)
_THROW: Final = re.compile(r"[1-6]{5}|[1-6]*\|[1-6]*", re.ASCII)
_KEEP: Final = re.compile(r"!?k(-|[1-6]*)", re.ASCII)

Place: TypeAlias = tuple[int, int]
"""A turn and a throw of the turn, both from 1.

A die that decided who starts has the turn `START`.
"""
BEGINNING: Final[Place] = (START, 1)


@dataclass(frozen=True, slots=True)
class Thrown:
    """A throw of a record, or a single die that decided who starts.

    `line`: the line of the record. `number`: the number from which the throw follows. `kept`: the
    dice that stayed. `shown`: all five faces, or the face of the single die. `lot`: the die is Yam
    Master's lot, which is not counted as a throw and has a number of its own.
    """

    line: int
    place: Place
    number: int
    kept: Keep
    shown: str
    lot: bool = False

    def throw_again(self, source: DiceSource) -> str:
        """Return what this source throws here."""
        if self.place[0] == START:
            return str(source.die())
        fallen = source.throw(self.kept)
        assert fallen is not None, "drawn dice are never void"
        return throw_text(fallen)


@dataclass(frozen=True, slots=True)
class Report:
    """The result of a verification.

    `throws` counts all throws, the dice of a starting roll included and the lot not. `right` and
    `wrong` count those of them that could be repeated. `fault` is the first fault, also of the lot;
    `None` if every die is right. `renewed` holds the places at which another commitment began.
    `on_device` is the tag `OnDevice`: the parts that were played on a device, else empty.
    """

    throws: int
    right: int
    wrong: int
    fault: Fault | None
    renewed: tuple[Place, ...] = ()
    on_device: str = ""


@dataclass(frozen=True, slots=True)
class _Span:
    """The throws from a place on that one commitment or seed determines.

    `source(thrown)` is a source that repeats a throw. `None`: no source is known, and `fault` may
    say why.
    """

    first: Place
    source: Callable[[Thrown], DiceSource] | None
    fault: Fault | None = None


class _Unreadable(Exception):  # noqa: N818 carries a fault to its report
    def __init__(self, fault: Fault) -> None:
        super().__init__()
        self.fault = fault


def throws_of(record: Record) -> Iterator[Thrown]:
    """Return every throw of a record in order, without void ones.

    An unfinished starting roll (`Starting`) counts only if no throw follows it, so that nobody can
    shift the numbers with it.
    """
    if record.game.first_player is FirstPlayer.STARTING_ROLL:
        start = "Start" if "Start" in record.tags or record.journal.throws else "Starting"
        faces = re.findall("[1-6]", record.tags.get(start, ""))
        yield from (Thrown(_line(record, start), (START, n + 1), n, NO_DICE, face) for n, face in enumerate(faces))
    else:
        faces = []
        if "Lot" in record.tags and record.tags.get("Dice", "").startswith(_COMMITTED):
            yield Thrown(_line(record, "Lot"), BEGINNING, 0, NO_DICE, record.tags["Lot"], lot=True)
    number, begun = len(faces), _begun_turns(record)
    for line, text in enumerate(record.journal.to_text().splitlines(), len(record.tags) + 2):
        match = _TURN.fullmatch(split_notes(text)[0])
        if match is None:
            continue
        turn = int(match[1])
        for thrown in _throws_of_turn(line, turn, begun.get(turn, BEGIN), number, match[2]):
            yield thrown
            number += 1


def _begun_turns(record: Record) -> dict[int, Turn]:
    """Return the turn with which a record begins, by its number, if the tag `Position`
    names one."""
    with suppress(DicecupError):
        position = record.game.position(record.tags.get("Position", ""))
        if position.turn is not None:
            return {position.number: position.turn}
    return {}


def _throws_of_turn(line: int, turn: int, begun: Turn, number: int, words: str) -> Iterator[Thrown]:
    """Yield the throws of a turn.

    `begun`: the state in which the turn begins. `number`: the number of its first throw. `words`:
    the text of the turn.
    """
    kept, before = begun.kept, begun.throws
    for word in words.split(" "):
        if kept_word := _KEEP.fullmatch(word):
            kept = keep(kept_word[1])
        elif _THROW.fullmatch(word):
            before += 1
            yield Thrown(line, (turn, before), number, kept, word)
            number += 1


def check(record: Record) -> Report:
    """Repeat every throw of a record.

    A fault that is proved comes before dice that cannot be checked.
    """
    throws = tuple(throws_of(record))
    counted = sum(not thrown.lot for thrown in throws)
    try:
        spans = _spans(record)
    except _Unreadable as error:
        return Report(counted, 0, 0, error.fault)
    right = wrong = 0
    mismatches: list[Fault] = []
    unchecked: list[Fault] = []
    for thrown in throws:
        span = next(span for span in reversed(spans) if span.first <= thrown.place)
        if span.source is None:
            unchecked.append(Fault(thrown.line, FairnessCode.DICE_UNCHECKED, _details(thrown)))
            continue
        expected = thrown.throw_again(span.source(thrown))
        if expected == thrown.shown:
            right += not thrown.lot
            continue
        wrong += not thrown.lot
        code = FairnessCode.START_MISMATCH if thrown.place[0] == START else FairnessCode.THROW_MISMATCH
        mismatches.append(Fault(thrown.line, code, {**_details(thrown), "shown": thrown.shown, "expected": expected}))
    of_spans = [span.fault for span in spans if span.fault is not None]
    lies = [fault for fault in of_spans if fault.code is FairnessCode.WRONG_SECRET]
    fault = next(iter([*lies, *mismatches, *of_spans, *unchecked]), None)
    parts = record.tags.get("OnDevice", "")
    on_device = parts if _PARTS.fullmatch(parts) else ""
    return Report(counted, right, wrong, fault, tuple(span.first for span in spans[2:]), on_device)


def _details(thrown: Thrown) -> dict[str, object]:
    return {"turn": thrown.place[0], "throw": thrown.place[1]}


def _spans(record: Record) -> list[_Span]:
    """Return the spans of a record in the order of their places: one without a source from the
    beginning on, then one for each commitment. Raises `_Unreadable`."""
    dice = record.tags.get("Dice")
    if dice is None:
        raise _Unreadable(Fault(0, RecordCode.TAG_MISSING, {"tag": "Dice"}))
    if dice.startswith(_SEED):
        return [_Span(BEGINNING, lambda thrown: SeededSource(dice.removeprefix(_SEED), thrown=thrown.number))]
    if dice.startswith(_DUPLICATE):
        return [_of_event(record, dice.removeprefix(_DUPLICATE))]
    if not dice.startswith(_COMMITTED):
        raise _Unreadable(Fault(_line(record, "Dice"), FairnessCode.NOTHING_TO_CHECK, {"dice": dice}))
    spans = [_Span(BEGINNING, None), *_earlier(record), _latest(record, dice.removeprefix(_COMMITTED))]
    if any(later.first < earlier.first for earlier, later in pairwise(spans)):
        raise _unreadable(record, "From" if "From" in record.tags else "Earlier")
    return spans


def _of_event(record: Record, committed: str) -> _Span:
    """Return the span of a game with the dice of a duplicate event: the whole game."""
    if "Event" in record.tags and not is_event_id(record.tags["Event"]):
        raise _unreadable(record, "Event")
    if "Secret" not in record.tags:
        return _Span(BEGINNING, None, Fault(0, FairnessCode.SECRET_MISSING))
    secret, fault = _checked_secret(record, record.tags["Secret"], committed, "Secret")
    if secret is None:
        return _Span(BEGINNING, None, fault)
    return _Span(BEGINNING, lambda thrown: RowSource(secret, record.game, *thrown.place))


def _latest(record: Record, committed: str) -> _Span:
    """Return the span of the commitment in the tag Dice."""
    if "Seeds" not in record.tags:
        raise _Unreadable(Fault(0, RecordCode.TAG_MISSING, {"tag": "Seeds"}))
    first = _place(record, "From", record.tags["From"]) if "From" in record.tags else BEGINNING
    secret = record.tags.get("Secret")
    span = _span(record, first, committed, secret, record.tags["Seeds"], ("Secret", "Seeds"))
    return span if secret is not None else replace(span, fault=Fault(0, FairnessCode.SECRET_MISSING))


def _earlier(record: Record) -> Iterator[_Span]:
    """Return the spans of the commitments that ended before that of Dice.

    They stand in `[Earlier "0.1 COMMITMENT SECRET SEEDS; …"]`, with `-` for a secret that was not
    published.
    """
    for entry in record.tags["Earlier"].split("; ") if "Earlier" in record.tags else ():
        words = entry.split(" ", 3)
        if len(words) != 4 or not _HEX.fullmatch(words[1]):
            raise _unreadable(record, "Earlier")
        secret = None if words[2] == NO_SEED else words[2]
        yield _span(record, _place(record, "Earlier", words[0]), words[1], secret, words[3], ("Earlier", "Earlier"))


def _span(record: Record, first: Place, committed: str, secret: str | None, seeds: str, tags: tuple[str, str]) -> _Span:
    """Return the span of one commitment. `tags`: the tags of the secret and of the seeds."""
    try:
        sown = seeds_from_text(seeds, record.game.players)
    except FairnessError:
        raise _unreadable(record, tags[1]) from None
    if secret is None:
        return _Span(first, None)
    known, fault = _checked_secret(record, secret, committed, tags[0])
    if known is None:
        return _Span(first, None, fault)
    return _Span(first, lambda thrown: CommittedSource(known, _game_text(record, thrown), sown, thrown=thrown.number))


def _checked_secret(record: Record, text: str, committed: str, tag: str) -> tuple[bytes | None, Fault | None]:
    """Return the secret in a tag, or the fault of one that does not fit its commitment. Raises
    `_Unreadable`."""
    try:
        known = secret_from_text(text)
    except FairnessError:
        raise _unreadable(record, tag) from None
    if commitment(known) == committed:
        return known, None
    details = {"text": text, "committed": committed}
    return None, Fault(_line(record, tag), FairnessCode.WRONG_SECRET, details)


def _game_text(record: Record, thrown: Thrown) -> str:
    """Return the text that stands for the game in the formula of a throw.

    The lot has a text of its own.
    """
    return f"{record.game.id} lot" if thrown.lot else record.game.id


def _place(record: Record, tag: str, text: str) -> Place:
    match = _PLACE.fullmatch(text)
    if match is None:
        raise _unreadable(record, tag)
    return int(match[1]), int(match[2])


def _unreadable(record: Record, tag: str) -> _Unreadable:
    return _Unreadable(Fault(_line(record, tag), RecordCode.TAG_VALUE, {"tag": tag, "value": record.tags[tag]}))


def _line(record: Record, tag: str) -> int:
    """Return the line of a tag."""
    return list(record.tags).index(tag) + 1
