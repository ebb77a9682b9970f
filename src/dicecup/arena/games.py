"""The games of a block: which code plays them, and which figures are stored.

`play_block` is the task that runners hand out. Games in compiled kernels are played side by side,
the others one by one through positions and `Player.choose`.
"""

from collections.abc import Iterable, Iterator
from functools import lru_cache, partial
from time import process_time
from typing import Final

from dicecup import games
from dicecup.arena.block import Columns, GameBlock, GameFigures, Series, columns_of
from dicecup.arena.ends import endings_of
from dicecup.arena.game_arena import Evaluate, Simulator
from dicecup.arena.play import PlayedGame, play_game, seeded
from dicecup.arena.registry import arena_of
from dicecup.core.errors import GameError, TextCode
from dicecup.core.game import Rules
from dicecup.players import create, levels_for

SMALL_BLOCK: Final = 4
"""Games a block where each is played alone, so that an interruption loses little."""
LARGE_BLOCK: Final = 256
"""Games a block where many are played side by side."""


def play_block(setup: Series, first: int, games: int) -> GameBlock:
    """Play games `first` to `first + games - 1`. Loading and compiling are not part of its CPU
    time."""
    play = simulator_of(setup)
    begun = process_time()
    columns = play(first, games)
    return GameBlock(first, games, columns, process_time() - begun)


def block_size(setup: Series) -> int:
    """Return the number of games of a block. It does not depend on the machine."""
    return SMALL_BLOCK if kernel_simulator(setup) is None else LARGE_BLOCK


def check_level(game: Rules, level: str) -> None:
    """Raise `GameError` (`option-value`) for a level that this game does not have."""
    if level not in levels_for(game):
        raise GameError(TextCode.OPTION_VALUE, option="player", value=level)


def kernel_simulator(setup: Series) -> Simulator | None:
    """Return the simulator in compiled kernels, `None` where a level has none. Raises
    `TablesError`."""
    game = games.from_id(setup.game)
    return arena_of(game).simulator(game, setup)


@lru_cache(maxsize=4)
def simulator_of(setup: Series) -> Simulator:
    """Return the function that plays these games, with all kernels compiled. Raises
    `TablesError`."""
    found = kernel_simulator(setup)
    if found is None:
        return by_turns(setup)
    found(0, 1)
    return found


# --- One by one -----------------------------------------------------------------------------------


def by_turns(setup: Series) -> Simulator:
    """Return the function that plays games through positions and `Player.choose`. Raises
    `TablesError`."""
    game = games.from_id(setup.game)
    evaluate = arena_of(game).evaluator(game, setup.players)
    note = solo_row if game.players == 1 else match_row
    for _ in played(game, setup, [0], evaluate, cap=len(setup.players)):
        pass  # after one turn of each player all tables and kernels are loaded

    def play(first: int, count: int) -> Columns:
        numbers = range(first, first + count)
        return columns_of(map(partial(note, setup), numbers, played(game, setup, numbers, evaluate, setup.cap)))

    return play


def played(game: Rules, setup: Series, numbers: Iterable[int], evaluate: Evaluate | None, cap: int) -> Iterator[PlayedGame]:
    """Yield the games with these numbers."""
    for number in numbers:
        players = [create(level, setup.player_seed(number, at)) for at, level in enumerate(setup.players)]
        seated = [players[player] for player in setup.seated(number)]
        yield play_game(game.start(), seated, seeded(setup.dice_seed(number)), cap, evaluate)


def solo_row(_: Series, __: int, played: PlayedGame) -> GameFigures:
    """Return the figures of a game of one player."""
    position = played.position
    luck = {} if played.luck is None else {"luck": float(played.luck[0])}
    return {"total": position.scores[0], **luck, **arena_of(position.game).solo_figures(position)}


def match_row(setup: Series, number: int, played: PlayedGame) -> GameFigures:
    """Return the figures of a game of several players, for player 0 of the setup.

    `score`: the player's share of the win; all sides share a drawn game and one that was stopped.
    `luck`: the part of the score that the dice gave."""
    position = played.position
    game, seat = position.game, setup.seated(number).index(0)
    own = game.side_of_player(seat)
    sides = range(game.sides)
    winners = (() if position.outcome is None else position.outcome.winners) or tuple(sides)
    luck = {} if played.luck is None else {"luck": float(2 * played.luck[seat] - sum(played.luck)) / 2}
    return luck | {
        "seat": seat,
        "score": 1 / len(winners) if own in winners else 0.0,
        "turns": played.turns,
        "ending": endings_of(game).index(played.ending),
        "points": position.scores[own],
        "points_against": max((position.scores[side] for side in sides if side != own), default=0),
    }
