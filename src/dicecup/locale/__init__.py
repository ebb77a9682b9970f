"""The catalogues: every sentence that people read, one file for each language.

A catalogue `LANGUAGE.json` is in inlang's message format. It maps a key to a text with
`{placeholders}`, or to a plural with one text for each plural form (`match`). The keys
`language_…` hold data of the language: its name, the locales (BCP 47) for dates and numbers, and
from CLDR the rules of its plural forms, its months and how it writes a date. The build of the
browser client (`ui/messages.ts`) reads the same files.
"""

import json
import re
from collections.abc import Mapping
from datetime import date
from functools import cache
from pathlib import Path
from typing import Any, Final, cast

LANGUAGES: Final = tuple(sorted(path.stem for path in Path(__file__).parent.glob("*.json")))
"""Codes (ISO 639-1) of all languages: the names of the catalogue files in this folder."""
DEFAULT_LANGUAGE: Final = "en"
"""Language of users whose languages have no catalogue."""
_RELATION: Final = re.compile(r"([a-z])(?: % (\d+))? (!?=) ([\d.,]+)")
"""A relation in CLDR's rules of plural forms, as `i % 10 != 12..14`."""


class Messages:
    """The texts of one language.

    `messages("key", name=value)` returns a text with its placeholders replaced. Raises `KeyError`
    for a missing key or placeholder. The constructor raises `ValueError` for a language that is not
    in `LANGUAGES`.
    """

    def __init__(self, language: str) -> None:
        if language not in LANGUAGES:
            raise ValueError(language)
        self.language = language
        self._catalogue = catalogue(language)

    def __call__(self, key: str, /, **values: object) -> str:
        message = self._catalogue[key]
        if not isinstance(message, str):
            message = self._plural(message[0], values)
        return message.format_map(values)

    def __contains__(self, key: str) -> bool:
        return key in self._catalogue

    def _plural(self, message: Mapping[str, Any], values: Mapping[str, object]) -> str:
        """Return the text for the plural form of the number that the message selects by."""
        (selector,) = message["selectors"]
        count = cast(int, values[selector.removesuffix("Plural")])
        match = message["match"]
        text: str = match.get(f"{selector}={self.plural_form(count)}", match[f"{selector}=other"])
        return text

    def plural_form(self, count: int) -> str:
        """Return CLDR's name of the plural form for a number, as `one` or `other`."""
        for rule in filter(None, self("language_plurals").split("; ")):
            form, _, condition = rule.partition(": ")
            if any(all(_holds(relation, count) for relation in each.split(" and ")) for each in condition.split(" or ")):
                return form
        return "other"

    def date(self, day: date) -> str:
        """Return a date in words."""
        month = self("language_months").split(", ")[day.month - 1]
        return self("language_date", day=day.day, month=month, year=day.year)


def _holds(relation: str, count: int) -> bool:
    """Return whether a relation of CLDR's plural rules holds for a number.

    The operands `n` and `i` are the number; all others count decimals, so they are 0.
    """
    found = _RELATION.fullmatch(relation)
    assert found is not None, relation
    operand, divisor, sign, ranges = found.groups()
    value = abs(count) if operand in "ni" else 0
    if divisor:
        value %= int(divisor)
    bounds = ((first, last or first) for first, _, last in (part.partition("..") for part in ranges.split(",")))
    return any(int(first) <= value <= int(last) for first, last in bounds) == (sign == "=")


@cache
def catalogue(language: str) -> Mapping[str, Any]:
    """Return the messages of a language by key, as read from its file."""
    text = Path(__file__).with_name(f"{language}.json").read_text(encoding="utf-8")
    messages: Mapping[str, Any] = json.loads(text)
    return messages
