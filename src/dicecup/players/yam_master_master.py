"""Plays Yam Master several exact turns ahead, deeper while work and time allow; late in a game it knows what every action is worth."""

from collections.abc import Callable
from functools import lru_cache
from math import inf
from time import perf_counter
from typing import TYPE_CHECKING, Any, Final

from dicecup.players.yam_master_expert import YamMasterExpert
from dicecup.players.yam_master_values import evaluation
from dicecup.yam_master import Action, Position, YamMaster

if TYPE_CHECKING:
    from dicecup.engine.yam_master.evaluation.match import Evaluate

WORK: Final = 120_000
"""Exact turns for one turn's decisions, unless it is said otherwise: half a second or less."""
STATE: Final = 4
"""Exact turns that solving one state of a late position's closure costs."""
SPEED: Final = 100_000
"""Exact turns a second, cautiously: how large a closure is tried where only the time is given."""


class OutOfTimeError(Exception):
    """A closure takes longer than there is time; nobody outside of this module sees it."""


class YamMasterMaster(YamMasterExpert):
    """`work`: exact turns that one turn's decisions may take (the same choice always); `seconds`: time that they may take. An answer
    comes in any case. The decisions of one turn share one search."""

    def __init__(self, work: int | None = None, seconds: float | None = None) -> None:
        self.work = WORK if work is None and seconds is None else inf if work is None else work
        self.seconds = inf if seconds is None else seconds
        self._slots = lru_cache(maxsize=1)(self._search)

    def values(self, position: Position) -> dict[Action, float]:
        """The chance to win after each of `position.actions`. Raises as the expert's."""
        from dicecup.engine.yam_master.evaluation.decisions import action_values, to_decide
        from dicecup.engine.yam_master.rules.state import pack

        to_decide(position)
        return action_values(position, self._slots(position.game, pack(position)))

    def _search(self, game: YamMaster, state: int) -> Any:
        return slot_values(game, state, evaluation(game), self.work, self.seconds)


def slot_values(game: YamMaster, state: int, evaluate: "Evaluate", work: float, seconds: float = inf) -> Any:
    """What every way to end the turn that begins in `state` is worth, (slots,): exactly where that can be had, otherwise by searching."""
    from dicecup.engine.yam_master.evaluation.search import deepen
    from dicecup.engine.yam_master.rules.arrays import rules_of

    end = perf_counter() + seconds

    def late() -> bool:
        return perf_counter() >= end

    exact = late_values(game, state, int(min(work, SPEED * seconds)) // STATE, late)
    if exact is not None:
        return exact
    return deepen(rules_of(game), evaluate, state, turns=work, out_of_time=late).values


def late_values(game: YamMaster, state: int, limit: int, out_of_time: Callable[[], bool]) -> Any:
    """The same from the closure over as many captures as `limit` states hold; `None` where they don't hold one, or there is no time."""
    from dicecup.engine.errors import EngineCode, EngineError
    from dicecup.engine.yam_master.exact.decision import turn_at
    from dicecup.engine.yam_master.exact.solve import solve_position
    from dicecup.engine.yam_master.rules.state import unpack

    def watch(_: int, __: int) -> None:
        if out_of_time():
            raise OutOfTimeError

    position = unpack(state, game)
    try:
        return turn_at(solve_position(position, progress=watch, limit=limit).space, position)[0]
    except OutOfTimeError:
        return None
    except EngineError as error:
        if error.code is EngineCode.TOO_MANY_STATES:
            return None
        raise
