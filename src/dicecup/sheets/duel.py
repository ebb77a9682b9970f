"""A game of Yam Master as values for `paper/duel.typ`: the board with its tokens and what scores, and the story of the turns."""

import re
from collections.abc import Iterator
from typing import Any, Final

from dicecup.core.source import VOID_THROW
from dicecup.locale import Messages
from dicecup.record import Record
from dicecup.record.journal import split_notes
from dicecup.sheets.endings import SIDES, ending, winners
from dicecup.sheets.words import day, printable
from dicecup.yam_master import Figure, Position, Side
from dicecup.yam_master.actions import PASS

Values = dict[str, Any]

KEEP: Final = re.compile(r"(!?)k([1-6]+|-)", re.ASCII)


def page(record: Record, position: Position, messages: Messages) -> Values:
    """Everything that the page shows."""
    names = [printable(record.tags.get(str(side).upper(), "")) for side in Side]
    called = [name or str(side) for side, name in zip(Side, names, strict=True)]
    won = winners(record)
    game = messages("game_yam_master")
    story = list(_story(record, position, messages))
    return {
        "language": messages.language,
        "title": messages("print_title", game=game, names=", ".join(called)),
        "game": game,
        "date": day(record, messages),
        "told": ending(record, called, messages),
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
        "board": _board(position, messages),
        "words": {word: messages(f"print_{word}") for word in ("points", "row", "story", "turn", "side", "throws", "result")},
        "legend": _legend(story, messages),
        "turns": story,
    }


def _board(position: Position, messages: Messages) -> Values:
    board = position.game.board
    squares = [
        {"figure": figure.value, "word": _word(figure, messages), "token": _token(position, place)}
        for place, figure in enumerate(board.figures)
    ]
    return {
        "columns": [name[0] for name in board.names[: board.columns]],
        "rows": [squares[row * board.columns : (row + 1) * board.columns] for row in range(board.rows)],
        "runs": [*_runs(position, Side.X), *_runs(position, Side.O)],
    }


def _word(figure: Figure, messages: Messages) -> str:
    """What the language calls it, where that is another word than the board's."""
    return messages(f"figure_{figure.name.lower()}").removeprefix(figure.value).strip(" ()")


def _token(position: Position, place: int) -> str:
    return SIDES[0] if position.x >> place & 1 else SIDES[1] if position.o >> place & 1 else ""


def _runs(position: Position, side: Side) -> Iterator[Values]:
    """Where the line of a run begins and ends, and its points; a winning line has none."""
    board = position.game.board
    own = position.o if side else position.x
    points = dict(board.scores)
    for run in board.runs(own):
        yield _line(run, side, board.columns) | {"points": str(points[len(run)])}
    for win in sorted({win for wins in board.wins for win in wins if own & win == win}):
        yield _line(tuple(place for place in range(len(board.names)) if win >> place & 1), side, board.columns) | {"points": ""}


def _line(places: tuple[int, ...], side: Side, columns: int) -> Values:
    return {"side": str(side), "from": divmod(places[0], columns), "to": divmod(places[-1], columns)}


# --- The story ---------------------------------------------------------------------------------------------------------------


def _story(record: Record, position: Position, messages: Messages) -> Iterator[Values]:
    """Turn by turn; a running one comes last, without a result."""
    for line in record.journal.to_text().splitlines():
        turn, _, rest = split_notes(line)[0].partition(". ")
        number, words = int(turn), rest.split(" ")
        ended = number < position.number
        yield {
            "number": turn,
            "side": SIDES[(position.to_move + position.number - number) % 2],
            "throws": _throws(words[: len(words) - ended]),
            "result": _result(words[-1], position, messages) if ended else ("", ""),
        }


def _throws(words: list[str]) -> list[Values]:
    """Each throw with the dice that were kept of it; void ones; where a Défi was declared."""
    told: list[Values] = []
    lying: list[list[Any]] = []
    for word in words:
        if word == VOID_THROW:
            told.append({"kind": "void"})
        elif (keep := KEEP.fullmatch(word)) is None:
            lying = [[face, False] for face in word.replace("|", "")]
            told.append({"kind": "dice", "dice": lying})
        else:
            for face in keep[2].strip("-"):
                next(die for die in lying if die == [face, False])[1] = True
            if keep[1]:
                told.append({"kind": "defi"})
    return told


def _result(action: str, position: Position, messages: Messages) -> tuple[str, str]:
    """The square and the figure it was taken by, or what else happened to it; or that no token was placed."""
    if action == str(PASS):
        return "", messages("print_no_token")
    if action.startswith("-"):
        return action[1:], messages("print_predator")
    board = position.game.board
    return action, board.figures[board.index[action]].value


def _legend(story: list[Values], messages: Messages) -> list[str]:
    """What the marks mean, as far as there are any."""
    kinds = {throw["kind"] for turn in story for throw in turn["throws"]}
    return [messages("print_kept")] + ([messages("print_void")] if "void" in kinds else [])
