"""What people say at a table: quick phrases, reactions on throws and short texts, as events and as
values of the state (docs/decisions/0033).

Talk is kept with the table. It is no part of the game: it makes no command stale, moves no clock
and is in no record.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import ClassVar, Final, Literal, NamedTuple, TypeAlias

from dicecup.table import codec as wire
from dicecup.table.names import JOINERS, hides_characters, replace_name

LONGEST_TEXT: Final = 200
"""The most characters of a text."""
LINES_KEPT: Final = 40
"""The number of newest lines that the state holds."""
THROWS_KEPT: Final = 6
"""The number of newest throws on which people may react."""


class Phrase(StrEnum):
    """A quick phrase. Each person reads it in their own language. Event logs hold the values, so
    none may be removed."""

    HELLO = "hello"
    GOOD_LUCK = "good-luck"
    GOOD_THROW = "good-throw"
    BAD_LUCK = "bad-luck"
    WELL_PLAYED = "well-played"
    THANKS = "thanks"
    ONE_MOMENT = "one-moment"
    I_AM_BACK = "i-am-back"
    GOOD_GAME = "good-game"
    GOODBYE = "goodbye"


class Reaction(StrEnum):
    """A reaction on a throw. Event logs hold the values, so none may be removed."""

    BRAVO = "bravo"
    WOW = "wow"
    LAUGH = "laugh"
    OUCH = "ouch"
    LUCKY = "lucky"


@dataclass(frozen=True, slots=True)
class Said:
    """A seat said a quick phrase."""

    seat: int
    phrase: Phrase
    type: Literal["said"] = "said"
    __pydantic_config__: ClassVar[wire.Config] = wire.STRICT


@dataclass(frozen=True, slots=True)
class Reacted:
    """A seat reacted on a throw: event number `throw`, in which the seat `thrower` threw `dice`."""

    seat: int
    reaction: Reaction
    throw: int
    thrower: int
    dice: str
    type: Literal["reacted"] = "reacted"
    __pydantic_config__: ClassVar[wire.Config] = wire.STRICT


@dataclass(frozen=True, slots=True)
class Wrote:
    """A seat wrote a text."""

    seat: int
    text: str
    type: Literal["wrote"] = "wrote"
    __pydantic_config__: ClassVar[wire.Config] = wire.STRICT


@dataclass(frozen=True, slots=True)
class TextsAllowed:
    """The person on a seat allows texts at this table, or no longer. Texts need the permission of
    all people."""

    seat: int
    allowed: bool
    type: Literal["texts-allowed"] = "texts-allowed"
    __pydantic_config__: ClassVar[wire.Config] = wire.STRICT


TalkEvent: TypeAlias = Said | Reacted | Wrote | TextsAllowed


class Line(NamedTuple):
    """An event of talk with its number and time, and the name of the person on the seat then."""

    number: int
    time: float
    name: str
    event: TalkEvent


class RecentThrow(NamedTuple):
    """A throw on which people may react: the number of its event, the seat that threw, and its
    text."""

    number: int
    seat: int
    dice: str


def is_text(text: str) -> bool:
    """Return whether a text has a length that can be written: 1 to 200 characters, no space at
    either end."""
    return text == text.strip() and 1 <= len(text) <= LONGEST_TEXT


def is_plain(text: str) -> bool:
    """Return whether a text consists of visible characters, as a name does."""
    return not hides_characters(text)


def is_stored_text(text: str) -> bool:
    """Return whether a text may be in an event log. What counts as visible changes with the Unicode
    standard, so control characters alone are refused."""
    return is_text(text) and all(character.isprintable() or character in JOINERS for character in text)


def lines_after(lines: Sequence[Line], line: Line) -> tuple[Line, ...]:
    """Return the newest lines after another one."""
    return (*lines[1 - LINES_KEPT :], line)


def lines_renamed(lines: Sequence[Line], seat: int, old: str, new: str) -> tuple[Line, ...]:
    """Return the lines of a person on a seat, whose account was deleted, with another name, also in
    what the person wrote."""
    return tuple(
        line._replace(name=new, event=without_name(line.event, old, new) if isinstance(line.event, Wrote) else line.event)
        if line.event.seat == seat and line.name == old
        else line
        for line in lines
    )


def without_name(event: Wrote, old: str, new: str) -> Wrote:
    """Return an event whose text has another name where it has the old one as a whole word."""
    return replace(event, text=replace_name(event.text, old, new)[:LONGEST_TEXT].strip())


def throws_after(throws: Sequence[RecentThrow], throw: RecentThrow) -> tuple[RecentThrow, ...]:
    """Return the throws on which people may react after another one."""
    return (*throws[1 - THROWS_KEPT :], throw)
