"""The turn kernels: one turn (arrays with one axis) or a row of lanes (two axes); `lanes` describes the arrays.

`solve_turn` and `solve_turn_defi` are for other kernels and use arrays that the caller owns. Their twin in plain Python is
`dicecup.engine.turn`, their face in NumPy `dicecup.engine.fast`.
"""

from typing import Any

import numpy as np
from numba import njit

from dicecup.engine.turn.arrays import UNION_OFFSETS, UNION_ROWS
from dicecup.engine.turn.lanes import best_rolls, copy_rows, locked_keep, raise_rows, spread_keeps, throw_mean

KEEPS = 210
"""Rows of keeps in a work array; the rolls follow."""
ROLLS = 252
ROWS = KEEPS + ROLLS
WIDE = 2048
"""Bytes between two rows of an array from which on it pays to fetch"""
NEAR = 8
"""so many rows of lanes at once: each row of such an array lies on another page of memory."""
NOWHERE = -1
"""Instead of the place of an array's row: there is none."""


@njit(nogil=True, cache=True)
def spread(work: Any) -> None:
    """The keeps' rows from the rolls'."""
    spread_keeps(work)


@njit(nogil=True, cache=True)
def choose(work: Any, end: Any, at: int) -> None:
    """The rolls' rows from ending, at `end[at]`, and from the keeps' rows."""
    best_rolls(work, end, at)


@njit(nogil=True, cache=True)
def lock(work: Any, spare: Any) -> None:
    """The keeps' rows after throw 1, when all dice kept must stay: from the keeps' rows after throw 2, with the rolls' rows what
    ending after throw 2 is worth. `spare`: 672 rows."""
    lanes = work.size // ROWS
    for keep in range(KEEPS):
        union = UNION_ROWS[UNION_OFFSETS[keep] :]
        if keep < 1:
            locked_keep(work, spare, union, 5)
        elif keep < 7:
            locked_keep(work, spare, union, 4)
        elif keep < 28:
            locked_keep(work, spare, union, 3)
        elif keep < 84:
            locked_keep(work, spare, union, 2)
        else:
            locked_keep(work, spare, union, 1)
        copy_rows(spare, (ROWS + keep) * lanes, spare, (ROWS - 1) * lanes, 1)
    copy_rows(work, 0, spare, ROWS * lanes, KEEPS)


@njit(nogil=True, inline="always")
def rerolls(work: Any, spare: Any, ends: Any, at2: int, at3: int, keeps: Any, keeps_at: int, locked: bool) -> bool:
    """The keeps' rows after throw 1, from what ending after throw 2 and 3 is worth. The keeps' rows after throws 1 and 2 are
    also written to `keeps`, unless `keeps_at` is `NOWHERE`. False if anything after throw 3 is not finite."""
    lanes = work.size // ROWS
    width = keeps.size // len(keeps)
    copy_rows(work, KEEPS * lanes, ends, at3, ROLLS)
    spread(work)
    finite = True
    for lane in range(lanes):
        finite &= np.isfinite(work.flat[lane])
    if keeps_at != NOWHERE:
        copy_rows(keeps, keeps_at + KEEPS * width, work, 0, KEEPS)
    if locked:
        copy_rows(work, KEEPS * lanes, ends, at2, ROLLS)
        lock(work, spare)
    else:
        choose(work, ends, at2)
        spread(work)
    if keeps_at != NOWHERE:
        copy_rows(keeps, keeps_at, work, 0, KEEPS)
    return finite


@njit(nogil=True, cache=True)
def solve_turn(work: Any, ends: Any, at1: int, at2: int, at3: int, out: Any, out_at: int) -> None:
    """`out[out_at:]` becomes the expectation of a turn, given the values of ending after throw 1, 2 and 3, 252 rows each, at
    these places in `ends`. `work`: 462 rows. Nothing is checked."""
    lanes = work.size // ROWS
    copy_rows(work, KEEPS * lanes, ends, at3, ROLLS)
    spread(work)
    choose(work, ends, at2)
    spread(work)
    choose(work, ends, at1)
    throw_mean(work, out, out_at)


@njit(nogil=True, cache=True)
def solve_turn_defi(
    work: Any, spare: Any, ends: Any, at1: int, at2: int, at3: int, defi2: int, defi3: int, out: Any, out_at: int
) -> None:
    """As `solve_turn`, where a Défi may be declared with the first keep: at `defi2` and `defi3` stand the values of ending
    under it. `spare`: 210 rows."""
    lanes = work.size // ROWS
    copy_rows(work, KEEPS * lanes, ends, defi3, ROLLS)
    spread(work)
    choose(work, ends, defi2)
    spread(work)
    copy_rows(spare, 0, work, 0, KEEPS)
    copy_rows(work, KEEPS * lanes, ends, at3, ROLLS)
    spread(work)
    choose(work, ends, at2)
    spread(work)
    raise_rows(work, 0, spare, 0, KEEPS)
    choose(work, ends, at1)
    throw_mean(work, out, out_at)


