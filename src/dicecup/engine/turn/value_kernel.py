"""The turn kernels: one turn (arrays with one axis) or a row of lanes (two axes).

`lanes` describes the arrays. `solve_turn` and `solve_turn_defi` are for other kernels and use
arrays that the caller owns. `value` is the readable twin, and `batch` calls `one_turn` and
`many_turns`.
"""

from typing import Any

import numpy as np

from dicecup.engine.arrays import Reals
from dicecup.engine.kernel import kernel
from dicecup.engine.operations import copy, scratch
from dicecup.engine.turn.arrays import UNION_OFFSETS, UNION_ROWS
from dicecup.engine.turn.lanes import best_rolls, copy_rows, lanes, lock_keeps, raise_rows, spread_keeps, throw_mean
from dicecup.engine.workspaces import one_a_thread, rows_of_lanes

KEEPS = 210
"""Rows of keeps in a work array. The rolls follow."""
ROLLS = 252
ROWS = KEEPS + ROLLS
SPARE = ROWS + 2 * KEEPS
"""Rows of the second work array, where there is a Défi."""
STAGES = 5
"""The most stages of a turn that have values of ending it: after three throws, and after two under
a Défi."""
WIDE = 2048
"""The width in bytes from which on rows of an array are copied before they are used."""
NEAR = 8
"""How many rows of lanes are copied at once, because each row of a wide array lies on another page
of memory.
"""
NOWHERE = -1
"""The place of an array's row where no row is wanted."""


@kernel
def spread(work: Any) -> None:
    """Set the keeps' rows from the rolls' rows."""
    spread_keeps(work)


@kernel
def choose(work: Any, stop: Any, at: int) -> None:
    """Set the rolls' rows to the best of stopping, at `stop[at]`, and of the keeps' rows."""
    best_rolls(work, stop, at)


@kernel
def lock(work: Any, spare: Any) -> None:
    """Set the keeps' rows after throw 1 where all kept dice must stay.

    `work` holds the keeps' rows after throw 2, and in the rolls' rows the values of ending the turn
    after throw 2. `spare`: 672 rows.
    """
    lock_keeps(work, spare, UNION_ROWS, UNION_OFFSETS)


@kernel
def rerolls(work: Any, spare: Any, stops: Any, at2: int, at3: int, keeps: Any, keeps_at: int, locked: bool) -> bool:
    """Set the keeps' rows after throw 1, given the values of ending the turn after throws 2 and 3.

    The keeps' rows after throws 1 and 2 are also written to `keeps`, unless `keeps_at` is
    `NOWHERE`. Return False if a value after throw 3 is not finite.
    """
    lanes = work.size // ROWS
    width = keeps.size // len(keeps)
    copy_rows(work, KEEPS * lanes, stops, at3, ROLLS)
    spread(work)
    finite = True
    for lane in range(lanes):
        finite &= np.isfinite(work.flat[lane])
    if keeps_at != NOWHERE:
        copy_rows(keeps, keeps_at + KEEPS * width, work, 0, KEEPS)
    if locked:
        copy_rows(work, KEEPS * lanes, stops, at2, ROLLS)
        lock(work, spare)
    else:
        choose(work, stops, at2)
        spread(work)
    if keeps_at != NOWHERE:
        copy_rows(keeps, keeps_at, work, 0, KEEPS)
    return finite


@kernel
def solve_turn(work: Any, stops: Any, at1: int, at2: int, at3: int, out: Any, out_at: int) -> None:
    """Set `out[out_at:]` to the expectation of a turn.

    At `at1`, `at2` and `at3` of `stops` are the values of ending the turn after throw 1, 2 and 3,
    252 rows each. `work`: 462 rows. Nothing is checked.
    """
    lanes = work.size // ROWS
    copy_rows(work, KEEPS * lanes, stops, at3, ROLLS)
    spread(work)
    choose(work, stops, at2)
    spread(work)
    choose(work, stops, at1)
    throw_mean(work, out, out_at)


@kernel
def solve_turn_defi(
    work: Any, spare: Any, stops: Any, at1: int, at2: int, at3: int, defi2: int, defi3: int, out: Any, out_at: int
) -> None:
    """Solve a turn as `solve_turn` does, where a Défi may be declared with the first keep.

    At `defi2` and `defi3` of `stops` are the values of ending the turn under the Défi. `spare`: 210
    rows.
    """
    lanes = work.size // ROWS
    copy_rows(work, KEEPS * lanes, stops, defi3, ROLLS)
    spread(work)
    choose(work, stops, defi2)
    spread(work)
    copy_rows(spare, 0, work, 0, KEEPS)
    copy_rows(work, KEEPS * lanes, stops, at3, ROLLS)
    spread(work)
    choose(work, stops, at2)
    spread(work)
    raise_rows(work, 0, spare, 0, KEEPS)
    choose(work, stops, at1)
    throw_mean(work, out, out_at)


