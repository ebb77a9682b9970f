"""The console prints lines on standard output, in colour if wanted, and reads entries from standard
input.

Colour only repeats what a line says in words. No control sequence moves the cursor, so a pipe, a
log and a screen reader get the same text.
"""

import os
import re
import select
import shlex
import sys
from collections.abc import Sequence
from enum import Enum
from pathlib import Path
from typing import Final, NamedTuple, TextIO

from dicecup.core.errors import DicecupError
from dicecup.locale import Messages
from dicecup.terminal.characters import shown
from dicecup.terminal.errors import EndOfInput, TerminalCode, sentence

WIDTH: Final = 80
"""The longest line in characters, apart from paths and names."""
TIE: Final = "\x1f"
"""A space at which no line is broken."""


class Style(Enum):
    """The emphasis of a text. The values are codes of SGR (ECMA-48)."""

    HEAD = "1"
    X = "1;33"
    O = "1;36"  # noqa: E741 the side is called o everywhere
    OPEN = "1;32"
    WRONG = "1;31"
    DIM = "2"


class Cell(NamedTuple):
    """A piece of a line, `width` characters wide: centred, or aligned left (`<`) or right (`>`)."""

    text: str
    width: int
    style: Style | None = None
    align: str = "^"


class Console:
    """The standard input and output. `short`: boards and sheets are printed on request only."""

    def __init__(self, messages: Messages, *, colour: bool | None = None, short: bool = False) -> None:
        self.messages = messages
        self.short = short
        self._colour = wants_colour(sys.stdout) if colour is None else colour
        self._encoding = sys.stdout.encoding or "utf-8"
        self._wake: int | None = None
        self._entered = b""
        """Bytes that were read from the standard input behind the last line."""

    def fit(self, text: str) -> str:
        """Return the text with characters that this terminal can show. Widths must be calculated
        from the fitted text.
        """
        return shown(text, self._encoding)

    def paint(self, text: str, style: Style | None) -> str:
        """Return the text in the colour of a style, or the text itself."""
        return f"\x1b[{style.value}m{text}\x1b[0m" if self._colour and style is not None and text else text

    def say(self, text: str = "", style: Style | None = None) -> None:
        """Print one or more lines. A line is broken at spaces to be at most `WIDTH` wide."""
        for line in text.split("\n"):
            for part in wrapped(self.fit(line)):
                print(self.paint(part, style))

    def row(self, cells: Sequence[Cell]) -> None:
        """Print a line of a board or a sheet."""
        pieces = []
        for cell in cells:
            text = self.fit(cell.text)
            padded = f"{text:{cell.align}{cell.width}}"
            before, after = padded.split(text, 1) if text else (padded, "")
            pieces.append(f"{before}{self.paint(text, cell.style)}{after}")
        print("".join(pieces).rstrip())

    def tell(self, key: str, /, style: Style | None = None, **values: object) -> None:
        """Print a message of the catalogue."""
        self.say(self.messages(key, **values), style)

    def tell_path(self, key: str, path: Path | str, *, quoted: bool = False) -> None:
        """Print a message with a path, which is never broken. `quoted`: for a shell."""
        text = shlex.quote(str(path)) if quoted else str(path)
        self.tell(key, path=text.replace(" ", TIE))

    def complain(self, error: DicecupError) -> None:
        """Print the sentence for an error, and its code."""
        self.say(f"! {sentence(error, self.messages)} [{error.code}]", Style.WRONG)

    def watch(self, wake: int | None) -> None:
        """Let `ask_unless_woken` watch a file descriptor besides standard input. `None`
        ends this."""
        self._wake = wake

    def clear_wake(self) -> None:
        """Read the bytes that wait at the watched file descriptor."""
        while self._wake is not None and select.select([self._wake], [], [], 0)[0]:
            os.read(self._wake, 4096)

    def ask(self, prompt: str) -> str:
        """Return a line that a person enters, without spaces around it. Raises `EndOfInput`."""
        sys.stdout.flush()
        if self._wake is not None:
            print(self.fit(f"{prompt} "), end="", flush=True)
            return self._stripped(self._read_line())
        try:
            return self._stripped(input(self.fit(f"{prompt} ")))
        except EOFError:
            return self._stripped(None)

    def ask_unless_woken(self, prompt: str) -> str | None:
        """Return the line that a person enters without spaces around it, `None` if the watched file
        descriptor becomes readable first. Raises `EndOfInput`.

        An empty prompt continues a question that was printed before.
        """
        if self._wake is None:
            return self.ask(prompt)
        if prompt:
            print(self.fit(f"{prompt} "), end="", flush=True)
        while b"\n" not in self._entered:
            stdin = sys.stdin.fileno()
            ready, _, _ = select.select([stdin, self._wake], [], [])
            if self._wake in ready:
                return None
            if not self._read_more():
                break
        return self._stripped(self._read_line())

    def _stripped(self, line: str | None) -> str:
        """Return the line without spaces around it. `None` stands for the end of the input."""
        if line is None:
            print(flush=True)
            raise EndOfInput(TerminalCode.END_OF_INPUT)
        if not sys.stdin.isatty():
            print()  # no terminal echoed the end of the line
        return line.strip()

    def _read_line(self) -> str | None:
        """Return the next line without its line feed, `None` at the end of the input.

        `sys.stdin` would read ahead, and `select` could not tell whether a line waits.
        """
        while b"\n" not in self._entered:
            if not self._read_more():
                break
        if not self._entered:
            return None
        line, _, self._entered = self._entered.partition(b"\n")
        return line.decode(sys.stdin.encoding, "replace")

    def _read_more(self) -> bool:
        """Wait for bytes of the standard input. Return whether there were any."""
        more = os.read(sys.stdin.fileno(), 4096)
        self._entered += more
        return bool(more)


def wants_colour(stream: TextIO) -> bool:
    """Return whether the stream is a terminal that is not dumb, and NO_COLOR (no-color.org) is not
    set.
    """
    return stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM", "dumb") != "dumb"


def wrapped(line: str) -> list[str]:
    """Return the line in parts of at most `WIDTH` characters, broken at spaces. All but the first
    are indented by two spaces.

    A line is not broken at a no-break space, which is printed as a space, nor at the space before a
    French colon or within guillemets.
    """
    line = re.sub(r"\u00a0| (?=[:;?!»])|(?<=«) ", TIE, line)
    parts = []
    indent = ""
    while len(indent + line) > WIDTH:
        room = WIDTH - len(indent)
        at = line.rfind(" ", 1, room + 1)
        if at < 0:
            at = line.find(" ", room)
        if at < 0 or not line[:at].strip():
            break
        parts.append(indent + line[:at].rstrip())
        line, indent = line[at:].lstrip(), "  "
    return [part.replace(TIE, " ") for part in (*parts, indent + line)]
