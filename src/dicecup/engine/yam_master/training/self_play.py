"""Training by self-play: after every turn the evaluation moves towards the value of that turn.

The value of a turn follows exactly from the values of its moves, so the luck of the dice within a
turn does not enter. Some games leave best play, so that the network learns positions after
mistakes, too: in one game of eight both sides err, in one of eight one side is greedy. The network
does not learn from greedy turns. Everything follows from the seed, also after a resumption, and on
one thread.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from dicecup.engine.errors import EngineCode, EngineError
from dicecup.engine.tables_file import load, save
from dicecup.engine.yam_master.evaluation.dice_kernel import keys_of
from dicecup.engine.yam_master.evaluation.model import LEARNED, Model, learned, model_from, read_only, replaced, zeros_like
from dicecup.engine.yam_master.evaluation.turns_kernel import advance, play_turns, values_by_greed, values_by_model, workspace
from dicecup.engine.yam_master.rules.arrays import Rules, rules_of
from dicecup.engine.yam_master.rules.state import SIDE, pack
from dicecup.engine.yam_master.training.gradient_kernel import gradients, step_weights
from dicecup.yam_master import YamMaster

CHECKPOINT: Final = "yam-master-training"
GAMES_AT_ONCE: Final = 256
"""The number of games side by side. Each step of the weights uses one turn of each."""
FASTEST: Final = 2e-3
"""The step size at the beginning. From there it falls geometrically."""
SLOWEST: Final = 1e-5
"""The step size at the end."""
ERRING: Final = 0.02
"""The temperature of players who err, in win probability."""
LONGEST: Final = 150
"""The turns after which a game is given up."""


@dataclass
class SelfPlay:
    """The games that are going on and the weights: everything that a checkpoint holds."""

    game: YamMaster
    model: Model
    seed: int
    done: int = 0
    """The number of games that are over."""
    steps: int = 0
    squared: float = 0.0
    """The moving average of the squared error of the evaluation."""
    moments: tuple[Model, Model] = field(init=False)
    states: NDArray[np.int64] = field(init=False)
    numbers: NDArray[np.int64] = field(init=False)
    games: NDArray[np.int64] = field(init=False)

    def __post_init__(self) -> None:
        self.rules: Rules = rules_of(self.game)
        self._weights = read_only(self.model)
        self.gradient, self.moments = zeros_like(self.model), (zeros_like(self.model), zeros_like(self.model))
        self.states = np.full(GAMES_AT_ONCE, pack(self.game.start()), np.int64)
        self.numbers = np.ones(GAMES_AT_ONCE, np.int64)
        self.games = np.arange(GAMES_AT_ONCE, dtype=np.int64)
        self._values = np.empty((GAMES_AT_ONCE, 2 * self.rules.squares + 1), np.float32)
        self._expected = np.empty(GAMES_AT_ONCE, np.float32)

    def step(self, progress: float, fastest: float = FASTEST) -> None:
        """Play one turn of every game, then move the weights by one step. `progress`: from 0 to 1.

        Raises `EngineError` (`not-finite`) with the state where a value is not a number. The
        weights have not moved then.
        """
        before, kind = self.states.copy(), self.games % 8
        values_by_model(self.rules, self._weights, before, self._values)
        greedy = (kind == 1) & (before >> SIDE & 1 == self.games // 8 % 2)
        if greedy.any():
            values = np.empty((int(greedy.sum()), self._values.shape[1]), np.float32)
            values_by_greed(self.rules, before[greedy], values)
            self._values[greedy] = values
        moves, decisions = np.zeros((2, GAMES_AT_ONCE), np.int64)
        keys = keys_of(self.seed, self.games)
        temperatures = np.where(kind == 0, ERRING, 0.0)
        arrays = workspace(len(self.rules.class_yam))
        play_turns(self.rules, self._values, temperatures, keys, self.numbers, moves, self._expected, decisions, arrays)
        squared, bad = gradients(self.rules, self._weights, self.gradient, before, self._expected, ~greedy)
        if bad >= 0:
            state = int(before[bad])
            raise EngineError(EngineCode.NOT_FINITE, state=state, games=self.done, steps=self.steps)
        self.steps += 1
        mean = squared / max(1, int((~greedy).sum()))
        self.squared += (mean - self.squared) * max(1e-3, 1 / self.steps)
        rate = fastest * (SLOWEST / fastest) ** progress
        for name in LEARNED:
            parts = (self.model, self.gradient, *self.moments)
            numbers, gradient, means, squares = (getattr(part, name).reshape(-1) for part in parts)
            step_weights(numbers, gradient, means, squares, 1 / GAMES_AT_ONCE, rate, self.steps)
        self._end_turns(moves)

    def _end_turns(self, moves: NDArray[np.int64]) -> None:
        """Move all games to the next turn, and replace the games that are over by new ones."""
        results, endings = np.zeros(GAMES_AT_ONCE, np.float32), np.zeros(GAMES_AT_ONCE, np.int64)
        advance(self.rules, self.states, moves, results, endings)
        self.numbers += 1
        over = (endings > 0) | (self.numbers > LONGEST)
        ended = int(over.sum())
        self.states[over] = pack(self.game.start())
        self.numbers[over] = 1
        self.games[over] = self.done + GAMES_AT_ONCE + np.arange(ended)
        self.done += ended

    def save(self, path: Path, note: Mapping[str, Any]) -> None:
        """Write a checkpoint. Raises `OSError`."""
        arrays: dict[str, NDArray[Any]] = {
            f"{part}.{name}": array for part, model in self._parts() for name, array in learned(model).items()
        }
        arrays |= {"states": self.states, "numbers": self.numbers, "games": self.games}
        numbers = {"seed": self.seed, "done": self.done, "steps": self.steps, "squared": self.squared}
        save(path, CHECKPOINT, arrays, {**note, **numbers, "game": self.game.id})

    def copied_model(self) -> Model:
        """Return a copy of the weights with which another training can begin."""
        return replaced(self.model, {name: array.copy() for name, array in learned(self.model).items()})

    def _parts(self) -> tuple[tuple[str, Model], ...]:
        """Return the models of a checkpoint by the prefix of their arrays."""
        return ("model", self.model), ("mean", self.moments[0]), ("square", self.moments[1])

    @classmethod
    def resume(cls, path: Path, game: YamMaster) -> tuple["SelfPlay", Mapping[str, Any]]:
        """Return the training of a checkpoint, and the note that was saved with it. Raises
        `TablesError`.
        """
        tables = load(path, CHECKPOINT)
        note = tables.origin

        def part(of: str) -> Model:
            return model_from(game.board, {name: tables.arrays[f"{of}.{name}"].copy() for name in LEARNED})

        play = cls(game, part("model"), note["seed"], note["done"], note["steps"], note["squared"])
        play.moments = part("mean"), part("square")
        play.states, play.numbers, play.games = (tables.arrays[name].copy() for name in ("states", "numbers", "games"))
        return play, note


def for_sides(model: Model) -> Model:
    """Return the model for a game in which the side to move matters: both sides begin with the
    weights of x.
    """
    supplies = model.rows[model.supplies_first : model.points_first]
    half = len(supplies) // 2
    supplies[half:] = supplies[:half]
    model.standing[1] = model.standing[0]
    return model
