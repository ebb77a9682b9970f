"""The walk through a game, step by step, that collects the values, losses and luck of a review."""

from collections.abc import Mapping
from typing import cast

from dicecup.analysis.evaluation import Evaluation
from dicecup.analysis.grade import SAME, counts
from dicecup.analysis.registry import analysis_of
from dicecup.analysis.reviewed import LossKind, ReviewedDecision, ReviewedThrow, ReviewedTurn
from dicecup.analysis.steps import Step
from dicecup.core.game import Action, Position
from dicecup.core.source import Throw
from dicecup.core.turn import Turn


class Walk:
    """The state of a walk.

    `starts`, `now`: the value of the game to each side at the start, and now. `turns`: the turns so
    far.
    """

    def __init__(self, start: Position, evaluation: Evaluation, writers: tuple[int, ...] = ()) -> None:
        """Begin at any position of a running game.

        `writers`: the players who are named to write for their sheets. Raises what the evaluation
        raises, and `AnalysisError` (`no-evaluation`)."""
        self.turns: list[ReviewedTurn] = []
        self._analysis = analysis_of(start.game)
        self._evaluation = evaluation
        self._writers = writers
        self._values: Mapping[Action, float] = {} if start.waiting else evaluation.values(start)
        """The values of the actions with the dice on the table."""
        self.now = list(self._analysis.starting_values(start, evaluation, self._values))
        self.starts = list(self.now)
        if not start.waiting:
            self._begin_turn(start)

    def take(self, step: Step) -> None:
        """Add the next step. Raises what the evaluation raises."""
        if step.done is None or isinstance(step.done, Throw):
            self._add_throw(step.before, step.done, step.after)
        elif step.done.corrects is None:
            self._add_action(step.before, step.done)
        else:
            self._add_correction(step.before, step.done, step.done.corrects)

    def _add_throw(self, before: Position, throw: Throw | None, after: Position) -> None:
        """Add a throw. Dice that were knocked over count as luck."""
        turn, number = self._turn_of(before), cast(Turn, before.turn).throws + 1
        if throw is None:
            turn.throws.append(ReviewedThrow(number, None, 0.0))
            return
        self._values = self._evaluation.values(after)
        value = max(self._values.values())
        turn.throws.append(ReviewedThrow(number, throw, value - self.now[turn.side]))
        self._set_value(turn.side, value)

    def _turn_of(self, position: Position) -> ReviewedTurn:
        """Return the turn of a position.

        The first throw of a turn begins it, because the last result of the sheet can move until
        then."""
        if not self.turns or self.turns[-1].number != position.number:
            side = _side_on_turn(position)
            self._set_value(side, self._evaluation.before_throw(position))
            if not self._analysis.shared_win and all(turn.side != side for turn in self.turns):
                # The first turn of the side: a result from before the start may have moved until
                # now.
                self.starts[side] = self.now[side]
            self._begin_turn(position)
        return self.turns[-1]

    def _begin_turn(self, position: Position) -> None:
        side = _side_on_turn(position)
        self.turns.append(ReviewedTurn(position.number, cast(int, position.player), side, self.now[side]))

    def _add_action(self, position: Position, played: Action) -> None:
        """Add a keep or the end of the turn."""
        turn, values = self.turns[-1], self._values
        if played.kept is None:
            kind, player = LossKind.ENDING, self._writer(position)
        else:
            first = cast(Turn, position.turn).throws == 1
            kind, player = LossKind.FIRST_KEEP if first else LossKind.SECOND_KEEP, turn.player
        losses = self._losses(values, played, kind)
        counted = counts(values.values(), sum(losses.values()), self._evaluation.unit)
        decision = ReviewedDecision(turn.number, player, position, played, kind, values, losses, counted)
        turn.decisions.append(decision)
        self._set_value(turn.side, values[played])

    def _add_correction(self, position: Position, played: Action, number: int) -> None:
        """Add a correction of the result of turn `number`.

        Its loss replaces the losses of the cell and of earlier corrections. The loss by ending the
        turn too early stays."""
        turn = next((turn for turn in reversed(self.turns) if turn.number == number), None)
        if turn is None:
            # the result is older than the start, so the values of its other cells are unknown
            return
        written = next(decision for decision in turn.decisions if decision.kind is LossKind.ENDING)
        values = self._analysis.correction_values(number, written.values)
        best = max(values.values())
        for decision in turn.decisions:
            if decision.kind in (LossKind.ENDING, LossKind.CORRECTION):
                decision.superseded, decision.counts, decision.losses = True, False, {decision.kind: 0.0}
        too_early = max(written.values.values()) - best
        written.counts, written.losses = too_early > SAME, {LossKind.ENDING: too_early}
        kind = LossKind.CORRECTION
        losses = {kind: best - values[played]}
        counted = counts(values.values(), losses[kind], self._evaluation.unit)
        decision = ReviewedDecision(turn.number, written.player, position, played, kind, values, losses, counted)
        turn.decisions.append(decision)
        self._set_value(turn.side, values[played])

    def _writer(self, position: Position) -> int:
        """Return the player who ends the turn.

        A record does not tell people from computers, but it names only writers who may write."""
        game = position.game
        return game.writer_of_turn(position.number, [True] * game.players, self._writers)

    def _losses(self, values: Mapping[Action, float], played: Action, kind: LossKind) -> dict[LossKind, float]:
        """Return the loss of an action: that of declaring a Défi or not, and the rest under
        `kind`."""
        declares = self._analysis.declares
        best = max(value for action, value in values.items() if declares(action) == declares(played))
        defi = max(values.values()) - best
        return {kind: best - values[played]} | ({LossKind.DEFI: defi} if defi else {})

    def _set_value(self, side: int, value: float) -> None:
        """Set the value of the game to a side, and to the other one where two sides share the
        win."""
        self.now[side] = value
        if self._analysis.shared_win:
            self.now[1 - side] = 1 - value


def _side_on_turn(position: Position) -> int:
    return position.game.side_of_player(cast(int, position.player))
