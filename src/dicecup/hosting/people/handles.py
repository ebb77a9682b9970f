"""Handles of accounts: which texts are handles, and which handles look alike.

Two handles look alike if they differ only in capitals, or if their skeletons of the Unicode
standard (UTS 39, section 4) are equal, as they are written (`PaypaI` with a capital i is `Paypal`)
or in small letters (`Martin` is `mаrtin` with a Cyrillic а).
"""

import json
import re
import unicodedata
from functools import cache
from importlib.resources import files
from typing import Final

from dicecup.hosting.errors import HostingCode, HostingError
from dicecup.table.names import JOINERS, is_name, name_key

DELETED: Final = "deleted"
"""The name of a person whose account was deleted."""
_SIGNS: Final = frozenset("-_." + JOINERS)
"""Characters of handles besides letters, marks and digits."""
_SECOND_DOT: Final = re.compile("(?<=[ij])\u0307")
"""A dot above a letter that has one: it takes its place."""


def check_handle(text: str) -> None:
    """Raise `HostingError` (`not-a-handle`) unless a text is a handle: a name of letters, digits
    and `-_.` with a letter or digit, and `handle-taken` if it looks like `DELETED`."""
    categories = [unicodedata.category(character)[0] for character in text if character not in _SIGNS]
    fits = is_name(text) and all(category in "LMN" for category in categories) and any(each in "LN" for each in categories)
    if not fits:
        raise HostingError(HostingCode.NOT_A_HANDLE, text=text)
    if handle_shape(DELETED) in (handle_shape(text), small_shape(text)):
        raise HostingError(HostingCode.HANDLE_TAKEN, text=text)


def small_shape(text: str) -> str:
    """Return a text that is equal for handles that look alike in small letters."""
    return handle_shape(name_key(text))


def handle_shape(text: str) -> str:
    """Return a text that is equal for handles that look alike as they are written, apart from
    capitals."""
    prototypes = _prototypes()
    written = _SECOND_DOT.sub("", unicodedata.normalize("NFD", text))
    return name_key("".join(prototypes.get(character, character) for character in written))


@cache
def _prototypes() -> dict[str, str]:
    """Return the prototype of each confusable character.

    The table of `confusable-homoglyphs` lists the partners of each text. Every class of confusable
    texts has one prototype, which all others have as their only partner.
    """
    table: dict[str, list[dict[str, str]]] = json.loads(
        (files("confusable_homoglyphs") / "confusables.json").read_text("utf-8")
    )
    partners = {text: [each["c"] for each in listed] for text, listed in table.items()}

    def prototype(text: str) -> str:
        if len(partners[text]) > 1:
            return text
        (other,) = partners[text]
        return other if len(partners[other]) > 1 else min(text, other)

    return {text: prototype(text) for text in partners if len(text) == 1}
