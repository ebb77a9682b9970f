"""The arrays in which the kernels of the search work (`search_kernel`)."""

from typing import Any, NamedTuple

import numpy as np

from dicecup.engine.arrays import Floats, Integers, Reals
from dicecup.engine.sheets.plan import Plan
from dicecup.engine.sheets.solver_kernel import Choices, choices
from dicecup.engine.turn.lanes import lanes
from dicecup.engine.turn.value_kernel import KEEPS, ROLLS, ROWS
from dicecup.engine.workspaces import rows_of_lanes


class Workspace(NamedTuple):
    """The arrays in which the states of a block with S sections are solved, one in each lane."""

    choices: Choices
    nodes: Integers
    """(lanes, S) the nodes of the states."""
    base: Reals
    """(lanes,) their values after the turn."""
    work: Reals
    """462 rows of lanes."""
    keeps: Reals
    """462 rows: the keeps after throw 1."""
    gains: Reals
    """252 rows."""
    stop: Reals
    """252 rows: the gains less the prices, where that is positive."""
    out: Reals
    """(lanes,) the values of the turns."""


class Flow(NamedTuple):
    """How a turn goes on after its first keep, for each class of that keep."""

    choices: Integers
    """(classes, 252) the choice after throw 2."""
    keeps: Floats
    """(classes, 210) the probability of each keep after throw 2."""


class Played(NamedTuple):
    """The arrays in which one turn of some games is played, one game in each lane."""

    choices: Choices
    """Of one game."""
    work: Reals
    """462 rows of lanes."""
    keeps: Reals
    """462 rows: the keeps after throw 1, then the best of their parts, and the rolls."""
    kept: Reals
    """462 rows: the keeps after throw 1."""
    gains: Reals
    """252 rows."""
    stop: Reals
    """252 rows: the gains less the prices, where that is positive."""
    second_keeps: Reals
    """(classes, 210, lanes) the keeps after throw 2."""
    second_rolls: Reals
    """(classes, 252, lanes) the rolls of throw 2."""
    sections: Integers
    """(252, lanes) the section of the best move with each roll."""
    moves: Integers
    """(252, lanes) its index among the plan's moves."""
    flow: Flow


def workspace(plan: Plan, dtype: Any) -> Workspace:
    """Return the workspace for a block, with values in this precision."""
    count = lanes(dtype)
    return Workspace(
        choices(plan, dtype, count),
        np.zeros((count, len(plan.stride)), np.int64),
        np.zeros(count, dtype),
        rows_of_lanes(ROWS, count, dtype),
        rows_of_lanes(ROWS, count, dtype),
        rows_of_lanes(ROLLS, count, dtype),
        rows_of_lanes(ROLLS, count, dtype),
        np.zeros(count, dtype),
    )


def flow_of(kinds: int) -> Flow:
    """Return the arrays for so many classes of the first keep."""
    return Flow(np.zeros((kinds, ROLLS), np.int64), np.zeros((kinds, KEEPS)))


def played(plan: Plan, kinds: int, dtype: Any) -> Played:
    """Return the arrays for games of a block, with values in this precision."""
    count = lanes(dtype)
    return Played(
        choices(plan, dtype),
        rows_of_lanes(ROWS, count, dtype),
        rows_of_lanes(ROWS, count, dtype),
        rows_of_lanes(ROWS, count, dtype),
        rows_of_lanes(ROLLS, count, dtype),
        rows_of_lanes(ROLLS, count, dtype),
        np.zeros((kinds, KEEPS, count), dtype),
        np.zeros((kinds, ROLLS, count), dtype),
        np.zeros((ROLLS, count), np.int64),
        np.zeros((ROLLS, count), np.int64),
        flow_of(kinds),
    )
