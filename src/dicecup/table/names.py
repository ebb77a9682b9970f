"""Names of players: which texts are names, and which names look the same."""

import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache
from typing import Final

from dicecup.table.errors import TableCode, TableError

LONGEST_NAME: Final = 40
"""The most characters of a name."""
JOINERS: Final = "\u200c\u200d"
"""The zero-width non-joiner and joiner: invisible characters that some scripts and emoji need."""
_BLANKS: Final = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0\ufffc\U00016fe4\U0001d159")
"""Characters that count as printable and show nothing."""
_SELECTORS: Final = frozenset(map(chr, (*range(0x180B, 0x180E), 0x180F, *range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0))))
"""Variation selectors, which choose the form of the character before."""
_SKIN_TONES: Final = frozenset(map(chr, range(0x1F3FB, 0x1F400)))
_VIRAMA: Final = 9
"""Canonical combining class of the signs that join consonants in Indic scripts."""


def is_name(text: str) -> bool:
    """Return whether a text is a name: 1 to 40 visible characters, no space at either end."""
    return _has_length(text) and not hides_characters(text)


def is_stored_name(text: str) -> bool:
    """Return whether a text was a name in any version of Dicecup. Event logs keep names that
    `check_name` refuses today."""
    return _has_length(text) and all(character.isprintable() or character in JOINERS for character in text)


def check_name(text: str, others: Iterable[str]) -> None:
    """Raise `TableError` for a text that is no name (`not-a-name`, `hidden-in-name`) or that looks
    like one of the `others` (`name-twice`)."""
    if not _has_length(text):
        raise TableError(TableCode.NOT_A_NAME, text=text)
    if hides_characters(text):
        raise TableError(TableCode.HIDDEN_IN_NAME, text=text)
    if name_key(text) in map(name_key, others):
        raise TableError(TableCode.NAME_TWICE, text=text)


@lru_cache(maxsize=4096)
def hides_characters(text: str) -> bool:
    """Return whether a text has characters that nobody sees: control characters, marks that change
    the direction, blanks, joiners that join nothing, or nothing else than marks."""
    hidden = any(
        character in _BLANKS or not (character.isprintable() or _joins(text, place)) for place, character in enumerate(text)
    )
    return hidden or all(unicodedata.category(character)[0] in "MZ" for character in text)


@lru_cache(maxsize=4096)
def name_key(text: str) -> str:
    """Return a text that is equal for names that look the same apart from capitals.

    This is the compatibility caseless match of the Unicode standard (D146), without joiners,
    variation selectors and further spaces, so that `Zoë` with one or two characters for `ë` is the
    same name.
    """
    shown = "".join(character for character in text if character not in JOINERS and character not in _SELECTORS)
    folded = unicodedata.normalize("NFKD", unicodedata.normalize("NFD", shown).casefold()).casefold()
    return " ".join(unicodedata.normalize("NFKC", folded).split())


def replace_name(text: str, old: str, new: str) -> str:
    """Return a text with another name where it has the old one as a whole word, in capitals or
    not."""
    return re.sub(rf"(?<!\w){re.escape(old)}(?!\w)", lambda _: new, text, flags=re.IGNORECASE)


def free_name(name: str, others: Iterable[str]) -> str:
    """Return a name with a number if it looks like one of the `others`, and otherwise as it is."""
    taken = set(map(name_key, others))
    count = 2
    free = name
    while name_key(free) in taken:
        free = f"{name[: LONGEST_NAME - 4].strip()} {count}"
        count += 1
    return free


def _has_length(text: str) -> bool:
    return text == text.strip() and 1 <= len(text) <= LONGEST_NAME


def _joins(text: str, place: int) -> bool:
    """Return whether the character at `place` is a joiner in a place where it changes the writing.

    Joiners stand after the virama of an Indic script, between letters of a script that is written
    from right to left with joined letters, and between the parts of an emoji.
    """
    if text[place] not in JOINERS or place == 0:
        return False
    if unicodedata.combining(text[place - 1]) == _VIRAMA:
        return True
    before, after = _base(text[place - 1 :: -1]), _base(text[place + 1 :])
    if not before or not after:
        return False
    if unicodedata.bidirectional(before) == unicodedata.bidirectional(after) == "AL":
        return True
    return text[place] == JOINERS[1] and unicodedata.category(before) == "So" and unicodedata.category(after) in ("So", "Sm")


def _base(characters: str) -> str:
    """Return the first character that is no mark and no skin tone, empty if there is none."""
    return next((each for each in characters if unicodedata.category(each) != "Mn" and each not in _SKIN_TONES), "")
