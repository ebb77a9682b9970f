"""Looking further: the values of the ways to end a turn by what the next turns are worth, to a given depth.

Depth 1 asks the evaluation what each after-state is worth (an exact turn before it makes the expert); at depth d each after-state is
worth what the opponent's turn is, whose ends were looked at to depth d - 1. States that several ways lead to are looked at once.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from dicecup.engine.yam_master.evaluation.match import Evaluate, States, Values
from dicecup.engine.yam_master.evaluation.search_kernel import going_on
from dicecup.engine.yam_master.evaluation.turns_kernel import expectations
from dicecup.engine.yam_master.rules.arrays import Rules

TAKEN: Final = 2
"""Opposing tokens whose capture is looked at further, the best ones as it first seems: only the best one is ever taken."""
DEEPEST: Final = 20


@dataclass
class Work:
    """How many turns may be solved, and were: `deep_values` stops with `None` before it would solve more. `taken`: captures that
    are looked at further."""

    most: float
    done: int = 0
    taken: int = TAKEN
    out_of_time: Callable[[], bool] = lambda: False


def deep_values(
    rules: Rules, evaluate: Evaluate, states: States, depth: int, work: Work, taken: int | None = None
) -> Values | None:
    """The values of all slots of every state, looked at to this depth, as `values_by_model` gives them at depth 1; of the captures
    only the `taken` best ones, or as many as the work says (the others become minus infinity). `None` if the work ran out."""
    values = evaluate(rules, states)
    if depth == 1:
        return values
    parents, slots, children = going_on(rules, states, values, work.taken if taken is None else taken)
    unique, places = np.unique(children, return_inverse=True)
    work.done += len(unique)
    if work.done > work.most or work.out_of_time():
        return None
    below = deep_values(rules, evaluate, unique, depth - 1, work)
    if below is None:
        return None
    worth = np.empty(len(unique), np.float32)
    expectations(rules, below, worth)
    values[parents, slots] = -worth[places]
    return values


@dataclass(frozen=True)
class Found:
    """The values of one state's slots, the depth they were looked at to, and the turns solved."""

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
    """Looks deeper and deeper until a depth would need more than `turns` turns to be solved, all depths together, or the time is
    out; the deepest that was finished counts, depth 1 always."""
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
    """All states looked at to the same depth."""

    def evaluate_deep(rules: Rules, states: States) -> Values:
        values = deep_values(rules, evaluate, states, depth, Work(np.inf))
        assert values is not None
        return values

    return evaluate_deep