@kernel
def solve_any(
    work: Any,
    spare: Any,
    stops: Any,
    at: int,
    step: int,
    keeps: Any,
    keeps_at: int,
    locked: bool,
    defi: bool,
    out: Any,
    out_at: int,
) -> bool:
    """Solve a turn of any kind.

    At `at` of `stops`, `step` elements apart, are the values of ending the turn after throw 1, 2,
    3, and with `defi` after throws 2 and 3 under a Défi. `keeps` gets the keeps' values after
    throws 1 and 2, then those under a Défi. `spare`: 882 rows. Return False if a value after throw
    3 is not finite.
    """
    lanes = work.size // ROWS
    width = keeps.size // len(keeps)
    finite = True
    if defi:
        defi_at = keeps_at if keeps_at == NOWHERE else keeps_at + 2 * KEEPS * width
        finite &= rerolls(work, spare, stops, at + 3 * step, at + 4 * step, keeps, defi_at, locked)
        copy_rows(spare, (ROWS + KEEPS) * lanes, work, 0, KEEPS)
    finite &= rerolls(work, spare, stops, at + step, at + 2 * step, keeps, keeps_at, locked)
    if defi:
        raise_rows(work, 0, spare, (ROWS + KEEPS) * lanes, KEEPS)
    choose(work, stops, at)
    throw_mean(work, out, out_at)
    return finite


@kernel
def one_turn(stops: Any, keeps: Any, locked: bool, defi: bool, out: Any) -> bool:
    """Solve one turn in arrays with one axis. `keeps`: 420 rows, 840 with a Défi."""
    work, spare = scratch(ROWS, stops.dtype), scratch(SPARE, stops.dtype)
    return solve_any(work, spare, stops, 0, ROLLS, keeps, 0, locked, defi, out, 0)


SPARE_AT = ROWS
STOPS_AT = SPARE_AT + SPARE
KEEPS_AT = STOPS_AT + STAGES * ROLLS
OUT_AT = KEEPS_AT + 4 * KEEPS


@one_a_thread
def workspace(dtype: Any) -> tuple[Reals, Reals]:
    """Return the arrays `rows` and `near` of `many_turns`, for turns in this precision."""
    count = lanes(dtype)
    return rows_of_lanes(OUT_AT + 1, count, dtype), rows_of_lanes(STAGES * ROLLS, NEAR * count, dtype)


@kernel
def many_turns(stops: Any, keeps: Any, locked: bool, defi: bool, out: Any, rows: Any, near: Any) -> bool:
    """Solve many turns side by side.

    `stops`: (756 or 1260, turns). `keeps`: (420 or 840, turns), or without columns where the keeps'
    values are not wanted. `out`: (turns,).

    To work in: `rows` (3445, lanes) holds the two work arrays, the last turns, which do not fill
    the lanes, their keeps and their expectations. `near` (1260, 8 × lanes) holds a part of `stops`
    whose rows are wide. They are arguments of their own, because Numba unpacks a named tuple in
    0.5 µs.
    """
    turns, lanes = stops.shape[1], rows.shape[1]
    wanted = keeps.shape[1] > 0
    work, spare = rows[:SPARE_AT], rows[SPARE_AT:STOPS_AT]
    whole = turns - turns % lanes
    finite = True
    if turns * stops.itemsize <= WIDE:
        for at in range(0, whole, lanes):
            keeps_at = at if wanted else NOWHERE
            finite &= solve_any(work, spare, stops, at, ROLLS * turns, keeps, keeps_at, locked, defi, out, at)
    else:
        for first in range(0, whole, NEAR * lanes):
            width = min(NEAR * lanes, whole - first)
            for row in range(len(stops)):
                for at in range(0, width, lanes):
                    copy_rows(near, row * NEAR * lanes + at, stops, row * turns + first + at, 1)
            step = ROLLS * NEAR * lanes
            for at in range(0, width, lanes):
                keeps_at = first + at if wanted else NOWHERE
                finite &= solve_any(work, spare, near, at, step, keeps, keeps_at, locked, defi, out, first + at)
    if whole < turns:
        left = turns - whole
        last_stops, last_keeps, last_out = rows[STOPS_AT:KEEPS_AT], rows[KEEPS_AT:OUT_AT], rows[OUT_AT]
        last_stops[: len(stops)] = 0
        copy(last_stops[: len(stops), :left], stops[:, whole:])
        finite &= solve_any(work, spare, last_stops, 0, ROLLS * lanes, last_keeps, 0, locked, defi, last_out, 0)
        copy(out[whole:], last_out[:left])
        if wanted:
            copy(keeps[:, whole:], last_keeps[: len(keeps), :left])
    return finite
