"""Hints: the expert's values of the legal actions, for games in which one person plays."""

from typing import Final

from dicecup.analysis.decisions import analyse
from dicecup.analysis.evaluation import Unit
from dicecup.analysis.registry import by_tables
from dicecup.core.game import Rules
from dicecup.terminal.analysis import loss_text, named, show_foreign, value_text
from dicecup.terminal.console import TIE, Console
from dicecup.terminal.errors import TerminalCode, TerminalError
from dicecup.terminal.session import Snapshot

SHOWN: Final = 8
"""The number of choices that are printed, the best first."""


def show_hints(console: Console, now: Snapshot) -> None:
    """Print the best choices with their losses, in points on a single sheet, else in percent of the
    chance to win.

    Raises `TerminalError` (`no-hints` where more than one person plays, `not-for-this-game` where
    nothing evaluates the game), and `TablesError`.
    """
    position = now.position
    if sum(not seat.is_computer for seat in now.seats) > 1:
        raise TerminalError(TerminalCode.NO_HINTS)
    if position.turn is None or position.waiting:
        console.tell("odds_later")
        return
    if now.table.rules.levels == Rules.levels:
        raise TerminalError(TerminalCode.NOT_FOR_THIS_GAME, game=now.table.rules.name)
    found = analyse(position, by_tables(position.game), explain=False)
    key = "hints_points" if found.unit is Unit.POINTS else "hints_chance"
    console.tell(key, value=value_text(console, found.unit, found.best.value))
    for choice in found.choices[:SHOWN]:
        aim, facts = named(position, choice.action, console.messages), loss_text(console, found.unit, choice.loss)
        console.say(f"  {console.messages('odds_line', aim=aim, facts=facts)}".replace(" ", TIE))
    show_foreign(console, found.foreign)
