"""Hints: what the expert thinks of everything that may be done now, and what each choice costs. Never between people."""

from typing import Final

from dicecup.analysis.decisions import analyse
from dicecup.analysis.evaluation import Unit
from dicecup.analysis.registry import by_tables
from dicecup.terminal.analysis import loss_text, named, show_foreign, value_text
from dicecup.terminal.console import TIE, Console
from dicecup.terminal.errors import TableCode, TableError
from dicecup.terminal.link import State

SHOWN: Final = 8
"""How many of the best choices are told; the rest cost more."""


def show_hints(console: Console, state: State) -> None:
    """The best choices with what they cost against the best: points where one sheet is alone, else hundredths of the chance to win.

    Raises `TableError` (`no-hints`) where more than one person plays or nothing is to be decided, and `TablesError`."""
    position = state.position
    if sum(not seat.is_computer for seat in state.seats) > 1:
        raise TableError(TableCode.NO_HINTS)
    if position.turn is None or position.waiting:
        console.tell("odds_later")
        return
    found = analyse(position, by_tables(position.game), explain=False)
    key = "hints_points" if found.unit is Unit.POINTS else "hints_chance"
    console.tell(key, value=value_text(console, found.unit, found.best.value))
    for choice in found.choices[:SHOWN]:
        aim, told = named(position, choice.action, console.messages), loss_text(console, found.unit, choice.loss)
        console.say(f"  {console.messages('odds_line', aim=aim, told=told)}".replace(" ", TIE))
    show_foreign(console, found.foreign)
