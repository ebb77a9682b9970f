"""Hints: what the expert thinks of everything that may be done now, and what each choice costs. Never between people."""

from typing import Final

from dicecup import yam_master, yamm
from dicecup.games import Action, Position
from dicecup.players.advice import foreign_options, worth
from dicecup.terminal.board import figure_name
from dicecup.terminal.console import TIE, Console
from dicecup.terminal.errors import TableCode, TableError
from dicecup.terminal.link import State
from dicecup.terminal.sheet import cell_name

SHOWN: Final = 8
"""How many of the best choices are told; the rest cost more."""


def show_hints(console: Console, state: State) -> None:
    """The best choices with what they cost against the best: points where one sheet is alone, else hundredths of the chance to win.

    Raises `TableError` (`no-hints`) where more than one person plays or nothing is to be decided, and `TablesError`."""
    position = state.position
    if sum(seat.is_human for seat in state.seats) > 1:
        raise TableError(TableCode.NO_HINTS)
    if position.turn is None or position.waiting:
        console.tell("odds_later")
        return
    values = worth(position)
    ranked = sorted(values, key=lambda action: -values[action])
    best = values[ranked[0]]
    in_points = isinstance(position, yamm.Position) and len(position.sheets) == 1
    key = "hints_points" if in_points else "hints_chance"
    console.tell(key, value=_number(console, best if in_points else 100 * best))
    for action in ranked[:SHOWN]:
        loss = best - values[action]
        cost = console.messages(
            "hint_points" if in_points else "hint_chance", loss=_number(console, loss * (1 if in_points else 100))
        )
        line = console.messages(
            "odds_line", aim=_named(console, position, action), told=cost if loss else console.messages("hint_best")
        )
        console.say(f"  {line}".replace(" ", TIE))
    if foreign_options(position):
        console.tell("hints_foreign")


def _named(console: Console, position: Position, action: Action) -> str:
    """What is typed for it, and what that means."""
    match action:
        case yamm.Write(cell):
            return f"{cell} ({cell_name(cell, console.messages)})"
        case yam_master.Place(square):
            figure = position.game.board.figures[position.game.board.index[square]]  # type: ignore[union-attr]
            return f"{square} ({figure_name(figure, console.messages)})"
        case _:
            return str(action)


def _number(console: Console, value: float) -> str:
    """One decimal, with the language's sign."""
    return f"{value:.1f}".replace(".", console.messages("decimal_sign"))
