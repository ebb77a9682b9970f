"""Plays Yam Master several exact turns ahead, deeper while work and time allow; late in a game to its end."""

from time import perf_counter
from typing import Final

from dicecup.players.yam_master_expert import YamMasterExpert
from dicecup.players.yam_master_values import evaluation
from dicecup.yam_master import Action, Position

WORK: Final = 20_000
"""Exact turns for one decision, unless it is said otherwise: some tenths of a second."""


class YamMasterMaster(YamMasterExpert):
    """`work`: exact turns that one turn's decisions may take (the same choice always); `seconds`: time that they may take. An answer
    comes in any case."""

    def __init__(self, work: int | None = None, seconds: float | None = None) -> None:
        self.work = WORK if work is None and seconds is None else work
        self.seconds = seconds

    def values(self, position: Position) -> dict[Action, float]:
        """The chance to win after each of `position.actions`. Raises as the expert's."""
        from dicecup.engine.yam_master_play.decisions import action_values
        from dicecup.engine.yam_master_play.rules import pack, rules_of
        from dicecup.engine.yam_master_play.search import deepen

        begun = perf_counter()
        found = deepen(
            rules_of(position.game),
            evaluation(position.game),
            pack(position),
            turns=float("inf") if self.work is None else self.work,
            out_of_time=lambda: self.seconds is not None and perf_counter() - begun > self.seconds,
        )
        return action_values(position, found.values)
