"""The sentence for every error (`error_…` in the catalogues), by its code and details."""

from collections.abc import Iterable, Mapping
from pathlib import PurePath
from typing import Final

from dicecup.locale import Messages

LONGEST: Final = 60
"""Characters of a detail, unless it is said otherwise."""
LONGEST_PATH: Final = 4096
"""Of a path, which is of no use in part."""


def code_sentence(code: str, details: Mapping[str, object], messages: Messages, longest: int = LONGEST) -> str:
    """The sentence for a code with its details."""
    shown = {
        name: on_one_line(str(value), LONGEST_PATH if isinstance(value, PurePath) else longest)
        for name, value in details.items()
    }
    try:
        return messages(f"error_{code.replace('-', '_')}", **shown)
    except KeyError:
        return messages("error_other", code=code)


def faults_sentence(faults: Iterable[str | None], messages: Messages) -> str:
    """The sentence for a position that no game reaches, with everything that is wrong with it."""
    told = ", ".join(messages(f"fault_{(fault or '').lower()}") for fault in faults)
    return messages("error_unreachable_position", faults=told)


def on_one_line(text: str, longest: int = LONGEST) -> str:
    """A text of somebody's, without what a terminal would obey."""
    shown = "".join(character if character.isprintable() else "?" for character in text[: longest + 1])
    return shown if len(shown) <= longest else f"{shown[: longest - 1]}…"
