"""The ways in which a turn ends after dice are kept, when every later decision is the best one.

The probabilities are exact.
"""

from collections.abc import Hashable, Mapping
from typing import Any, NamedTuple, cast

from dicecup.analysis.evaluation import Evaluation
from dicecup.analysis.game_analysis import GameAnalysis, TurnEnd
from dicecup.core.dice import Roll
from dicecup.core.game import Action, Position
from dicecup.core.turn import THROWS, Turn
from dicecup.engine.turn.value import TurnValues

TurnEnds = Mapping[Action, TurnEnd]
"""Action that ends the turn → its probability and gain."""


class KeepReasons(NamedTuple):
    """The ends of the turn after a keep, the likeliest first.

    In Yamm `gain` is the expected points of this turn, and `later` those of later turns, `None`
    where the evaluation counts in probability to win. In Yam Master `unstopped` is the value of the
    best choice if the turn cannot stop a line that the opponent threatens to complete, `None`
    without such a line.
    """

    endings: TurnEnds
    gain: float | None = None
    later: float | None = None
    unstopped: float | None = None

    def to_json(self) -> dict[str, Any]:
        """Return the reasons as plain values (docs/analysis.md)."""
        ends = [
            {"action": str(action), "probability": end.probability}
            | ({} if self.gain is None else {"gain": end.gain, "struck": end.struck})
            for action, end in self.endings.items()
        ]
        more = {"unstopped": self.unstopped} if self.gain is None else {"gain": self.gain, "later": self.later}
        return {"endings": ends} | more


class TurnEndFinder:
    """The ends of one turn. Results are cached, so that each dice text is evaluated once."""

    def __init__(self, position: Position, evaluation: Evaluation, analysis: GameAnalysis) -> None:
        self._evaluation = evaluation
        self._analysis = analysis
        self._turn: TurnValues = evaluation.turn(position)
        self._values: dict[Hashable, float] = {}
        self._after_keep: dict[tuple[int, str, bool], TurnEnds] = {}
        self._last: dict[tuple[str, bool], TurnEnds] = {}

    def after(self, position: Position, kept: Action) -> TurnEnds:
        """Return the ends of the turn after a keep, the likeliest first. Raises as
        `Evaluation.values`."""
        ends = self._ends_of_keep(position.play_unchecked(kept))
        return dict(sorted(ends.items(), key=lambda end: -end[1].probability))

    def _ends_of_keep(self, waiting: Position) -> TurnEnds:
        """Return the ends of the turn after the dice are thrown, averaged over all rolls.

        `waiting`: the position after the keep.
        """
        turn = cast(Turn, waiting.turn)
        key = turn.throws, turn.dice.text, self._evaluation.declared(waiting)
        if key not in self._after_keep:
            sums: dict[Action, TurnEnd] = {}
            total = sum(weight for _, weight in waiting.chances)
            for shown, weight in waiting.chances:
                chance = weight / total
                for action, (probability, gain, struck) in self._ends_of_roll(waiting.roll_unchecked(shown)).items():
                    share, before = probability * chance, sums.get(action, TurnEnd(0.0, 0.0))
                    gains = before.gain + share * gain
                    sums[action] = TurnEnd(before.probability + share, gains, before.struck + chance * struck)
            self._after_keep[key] = {
                action: TurnEnd(share, gain / share, struck) for action, (share, gain, struck) in sums.items()
            }
        return self._after_keep[key]

    def _ends_of_roll(self, position: Position) -> TurnEnds:
        """Return the ends after the best keep, or the best end of the turn where it is at least as
        good."""
        turn, declared = cast(Turn, position.turn), self._evaluation.declared(position)
        if turn.throws < THROWS:
            best = self._turn.best(turn.throws, Roll(turn.dice), locked=turn.locked, declared=declared)
            if best.keep is not None:
                return self._ends_of_keep(position.play_unchecked(self._analysis.keep(best.keep)))
        key = turn.dice.text, declared  # throws 2 and 3 have the same ends
        if key not in self._last:
            action = self._best_end(position)
            struck = float(self._analysis.strikes(position, action))
            self._last[key] = {action: TurnEnd(1.0, self._analysis.gain(position, action), struck)}
        return self._last[key]

    def _best_end(self, position: Position) -> Action:
        """Return the best action that ends the turn now."""
        ends = [action for action in position.actions if action.kept is None]
        keys = [self._analysis.result_of(position, action) for action in ends]
        if any(key not in self._values for key in keys):
            values = self._evaluation.values(position)
            self._values.update((key, values[action]) for key, action in zip(keys, ends, strict=True) if action in values)
        found = [self._values.get(key, float("-inf")) for key in keys]
        return ends[found.index(max(found))]
