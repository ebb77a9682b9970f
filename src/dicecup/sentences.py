"""Sentences for errors, made from their codes and details.

The catalogues hold the sentence of a code under `error_` and the code with underscores.
"""

from collections.abc import Iterable, Mapping
from pathlib import PurePath
from typing import Final

from dicecup.locale import Messages

LONGEST: Final = 60
"""Default limit of a detail's length, in characters."""
LONGEST_PATH: Final = 4096
"""Limit of a path's length, in characters. Part of a path would be of no use."""


def code_sentence(code: str, details: Mapping[str, object], messages: Messages, longest: int = LONGEST) -> str:
    """Return the sentence for the code and the details of an error.

    Details are cut to `longest` characters, paths to `LONGEST_PATH`. A code without a sentence, or
    with a detail missing, gets a sentence that names the code.
    """
    shown = {
        name: on_one_line(str(value), LONGEST_PATH if isinstance(value, PurePath) else longest)
        for name, value in details.items()
    }
    try:
        return messages(f"error_{code.replace('-', '_')}", **shown)
    except KeyError:
        return messages("error_other", code=code)


def faults_sentence(faults: Iterable[str | None], messages: Messages) -> str:
    """Return the sentence for a position that no game can reach, with the names of its faults."""
    listed = ", ".join(messages(f"fault_{(fault or '').lower()}") for fault in faults)
    return messages("error_unreachable_position", faults=listed)


def on_one_line(text: str, longest: int = LONGEST) -> str:
    """Return a text with `?` for each character that is not printable, cut to `longest` characters.

    Foreign texts could hold control characters, which terminals execute.
    """
    shown = "".join(character if character.isprintable() else "?" for character in text[: longest + 1])
    return shown if len(shown) <= longest else f"{shown[: longest - 1]}…"
