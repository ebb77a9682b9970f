"""The two or three facts that decide for or against a choice, as codes and numbers.

>>> from dicecup import games
>>> from dicecup.analysis.decisions import analyse
>>> from dicecup.analysis.registry import by_tables
>>> position = games.position("yam-master", "5/5/5/5/5 x 3:11111 12-12 1")
>>> found = analyse(position, by_tables(position.game))
>>> [fact.code for fact in why(found, found.best)]
['is_better']
"""

from collections.abc import Sequence
from typing import Final

from dicecup.analysis.decisions import ActionAnalysis, DecisionAnalysis
from dicecup.analysis.evaluation import Unit
from dicecup.analysis.game_analysis import Fact
from dicecup.analysis.grade import SAME
from dicecup.analysis.registry import analysis_of
from dicecup.analysis.reviewed import ReviewedDecision

NEARLY: Final = {Unit.POINTS: 0.05, Unit.CHANCE: 0.0005}
"""Unit → the difference below which two choices are said to be nearly as good."""
ENOUGH: Final = ("wins", "stopping", "now_", "later_")
"""How the codes begin that say what a choice is worth."""


def why(found: DecisionAnalysis, choice: ActionAnalysis) -> tuple[Fact, ...]:
    """Return the facts that decide for or against a choice, the most important first.

    Empty for a choice without reasons, and where all choices are equally good and nothing can be
    said about this one."""
    if choice.reasons is None:
        return ()
    others = [other for other in found.choices if abs(other.value - choice.value) > SAME]
    facts = _grouped(analysis_of(found.position.game).why(found.position, choice, others, found.unit))
    if not others or any(fact.code.startswith(ENOUGH) and fact.code != "wins_in" for fact in facts):
        return facts
    return (*facts, _worth(choice, facts, others[0], found.unit))


def why_moved(decision: ReviewedDecision, unit: Unit) -> tuple[Fact, ...]:
    """Return the facts that decide for or against a correction: how it compares with the best cell,
    or the best cell with the next one. Empty where all cells are equally good."""
    values = decision.values
    moved = ActionAnalysis(decision.played, values[decision.played], decision.loss)
    ranked = sorted(values, key=lambda action: -values[action])
    others = [action for action in ranked if abs(values[action] - moved.value) > SAME]
    if not others:
        return ()
    other = ActionAnalysis(others[0], values[others[0]], max(values.values()) - values[others[0]])
    facts = tuple(analysis_of(decision.position.game).why_moved(decision.position, moved, other))
    return (*facts, _worth(moved, facts, other, unit))


def _grouped(facts: Sequence[Fact]) -> tuple[Fact, ...]:
    """Return the facts with those for and those against the choice together, and the sum last."""
    order = list(dict.fromkeys(fact.good for fact in facts if fact.good is not None))
    return tuple(fact for good in (*order, None) for fact in facts if fact.good is good)


def _worth(choice: ActionAnalysis, facts: Sequence[Fact], other: ActionAnalysis, unit: Unit) -> Fact:
    """Return the difference between two choices as the last fact."""
    more = choice.value - other.value
    values = {"worth": abs(more), "unit": str(unit)}
    named = {"other": str(other.action)}
    nearly = abs(more) < NEARLY[unit]
    if not facts:
        return Fact("is_as_good" if nearly else "is_better" if more > 0 else "is_worse", values | named, good=more > 0)
    if any(fact.values.get("other") == str(other.action) for fact in facts):
        return Fact("no_difference" if nearly else "worth" if more > 0 else "costs", values, good=None)
    return Fact("as_good" if nearly else "worse" if more > 0 else "better", values | named, good=None)
