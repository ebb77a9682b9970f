"""Own mistakes as puzzles on paper: ten positions on a page, and their solutions overleaf."""

from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple, cast

from dicecup import yam_master, yamm
from dicecup.analysis.evaluation import Unit
from dicecup.analysis.grade import SAME
from dicecup.analysis.theme import Theme
from dicecup.core.game import Action, Position
from dicecup.core.turn import THROWS
from dicecup.locale import Messages
from dicecup.sheets.codes import SheetCode, SheetError
from dicecup.sheets.score_sheet import HEADS, STRUCK
from dicecup.sheets.typesetting import typeset

Values = dict[str, Any]
MOST: Final = 10
"""Puzzles of a page."""
_SIDES: Final = "xo"


class Puzzle(NamedTuple):
    """A position with a decision. `losses`: the loss of every action, the best first. `played`: the
    action of the game."""

    position: Position
    theme: Theme
    unit: Unit
    losses: Mapping[Action, float]
    played: Action


def puzzle_pages(puzzles: Sequence[Puzzle], language: str) -> bytes:
    """Return a PDF with at most `MOST` puzzles on its first page and the solutions on its second.

    Raises `SheetError` (`no-page`) for another game than Yam Master or Yamm."""
    messages = Messages(language)
    words = ("title", "question", "solutions", "best", "second", "played")
    return typeset(
        "puzzles",
        {
            "language": language,
            "title": messages("print_puzzle_title"),
            "words": {word: messages(f"print_puzzle_{word}") for word in words},
            "puzzles": [_puzzle(puzzle, messages) for puzzle in puzzles[:MOST]],
        },
    )


def _puzzle(puzzle: Puzzle, messages: Messages) -> Values:
    position = puzzle.position
    turn = position.turn
    assert turn is not None
    best, *others = puzzle.losses
    second = next((action for action in others if puzzle.losses[action] > SAME), None)
    throw = messages("print_puzzle_throw", throw=turn.throws, left=THROWS - turn.throws)
    drawn = _drawn(position, messages)
    return drawn | {
        "theme": messages(f"theme_{puzzle.theme}"),
        "dice": list(turn.dice.faces),
        "text": f"{drawn['text']} {throw}".strip(),
        "best": _action(position, best, messages),
        "second": None if second is None else _costly(puzzle, second, messages),
        "played": _costly(puzzle, puzzle.played, messages),
    }


def _drawn(position: Position, messages: Messages) -> Values:
    """Return the board or the sheet, and a text about it."""
    if position.game.name == "yam-master":
        return _board(cast(yam_master.Position, position), messages)
    if position.game.name == "yamm":
        return _sheet(cast(yamm.Position, position), messages)
    raise SheetError(SheetCode.NO_PAGE, game=position.game.id)


def _board(position: yam_master.Position, messages: Messages) -> Values:
    board = position.game.board
    tokens = ["x" if position.x >> at & 1 else "o" if position.o >> at & 1 else "" for at in range(len(board.names))]
    squares = [[figure.value, token] for figure, token in zip(board.figures, tokens, strict=True)]
    side = messages("print_puzzle_side", side=_SIDES[position.to_move])
    defi = messages("defi_was_declared") if _is_declared(position) else ""
    return {
        "kind": "board",
        "columns": [name[0] for name in board.names[: board.columns]],
        "rows": [squares[row * board.columns : (row + 1) * board.columns] for row in range(board.rows)],
        "text": f"{side} {defi}".strip(),
    }


def _is_declared(position: yam_master.Position) -> bool:
    return "!" in str(position).split()[2]


def _sheet(position: yamm.Position, messages: Messages) -> Values:
    sheet = position.written[cast(int, position.sheet)]
    spec = sheet.spec
    return {
        "kind": "sheet",
        "columns": [messages(HEADS[column[0]], number=column[1:]) for column in spec.columns],
        "rows": [
            [str(row), *("" if column[at] is None else str(column[at]) if column[at] else STRUCK for column in sheet.columns)]
            for at, row in enumerate(spec.rows)
        ],
        "text": "",
    }


def _costly(puzzle: Puzzle, action: Action, messages: Messages) -> Values:
    """Return an action with its loss."""
    loss, points = puzzle.losses[action], puzzle.unit is Unit.POINTS
    amount = f"{loss if points else 100 * loss:.1f}".replace(".", messages("decimal_sign"))
    text = messages("hint_points", loss=amount) if points else messages("hint_chance", loss=amount)
    return _action(puzzle.position, action, messages) | {"loss": text}


def _action(position: Position, action: Action, messages: Messages) -> Values:
    """Return an action: its dice, each with whether it stays, or the name of its square or cell."""
    turn = position.turn
    assert turn is not None
    if action.kept is None:
        return {"dice": [], "text": _place(position, str(action), messages)}
    left = list(action.kept.faces)
    dice = []
    for face in turn.dice.faces:
        stays = face in left
        if stays:
            left.remove(face)
        dice.append([face, stays])
    return {"dice": dice, "text": "Défi" if str(action).startswith("!") else ""}


def _place(position: Position, action: str, messages: Messages) -> str:
    """Return the name of a square with its figure, of a cell, or of a turn without a token."""
    if position.game.name == "yamm":
        column, _, row = action.partition(".")
        return f"{messages(HEADS[column[0]], number=column[1:])} {row}"
    board = cast(yam_master.Position, position).game.board
    square = action.removeprefix("-")
    if square not in board.index:
        return messages("print_no_token")
    return f"{square} {messages('print_predator') if action.startswith('-') else board.figures[board.index[square]].value}"
