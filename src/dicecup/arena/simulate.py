"""Games of one level alone: games of one player, or games of the level against itself."""

from functools import partial
from operator import sub

from dicecup import games
from dicecup.arena.block import Columns, Series
from dicecup.arena.games import block_size, check_level, play_block
from dicecup.arena.registry import arena_of
from dicecup.arena.runner import Runner, check_count
from dicecup.arena.statistics import estimate, mean, quantiles
from dicecup.arena.summary import DEFAULT_CAP, ArenaSummary, cost, lengths_and_endings, results
from dicecup.core.game import Rules


def simulate(
    game_id: str, player: str, *, games_wanted: int, seed: str, runner: Runner, cap: int = DEFAULT_CAP
) -> ArenaSummary | None:
    """Play the games and return their summary; `None` if no game was finished.

    `yamm` has one player here. Raises `GameError` for an unknown game or level, and `ArenaError`
    (`wrong-number-of-players`, `not-a-count`)."""
    given = games.from_id(game_id)
    game = arena_of(given).simulated_game(given)
    check_count("cap", cap)
    check_level(game, player)
    cap = cap if game.turns is None else game.turns
    setup = Series(game.id, (player,) * game.players, seed, cap)
    run = runner.run(partial(play_block, setup), games_wanted, block_size(setup))
    if not run.blocks:
        return None
    head: ArenaSummary = {"game": game.id, "player": player, "games": run.games, "wanted": run.wanted, "seed": seed}
    figures = solo_summary(game, run.columns) if game.players == 1 else self_play_summary(game, run.columns, cap)
    return head | figures | cost(run)


def solo_summary(game: Rules, columns: Columns) -> ArenaSummary:
    """Return the mean total of games of one player, and the same without the luck of the dice.

    The mean of the luck is 0, so the adjusted mean is the same and its variance smaller
    (docs/analysis.md). It is `None` where nothing measured the luck.
    """
    totals = columns["total"]
    plain = estimate(totals)
    summary = {"mean": plain.mean, "sd": plain.sd, "ci95": plain.ci95}
    summary |= {"adjusted_mean": None, "adjusted_sd": None, "adjusted_ci95": None}
    if "luck" in columns:
        freed = estimate(list(map(sub, totals, columns["luck"])))
        summary |= {"adjusted_mean": freed.mean, "adjusted_sd": freed.sd, "adjusted_ci95": freed.ci95}
    return summary | {"quantiles": quantiles(totals)} | arena_of(game).solo_summary(columns)


def self_play_summary(game: Rules, columns: Columns, cap: int) -> ArenaSummary:
    """Return the score of the first seat, the lengths and the ends of games of a level against
    itself."""
    first = estimate(columns["score"])
    return {
        "first_player_score": first.mean,
        "ci95": first.ci95,
        **results(columns["score"]),
        **lengths_and_endings(game, columns, cap),
        "points": [mean(columns["points"]), mean(columns["points_against"])],
    }
