"""The codes and faults of records that are refused. Records also report the codes of dice, texts,
games and actions.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from dicecup.core.errors import DicecupError


class RecordCode(StrEnum):
    """What is wrong with a record."""

    TOO_LARGE = "record-too-large"
    NOT_UTF8 = "not-utf8"
    BYTE_ORDER_MARK = "byte-order-mark"
    CARRIAGE_RETURN = "carriage-return"
    NO_FINAL_NEWLINE = "no-final-newline"
    BLANK_LINE = "blank-line"
    NO_BLANK_LINE = "no-blank-line"
    NOT_A_TAG = "not-a-tag"
    TAG_TWICE = "tag-twice"
    TAG_MISSING = "tag-missing"
    TAG_NOT_HERE = "tag-not-here"
    TAG_VALUE = "tag-value"
    TAG_WRONG = "tag-wrong"
    NOT_A_TURN = "not-a-turn"
    TURN_NUMBER = "turn-number"
    SPACING = "spacing"
    AFTER_THE_END_OF_TURN = "after-the-end-of-turn"
    UNFINISHED_TURN = "unfinished-turn"
    NOT_A_NOTE = "not-a-note"
    NOTE_IN_MID_TURN = "note-in-mid-turn"
    VOID_THROW_NOT_TABLE = "void-throw-not-table"


@dataclass(frozen=True, slots=True)
class Fault:
    """A fault of a record. `line` counts from 1, 0 means the whole file; `details` holds the
    refused input.
    """

    line: int
    code: StrEnum
    details: Mapping[str, object] = field(default_factory=dict)


class RecordError(DicecupError):
    """A record that cannot be read or replayed.

    `faults` holds every fault by line, faults of the whole file last. `code` is the code of the
    first.
    """

    def __init__(self, code: StrEnum, *, faults: tuple[Fault, ...], **details: object) -> None:
        super().__init__(code, faults=faults, **details)
        self.faults = faults

    def __str__(self) -> str:
        return "; ".join(f"line {fault.line}: {fault.code}" for fault in self.faults)


def record_error(faults: list[Fault]) -> RecordError:
    """Return the error for at least one fault."""
    ordered = tuple(sorted(faults, key=lambda fault: fault.line or float("inf")))
    return RecordError(ordered[0].code, faults=ordered)
