"""What can be typed, and the rules in short, for the game and the table at hand."""

from dicecup import yam_master
from dicecup.terminal.console import Console
from dicecup.terminal.link import State


def show_help(console: Console, state: State) -> None:
    """Only what applies here."""
    if isinstance(state.position, yam_master.Position):
        console.tell("help_yam_master")
    else:
        console.tell("help_yamm")
    if state.real_dice:
        console.tell("help_real_dice")
    console.tell("help_commands")


def show_rules(console: Console, state: State) -> None:
    """The rules in a few lines."""
    if isinstance(state.position, yam_master.Position):
        console.tell("rules_yam_master")
    else:
        console.tell("rules_yamm")
