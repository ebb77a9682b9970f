"""Read entries: lines that a person types.

An entry is a command of the terminal (`help`, `sheet`, `save` …, in the person's language or in
English) or an action of the game. Actions have several forms; the canonical texts of
docs/notation.md always work. Faces and numbers are ASCII digits.
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


class Verb(Enum):
    """A command of the terminal. The value is the key of the message that lists its words."""

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
    FREE_SEAT = "words_free_seat"
    NEW_LINKS = "words_new_links"
    CLOSE = "words_close"
    OPEN = "words_open"
    SAY = "words_say"

    YES = "words_yes"
    DOWN = "words_down"
    UP = "words_up"
    FREE = "words_free"
    HIGH = "words_high"
    LOW = "words_low"
    FULL_HOUSE = "words_full_house"
    STRAIGHT = "words_straight"
    YAMM = "words_yamm"


ENGLISH: Final = "en"
_COLUMNS: Final = {Verb.DOWN: "d", Verb.UP: "u", Verb.FREE: "f"}
_ROWS: Final = {Verb.HIGH: "H", Verb.LOW: "T", Verb.FULL_HOUSE: "FH", Verb.STRAIGHT: "ST", Verb.YAMM: "Y"}
_VERBS: Final = tuple(Verb)[: tuple(Verb).index(Verb.YES)]


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The words of one language and of English: `verbs` for the first word of an entry, `columns`
    and `rows` for cells."""

    verbs: Mapping[str, Verb]
    columns: Mapping[str, str]
    rows: Mapping[str, str]
    yes: frozenset[str]


def vocabulary(*languages: Messages) -> Vocabulary:
    """Return the words of these languages. If a word means two things, the meaning in the last
    language counts."""

    def words(verb: Verb) -> list[str]:
        return [word for messages in languages for word in messages(verb.value).split()]

    return Vocabulary(
        {word: verb for verb in _VERBS for word in words(verb)},
        {word: text for verb, text in _COLUMNS.items() for word in words(verb)},
        {word: text for verb, text in _ROWS.items() for word in words(verb)} | {face: face for face in "123456"},
        frozenset(words(Verb.YES)),
    )


def words_of(messages: Messages) -> Vocabulary:
    """Return the words that are understood: English ones, and those of the person's language, which
    count first."""
    return vocabulary(Messages(ENGLISH), messages)


def split_verb(text: str, known: Vocabulary) -> tuple[Verb | None, str]:
    """Return the command that the first word names and the rest of the text; `None` and the text if
    it names no command."""
    first, _, rest = text.partition(" ")
    verb = known.verbs.get(first.casefold())
    return (verb, rest.strip()) if verb is not None else (None, text)


def faces(text: str) -> Dice:
    """Return the dice of faces in any order, separated by spaces, commas or dashes.

    Raises `DiceError` (`not-a-face`, `too-many-dice`).
    """
    shown = re.sub(r"[\s,;-]", "", text)
    if re.fullmatch("[1-6]*", shown, re.ASCII) is None:
        raise DiceError(DiceCode.NOT_A_FACE, text=text)
    return from_faces(map(int, shown))


def face(text: str) -> int:
    """Return the face of a single die. Raises `DiceError` (`not-a-face`)."""
    if re.fullmatch("[1-6]", text, re.ASCII) is None:
        raise DiceError(DiceCode.NOT_A_FACE, text=text)
    return int(text)


def throw(text: str, position: Position) -> Throw | None:
    """Return what real dice show, `None` for a void throw (`~`).

    A person types five faces, only the faces of the dice that were thrown, or `22|346`: the locked
    dice, of which one was knocked over, and the others. Raises `DiceError`.
    """
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


# --- Actions --------------------------------------------------------------------------------------

_KEEP: Final = re.compile(r"(!?)(k?)([0-9]*|-)(!?)", re.ASCII)


def plain_text(text: str) -> str:
    """Return the text in lower case without spaces and commas, with hyphens for dashes."""
    return re.sub(r"[\s,]", "", text.casefold()).replace("–", "--").replace("—", "--")


def keep_text(text: str) -> str | None:
    """Return the canonical text of a keep, from `33`, `k33`, `-` or `!33`; `None` for anything
    else. Raises `DiceError`."""
    return keep_from(Verb.KEEP, plain_text(text))


def keep_from(verb: Verb | None, plain: str) -> str | None:
    """Return the canonical text of a keep: `33`, `!33`, `33!`, and `-` behind a `k` or a verb for
    no dice.

    `plain` is a text of `plain_text`. `None`: the text is no keep. Raises `DiceError`.
    """
    match = _KEEP.fullmatch(plain)
    if match is None or verb not in (None, Verb.KEEP, Verb.DEFI):
        return None
    declared = bool(match[1] or match[4]) or verb is Verb.DEFI
    if not match[3] or (match[3] == "-" and not (match[2] or declared or verb)):
        return None
    shown = match[3] if match[3] == "-" else faces(match[3]).text
    return f"{'!' if declared else ''}k{shown}"


def cell_text(text: str, known: Vocabulary) -> str | None:
    """Return the canonical name of a cell that a person named `d1.FH`, `↓1 FH` or `free 2 high`."""
    column, rest = column_text(text, known)
    row = known.rows.get(rest)
    return f"{column}.{row}" if column and row else None


def column_text(text: str, known: Vocabulary) -> tuple[str | None, str]:
    """Return the canonical name of the column at the beginning of a text, and the rest
    of the text."""
    plain = re.sub(r"[\s.,:]", "", text.casefold())
    for word in sorted(known.columns, key=len, reverse=True):
        number = plain.removeprefix(word)[:1]
        if plain.startswith(word) and number and number in "123":
            return f"{known.columns[word]}{number}", plain.removeprefix(word)[1:]
    return None, plain
