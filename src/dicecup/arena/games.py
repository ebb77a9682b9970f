"""The games of a block: which code plays them, and which figures are stored.

`play_block` is the task that runners hand out. Games in compiled kernels are played side by side,
the others one by one through positions and `Player.choose`.
"""

from functools import lru_cache
from time import process_time
from typing import Final

from dicecup import games
from dicecup.arena.block import Columns, Forfeit, GameBlock, GameFigures, Series, columns_of
from dicecup.arena.ends import endings_of
from dicecup.arena.engines import players_of
from dicecup.arena.game_arena import Evaluate, Simulator
from dicecup.arena.play import PlayedGame, play_game, seeded
from dicecup.arena.registry import arena_of
from dicecup.core.errors import GameError, TextCode
from dicecup.core.game import Rules
from dicecup.line_protocol import EngineSpec, Limits
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
    forfeits = tuple(play.forfeits) if isinstance(play, TurnByTurn) else ()
    return GameBlock(first, games, columns, process_time() - begun, forfeits)


def block_size(setup: Series) -> int:
    """Return the number of games of a block. It does not depend on the machine."""
    return SMALL_BLOCK if kernel_simulator(setup) is None else LARGE_BLOCK


def check_player(game: Rules, player: str, seconds: float) -> None:
    """Raise `GameError` (`option-value`) for a level that this game does not have, and
    `LineProtocolError` for an engine that cannot prepare the game."""
    spec = EngineSpec.read(player)
    if spec is None:
        check_level(game, player)
    else:
        spec.check(game.id, Limits(turn=seconds))


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


def by_turns(setup: Series) -> "TurnByTurn":
    """Return the function that plays games through positions and `Player.choose`. Raises
    `TablesError`."""
    game = games.from_id(setup.game)
    play = TurnByTurn(setup, game, arena_of(game).evaluator(game, setup.players))
    play.load()
    return play


class TurnByTurn:
    """A simulator that plays games through positions and `Player.choose`.

    `forfeits` are those of the last call.
    """

    def __init__(self, setup: Series, game: Rules, evaluate: Evaluate | None) -> None:
        self.forfeits: list[Forfeit] = []
        self._setup = setup
        self._game = game
        self._evaluate = evaluate

    def __call__(self, first: int, count: int) -> Columns:
        """Play games `first` to `first + count - 1` and return their figures. Raises
        `ArenaError` (`engine-unusable`)."""
        self.forfeits.clear()
        return columns_of(map(self._row, range(first, first + count)))

    def load(self) -> None:
        """Load all tables and kernels with one turn of each level. Engines load theirs when they
        begin a game, and see no dice here."""
        players = [create("random" if EngineSpec.read(player) else player) for player in self._setup.players]
        play_game(self._game.start(), players, seeded("load"), len(players), self._evaluate)

    def _row(self, number: int) -> GameFigures:
        """Play a game and return its figures."""
        setup = self._setup
        players = players_of(setup, number)
        seated = [players[player] for player in setup.seated(number)]
        played = play_game(self._game.start(), seated, seeded(setup.dice_seed(number)), setup.cap, self._evaluate)
        if played.failed is not None and played.error is not None:
            self.forfeits.append(Forfeit(number, setup.seated(number)[played.failed], played.error))
        return solo_row(setup, number, played) if self._game.players == 1 else match_row(setup, number, played)


def solo_row(_: Series, __: int, played: PlayedGame) -> GameFigures:
    """Return the figures of a game of one player."""
    position = played.position
    luck = {} if played.luck is None else {"luck": float(played.luck[0])}
    return {"total": position.scores[0], **luck, **arena_of(position.game).solo_figures(position)}


def match_row(setup: Series, number: int, played: PlayedGame) -> GameFigures:
    """Return the figures of a game of several players, for player 0 of the setup.

    `score`: the player's share of the win; all sides share a drawn game and one that was stopped. A
    side whose engine failed has lost.
    `luck`: the part of the score that the dice gave."""
    position = played.position
    game, seat = position.game, setup.seated(number).index(0)
    own = game.side_of_player(seat)
    sides = range(game.sides)
    if played.failed is not None:
        winners = game.winners_without(position, played.failed)
    else:
        winners = () if position.outcome is None else position.outcome.winners
    winners = winners or tuple(sides)
    luck = {} if played.luck is None else {"luck": float(2 * played.luck[seat] - sum(played.luck)) / 2}
    return luck | {
        "seat": seat,
        "score": 1 / len(winners) if own in winners else 0.0,
        "turns": played.turns,
        "ending": endings_of(game).index(played.ending),
        "points": position.scores[own],
        "points_against": max((position.scores[side] for side in sides if side != own), default=0),
    }
