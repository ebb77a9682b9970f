"""`dicecup train yam-master`: both evaluations with checkpoints, measured, and written with their
origin.
"""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from dicecup import __version__
from dicecup.engine.tables_file import TablesCode, TablesError, save
from dicecup.engine.yam_master.evaluation.match import Contestant, by_greed, by_model, play_games
from dicecup.engine.yam_master.evaluation.model import learned, new_model
from dicecup.engine.yam_master.evaluation.tables import DEFAULT_END, FILES, FULL_ROUND, KIND
from dicecup.engine.yam_master.training.self_play import FASTEST, SelfPlay, for_sides
from dicecup.yam_master import YamMaster

SHARES: Final = {DEFAULT_END: 2 / 3, FULL_ROUND: 1 / 3}
"""The share of each game in the games or minutes of the training."""
RATES: Final = {DEFAULT_END: FASTEST, FULL_ROUND: FASTEST / 4}
"""The step sizes at the beginning: smaller for the game that begins with trained weights."""
MEASURED_GAMES: Final = 20_000
"""Games against `greedy`. The 95 % interval of the score is about ± .005."""
DEFAULT_MINUTES: Final = 20.0
BETWEEN_CHECKPOINTS: Final = 30.0
"""Seconds between two checkpoints."""

Report = Callable[[float, int, float], object]
"""A function that receives the finished part of the training (0 to 1), the games played and the
present error of the evaluation, in expected result.
"""


@dataclass(frozen=True)
class Trained:
    """The origin of the tables of the default game."""

    origin: Mapping[str, Any]


def unwatched(done: float, games: int, error: float) -> None:
    """Ignore the report."""


def train(
    *,
    games: int | None = None,
    minutes: float | None = None,
    seed: int = 1,
    out: Path,
    command: str = "",
    commit: str | None = None,
    report: Report = unwatched,
    measured_games: int = MEASURED_GAMES,
) -> Trained:
    """Train both evaluations and write them into the folder `out`.

    With `games` (of both together) the result is the same bit for bit on the same machine with the
    same versions. An interrupted training goes on from its checkpoint in `out`, if that has the
    same seed and length.

    Raises `EngineError` (`not-finite`, with the state and the games played) where a value is not a
    number, `TablesError` for a damaged checkpoint, and `OSError`.
    """
    minutes = DEFAULT_MINUTES if minutes is None else minutes
    length = {"games": games} if games is not None else {"minutes": minutes}
    before, played, origins = 0.0, 0, []
    plays: dict[YamMaster, SelfPlay] = {}
    for game, file in FILES.items():
        checkpoint = out / f"{file}.checkpoint"
        play, used = _resumed(checkpoint, game, seed, length)
        if play is None:
            model = new_model(game.board, seed) if game is DEFAULT_END else for_sides(plays[DEFAULT_END].copied_model())
            play = SelfPlay(game, model, seed + len(plays))
        plays[game] = play
        share = SHARES[game]

        begun = saved = time.monotonic()
        while True:
            seconds = used + time.monotonic() - begun
            spent, budget = (play.done, games) if games is not None else (seconds, 60 * minutes)
            progress = spent / (budget * share) if budget > 0 else 1.0
            if progress >= 1:
                break
            play.step(progress, RATES[game])
            report(before + share * progress, played + play.done, play.squared**0.5)
            if time.monotonic() - saved > BETWEEN_CHECKPOINTS:
                play.save(checkpoint, {**length, "seconds": seconds})
                saved = time.monotonic()
        play.save(checkpoint, {**length, "seconds": seconds})
        before, played = before + share, played + play.done
        origins.append(_origin(play, seed, command, commit, seconds, measured_games))
        save(out / file, KIND, learned(play.model), origins[-1])
    for file in FILES.values():
        (out / f"{file}.checkpoint").unlink()
    return Trained(origins[0])


def _resumed(checkpoint: Path, game: YamMaster, seed: int, length: Mapping[str, Any]) -> tuple[SelfPlay | None, float]:
    """Return the training of the checkpoint and its seconds so far, if there is one of the same
    kind.
    """
    try:
        play, note = SelfPlay.resume(checkpoint, game)
    except TablesError as error:
        if error.code is TablesCode.TABLES_MISSING:
            return None, 0.0
        raise
    expected = {**length, "seed": seed + (game is not DEFAULT_END)}
    if any(note.get(name) != value for name, value in expected.items()):
        return None, 0.0
    return play, float(note["seconds"])


def _origin(play: SelfPlay, seed: int, command: str, commit: str | None, seconds: float, measured_games: int) -> dict[str, Any]:
    """Return the origin of an evaluation and its strength."""
    first, second = Contestant(by_model(play.model)), Contestant(by_greed)
    score, half_width = play_games(play.game, first, second, games=measured_games, seed=seed).score()
    return {
        "game": play.game.id,
        "command": command,
        "commit": commit,
        "version": __version__,
        "seed": seed,
        "games": play.done,
        "seconds": round(seconds),
        "error": round(play.squared**0.5, 5),
        "score_against_greedy": round(score, 4),
        "score_ci95": [round(score - half_width, 4), round(score + half_width, 4)],
        "measured_games": measured_games,
    }
