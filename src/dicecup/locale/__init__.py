"""Every sentence that a person reads, in German, English and French: one catalogue a language.

The files are in inlang's message format, so that the browser client is built from the same ones: a key, and either a text with
`{placeholders}` or a plural with one text a form (`match`). Python reads them here; nothing else in Dicecup holds a sentence.
"""

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final, cast

LANGUAGES: Final = tuple(sorted(path.stem for path in Path(__file__).parent.glob("*.json")))
"""The languages: one for each catalogue file in this folder."""


class Messages:
    """The texts of one language: `messages("key", name=value)`.

    Raises `KeyError` for a key or a placeholder that is missing, `ValueError` for a language that is not in `LANGUAGES`.
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
        from babel import Locale  # only where a plural is shown: it costs a fifth of the time to the first prompt

        (selector,) = message["selectors"]
        count = cast(int, values[selector.removesuffix("Plural")])
        form = Locale(self.language).plural_form(count)
        match = message["match"]
        text: str = match.get(f"{selector}={form}", match[f"{selector}=other"])
        return text


@cache
def catalogue(language: str) -> Mapping[str, Any]:
    """The messages of one language as they stand in its file."""
    text = Path(__file__).with_name(f"{language}.json").read_text(encoding="utf-8")
    messages: Mapping[str, Any] = json.loads(text)
    return messages
