"""The story of one game as it is written down: the position and the lines that lead to it.

Reading a record and writing one are the same steps: every throw and every action goes through the position, which checks it,
and only then onto the page.
"""

import re
from dataclasses import dataclass, replace
from typing import Final

from dicecup.core.errors import ActionError, TurnCode
from dicecup.core.game import Action, Position, Rules
from dicecup.core.source import VOID_THROW, Throw, throw_from_text, throw_text
from dicecup.record.codes import Fault, RecordCode, record_error


@dataclass(frozen=True, slots=True)
class Journal:
    """`position`: where the game stands; `lines`: the finished turns and the corrections, as a record holds them; `words`: the turn
    that runs; `throws`: throws made so far, void ones left out. `table`: the dice are real, so throws can be void and dice be
    knocked over."""

    game: Rules
    table: bool
    position: Position
    lines: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    throws: int = 0

    @classmethod
    def start(cls, game: Rules, *, table: bool = False) -> "Journal":
        """The empty page."""
        return cls(game, table, game.start())

    def throw(self, thrown: Throw | None) -> "Journal":
        """The dice lie; `None`: the throw was void. Raises `ActionError` (as `Position.roll`, and `void-throw-not-table`)."""
        if thrown is None:
            if not self.table or not self.position.waiting:
                raise ActionError(RecordCode.VOID_THROW_NOT_TABLE, position=self.position, action=VOID_THROW)
            return self._with(self.position, self.lines, (*self.words, VOID_THROW))
        position = self.position.roll(thrown.roll, table=self.table, locked=thrown.locked)
        return self._with(position, self.lines, (*self.words, throw_text(thrown)), thrown=1)

    def play(self, action: Action | str) -> "Journal":
        """A player acts, or a result of Yamm is corrected. Raises `ActionError` and `TextError` (as `Position.play`)."""
        given = self.game.action(str(action))  # so an action of another game is one only if its text is
        position = self.position.play(given)
        if given.corrects is not None:
            return self._with(position, (*self.lines, str(given)), self.words)
        words = (*self.words, str(given))
        if position.number == self.position.number:
            return self._with(position, self.lines, words)
        line = f"{self.position.number}. {' '.join(words)}"
        return self._with(position, (*self.lines, line), ())

    def _with(self, position: Position, lines: tuple[str, ...], words: tuple[str, ...], *, thrown: int = 0) -> "Journal":
        """The page one step on."""
        return Journal(self.game, self.table, position, lines, words, self.throws + thrown)

    def word(self, text: str) -> "Journal":
        """The next word of a record's line: a throw where dice are in the air, else an action."""
        if self.position.turn is None:
            raise ActionError(TurnCode.GAME_OVER, position=self.position, action=text)
        if not self.position.waiting:
            return self.play(text)
        return self.throw(None if text == VOID_THROW else throw_from_text(text))

    def note(self, notes: str) -> "Journal":
        """Adds notes to the last finished line: `%key=value` words, then a comment behind `;`. The line has none yet.

        Raises `RecordError` (`not-a-note`, or `note-in-mid-turn` where a turn runs or nothing was played)."""
        if self.words or not self.lines:
            raise record_error([Fault(0, RecordCode.NOTE_IN_MID_TURN, {"text": notes})])
        if not is_notes(notes) or " %" in self.lines[-1] or " ;" in self.lines[-1]:
            raise record_error([Fault(0, RecordCode.NOT_A_NOTE, {"text": notes})])
        return replace(self, lines=(*self.lines[:-1], f"{self.lines[-1]} {notes}"))

    @property
    def turns(self) -> int:
        """How many turns are finished."""
        return self.position.number - 1

    def to_text(self) -> str:
        """One line a turn or correction, each with its newline; the last may stop in mid-turn."""
        running = (f"{self.position.number}. {' '.join(self.words)}",) if self.words else ()
        return "".join(f"{line}\n" for line in (*self.lines, *running))


_NOTE: Final = re.compile(r"%[A-Za-z][A-Za-z0-9]*=[!-~\u00a1-\U0010ffff]+", re.ASCII)
_NOT_IN_A_LINE: Final = re.compile("[\n\r\ud800-\udfff]")
"""What a line of a file in UTF-8 cannot hold."""


def split_notes(text: str) -> tuple[str, str]:
    """The words of a line, and its notes without the space before them."""
    found = re.search(r" [%;]", text)
    return (text[: found.start()], text[found.end() - 1 :]) if found else (text, "")


def is_notes(text: str) -> bool:
    """Whether this is one or more `%key=value`, then at most one comment, with one space between."""
    if not text or _NOT_IN_A_LINE.search(text):
        return False
    if text.startswith(";"):
        return True
    values, _, _ = text.partition(" ;")
    return all(map(_NOTE.fullmatch, values.split(" ")))
