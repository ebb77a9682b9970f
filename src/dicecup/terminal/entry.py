"""Reading what people type: forgiving in form, never in the rules.

An entry is a command of the terminal (`help`, `sheet`, `save` …, in the person's language or in English) or an action of the
game in any of several forms; the canonical texts of NOTATION always work. Faces and numbers are ASCII digits.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Final

from dicecup.core.dice import DICE, Dice, Keep, Roll, from_faces
from dicecup.core.errors import DiceCode, DiceError
from dicecup.core.game import Position
from dicecup.core.source import VOID_THROW, Throw
from dicecup.locale import Messages
from dicecup.terminal.errors import TableCode, TableError
from dicecup.yamm import Position as YammPosition


class Verb(Enum):
    """The first word of an entry; each names the message that lists its words."""

    HELP = "words_help"
    SHOW = "words_show"
    READ = "words_read"
    ACTIONS = "words_actions"
    ODDS = "words_odds"
    HINT = "words_hint"
    HISTORY = "words_history"
    RULES = "words_rules"
    RESIGN = "words_resign"
    DRAW = "words_draw"
    TAKE_BACK = "words_take_back"
    SAVE = "words_save"
    QUIT = "words_quit"
    VOID = "words_void"
    CORRECT = "words_correct"
    KEEP = "words_keep"
    DEFI = "words_defi"
    PLACE = "words_place"
    REMOVE = "words_remove"
    PASS = "words_pass"

    YES = "words_yes"
    DOWN = "words_down"
    UP = "words_up"
    FREE = "words_free"
    HIGH = "words_high"
    LOW = "words_low"
    FULL_HOUSE = "words_full_house"
    STRAIGHT = "words_straight"
    YAMM = "words_yamm"


_COLUMNS: Final = {Verb.DOWN: "d", Verb.UP: "u", Verb.FREE: "f"}
_ROWS: Final = {Verb.HIGH: "H", Verb.LOW: "T", Verb.FULL_HOUSE: "FH", Verb.STRAIGHT: "ST", Verb.YAMM: "Y"}
_VERBS: Final = tuple(Verb)[: tuple(Verb).index(Verb.YES)]


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """Every word of one language and of English: `verbs` for the first word of an entry, `columns` and `rows` for cells."""

    verbs: Mapping[str, Verb]
    columns: Mapping[str, str]
    rows: Mapping[str, str]
    yes: frozenset[str]


def vocabulary(*languages: Messages) -> Vocabulary:
    """The words of these languages; where two disagree the last one holds."""

    def words(verb: Verb) -> list[str]:
        return [word for messages in languages for word in messages(verb.value).split()]

    return Vocabulary(
        {word: verb for verb in _VERBS for word in words(verb)},
        {word: text for verb, text in _COLUMNS.items() for word in words(verb)},
        {word: text for verb, text in _ROWS.items() for word in words(verb)} | {face: face for face in "123456"},
        frozenset(words(Verb.YES)),
    )


def split_verb(text: str, known: Vocabulary) -> tuple[Verb | None, str]:
    """The command that the first word is, if it is one, and the rest."""
    first, _, rest = text.partition(" ")
    verb = known.verbs.get(first.casefold())
    return (verb, rest.strip()) if verb is not None else (None, text)


def faces(text: str) -> Dice:
    """Dice in any order, with blanks, commas or dashes between. Raises `DiceError` (`not-a-face`, `too-many-dice`)."""
    shown = re.sub(r"[\s,;-]", "", text)
    if re.fullmatch("[1-6]*", shown, re.ASCII) is None:
        raise DiceError(DiceCode.NOT_A_FACE, text=text)
    return from_faces(map(int, shown))


def face(text: str) -> int:
    """A single die. Raises `DiceError` (`not-a-face`)."""
    if re.fullmatch("[1-6]", text, re.ASCII) is None:
        raise DiceError(DiceCode.NOT_A_FACE, text=text)
    return int(text)


def throw(text: str, position: Position) -> Throw | None:
    """What real dice show: five faces, or only those that were thrown; `~`: the throw was void; `22|346`: the locked dice, of
    which one was knocked over, and the others. Raises `DiceError`."""
    if text == VOID_THROW:
        return None
    assert position.turn is not None
    kept = position.turn.dice
    left, bar, right = text.partition("|")
    if bar:
        locked, others = faces(left), faces(right)
        shown = _five(from_faces(locked.faces + others.faces), text)
        return Throw(shown, None if locked is kept else Keep(locked))
    dice = faces(text)
    if dice.count == DICE - kept.count < DICE:
        return Throw(Roll(from_faces(kept.faces + dice.faces)))
    return Throw(_five(dice, text))


def _five(dice: Dice, text: str) -> Roll:
    if dice.count != DICE:
        raise DiceError(DiceCode.NOT_FIVE_DICE, text=text)
    return Roll(dice)


# --- Actions -----------------------------------------------------------------------------------------------------------------

_KEEP: Final = re.compile(r"(!?)(k?)([0-9]*|-)(!?)", re.ASCII)
_SQUARE: Final = re.compile(r"(-?)(?:([a-e])([1-5])|([1-5])([a-e]))", re.ASCII)
_CORRECTION: Final = re.compile(r"(?:([1-9][0-9]{0,3})\s*\.?\s*>|([1-9][0-9]{0,3})\.?\s)?\s*>?\s*(.+)", re.ASCII)


def action_text(verb: Verb | None, text: str, position: Position, known: Vocabulary) -> str:
    """The canonical text of the action that somebody means. Raises `DiceError` for faces that no die has, and `TableError`
    (`not-an-entry`) for what is no action in any form."""
    plain = re.sub(r"[\s,]", "", text.casefold()).replace("–", "--").replace("—", "--")
    if any(character.isdigit() and not character.isascii() for character in plain):
        raise DiceError(DiceCode.NOT_A_FACE, text=text)
    found = _yamm(verb, text, plain, position, known) if isinstance(position, YammPosition) else _yam_master(verb, plain)
    if found is None:
        raise TableError(TableCode.NOT_AN_ENTRY, text=text)
    return found


def keep_text(text: str) -> str | None:
    """The canonical text of a keep, from `33`, `k33`, `-` or `!33`; `None` for anything else. Raises `DiceError`."""
    return _keep(Verb.KEEP, re.sub(r"[\s,]", "", text.casefold()))


def _yam_master(verb: Verb | None, plain: str) -> str | None:
    if (verb is Verb.PASS and not plain) or (verb is None and plain == "--"):
        return "--"
    square = _SQUARE.fullmatch(plain)
    if square is not None and verb in (None, Verb.PLACE, Verb.REMOVE):
        name = f"{square[2] or square[5]}{square[3] or square[4]}"
        return f"-{name}" if square[1] or verb is Verb.REMOVE else name
    return _keep(verb, plain)


def _keep(verb: Verb | None, plain: str) -> str | None:
    """`33`, `k33`, `!33`, `33!`, and `-` behind a `k` or a verb for no dice."""
    match = _KEEP.fullmatch(plain)
    if match is None or verb not in (None, Verb.KEEP, Verb.DEFI):
        return None
    declared = bool(match[1] or match[4]) or verb is Verb.DEFI
    if not match[3] or (match[3] == "-" and not (match[2] or declared or verb)):
        return None
    shown = match[3] if match[3] == "-" else faces(match[3]).text
    return f"{'!' if declared else ''}k{shown}"


def _yamm(verb: Verb | None, text: str, plain: str, position: YammPosition, known: Vocabulary) -> str | None:
    if verb is Verb.CORRECT or (verb is None and ">" in plain):
        return _correction(text, position, known)
    if verb in (None, Verb.PLACE):
        cell = cell_text(plain, known)
        if cell is not None:
            return cell
    return _keep(verb, plain) if "!" not in plain and verb is not Verb.DEFI else None


def cell_text(text: str, known: Vocabulary) -> str | None:
    """The canonical name of a cell, from what people call it: `d1.FH`, `↓1 FH`, `wahl 2 hoch`."""
    column, rest = column_text(text, known)
    row = known.rows.get(rest)
    return f"{column}.{row}" if column and row else None


def column_text(text: str, known: Vocabulary) -> tuple[str | None, str]:
    """The canonical name of a column at the beginning of a text, and the rest."""
    plain = re.sub(r"[\s.,:]", "", text.casefold())
    for word in sorted(known.columns, key=len, reverse=True):
        number = plain.removeprefix(word)[:1]
        if plain.startswith(word) and number and number in "123":
            return f"{known.columns[word]}{number}", plain.removeprefix(word)[1:]
    return None, plain


def _correction(text: str, position: YammPosition, known: Vocabulary) -> str | None:
    """`1. > f2.6`, or without the turn where there is but one result that can be moved.

    Raises `TableError` (`no-correction`, `which-result`)."""
    match = _CORRECTION.fullmatch(text.strip())
    cell = cell_text(match[3], known) if match else None
    if match is None or cell is None:
        return None
    turn = match[1] or match[2]
    if turn is None:
        turns = sorted({int(str(action).partition(".")[0]) for action in position.corrections})
        if not turns:
            raise TableError(TableCode.NO_CORRECTION)
        if len(turns) > 1:
            raise TableError(TableCode.WHICH_RESULT, turns=", ".join(map(str, turns)), example=f"{turns[-1]}. > {cell}")
        turn = str(turns[0])
    return f"{turn}. > {cell}"
