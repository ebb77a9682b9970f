"""Plays Yam Master one exact turn ahead: every keep, Défi and ending by its expectation, what follows by the trained tables."""

from dicecup.players.yam_master_values import best_action, evaluation
from dicecup.yam_master import Action, Position


class YamMasterExpert:
    """The same choice in the same position, always."""

    def values(self, position: Position) -> dict[Action, float]:
        """The chance to win after each of `position.actions`. Raises `TablesError`, `EngineError` (`not-a-decision`)."""
        from dicecup.engine.yam_master.evaluation.decisions import action_values, slot_values

        return action_values(position, slot_values(position, evaluation(position.game)))

    def choose(self, position: Position) -> Action:
        """The best of `position.actions`. Raises as `values`."""
        return best_action(self.values(position))
