"""Players against each other, on equal dice with seats exchanged."""

from collections.abc import Sequence
from functools import partial
from operator import sub
from typing import Final

from dicecup import games, yamm
from dicecup.arena.batch import block_size
from dicecup.arena.block import Columns, Setup
from dicecup.arena.errors import ArenaCode, ArenaError
from dicecup.arena.games import play_block
from dicecup.arena.runner import Runner, check_count
from dicecup.arena.statistics import estimate, mean
from dicecup.arena.summary import DEFAULT_CAP, Summary, cost, lengths_and_endings, results
from dicecup.core.game import Rules
from dicecup.players import create

SIDES: Final = ("x", "o")


def match(
    game_id: str, players: Sequence[str], *, games_wanted: int, seed: str, runner: Runner, cap: int = DEFAULT_CAP
) -> Summary | None:
    """Plays the games and says how the first of `players` fared; None where not a single one was finished.

    As many games as there are seats share their dice, and everybody sits in each seat once. Raises `GameError` (an unknown game
    or level), `ArenaError` (`wrong-number-of-players`, `not-a-count`)."""
    game = games.from_id(game_id)
    seats = seat_names(game)
    check_count("cap", cap)
    if len(players) != len(seats) or len(seats) < 2:
        raise ArenaError(ArenaCode.WRONG_PLAYERS, game=game.id, seats=len(seats), given=len(players))
    for level in players:
        create(level)  # raises here rather than in a worker
    cap = game.turns if isinstance(game, yamm.Yamm) else cap  # a sheet fills by itself
    setup = Setup(game.id, tuple(players), seed, cap, exchanged=True)
    run = runner.run(partial(play_block, setup), games_wanted, block_size(setup))
    if not run.blocks:
        return None
    head: Summary = {"game": game.id, "players": list(players), "games": run.games, "wanted": run.wanted, "seed": seed}
    return head | match_summary(run.columns, seats, cap) | cost(run)


def match_summary(columns: Columns, seats: Sequence[str], cap: int) -> Summary:
    """The score of the first player is its mean share of the win: 1 a win, ½ a draw or a game that was stopped. The interval
    takes the games on the same dice together. Both also freed of the luck of the dice, where something evaluated it."""
    score = estimate(columns["score"], together=len(seats))
    freed = None
    if "luck" in columns:
        freed = estimate(list(map(sub, columns["score"], columns["luck"])), together=len(seats))
    return {
        "score": score.mean,
        "ci95": score.ci95,
        "adjusted_score": freed and freed.mean,
        "adjusted_ci95": freed and freed.ci95,
        **results(columns["score"]),
        "seats": {name: seat_summary(columns, seat) for seat, name in enumerate(seats)},
        "first_seat_score": first_seat_score(columns) if len(seats) == 2 else None,
        "points": [mean(columns["points"]), mean(columns["points_against"])],
        **lengths_and_endings(columns, cap),
    }


def seat_summary(columns: Columns, seat: int) -> Summary:
    """The first player's results in this seat."""
    scores = [score for score, sat in zip(columns["score"], columns["seat"], strict=True) if sat == seat]
    return {"games": len(scores), "score": mean(scores) if scores else None, **results(scores)}


def first_seat_score(columns: Columns) -> float:
    """What beginning is worth, whoever begins."""
    return mean([1 - score if seat else score for score, seat in zip(columns["score"], columns["seat"], strict=True)])


def seat_names(game: Rules) -> tuple[str, ...]:
    """`x` and `o`, or `P1`, `P2`, …"""
    if isinstance(game, yamm.Yamm):
        return tuple(f"P{player + 1}" for player in range(game.options.players))
    return SIDES
