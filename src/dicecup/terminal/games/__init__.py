"""The screens of the games: how the terminal draws a game, reads entries for it and describes its actions."""

from functools import cache

from dicecup.core.game import Rules
from dicecup.terminal.games.screen import Screen


def screen_of(game: Rules) -> Screen:
    """Return the screen of a game. A game without a screen of its own gets the generic one."""
    return _screen(game.name)


@cache
def _screen(name: str) -> Screen:
    match name:
        case "yam-master":
            from dicecup.terminal.games.yam_master import YamMasterScreen

            return YamMasterScreen()
        case "yamm":
            from dicecup.terminal.games.yamm import YammScreen

            return YammScreen()
        case _:
            return Screen()
