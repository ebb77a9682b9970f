"""Taking back the last thing that a person typed at a table with real dice, and what a computer did upon it."""

import re
from collections.abc import Sequence
from typing import Final

from dicecup import record
from dicecup.record import Record
from dicecup.record.journal import split_notes
from dicecup.terminal import tags
from dicecup.terminal.errors import TableCode, TableError
from dicecup.terminal.seats import Seat

_CORRECTION: Final = re.compile(r"[1-9][0-9]*\. > \S+", re.ASCII)
_THROW: Final = re.compile(r"[1-6|]+|~", re.ASCII)


def without_last_entry(kept: Record, seats: Sequence[Seat]) -> tuple[Record, str]:
    """The record before it, and the entry's text. Throws are always typed, actions where a person sits.

    Raises `TableError` (`nothing-to-take-back`)."""
    while kept.journal.words or kept.journal.lines:
        turn, text = _last_entry(kept)
        kept = _without(kept, text)
        if _THROW.fullmatch(text) or _CORRECTION.fullmatch(text) or seats[(turn - 1) % len(seats)].is_human:
            return kept, text
    if not kept.tags.get("Start", kept.tags.get("Starting")):
        raise TableError(TableCode.NOTHING_TO_TAKE_BACK)
    return tags.without_last_die(kept), kept.tags.get("Start", kept.tags.get("Starting", ""))[-1]


def _last_entry(kept: Record) -> tuple[int, str]:
    """The turn that it belongs to, and its text: a word, or a correction, which is a line."""
    journal = kept.journal
    if journal.words:
        return journal.position.number, journal.words[-1]
    line, _ = split_notes(journal.lines[-1])
    number = int(line.partition(".")[0])
    return number, line if _CORRECTION.fullmatch(line) else line.rpartition(" ")[2]


def _without(kept: Record, text: str) -> Record:
    """The record as it was read before this last entry."""
    lines = kept.to_text().removesuffix("\n").split("\n")
    line, _ = split_notes(lines[-1])
    left = line.removesuffix(text).rstrip(" ")
    lines[-1:] = [left] if left and not re.fullmatch(r"[0-9]+\.", left) else []
    return record.read("".join(f"{line}\n" for line in lines))
