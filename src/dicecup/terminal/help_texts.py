"""What can be typed, and the rules in short, for the game and the table at hand."""

from dicecup import yam_master
from dicecup.terminal.console import Console
from dicecup.terminal.link import State
from dicecup.terminal.state import option_texts


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
    """Show the rules in a few lines, with the options of the game at hand."""
    if isinstance(state.position, yam_master.Position):
        console.tell("rules_yam_master")
    else:
        console.tell("rules_yamm")
    options = option_texts(state.position.game, console.messages)
    if options:
        console.tell("rules_options", options=", ".join(options))
