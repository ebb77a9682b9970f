"""Plays Yamm one exact turn ahead: every keep and every cell by its expectation, the sheet after by the trained table."""

from dicecup.players.yamm_values import action_values, best_action, table
from dicecup.yamm import Action, Correct, Position


class YammExpert:
    """The same choice in the same position, always. Alone it plays for points, with opponents for the win."""

    def values(self, position: Position) -> dict[Action, float]:
        """What each of `position.actions` is worth. Raises `TablesError`."""
        from dicecup.engine.yamm.evaluation.decisions import judge

        return action_values(judge(table(), position), position)

    def choose(self, position: Position) -> Action:
        """The best of `position.actions`. Raises `TablesError`."""
        return best_action(self.values(position))

    def correct(self, position: Position, sheet: int) -> Correct | None:
        """Where the last result of this sheet would better stand, now that the others have played on; None where it may not be
        moved or is best where it is. Raises `TablesError`."""
        from dicecup.engine.yamm.evaluation.decisions import correction

        return correction(table(), position, sheet)
