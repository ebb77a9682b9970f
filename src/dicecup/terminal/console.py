"""What is written to a person and read from one: lines of text, in colour where that is wanted, in any encoding.

Colour only underlines what a line already says. Nothing moves the cursor, so a pipe, a log and a screen reader get the same.
"""

import os
import re
import shlex
import sys
from collections.abc import Sequence
from enum import Enum
from pathlib import Path
from typing import Final, NamedTuple, TextIO

from dicecup.core.errors import DicecupError
from dicecup.locale import Messages
from dicecup.terminal.characters import shown
from dicecup.terminal.errors import EndOfInput, TableCode, sentence

WIDTH: Final = 80
"""No line that we lay out is longer."""
TIE: Final = "\x1f"
"""A blank at which no line is broken."""


class Style(Enum):
    """What is set off, as the codes of SGR."""

    HEAD = "1"
    X = "1;33"
    O = "1;36"  # noqa: E741 the side is called o everywhere
    OPEN = "1;32"
    WRONG = "1;31"
    DIM = "2"


class Cell(NamedTuple):
    """A piece of a line: centred in `width`, unless `align` is `<` or `>`."""

    text: str
    width: int
    style: Style | None = None
    align: str = "^"


class Console:
    """Standard input and output. `short`: no boards and sheets unless they are asked for."""

    def __init__(self, messages: Messages, *, colour: bool | None = None, short: bool = False) -> None:
        self.messages = messages
        self.short = short
        self._colour = wants_colour(sys.stdout) if colour is None else colour
        self._encoding = sys.stdout.encoding or "utf-8"

    def fit(self, text: str) -> str:
        """The text as this terminal can show it: lay out only what was fitted."""
        return shown(text, self._encoding)

    def paint(self, text: str, style: Style | None) -> str:
        """The text in colour, or as it is."""
        return f"\x1b[{style.value}m{text}\x1b[0m" if self._colour and style is not None and text else text

    def say(self, text: str = "", style: Style | None = None) -> None:
        """One or more lines, each at most `WIDTH` wide where it can be broken."""
        for line in text.split("\n"):
            for part in wrapped(self.fit(line)):
                print(self.paint(part, style))

    def row(self, cells: Sequence[Cell]) -> None:
        """A line of a board or a sheet."""
        pieces = []
        for cell in cells:
            text = self.fit(cell.text)
            padded = f"{text:{cell.align}{cell.width}}"
            before, after = padded.split(text, 1) if text else (padded, "")
            pieces.append(f"{before}{self.paint(text, cell.style)}{after}")
        print("".join(pieces).rstrip())

    def tell(self, key: str, /, style: Style | None = None, **values: object) -> None:
        """A message of the catalogue."""
        self.say(self.messages(key, **values), style)

    def tell_path(self, key: str, path: Path | str, *, quoted: bool = False) -> None:
        """A message with a path in it, which is never broken; `quoted` for a shell."""
        text = shlex.quote(str(path)) if quoted else str(path)
        self.tell(key, path=text.replace(" ", TIE))

    def complain(self, error: DicecupError) -> None:
        """The sentence for an error, and its code."""
        self.say(f"! {sentence(error, self.messages)} [{error.code}]", Style.WRONG)

    def ask(self, prompt: str) -> str:
        """A line that somebody enters, without blanks around it. Raises `EndOfInput`."""
        sys.stdout.flush()
        try:
            entered = input(self.fit(f"{prompt} "))
        except EOFError:
            print(flush=True)
            raise EndOfInput(TableCode.END_OF_INPUT) from None
        if not sys.stdin.isatty():
            print()  # nobody saw the Enter that ends the line
        return entered.strip()


def wants_colour(stream: TextIO) -> bool:
    """A terminal that is not dumb, unless NO_COLOR is set (no-color.org)."""
    return stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM", "dumb") != "dumb"


def wrapped(line: str) -> list[str]:
    """The line in parts of at most `WIDTH`, broken at spaces; further parts are indented by two. A blank before a French colon is
    no place to break at."""
    line = re.sub(r" (?=[:;?!»])|(?<=«) ", TIE, line)
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
