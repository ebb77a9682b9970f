"""The arenas of games, found by the name of the game."""

from functools import cache

from dicecup.arena.game_arena import GameArena
from dicecup.core.game import Rules


def arena_of(game: Rules) -> GameArena:
    """Return the arena of a game. A game without kernels gets the defaults of `GameArena`."""
    return _by_name(game.name)


@cache
def _by_name(name: str) -> GameArena:
    """Return the arena of the game with this name. Only the modules of this game are imported."""
    if name == "yam-master":
        from dicecup.arena.yam_master import YamMasterArena

        return YamMasterArena()
    if name == "yamm":
        from dicecup.arena.yamm import YammArena

        return YammArena()
    return GameArena()
