"""Players against each other, on equal dice with seats exchanged."""

from collections.abc import Sequence
from functools import partial
from operator import sub
from typing import Final

from dicecup import games
from dicecup.arena.block import Columns, Forfeit, Series
from dicecup.arena.engines import close_engines
from dicecup.arena.errors import ArenaCode, ArenaError
from dicecup.arena.game_arena import wrong_players
from dicecup.arena.games import block_size, check_player, play_block
from dicecup.arena.registry import arena_of
from dicecup.arena.runner import Runner, check_count
from dicecup.arena.statistics import estimate, mean
from dicecup.arena.summary import DEFAULT_CAP, ArenaSummary, cost, lengths_and_endings, results
from dicecup.core.game import Rules
from dicecup.line_protocol import EngineSpec
from dicecup.line_protocol.outside_engine import TURN_SECONDS

MOST_SECONDS: Final = 86_400
"""The longest time of an engine for a turn."""


def match(
    game_id: str,
    players: Sequence[str],
    *,
    games_wanted: int,
    seed: str,
    runner: Runner,
    cap: int = DEFAULT_CAP,
    seconds: float = TURN_SECONDS,
) -> ArenaSummary | None:
    """Play the games and return the summary for the first of `players`; `None` if no game was
    finished.

    A player is a level, `engine:COMMAND` or `package.module:factory` (docs/engines.md). An engine
    that needs more than `seconds` for a turn, or fails otherwise, loses the game. As many games as
    there are seats share their dice, and every player sits in each seat once. Raises `GameError`
    for an unknown game or level, `LineProtocolError` for an engine that does not start, and
    `ArenaError` (`wrong-number-of-players`, `not-a-count`)."""
    game = games.from_id(game_id)
    check_count("cap", cap)
    if len(players) != game.players or game.players < 2:
        raise wrong_players(game, len(players))
    check_seconds(seconds)
    for player in dict.fromkeys(players):
        check_player(game, player, seconds)
    cap = cap if game.turns is None else game.turns
    setup = Series(game.id, tuple(players), seed, cap, exchanged=True, seconds=seconds)
    try:
        run = runner.run(partial(play_block, setup), games_wanted, block_size(setup))
    finally:
        close_engines()
    if not run.blocks:
        return None
    head: ArenaSummary = {"game": game.id, "players": list(players), "games": run.games, "wanted": run.wanted, "seed": seed}
    failures: ArenaSummary = {"failures": failures_of(players, run.forfeits)} if any(map(EngineSpec.read, players)) else {}
    return head | match_summary(game, run.columns, cap) | failures | cost(run)


def check_seconds(seconds: float) -> None:
    """Raise `ArenaError` (`not-a-count`) for a time of an engine that is not usable."""
    if not 0 < seconds <= MOST_SECONDS:
        raise ArenaError(ArenaCode.NOT_A_COUNT, name="time", value=f"{seconds:g}")


def match_summary(game: Rules, columns: Columns, cap: int) -> ArenaSummary:
    """Return the score of the first player with its interval.

    The score is the mean share of the win: 1 for a win, ½ for a draw or a game that was stopped.
    The interval treats games on the same dice as one group. The adjusted values are without the
    luck of the dice, `None` where nothing measured it.
    """
    seats = arena_of(game).seat_names(game)
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
        **lengths_and_endings(game, columns, cap),
    }


def failures_of(players: Sequence[str], forfeits: Sequence[Forfeit]) -> list[ArenaSummary]:
    """Return how many games each engine lost because it failed, by the code of the error.

    `player` is the number of the player from 1, `first` the number of the first such game, and
    `details` tells of the failure in it.
    """
    found: dict[tuple[int, str], ArenaSummary] = {}
    for forfeit in forfeits:
        code = str(forfeit.error.code)
        entry = found.setdefault(
            (forfeit.player, code),
            {
                "player": forfeit.player + 1,
                "engine": players[forfeit.player],
                "code": code,
                "games": 0,
                "first": forfeit.number,
                "details": {name: str(value) for name, value in forfeit.error.details.items()},
            },
        )
        entry["games"] += 1
    return [found[key] for key in sorted(found)]


def seat_summary(columns: Columns, seat: int) -> ArenaSummary:
    """Return the results of the first player in a seat."""
    scores = [score for score, sat in zip(columns["score"], columns["seat"], strict=True) if sat == seat]
    return {"games": len(scores), "score": mean(scores) if scores else None, **results(scores)}


def first_seat_score(columns: Columns) -> float:
    """Return the mean score of the seat that begins."""
    return mean([1 - score if seat else score for score, seat in zip(columns["score"], columns["seat"], strict=True)])
