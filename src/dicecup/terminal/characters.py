"""Replacements for characters that a terminal cannot show: é becomes e, ≤ becomes <=, so that
printing never fails.

`fallback` is a codec error handler, so that ASCII, Latin-1 and every other encoding keep what they
have.
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
    "“": '"', "”": '"', "„": '"', "«": '"', "»": '"', "\u00a0": " ", "\u202f": " ", "\u00ad": "",
    "±": "+-", "−": "-", "°": "o", "▁": "_", "▂": "_", "▃": "-", "▄": "-", "▅": "=", "▆": "=", "▇": "#", "█": "#",
    "ä": "ae", "ö": "oe", "ü": "ue", "Ä": "Ae", "Ö": "Oe", "Ü": "Ue", "ß": "ss", "œ": "oe", "Œ": "OE", "æ": "ae", "Æ": "AE",
}  # fmt: skip


def plain(character: str) -> str:
    """Return the ASCII text for a character: its replacement, its letter without accents, or a
    question mark."""
    known = _PLAIN.get(character)
    if known is not None:
        return known
    letters = unicodedata.normalize("NFKD", character).encode("ascii", "ignore").decode()
    return letters or ("" if unicodedata.combining(character) else "?")


def fallback(error: UnicodeError) -> tuple[str, int]:
    """Replace characters that the encoding lacks. This is the codec error handler `HANDLER`."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return "".join(map(plain, error.object[error.start : error.end])), error.end


codecs.register_error(HANDLER, fallback)


def shown(text: str, encoding: str) -> str:
    """Return the text as this encoding shows it."""
    return text.encode(encoding, HANDLER).decode(encoding)


def write_what_the_terminal_can_show() -> None:
    """Make the standard streams replace the characters that their encodings lack.

    A stream that was closed before the start becomes the null device.
    """
    nowhere = Path(os.devnull)
    sys.stdin = sys.stdin or nowhere.open(encoding="utf-8")
    sys.stdout = sys.stdout or nowhere.open("w", encoding="utf-8")
    sys.stderr = sys.stderr or nowhere.open("w", encoding="utf-8")
    for stream, errors in ((sys.stdin, "replace"), (sys.stdout, HANDLER), (sys.stderr, HANDLER)):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors=errors)


def discard_output() -> None:
    """After a closed pipe: what is still in the buffer goes nowhere, so that Python ends without a
    complaint."""
    for stream in (sys.stdout, sys.stderr):
        _discard(stream)


def _discard(stream: TextIO) -> None:
    """Redirect a stream to the null device. A stream without a file is left as it is."""
    try:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, stream.fileno())
        os.close(nowhere)
    except (OSError, ValueError):
        return  # no file behind it, so nothing to be flushed to one
