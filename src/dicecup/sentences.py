"""Sentences for errors, made from their codes and details, and refusals as messages.

The catalogues hold the sentence of a code under `error_` and the code with underscores.
"""

from collections.abc import Iterable, Mapping
from pathlib import PurePath
from typing import Any, Final

from dicecup.core.errors import DicecupError, PositionError
from dicecup.locale import Messages
from dicecup.record import RecordError

LONGEST: Final = 60
"""Default limit of a detail's length, in characters."""
LONGEST_PATH: Final = 4096
"""Limit of a path's length, in characters. Part of a path would be of no use."""
LONGEST_DETAIL: Final = 200
"""Limit of a detail's length in a message, in characters."""
MOST_FAULTS: Final = 20
"""Faults of a record that a message names."""


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


def on_own_lines(text: str, longest: int) -> str:
    """Return a text with each of its lines as `on_one_line` returns it, separated by newlines."""
    return "\n".join(on_one_line(line, longest) for line in text.splitlines())


def refusal_json(error: DicecupError, language: str) -> dict[str, Any]:
    """Return an error as the message `Refusal` of docs/protocol.md: `code`, `message` in
    a language, `details`, and the `number` of the newest event if the command was meant for an
    earlier one."""
    messages = Messages(language)
    details = {name: _as_json(value) for name, value in error.details.items() if name not in ("number", "position", "faults")}
    if isinstance(error, RecordError):
        details["faults"] = [
            {"line": fault.line, "code": str(fault.code), "message": _detailed(str(fault.code), fault.details, messages)}
            for fault in error.faults[:MOST_FAULTS]
        ]
    number = error.details.get("number")
    return {
        "code": str(error.code),
        "message": _message(error, messages),
        "details": details,
        "number": number if isinstance(number, int) else None,
    }


def _message(error: DicecupError, messages: Messages) -> str:
    if isinstance(error, PositionError):
        return faults_sentence((fault.name for fault in error.faults), messages)
    first = error.faults[0] if isinstance(error, RecordError) else error
    return _detailed(str(first.code), first.details, messages)


def _detailed(code: str, details: Mapping[str, object], messages: Messages) -> str:
    return code_sentence(code, details, messages, LONGEST_DETAIL)


def _as_json(value: object) -> Any:
    """Return a detail as a JSON value."""
    return value if value is None or isinstance(value, bool | int | float) else on_one_line(str(value), LONGEST_DETAIL)
