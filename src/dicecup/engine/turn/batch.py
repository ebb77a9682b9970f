"""The exact turn by compiled kernels: one turn about fifty times as fast as in `value`, and many
turns at once.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from dicecup.core.turn import KeptDice
from dicecup.engine.errors import EngineCode, EngineError
from dicecup.engine.turn.value import TurnValues
from dicecup.engine.turn.value_kernel import KEEPS, ROLLS, many_turns, one_turn, workspace


def turn_values(stops: Any, defi: Any = None, *, kept_dice: KeptDice = KeptDice.FREE) -> TurnValues:
    """Solve one turn in double precision, as `value.turn_values` does.

    `stops`: shape (3, 252), `defi`: shape (2, 252); sequences of sequences are accepted. Raises
    `EngineError`: `not-a-shape`, and `not-finite` where a value that must be a finite number is
    none.
    """
    stops = np.ascontiguousarray(stops, dtype=np.float64)
    stages = stops
    if defi is not None:
        defi = np.ascontiguousarray(defi, dtype=np.float64)
        stages = np.concatenate((stops, defi))
    count = 3 if defi is None else 5
    if stages.shape != (count, ROLLS):
        raise EngineError(EngineCode.NOT_A_SHAPE, shape=stages.shape)
    keeps = np.empty((count // 2 * 2, KEEPS))
    out = np.empty(1)
    finite = one_turn(stages.reshape(-1), keeps.reshape(-1), kept_dice is KeptDice.LOCKED, defi is not None, out)
    if not finite or not np.isfinite(out[0]):
        raise EngineError(EngineCode.NOT_FINITE)
    return TurnValues(float(out[0]), stops, keeps[:2], defi, None if defi is None else keeps[2:])


def expectations(stages: NDArray[Any], *, kept_dice: KeptDice = KeptDice.FREE) -> NDArray[Any]:
    """Return the expectations of many turns, shape (turns,), in the precision of `stages`.

    `stages`: the values of ending each turn after throw 1, 2 and 3, shape (3, 252, turns); or shape
    (5, 252, turns), with those after throws 2 and 3 under a Défi that may be declared. The
    precision is `float32` or `float64`. Raises `EngineError` as `turn_values`.
    """
    return _solve(stages, kept_dice, wanted=False)[0]


def expectations_and_keeps(stages: NDArray[Any], *, kept_dice: KeptDice = KeptDice.FREE) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return the result of `expectations` and the values of the 210 keeps.

    The keeps are those after throw 1 and after throw 2, shape (2, 210, turns); or shape (4, 210,
    turns), with those under a Défi: the keep that declares it, and the keep after throw 2.
    """
    return _solve(stages, kept_dice, wanted=True)


def _solve(stages: NDArray[Any], kept_dice: KeptDice, *, wanted: bool) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return the expectations, and with `wanted` also the values of the keeps."""
    if stages.ndim != 3 or stages.shape[:2] not in ((3, ROLLS), (5, ROLLS)) or stages.dtype not in (np.float32, np.float64):
        raise EngineError(EngineCode.NOT_A_SHAPE, shape=stages.shape, dtype=stages.dtype)
    count, _, turns = stages.shape
    rows = np.ascontiguousarray(stages).reshape(count * ROLLS, turns)
    keeps = np.empty((count // 2 * 2 * KEEPS, turns if wanted else 0), stages.dtype)
    out = np.empty(turns, stages.dtype)
    locked = kept_dice is KeptDice.LOCKED
    finite = many_turns(rows, keeps, locked, count == 5, out, *workspace(stages.dtype.type))
    if not finite or not np.isfinite(out).all():
        raise EngineError(EngineCode.NOT_FINITE)
    return out, keeps.reshape(count // 2 * 2, KEEPS, -1 if wanted else 0)
