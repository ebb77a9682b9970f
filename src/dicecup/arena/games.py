"""What is noted of a game, and how a block of games comes to be played.

`play_block` is the task that runners hand out. Levels that have a simulator of their own play by it, many games side by side;
the others turn by turn through the positions.
"""

from collections.abc import Callable, Iterator
from functools import lru_cache
from itertools import count
from time import process_time
from typing import Final, TypeAlias

from dicecup import games, yamm
from dicecup.arena.block import Block, Columns, Row, Setup, columns_of
from dicecup.arena.play import CAP, Evaluate, Played, play_game, seeded
from dicecup.games import Game
from dicecup.players import create
from dicecup.yamm.seats import players_of_sheet

Simulator: TypeAlias = Callable[[int, int], Columns]
"""Plays so many games from this number on."""

ENDINGS: Final = ("line", "tokens", "full", CAP)
"""How a game can end; noted as the place here."""
SMALL_BLOCK: Final = 4
"""Games a block where each goes turn by turn: short enough to be worth keeping when somebody stops."""


def play_block(setup: Setup, first: int, games: int) -> Block:
    """Plays games `first` to `first + games - 1`. What is loaded or compiled for the first time is not counted."""
    simulator = simulator_of(setup)
    begun = process_time()
    columns = simulator(first, games)
    return Block(first, games, columns, process_time() - begun)


def block_size(setup: Setup) -> int:
    """How many games a block has: the same wherever they are played."""
    return SMALL_BLOCK


@lru_cache(maxsize=4)
def simulator_of(setup: Setup) -> Simulator:
    """What plays these games, ready to play."""
    return by_turns(setup)


# --- Turn by turn -----------------------------------------------------------------------------------------------------------


def by_turns(setup: Setup) -> Simulator:
    """Plays through positions and `Player.choose`. Raises `GameError` for a level that there is not."""
    game = games.from_id(setup.game)
    evaluate = evaluation(game)
    for _ in play_numbers(game, setup, count(), evaluate, cap=len(setup.players)):
        break  # every player has loaded what it needs
    note = sheet_row if alone(game) else duel_row
    return lambda first, games: columns_of(
        note(setup, number, played)
        for number, played in zip(
            range(first, first + games), play_numbers(game, setup, count(first), evaluate, setup.cap), strict=False
        )
    )


def play_numbers(game: Game, setup: Setup, numbers: Iterator[int], evaluate: Evaluate | None, cap: int) -> Iterator[Played]:
    """The games of these numbers."""
    for number in numbers:
        players = [create(level, setup.player_seed(number, at)) for at, level in enumerate(setup.players)]
        seated = [players[player] for player in setup.seated(number)]
        yield play_game(game.start(), seated, seeded(setup.dice_seed(number)), cap, evaluate)


def evaluation(game: Game) -> Evaluate | None:
    """What tells how lucky the dice were."""
    return None


def alone(game: Game) -> bool:
    """Whether the game is one sheet of Yamm."""
    return isinstance(game, yamm.Yamm) and game.options.players == 1


def sheet_row(_: Setup, __: int, played: Played) -> Row:
    """One sheet of Yamm."""
    position = played.position
    assert isinstance(position, yamm.Position)
    (sheet,) = position.written
    columns = sheet.spec.columns
    luck = {} if played.luck is None else {"luck": played.luck[0]}
    return (
        {"total": sheet.total, "first_throw_yamms": sheet.first_throw_yamms}
        | luck
        | {column: sheet.column_total(column) or 0 for column in columns}
        | {f"{column} bonus": sheet.bonus(column) or 0 for column in columns}
    )


def duel_row(setup: Setup, number: int, played: Played) -> Row:
    """A game of several: `score` is the first player's share of the win, and half of a game between two that was stopped."""
    position = played.position
    seated = setup.seated(number)
    if isinstance(position, yamm.Position):
        sides = [players_of_sheet(position.game.options, sheet) for sheet in range(len(position.sheets))]
        points = [sheet.total for sheet in position.written]
        winners = range(len(sides)) if position.outcome is None else position.outcome.winners
    else:
        sides, points = [(0,), (1,)], list(position.points)
        winner = None if position.outcome is None else position.outcome.winner
        winners = (0, 1) if winner is None else (int(winner),)
    own = next(side for side, seats in enumerate(sides) if seated.index(0) in seats)
    rest = [points[side] for side in range(len(sides)) if side != own]
    return {
        "seat": seated.index(0),
        "score": 1 / len(winners) if own in winners else 0.0,
        "turns": played.turns,
        "ending": ENDINGS.index(played.ending),
        "points": points[own],
        "points_against": max(rest),
    }
