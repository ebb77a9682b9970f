"""The catalogues: every sentence that people read, one file for each language.

A catalogue `LANGUAGE.json` is in inlang's message format. It maps a key to a text with
`{placeholders}`, or to a plural with one text for each plural form (`match`). The keys
`language_…` hold data of the language: its name, and the locales (BCP 47) for dates and numbers.
The build of the browser client (`ui/messages.ts`) reads the same files.
"""

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final, cast

LANGUAGES: Final = tuple(sorted(path.stem for path in Path(__file__).parent.glob("*.json")))
"""Codes (ISO 639-1) of all languages: the names of the catalogue files in this folder."""
DEFAULT_LANGUAGE: Final = "en"
"""Language of users whose languages have no catalogue."""


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
        from babel import Locale  # the import takes a fifth of the time to the first prompt

        (selector,) = message["selectors"]
        count = cast(int, values[selector.removesuffix("Plural")])
        form = Locale(self.language).plural_form(count)
        match = message["match"]
        text: str = match.get(f"{selector}={form}", match[f"{selector}=other"])
        return text


@cache
def catalogue(language: str) -> Mapping[str, Any]:
    """Return the messages of a language by key, as read from its file."""
    text = Path(__file__).with_name(f"{language}.json").read_text(encoding="utf-8")
    messages: Mapping[str, Any] = json.loads(text)
    return messages
