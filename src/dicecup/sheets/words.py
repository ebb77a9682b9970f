"""Names and dates as they are printed."""

import re
from datetime import date
from typing import Final

from dicecup.locale import Messages
from dicecup.record import Record
from dicecup.table.seats import LONGEST_NAME

JOINERS: Final = "\u200c\u200d"
"""Invisible, but some scripts and pictures are written with them."""
LONG_PART: Final = re.compile(r"(?<=\S{14})(?=\S{4})")
BREAK: Final = "\u200b"
REGIONS: Final = {"de": "de_CH", "en": "en_GB", "fr": "fr_CH"}


def printable(name: str) -> str:
    """A name as one line of its own direction: nothing that cannot be seen, nothing that turns the text around it, no more than fits."""
    shown = " ".join("".join(c if c.isprintable() or c in JOINERS else " " for c in name).split())
    return shown if len(shown) <= LONGEST_NAME else f"{shown[: LONGEST_NAME - 1]}…"


def isolated(name: str) -> str:
    """For sentences: the name keeps its direction, and the words around it keep theirs; a long word may be broken."""
    return f"\u2068{LONG_PART.sub(BREAK, name)}\u2069"


def day(record: Record, messages: Messages) -> str:
    """The date of the record in words; as it stands there, where it is none; empty where there is none."""
    from babel.dates import format_date

    told = record.tags.get("Date", "")
    try:
        return format_date(date.fromisoformat(told), "long", REGIONS[messages.language])
    except ValueError:
        return printable(told)
