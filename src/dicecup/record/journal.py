"""The journal of a game: a position and the lines of the record that lead to it.

Reading and writing a record take the same steps. The position checks every throw and action before
the journal adds it.
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
    """The journal of one game.

    `lines`: the finished turns and the corrections, as a record holds them. `words`: the throws and
    actions of the turn that runs. `throws`: the number of throws so far, without void ones.
    `table`: whether the dice are real, so that throws can be void and dice can be knocked over.
    """

    game: Rules
    table: bool
    position: Position
    lines: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    throws: int = 0

    @classmethod
    def start(cls, game: Rules, *, table: bool = False) -> "Journal":
        """Return the journal of a game before its first throw."""
        return cls(game, table, game.start())

    def throw(self, thrown: Throw | None) -> "Journal":
        """Return the journal after a throw. `None`: the throw was void.

        Raises `ActionError` (the codes of `Position.roll`, and `void-throw-not-table`).
        """
        if thrown is None:
            if not self.table or not self.position.waiting:
                raise ActionError(RecordCode.VOID_THROW_NOT_TABLE, position=self.position, action=VOID_THROW)
            return self._with(self.position, self.lines, (*self.words, VOID_THROW))
        position = self.position.roll(thrown.roll, table=self.table, locked=thrown.locked)
        return self._with(position, self.lines, (*self.words, throw_text(thrown)), thrown=1)

    def play(self, action: Action | str) -> "Journal":
        """Return the journal after an action or a correction. Raises the errors of
        `Position.play`."""
        # refuses an action of another game unless the text is an action of this game
        given = self.game.action(str(action))
        position = self.position.play(given)
        if given.corrects is not None:
            return self._with(position, (*self.lines, str(given)), self.words)
        words = (*self.words, str(given))
        if position.number == self.position.number:
            return self._with(position, self.lines, words)
        line = f"{self.position.number}. {' '.join(words)}"
        return self._with(position, (*self.lines, line), ())

    def _with(self, position: Position, lines: tuple[str, ...], words: tuple[str, ...], *, thrown: int = 0) -> "Journal":
        """Return the journal after one step, with these lines and words."""
        return Journal(self.game, self.table, position, lines, words, self.throws + thrown)

    def word(self, text: str) -> "Journal":
        """Return the journal after a word of a record's line: a throw while dice are in the air,
        else an action.

        Raises the errors of `throw` and `play`, and `DiceError` for an unreadable throw.
        """
        if self.position.turn is None:
            raise ActionError(TurnCode.GAME_OVER, position=self.position, action=text)
        if not self.position.waiting:
            return self.play(text)
        return self.throw(None if text == VOID_THROW else throw_from_text(text))

    def note(self, notes: str) -> "Journal":
        """Return the journal with notes on the last finished line: `%key=value` words, then a
        comment after `;`.

        Raises `RecordError`: `note-in-mid-turn` if a turn runs or no line is finished, `not-a-note`
        for other texts and for a line that has notes already.
        """
        if self.words or not self.lines:
            raise record_error([Fault(0, RecordCode.NOTE_IN_MID_TURN, {"text": notes})])
        if not is_notes(notes) or " %" in self.lines[-1] or " ;" in self.lines[-1]:
            raise record_error([Fault(0, RecordCode.NOT_A_NOTE, {"text": notes})])
        return replace(self, lines=(*self.lines[:-1], f"{self.lines[-1]} {notes}"))

    @property
    def turns(self) -> int:
        """Return the number of finished turns."""
        return self.position.number - 1

    def to_text(self) -> str:
        """Return one line for each turn and correction, each with a newline. The last line may be
        an unfinished turn.
        """
        running = (f"{self.position.number}. {' '.join(self.words)}",) if self.words else ()
        return "".join(f"{line}\n" for line in (*self.lines, *running))


_NOTE: Final = re.compile(r"%[A-Za-z][A-Za-z0-9]*=[!-~\u00a1-\U0010ffff]+", re.ASCII)
_NOT_IN_A_LINE: Final = re.compile("[\n\r\ud800-\udfff]")
"""Characters that a line of a file in UTF-8 cannot hold."""


def split_notes(text: str) -> tuple[str, str]:
    """Return the words of a line, and its notes without the space before them."""
    found = re.search(r" [%;]", text)
    return (text[: found.start()], text[found.end() - 1 :]) if found else (text, "")


def is_notes(text: str) -> bool:
    """Return whether a text is notes: words `%key=value`, then at most one comment, separated by
    single spaces.
    """
    if not text or _NOT_IN_A_LINE.search(text):
        return False
    if text.startswith(";"):
        return True
    values, _, _ = text.partition(" ;")
    return all(map(_NOTE.fullmatch, values.split(" ")))
