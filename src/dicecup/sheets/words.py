"""Names and dates in their printed form."""

import re
from datetime import date
from typing import Final

from dicecup.locale import Messages
from dicecup.record import Record
from dicecup.table.names import JOINERS, LONGEST_NAME

LONG_PART: Final = re.compile(r"(?<=\S{14})(?=\S{4})")
BREAK: Final = "\u200b"


def printable(name: str) -> str:
    """Return a name as one line of at most `LONGEST_NAME` characters.

    Characters that are not printable, among them those that change the direction, become spaces."""
    shown = " ".join("".join(c if c.isprintable() or c in JOINERS else " " for c in name).split())
    return shown if len(shown) <= LONGEST_NAME else f"{shown[: LONGEST_NAME - 1]}…"


def player_names(record: Record, messages: Messages) -> list[str]:
    """Return the names of the players in the order of play, empty where the record has none.

    A computer is called by its level, in the language of the messages."""
    tags = record.game.player_tags
    named = [printable(record.tags.get(tag, "")) for tag in tags]
    seats = record.tags.get("Seats", "").split(" ")
    if len(seats) != len(tags):
        return named
    return [
        _computer_name(name, seat, messages) if seat in record.game.levels else name
        for name, seat in zip(named, seats, strict=True)
    ]


def _computer_name(name: str, level: str, messages: Messages) -> str:
    """Return the name of a computer, with its number where several have the same level. A computer
    that plays on for a person has the name of the person."""
    first, _, number = name.partition(" ")
    key = f"level_{level}"
    if first != level or (number and not number.isdecimal()) or key not in messages:
        return name
    return messages("ui_table_computer", level=f"{messages(key)} {number}".strip())


def isolated(name: str) -> str:
    """Return a name for use in a sentence: isolated in its direction, with breaks in long words."""
    return f"\u2068{LONG_PART.sub(BREAK, name)}\u2069"


def day(record: Record, messages: Messages) -> str:
    """Return the tag `Date` in words. A value that is no date is returned as it is."""
    value = record.tags.get("Date", "")
    try:
        return messages.date(date.fromisoformat(value))
    except ValueError:
        return printable(value)
