"""Records: reading and writing the tags and the journal of a game."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from dicecup import games
from dicecup.core.errors import DicecupError, GameError
from dicecup.core.game import Position, Rules
from dicecup.record.codes import Fault, RecordCode, record_error
from dicecup.record.journal import Journal, is_notes, split_notes
from dicecup.record.tags import (
    dice_faults,
    end_text,
    is_table,
    known_tag_faults,
    outcome_faults,
    result_text,
    tag_from_text,
    tag_text,
)

_SURROGATE: Final = re.compile("[\ud800-\udfff]")
_LINE: Final = re.compile(r"([1-9][0-9]*)\. (> )?(.*)", re.ASCII | re.DOTALL)


@dataclass(frozen=True, slots=True)
class Record:
    """A record: its tags in their order, and the journal of the game."""

    tags: dict[str, str]
    journal: Journal

    @property
    def game(self) -> Rules:
        """Return the rules of the game."""
        return self.journal.game

    @property
    def beginning(self) -> Position:
        """Return the first position: the start of the game, or the position of the tag
        `Position`."""
        text = self.tags.get("Position")
        return self.game.start() if text is None else self.game.position(text)

    def to_text(self) -> str:
        """Return the canonical text, which `read` reads."""
        tags = "".join(f"{tag_text(name, value)}\n" for name, value in self.tags.items())
        return f"{tags}\n{self.journal.to_text()}"


def concluded(record: Record) -> Record:
    """Return the record with the tags `Result` and `End` of its last position.

    A record keeps its tags if the tag `End` names an end outside the rules, such as `resign`.
    """
    end = end_text(record.journal.position)
    if end is None and "End" in record.tags:
        return record
    tags = {**record.tags, "Result": result_text(record.journal.position)}
    return Record(tags if end is None else {**tags, "End": end}, record.journal)


def winners(record: Record) -> tuple[int, ...] | None:
    """Return the sides that win or share the win, empty for a draw, `None` while the game runs.

    Where the rules did not end the game, the tags name the winners: `Winners`, or the first word of
    `Result`."""
    position = record.journal.position
    if position.outcome is not None:
        return position.outcome.winners
    if "End" not in record.tags:
        return None
    if "Winners" in record.tags:
        return tuple(map(int, record.tags["Winners"].split(" ")))
    named = _first_word(record.tags["Result"])
    sides = range(record.game.sides)
    return tuple(side for side in sides if _first_word(record.game.result(position, (side,))) == named)


def positions(record: Record) -> Iterator[tuple[str, Position]]:
    """Yield each line of a record, a finished turn or a correction, with the position after it."""
    journal = Journal(record.game, record.journal.table, record.beginning)
    for line in record.journal.lines:
        journal = _replay_line(replace(journal, lines=()), line, 0)
        yield line, journal.position


def position_after(record: Record, turn: int) -> Position | None:
    """Return the position at the end of a turn, before any correction of its result. `None` for a
    turn that the record does not end."""
    for line, position in positions(record):
        if line.startswith(f"{turn}. ") and not line.startswith(f"{turn}. > "):
            return position
    return None


def read(text: str) -> Record:
    """Return the record of a text after replaying every throw and action.

    Raises `RecordError` with all faults of the tags and the first fault of the turns. Turns after a
    fault cannot be replayed.
    """
    faults: list[Fault] = []
    _check_characters(text)
    lines = text.split("\n")[:-1]
    tags, where, first = _read_tags(lines, faults)
    game = _read_game(tags, where, faults)
    if game is None:
        raise record_error(faults)
    readable = not faults and not any(dice_faults(tags, where))
    faults += known_tag_faults(game, tags, where)
    beginning = _read_beginning(game, tags, where, faults)
    if beginning is None:
        raise record_error(faults)
    journal = Journal(game, is_table(tags), beginning)
    if readable:
        try:
            journal = _replay(journal, lines, first)
        except _LineError as error:
            faults.append(error.fault)
        else:
            faults += outcome_faults(journal.position, tags, where)
    if faults:
        raise record_error(faults)
    return Record(tags, journal)


class _LineError(Exception):
    """The first fault among the turns."""

    def __init__(self, line: int, code: StrEnum, **details: object) -> None:
        super().__init__()
        self.fault = Fault(line, code, details)


def _check_characters(text: str) -> None:
    """Raise the record error of the first fault among: byte order mark, carriage return, surrogate,
    missing final newline."""
    if text.startswith("\ufeff"):
        raise record_error([Fault(1, RecordCode.BYTE_ORDER_MARK)])
    if "\r" in text:
        raise record_error([Fault(text.count("\n", 0, text.index("\r")) + 1, RecordCode.CARRIAGE_RETURN)])
    surrogate = _SURROGATE.search(text)
    if surrogate:
        raise record_error([Fault(text.count("\n", 0, surrogate.start()) + 1, RecordCode.NOT_UTF8)])
    if not text.endswith("\n"):
        raise record_error([Fault(text.count("\n") + 1, RecordCode.NO_FINAL_NEWLINE)])


def _read_tags(lines: list[str], faults: list[Fault]) -> tuple[dict[str, str], dict[str, int], int]:
    """Return the tags, the line of each tag, and the number of lines up to the empty one. Adds
    faults to `faults`.
    """
    tags: dict[str, str] = {}
    where: dict[str, int] = {}
    for number, line in enumerate(lines, 1):
        if not line:
            return tags, where, number
        tag = tag_from_text(line)
        if tag is None:
            faults.append(Fault(number, RecordCode.NOT_A_TAG, {"text": line}))
            return tags, where, number
        if tag[0] in tags:
            faults.append(Fault(number, RecordCode.TAG_TWICE, {"tag": tag[0]}))
            continue
        tags[tag[0]], where[tag[0]] = tag[1], number
    faults.append(Fault(0, RecordCode.NO_BLANK_LINE))
    return tags, where, len(lines)


def _read_game(tags: dict[str, str], where: dict[str, int], faults: list[Fault]) -> Rules | None:
    """Return the game of the tag `Game`, `None` after adding a fault for a missing or unreadable
    tag."""
    if "Game" not in tags:
        faults.append(Fault(0, RecordCode.TAG_MISSING, {"tag": "Game"}))
        return None
    try:
        return games.from_id(tags["Game"])
    except GameError as error:
        faults.append(Fault(where["Game"], error.code, error.details))
        return None


def _read_beginning(game: Rules, tags: dict[str, str], where: dict[str, int], faults: list[Fault]) -> Position | None:
    """Return the first position of a record, `None` after adding a fault for an unreadable tag
    `Position`.
    """
    if "Position" not in tags:
        return game.start()
    try:
        return game.position(tags["Position"])
    except DicecupError as error:
        faults.append(Fault(where["Position"], error.code, _details(error)))
        return None


def _replay(journal: Journal, lines: list[str], first: int) -> Journal:
    """Return the journal of all lines. Raises `_LineError`.

    Each line is replayed in a journal without earlier lines, so the time is linear in the number of
    lines.
    """
    taken: list[str] = []
    for number, line in enumerate(lines[first:], first + 1):
        if not line:
            raise _LineError(number, RecordCode.BLANK_LINE)
        if journal.words:
            raise _LineError(number, RecordCode.UNFINISHED_TURN, text=line)
        journal = _replay_line(replace(journal, lines=()), line, number)
        taken += journal.lines
    return replace(journal, lines=tuple(taken))


def _replay_line(journal: Journal, line: str, number: int) -> Journal:
    """Return the journal after line `number`: a turn or a correction, and its notes.

    Raises `_LineError`.
    """
    match = _LINE.fullmatch(line)
    if match is None:
        raise _LineError(number, RecordCode.NOT_A_TURN, text=line)
    turn, correction, rest = match.groups()
    body, notes = split_notes(f" {rest}")
    try:
        if correction:
            journal = journal.play(f"{turn}. >{body}")
        else:
            if turn != str(journal.position.number):
                raise _LineError(number, RecordCode.TURN_NUMBER, text=turn, expected=journal.position.number)
            journal = _replay_words(journal, _words(body[1:], number), number)
    except DicecupError as error:
        raise _LineError(number, error.code, **_details(error)) from None
    if not notes:
        return journal
    if journal.words:
        raise _LineError(number, RecordCode.NOTE_IN_MID_TURN, text=notes)
    if not is_notes(notes):
        raise _LineError(number, RecordCode.NOT_A_NOTE, text=notes)
    return journal.note(notes)


def _replay_words(journal: Journal, words: Iterator[str], number: int) -> Journal:
    """Return the journal after the words of a turn.

    Each throw is replayed in a journal without earlier words, so the time is linear even with many
    void throws.
    """
    turn, taken = journal.turns, list[str]()
    for word in words:
        if journal.turns > turn:
            raise _LineError(number, RecordCode.AFTER_THE_END_OF_TURN, text=word)
        if journal.position.waiting:
            journal = journal.word(word)
            taken += journal.words
            journal = replace(journal, words=())
        else:
            journal = replace(journal, words=tuple(taken)).word(word)
            taken = list(journal.words)
            journal = replace(journal, words=())
    return replace(journal, words=tuple(taken))


def _words(body: str, number: int) -> Iterator[str]:
    for word in body.split(" "):
        if not word:
            raise _LineError(number, RecordCode.SPACING)
        yield word


def _details(error: DicecupError) -> dict[str, object]:
    """Return the details of an error for a fault, without the position: people look at the line of
    the record.
    """
    return {name: value for name, value in error.details.items() if name != "position"}


def _first_word(text: str) -> str:
    return text.partition(" ")[0]
