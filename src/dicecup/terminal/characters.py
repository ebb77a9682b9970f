"""Terminals that cannot show every character: é becomes e, ≤ becomes <=, and nothing ever fails to print.

`fallback` is a codec error handler, so that ASCII, Latin-1 and every other encoding keep what they have.
"""

import codecs
import os
import sys
import unicodedata
from io import TextIOWrapper
from pathlib import Path
from typing import Final, TextIO

HANDLER: Final = "dicecup"
"""The name of the codec error handler."""

_PLAIN: Final = {
    "≤": "<=", "↓": "v", "↑": "^", "–": "-", "—": "-", "…": "...", "·": "-", "×": "x", "→": "->", "←": "<-", "’": "'", "‘": "'",
    "“": '"', "”": '"', "„": '"', "«": '"', "»": '"', "\u00a0": " ", "\u202f": " ",
    "±": "+-", "▁": "_", "▂": "_", "▃": "-", "▄": "-", "▅": "=", "▆": "=", "▇": "#", "█": "#",
    "ä": "ae", "ö": "oe", "ü": "ue", "Ä": "Ae", "Ö": "Oe", "Ü": "Ue", "ß": "ss", "œ": "oe", "Œ": "OE", "æ": "ae", "Æ": "AE",
}  # fmt: skip


def plain(character: str) -> str:
    """What stands for a character in ASCII: its own word, its letter without accents, or a question mark."""
    known = _PLAIN.get(character)
    if known is not None:
        return known
    letters = unicodedata.normalize("NFKD", character).encode("ascii", "ignore").decode()
    return letters or ("" if unicodedata.combining(character) else "?")


def fallback(error: UnicodeError) -> tuple[str, int]:
    """The codec error handler: what cannot be shown is replaced."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return "".join(map(plain, error.object[error.start : error.end])), error.end


codecs.register_error(HANDLER, fallback)


def shown(text: str, encoding: str) -> str:
    """The text as it will look in this encoding."""
    return text.encode(encoding, HANDLER).decode(encoding)


def write_what_the_terminal_can_show() -> None:
    """Standard output and error replace what they cannot show; standard input replaces what it cannot read.

    A stream that was closed from the start swallows what is written, and is at its end."""
    nowhere = Path(os.devnull)
    sys.stdin = sys.stdin or nowhere.open(encoding="utf-8")
    sys.stdout = sys.stdout or nowhere.open("w", encoding="utf-8")
    sys.stderr = sys.stderr or nowhere.open("w", encoding="utf-8")
    for stream, errors in ((sys.stdin, "replace"), (sys.stdout, HANDLER), (sys.stderr, HANDLER)):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors=errors)


def discard_output() -> None:
    """After a closed pipe: what is still in the buffer goes nowhere, so that Python ends without a complaint."""
    for stream in (sys.stdout, sys.stderr):
        _discard(stream)


def _discard(stream: TextIO) -> None:
    try:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, stream.fileno())
        os.close(nowhere)
    except (OSError, ValueError):
        return  # no file behind it, so nothing to be flushed to one
