"""What is noted of a game, and how a block of games comes to be played.

`play_block` is the task that runners hand out. Levels that have a simulator of their own play by it, many games side by side;
the others turn by turn through the positions.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache, partial
from time import process_time
from typing import Final, cast

from dicecup import games, yam_master, yamm
from dicecup.arena import batch
from dicecup.arena.batch import ENDINGS, Simulator
from dicecup.arena.block import Block, Columns, Row, Setup, columns_of
from dicecup.arena.play import Evaluate, Played, play_game, seeded
from dicecup.core.game import Rules
from dicecup.players import create
from dicecup.yam_master import YamMaster
from dicecup.yamm.seats import players_of_sheet

WITHOUT_TABLE: Final = {"random", "greedy"}
"""Levels that have no idea what a sheet is worth."""


def play_block(setup: Setup, first: int, games: int) -> Block:
    """Plays games `first` to `first + games - 1`. What is loaded or compiled for the first time is not counted."""
    play = simulator_of(setup)
    begun = process_time()
    columns = play(first, games)
    return Block(first, games, columns, process_time() - begun)


@lru_cache(maxsize=4)
def simulator_of(setup: Setup) -> Simulator:
    """What plays these games, ready to play."""
    found = batch.simulator(setup)
    if found is None:
        return by_turns(setup)
    found(0, 1)
    return found


# --- Turn by turn -----------------------------------------------------------------------------------------------------------


def by_turns(setup: Setup) -> Simulator:
    """Plays through positions and `Player.choose`."""
    game = games.from_id(setup.game)
    evaluate = evaluation(game, setup.players)
    note = sheet_row if alone(game) else duel_row
    for _ in played(game, setup, [0], evaluate, cap=len(setup.players)):
        pass  # every player has had a turn and loaded what it needs

    def play(first: int, count: int) -> Columns:
        numbers = range(first, first + count)
        return columns_of(map(partial(note, setup), numbers, played(game, setup, numbers, evaluate, setup.cap)))

    return play


def played(game: Rules, setup: Setup, numbers: Iterable[int], evaluate: Evaluate | None, cap: int) -> Iterator[Played]:
    """The games of these numbers."""
    for number in numbers:
        players = [create(level, setup.player_seed(number, at)) for at, level in enumerate(setup.players)]
        seated = [players[player] for player in setup.seated(number)]
        yield play_game(game.start(), seated, seeded(setup.dice_seed(number)), cap, evaluate)


def evaluation(game: Rules, levels: Sequence[str]) -> Evaluate | None:
    """What tells how lucky the dice were: the exact turn one ahead of the trained tables. None where no level plays by them (the
    others make little of their luck), and in games of Yamm among several, whose points are not their result. Raises `TablesError`."""
    if set(levels) <= WITHOUT_TABLE:
        return None
    if isinstance(game, YamMaster):
        return yam_master_evaluation(game)
    return yamm_evaluation() if alone(game) else None


def yam_master_evaluation(game: YamMaster) -> Evaluate:
    """By the tables of Yam Master."""
    from dicecup.engine.yam_master.evaluation.decisions import move_values, turn_of
    from dicecup.engine.yam_master.rules.arrays import rules_of
    from dicecup.players.yam_master import evaluation

    rules, evaluate = rules_of(game), evaluation(game)
    return lambda position: turn_of(rules, move_values(cast(yam_master.Position, position), evaluate))


def yamm_evaluation() -> Evaluate:
    """By the table of Yamm."""
    from dicecup.engine.yamm.evaluation.decisions import evaluate
    from dicecup.players.yamm import table

    trained = table()
    return lambda position: evaluate(trained, cast(yamm.Position, position)).turn


def alone(game: Rules) -> bool:
    """Whether the game is one sheet of Yamm."""
    return isinstance(game, yamm.Yamm) and game.options.players == 1


def sheet_row(_: Setup, __: int, played: Played) -> Row:
    """One sheet of Yamm."""
    position = played.position
    assert isinstance(position, yamm.Position)
    (sheet,) = position.written
    columns = sheet.spec.columns
    luck = {} if played.luck is None else {"luck": float(played.luck[0])}
    return (
        {"total": sheet.total, "first_throw_yamms": sheet.first_throw_yamms}
        | luck
        | {column: sheet.column_total(column) or 0 for column in columns}
        | {f"{column} bonus": sheet.bonus(column) or 0 for column in columns}
    )


def duel_row(setup: Setup, number: int, played: Played) -> Row:
    """A game of several: `score` is the first player's share of the win, and half of a game between two that was stopped;
    `luck` what the dice gave of it."""
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
    seat = seated.index(0)
    luck = {} if played.luck is None else {"luck": float(2 * played.luck[seat] - sum(played.luck)) / 2}
    return luck | {
        "seat": seat,
        "score": 1 / len(winners) if own in winners else 0.0,
        "turns": played.turns,
        "ending": ENDINGS.index(played.ending),
        "points": points[own],
        "points_against": max(rest),
    }
