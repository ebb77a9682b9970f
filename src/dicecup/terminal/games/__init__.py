"""The screens of the games: how the terminal draws a game, reads entries for it and describes its
actions."""

from functools import cache

from dicecup.core.errors import DiceCode, DiceError
from dicecup.core.game import Position, Rules
from dicecup.terminal.entry import Verb, Vocabulary, plain_text
from dicecup.terminal.errors import TerminalCode, TerminalError
from dicecup.terminal.games.screen import Screen


def screen_of(game: Rules) -> Screen:
    """Return the screen of a game. A game without a screen of its own gets the generic one."""
    return _screen(game.name)


@cache
def _screen(name: str) -> Screen:
    """Return the screen of a game by its name. A module is imported only when its game is shown."""
    match name:
        case "yam-master":
            from dicecup.terminal.games.yam_master import YamMasterScreen

            return YamMasterScreen()
        case "yamm":
            from dicecup.terminal.games.yamm import YammScreen

            return YammScreen()
        case _:
            return Screen()


def action_text(verb: Verb | None, text: str, position: Position, known: Vocabulary) -> str:
    """Return the canonical text of the action that a person typed behind `verb`.

    Raises `DiceError` for faces that no die has, `TerminalError` (`not-an-entry`) for a text that
    is no action in any form, and what the screen of the game raises.
    """
    plain = plain_text(text)
    if any(character.isdigit() and not character.isascii() for character in plain):
        raise DiceError(DiceCode.NOT_A_FACE, text=text)
    found = screen_of(position.game).action_text(verb, text, plain, position, known)
    if found is None:
        raise TerminalError(TerminalCode.NOT_AN_ENTRY, text=text)
    return found