@njit(nogil=True, inline="always")
def solve_any(
    work: Any,
    spare: Any,
    ends: Any,
    at: int,
    step: int,
    keeps: Any,
    keeps_at: int,
    locked: bool,
    defi: bool,
    out: Any,
    out_at: int,
) -> bool:
    """A turn of any kind: `ends` holds at `at`, `step` elements apart, the values of ending after throw 1, 2, 3, and with `defi`
    after throw 2 and 3 under a Défi. `keeps`: the keeps' values after throws 1 and 2, then under a Défi. `spare`: 882 rows.
    False if anything after throw 3 is not finite."""
    lanes = work.size // ROWS
    width = keeps.size // len(keeps)
    finite = True
    if defi:
        defi_at = keeps_at if keeps_at == NOWHERE else keeps_at + 2 * KEEPS * width
        finite &= rerolls(work, spare, ends, at + 3 * step, at + 4 * step, keeps, defi_at, locked)
        copy_rows(spare, (ROWS + KEEPS) * lanes, work, 0, KEEPS)
    finite &= rerolls(work, spare, ends, at + step, at + 2 * step, keeps, keeps_at, locked)
    if defi:
        raise_rows(work, 0, spare, (ROWS + KEEPS) * lanes, KEEPS)
    choose(work, ends, at)
    throw_mean(work, out, out_at)
    return finite


@njit(nogil=True, cache=True)
def one_turn(ends: Any, keeps: Any, locked: bool, defi: bool, out: Any) -> bool:
    """One turn, arrays with one axis; `keeps`: 420 rows, 840 with a Défi."""
    work = np.empty(ROWS, ends.dtype)
    spare = np.empty(ROWS + 2 * KEEPS, ends.dtype)
    return solve_any(work, spare, ends, 0, ROLLS, keeps, 0, locked, defi, out, 0)


@njit(nogil=True, cache=True)
def many_turns(ends: Any, keeps: Any, locked: bool, defi: bool, out: Any, lanes: int) -> bool:
    """Many turns side by side: `ends` (756 or 1260, turns), `keeps` (420 or 840, turns), or with no columns where the keeps'
    values are not wanted, `out` (turns)."""
    turns = ends.shape[1]
    wanted = keeps.shape[1] > 0
    work = rows_of_lanes(ROWS, lanes, ends.dtype)
    spare = rows_of_lanes(ROWS + 2 * KEEPS, lanes, ends.dtype)
    whole = turns - turns % lanes
    finite = True
    if turns * ends.itemsize <= WIDE:
        for at in range(0, whole, lanes):
            keeps_at = at if wanted else NOWHERE
            finite &= solve_any(work, spare, ends, at, ROLLS * turns, keeps, keeps_at, locked, defi, out, at)
    else:
        near = rows_of_lanes(len(ends), NEAR * lanes, ends.dtype)
        for first in range(0, whole, NEAR * lanes):
            width = min(NEAR * lanes, whole - first)
            for row in range(len(ends)):
                for at in range(0, width, lanes):
                    copy_rows(near, row * NEAR * lanes + at, ends, row * turns + first + at, 1)
            step = ROLLS * NEAR * lanes
            for at in range(0, width, lanes):
                keeps_at = first + at if wanted else NOWHERE
                finite &= solve_any(work, spare, near, at, step, keeps, keeps_at, locked, defi, out, first + at)
    if whole < turns:
        left = turns - whole
        last_ends = np.zeros((len(ends), lanes), ends.dtype)
        last_keeps = np.empty((len(keeps), lanes), ends.dtype)
        last_out = np.empty(lanes, ends.dtype)
        last_ends[:, :left] = ends[:, whole:]
        finite &= solve_any(work, spare, last_ends, 0, ROLLS * lanes, last_keeps, 0, locked, defi, last_out, 0)
        out[whole:] = last_out[:left]
        if wanted:
            keeps[:, whole:] = last_keeps[:, :left]
    return finite


@njit(nogil=True, cache=True)
def rows_of_lanes(rows: int, lanes: int, dtype: Any) -> Any:
    """An array of whole rows that begins at the start of a cache line: no row is spread over two."""
    flat = np.empty((rows + 1) * lanes, dtype)
    skipped = (-flat.ctypes.data % 64) // flat.itemsize
    return flat[skipped : skipped + rows * lanes].reshape((rows, lanes))
