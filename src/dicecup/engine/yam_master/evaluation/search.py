"""Search: the values of moves by the values of the next turns, to a given depth.

Depth 1 takes the evaluation of each after-state; with an exact turn before it that is the expert.
At depth d the value of an after-state is that of the opponent's turn, whose moves are searched to
depth d - 1. A state that several moves lead to is searched once.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from dicecup.engine.yam_master.evaluation.match import Evaluate, States, Values
from dicecup.engine.yam_master.evaluation.search_kernel import going_on, merged, write_back
from dicecup.engine.yam_master.evaluation.turns_kernel import expectations, workspace
from dicecup.engine.yam_master.rules.arrays import Rules

TAKEN: Final = 2
"""The number of captures that are searched further, the best by the evaluation. Only the best one
is ever made.
"""
DEEPEST: Final = 20


@dataclass
class Work:
    """The limit and the count of solved turns: `deep_values` returns `None` before it would solve
    more.

    `taken`: the number of captures that are searched further.
    """

    most: float
    done: int = 0
    taken: int = TAKEN
    out_of_time: Callable[[], bool] = lambda: False


def deep_values(
    rules: Rules, evaluate: Evaluate, states: States, depth: int, work: Work, taken: int | None = None
) -> Values | None:
    """Return the values of all moves of every state, (states, moves), searched to this depth.

    At depth 1 they are those of `evaluate`. Only the `taken` best captures are searched (by default
    `work.taken`); the values of the others are minus infinity. Return `None` if the work ran out.
    """
    values = evaluate(rules, states)
    if depth == 1:
        return values
    parents, moves, children = going_on(rules, states, values, work.taken if taken is None else taken)
    unique, places = merged(children)
    work.done += len(unique)
    if work.done > work.most or work.out_of_time():
        return None
    below = deep_values(rules, evaluate, unique, depth - 1, work)
    if below is None:
        return None
    expected = np.empty(len(unique), np.float32)
    expectations(rules, below, expected, workspace(len(rules.class_yam)))
    write_back(values, parents, moves, expected, places)
    return values


@dataclass(frozen=True)
class Found:
    """The values of one state's moves, the depth of their search, and the number of
    turns solved.
    """

    values: NDArray[np.float32]
    depth: int
    turns: int


def deepen(
    rules: Rules,
    evaluate: Evaluate,
    state: int,
    *,
    turns: float = np.inf,
    out_of_time: Callable[[], bool] = lambda: False,
    deepest: int = DEEPEST,
) -> Found:
    """Search deeper and deeper until a depth would exceed `turns` solved turns in all, or until the
    time is over.

    The result is that of the deepest finished search. Depth 1 is always finished.
    """
    states = np.array([state], np.int64)
    work = Work(turns, out_of_time=out_of_time)
    found = Found(evaluate(rules, states)[0], 1, 1)
    for depth in range(2, deepest + 1):
        if out_of_time():
            break
        values = deep_values(rules, evaluate, states, depth, work, rules.squares)
        if values is None:
            break
        found = Found(values[0], depth, work.done)
    return found


def by_search(evaluate: Evaluate, depth: int) -> Evaluate:
    """Return an evaluation that searches all states to the same depth."""

    def evaluate_deep(rules: Rules, states: States) -> Values:
        values = deep_values(rules, evaluate, states, depth, Work(np.inf))
        assert values is not None
        return values

    return evaluate_deep
