"""The exact turn by compiled kernels: as `dicecup.engine.turn`, some fifty times as fast, and many turns at once."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from dicecup.core.turn import KeptDice
from dicecup.engine.errors import EngineCode, EngineError
from dicecup.engine.turn.lanes import lanes
from dicecup.engine.turn.value import TurnValues
from dicecup.engine.turn.value_kernel import KEEPS, ROLLS, many_turns, one_turn


def turn_values(ends: Any, defi: Any = None, *, kept_dice: KeptDice = KeptDice.FREE) -> TurnValues:
    """Solve one turn in double precision, as `dicecup.engine.turn.turn_values` does.

    `ends`: shape (3, 252), `defi`: shape (2, 252); sequences of sequences will do. Raises `EngineError` (`not-a-shape`, and
    `not-finite` where a value is infinite or not a number that must not be)."""
    ends = np.asarray(ends, dtype=np.float64)
    stages = ends
    if defi is not None:
        defi = np.asarray(defi, dtype=np.float64)
        stages = np.concatenate((ends, defi))
    count = 3 if defi is None else 5
    if stages.shape != (count, ROLLS):
        raise EngineError(EngineCode.NOT_A_SHAPE, shape=stages.shape)
    keeps = np.empty((count // 2 * 2, KEEPS))
    out = np.empty(1)
    finite = one_turn(stages.reshape(-1), keeps.reshape(-1), kept_dice is KeptDice.LOCKED, defi is not None, out)
    if not finite or not np.isfinite(out[0]):
        raise EngineError(EngineCode.NOT_FINITE)
    return TurnValues(float(out[0]), ends, keeps[:2], defi, None if defi is None else keeps[2:])


def expectations(stages: NDArray[Any], *, kept_dice: KeptDice = KeptDice.FREE) -> NDArray[Any]:
    """The expectations of many turns, shape (turns,), in the precision of `stages`: 252 values of ending after throw 1, 2, 3 for
    each turn, shape (3, 252, turns), or (5, 252, turns) with those after throw 2 and 3 under a Défi that may be declared. `float32` or
    `float64`. Raises `EngineError` as `turn_values`."""
    return _solve(stages, kept_dice, wanted=False)[0]


def expectations_and_keeps(stages: NDArray[Any], *, kept_dice: KeptDice = KeptDice.FREE) -> tuple[NDArray[Any], NDArray[Any]]:
    """As `expectations`, and the values of the 210 keeps after throw 1 and after throw 2, shape (2, 210, turns), or (4, 210, turns)
    with those under a Défi: declaring it with the keep, and after throw 2."""
    return _solve(stages, kept_dice, wanted=True)


def _solve(stages: NDArray[Any], kept_dice: KeptDice, *, wanted: bool) -> tuple[NDArray[Any], NDArray[Any]]:
    if stages.ndim != 3 or stages.shape[:2] not in ((3, ROLLS), (5, ROLLS)) or stages.dtype not in (np.float32, np.float64):
        raise EngineError(EngineCode.NOT_A_SHAPE, shape=stages.shape, dtype=stages.dtype)
    count, _, turns = stages.shape
    rows = np.ascontiguousarray(stages).reshape(count * ROLLS, turns)
    keeps = np.empty((count // 2 * 2 * KEEPS, turns if wanted else 0), stages.dtype)
    out = np.empty(turns, stages.dtype)
    locked = kept_dice is KeptDice.LOCKED
    finite = many_turns(rows, keeps, locked, count == 5, out, lanes(stages.dtype.type))
    if not finite or not np.isfinite(out).all():
        raise EngineError(EngineCode.NOT_FINITE)
    return out, keeps.reshape(count // 2 * 2, KEEPS, -1 if wanted else 0)
