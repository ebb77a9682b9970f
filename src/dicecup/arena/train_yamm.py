"""The training of the evaluation of Yamm, which also measures it and writes its table.

With a number of games the table is the same bit for bit on the same machine and versions, also
after an interruption: the training continues from the checkpoint in the folder if that has the same
goal and seed.
"""

from collections.abc import Callable
from pathlib import Path
from time import monotonic
from typing import Final

from dicecup.arena.statistics import estimate
from dicecup.engine.yamm.evaluation.endgame_solver import solve_endgame
from dicecup.engine.yamm.evaluation.simulate import simulate
from dicecup.engine.yamm.evaluation.table import Table, save_table
from dicecup.engine.yamm.training import checkpoint
from dicecup.engine.yamm.training.train import Training, learn_variance

FILE: Final = "yamm.tables"
EVERY: Final = 200
"""Rounds between checkpoints."""
VARIANCE_GAMES: Final = 20_000
MEASURED_GAMES: Final = 8_000
Report = Callable[[float, int, float], None]
"""A function of the share of the training that is done (0 to 1), the games so far, and the error in
points that the evaluation estimates for itself."""


def train(
    *, games: int | None, minutes: float | None, seed: int, out: Path, command: str, commit: str | None, report: Report
) -> Table:
    """Train for a number of games or of minutes, and write the table to the folder `out`.

    Raises `EngineError` (`not-finite`: the training broke down; `games` and `steps` say where),
    `TablesError` for a damaged checkpoint."""
    goal = f"games={games}" if games is not None else f"minutes={minutes}"
    out.mkdir(parents=True, exist_ok=True)
    saved = out / "yamm.checkpoint"
    training = checkpoint.load(saved, goal, Training.fresh(seed, solve_endgame()))
    began = monotonic()
    rounds = 0
    while (done := _done(training.games, games, minutes, monotonic() - began)) < 1:
        training.round(done)
        report(done, training.games, training.error)
        rounds += 1
        if rounds % EVERY == 0:
            checkpoint.save(saved, training, goal)
    variance = learn_variance(training.evaluation, seed + 1, VARIANCE_GAMES)
    played = simulate(training.evaluation, seed + 2, 0, MEASURED_GAMES)
    plain = estimate(played["total"].tolist())
    freed = estimate((played["total"] - played["luck"]).tolist())
    origin = {"command": command, "seed": seed, "games": training.games, "commit": commit}
    origin |= {"measured_games": MEASURED_GAMES, "mean": plain.mean, "ci95": plain.ci95}
    origin |= {"adjusted_mean": freed.mean, "adjusted_ci95": freed.ci95}
    table = Table(training.evaluation, variance, origin)
    save_table(out / FILE, table)
    saved.unlink(missing_ok=True)
    report(1.0, training.games, training.error)
    return table


def _done(games_played: int, games: int | None, minutes: float | None, seconds: float) -> float:
    if games is not None:
        return games_played / games
    assert minutes is not None
    return seconds / 60 / minutes
