"""A game of Yam Master as values for `paper/duel.typ`: the board, the points and the turns."""

import re
from collections.abc import Iterator
from typing import Any, Final

from dicecup.core.source import VOID_THROW
from dicecup.locale import Messages
from dicecup.record import Record, winners
from dicecup.record.journal import split_notes
from dicecup.sheets.endings import ending
from dicecup.sheets.words import day, player_names
from dicecup.yam_master import Figure, Position, Side
from dicecup.yam_master.actions import PASS

Values = dict[str, Any]

SIDES: Final = "xo"

KEEP: Final = re.compile(r"(!?)k([1-6]+|-)", re.ASCII)


def page(record: Record, position: Position, messages: Messages) -> Values:
    """Return the values of the page."""
    names = player_names(record, messages)
    called = [name or str(side) for side, name in zip(Side, names, strict=True)]
    won = winners(record)
    game = messages("game_yam_master")
    turns = list(_turns(record, position, messages))
    return {
        "language": messages.language,
        "title": messages("print_title", game=game, names=", ".join(called)),
        "game": game,
        "date": day(record, messages),
        "ending": ending(record, called, messages),
        "state": messages("print_interim" if won is None else "print_final"),
        "sides": [
            {
                "side": str(side),
                "name": names[side],
                "points": str(position.points[side]),
                "supply": messages("print_tokens_left", supply=position.supplies[side]),
                "won": won is not None and side in won,
            }
            for side in Side
        ],
        "board": board(position, messages),
        "words": {word: messages(f"print_{word}") for word in ("points", "row", "story", "turn", "side", "throws", "result")},
        "legend": _legend(turns, messages),
        "turns": turns,
    }


def board(position: Position, messages: Messages) -> Values:
    """Return the board as values: the names of the columns, the rows of squares, and the runs of
    both sides."""
    spec = position.game.board
    squares = [
        {"figure": figure.value, "word": _word(figure, messages), "token": _token(position, place)}
        for place, figure in enumerate(spec.figures)
    ]
    return {
        "columns": [name[0] for name in spec.names[: spec.columns]],
        "rows": [squares[row * spec.columns : (row + 1) * spec.columns] for row in range(spec.rows)],
        "runs": [*_runs(position, Side.X), *_runs(position, Side.O)],
    }


def _word(figure: Figure, messages: Messages) -> str:
    """Return the name of a figure, empty where it is the word on the board."""
    return messages(f"figure_{figure.name.lower()}").removeprefix(figure.value).strip(" ()")


def _token(position: Position, place: int) -> str:
    return SIDES[0] if position.x >> place & 1 else SIDES[1] if position.o >> place & 1 else ""


def _runs(position: Position, side: Side) -> Iterator[Values]:
    """Yield the first and the last square of each run with its points, and of each winning line
    without."""
    board = position.game.board
    own = position.o if side else position.x
    points = dict(board.scores)
    for run in board.runs(own):
        yield _line(run, side, board.columns) | {"points": str(points[len(run)])}
    for win in sorted({win for wins in board.wins for win in wins if own & win == win}):
        yield _line(tuple(place for place in range(len(board.names)) if win >> place & 1), side, board.columns) | {"points": ""}


def _line(places: tuple[int, ...], side: Side, columns: int) -> Values:
    return {"side": str(side), "from": divmod(places[0], columns), "to": divmod(places[-1], columns)}


# --- The turns ------------------------------------------------------------------------------------


def _turns(record: Record, position: Position, messages: Messages) -> Iterator[Values]:
    """Yield the turns in their order. A running turn has no result."""
    for line in record.journal.to_text().splitlines():
        turn, _, rest = split_notes(line)[0].partition(". ")
        number, words = int(turn), rest.split(" ")
        ended = number < position.number
        yield {
            "number": turn,
            "side": SIDES[(position.to_move + position.number - number) % 2],
            "throws": throws_of(words[: len(words) - ended]),
            "result": _result(words[-1], position, messages) if ended else ("", ""),
        }


def throws_of(words: list[str]) -> list[Values]:
    """Return the throws of a turn with the kept dice, the void throws, and a declared Défi."""
    throws: list[Values] = []
    dice: list[list[Any]] = []
    for word in words:
        if word == VOID_THROW:
            throws.append({"kind": "void"})
        elif (keep := KEEP.fullmatch(word)) is None:
            dice = [[face, False] for face in word.replace("|", "")]
            throws.append({"kind": "dice", "dice": dice})
        else:
            for face in keep[2].strip("-"):
                next(die for die in dice if die == [face, False])[1] = True
            if keep[1]:
                throws.append({"kind": "defi"})
    return throws


def _result(action: str, position: Position, messages: Messages) -> tuple[str, str]:
    """Return the square and the figure of a token, or the sentence for a removal or a pass."""
    if action == str(PASS):
        return "", messages("print_no_token")
    if action.startswith("-"):
        return action[1:], messages("print_predator")
    board = position.game.board
    return action, board.figures[board.index[action]].value


def _legend(turns: list[Values], messages: Messages) -> list[str]:
    """Return the explanations of the marks on the page."""
    kinds = {throw["kind"] for turn in turns for throw in turn["throws"]}
    return [messages("print_kept")] + ([messages("print_void")] if "void" in kinds else [])
