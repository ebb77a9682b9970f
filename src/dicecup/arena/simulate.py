"""One player by itself: sheets of Yamm alone, or a game of several against itself."""

from dataclasses import replace
from functools import partial
from operator import sub
from typing import Final

from dicecup import games, yamm
from dicecup.arena.batch import block_size
from dicecup.arena.block import Columns, Setup
from dicecup.arena.errors import ArenaCode, ArenaError
from dicecup.arena.games import play_block
from dicecup.arena.runner import Runner, check_count
from dicecup.arena.statistics import estimate, mean, quantiles
from dicecup.arena.summary import DEFAULT_CAP, Summary, cost, lengths_and_endings, results
from dicecup.core.game import Rules
from dicecup.players import create
from dicecup.yamm.sheet import SHEET

TURNS: Final = len(SHEET.cells)


def simulate(
    game_id: str, player: str, *, games_wanted: int, seed: str, runner: Runner, cap: int = DEFAULT_CAP
) -> Summary | None:
    """Plays the games and says how they went; None where not a single one was finished. `yamm` is one sheet here, `yam-master`
    the player against itself. Raises `GameError`, `ArenaError`."""
    game = solitary(games.from_id(game_id))
    check_count("cap", cap)
    create(player)  # raises here rather than in a worker
    if isinstance(game, yamm.Yamm):
        setup = Setup(game.id, (player,), seed, TURNS)
    else:
        setup = Setup(game.id, (player, player), seed, cap)
    run = runner.run(partial(play_block, setup), games_wanted, block_size(setup))
    if not run.blocks:
        return None
    head: Summary = {"game": game.id, "player": player, "games": run.games, "wanted": run.wanted, "seed": seed}
    said = sheets_summary(run.columns) if isinstance(game, yamm.Yamm) else self_play_summary(run.columns, cap)
    return head | said | cost(run)


def solitary(game: Rules) -> Rules:
    """Yamm for one player. Raises `ArenaError` (`wrong-number-of-players`) for more than the two that are its default."""
    if not isinstance(game, yamm.Yamm):
        return game
    if game.options.players > yamm.Options().players:
        raise ArenaError(ArenaCode.WRONG_PLAYERS, game=game.id, seats=game.options.players, given=1)
    return yamm.Yamm(replace(game.options, players=1))


def sheets_summary(columns: Columns) -> Summary:
    """Of sheets: the mean as it is, and freed of the luck of the dice (FIGURES, "What an analysis reports": the luck's mean is
    zero, so the mean stays and the variance falls)."""
    totals = columns["total"]
    plain = estimate(totals)
    summary = {"mean": plain.mean, "sd": plain.sd, "ci95": plain.ci95}
    summary |= {"adjusted_mean": None, "adjusted_sd": None, "adjusted_ci95": None}
    if "luck" in columns:
        freed = estimate(list(map(sub, totals, columns["luck"])))
        summary |= {"adjusted_mean": freed.mean, "adjusted_sd": freed.sd, "adjusted_ci95": freed.ci95}
    return summary | {
        "quantiles": quantiles(totals),
        "columns": {column: mean(columns[column]) for column in SHEET.columns},
        "bonuses": {column: mean(columns[f"{column} bonus"]) for column in SHEET.columns},
        "first_throw_yamms": mean(columns["first_throw_yamms"]),
    }


def self_play_summary(columns: Columns, cap: int) -> Summary:
    """Of games of a player against itself: how the one who begins fares, how long they are, how they end."""
    first = estimate(columns["score"])
    return {
        "first_player_score": first.mean,
        "ci95": first.ci95,
        **results(columns["score"]),
        **lengths_and_endings(columns, cap),
        "points": [mean(columns["points"]), mean(columns["points_against"])],
    }
