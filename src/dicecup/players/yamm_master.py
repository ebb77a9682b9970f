"""Plays Yamm two exact turns ahead, or as many as it has time for."""

from time import perf_counter

from dicecup.players.yamm_expert import YammExpert
from dicecup.players.yamm_values import action_values, table
from dicecup.yamm import Action, Position


class YammMaster(YammExpert):
    """`work`: exact turns that a decision may take (the same choice always); `seconds`: time that it may take. An answer comes
    in any case."""

    def __init__(self, work: int | None = None, seconds: float | None = None) -> None:
        self.work = work
        self.seconds = seconds

    def values(self, position: Position) -> dict[Action, float]:
        """What each of `position.actions` is worth. Raises `TablesError`."""
        from dicecup.engine.yamm.evaluation.deepening import judge_deeply

        return action_values(judge_deeply(table(), position, self.work, self.seconds, perf_counter), position)
