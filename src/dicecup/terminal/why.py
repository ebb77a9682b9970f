"""The facts that decide for or against a choice, as one sentence."""

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

from dicecup.analysis.decisions import ActionAnalysis, DecisionAnalysis
from dicecup.analysis.evaluation import Unit
from dicecup.analysis.game_analysis import Fact
from dicecup.analysis.why import why
from dicecup.core.game import Action, Rules
from dicecup.locale import Messages
from dicecup.terminal.display import decimal
from dicecup.terminal.games import screen_of
from dicecup.terminal.games.sheet import column_name

SQUARE: Final = re.compile(r"[a-i][1-9]\b", re.ASCII)
"""The name of a square keeps its small letter at the beginning of a sentence."""


def why_text(found: DecisionAnalysis, choice: ActionAnalysis, messages: Messages, opponent: str | None = None) -> str | None:
    """Return the sentence that says why a choice is good or bad, `None` where there is nothing to
    say. `opponent`: the name of the opponent, where it is known."""
    return sentence_of(found.position.game, choice.action, why(found, choice), messages, opponent)


def sentence_of(
    game: Rules, action: Action, facts: Sequence[Fact], messages: Messages, opponent: str | None = None
) -> str | None:
    """Return the sentence that facts about an action make, `None` without facts."""
    if not facts:
        return None
    values = {"opponent": opponent or messages("why_opponent")}
    text = f"{_phrase(game, str(action), messages)} {_clause(game, facts[0], messages, values, named=False)}"
    for at, fact in enumerate(facts[1:], 1):
        named = any("other" in earlier.values for earlier in facts[:at])
        text = messages(f"why_{_joint(facts, at)}", text=text, more=_clause(game, fact, messages, values, named=named))
    return messages("why_sentence", text=text if SQUARE.match(text) else text[:1].upper() + text[1:])


def _joint(facts: Sequence[Fact], at: int) -> str:
    """Return how a fact joins those before it."""
    good = facts[at].good
    if good is None:
        return "then"
    if good != facts[at - 1].good:
        return "but"
    return "comma" if at + 1 < len(facts) and facts[at + 1].good is good else "and"


def _phrase(game: Rules, action: str, messages: Messages) -> str:
    """Return an action as the subject of a sentence."""
    return screen_of(game).phrase(game.action(action), messages)


def _clause(game: Rules, fact: Fact, messages: Messages, names: Mapping[str, str], *, named: bool) -> str:
    """Return one fact in words. `names`: those of people. `named`: whether a fact before it names
    the other choice."""
    given = fact.values
    values: dict[str, Any] = {**given, **names}
    for name in ("chance", "other_chance"):
        if name in given:
            values[name] = _percent(given[name], messages)
    for name in ("now", "later"):
        if name in given:
            values[name] = decimal(messages, given[name])
    if "worth" in given:
        values["worth"] = _worth(given["worth"], Unit(given["unit"]), messages)
    if "other" in given:
        values["other"] = _phrase(game, given["other"], messages)
    if "line" in given:
        values["line"] = messages("why_line", first=given["line"][0], last=given["line"][-1])
    if "column" in given:
        values["column"] = column_name(given["column"], messages)
    text = messages(f"why_{fact.code}", **values)
    if "other_chance" in given and named:
        return messages("why_instead", text=text, chance=values["other_chance"])
    if "other_chance" in given:
        return messages("why_against", text=text, other=values["other"], chance=values["other_chance"])
    return text


def _percent(chance: float, messages: Messages) -> str:
    """Return a probability in per cent, with a digit after the point near 0 and near 1."""
    percent = 100 * chance
    if 0.05 <= percent < 0.95 or 99 < percent < 100:
        return decimal(messages, min(percent, 99.9))
    return decimal(messages, percent, 0)


def _worth(worth: float, unit: Unit, messages: Messages) -> str:
    """Return a difference with its unit and two significant digits at least."""
    scaled = worth if unit is Unit.POINTS else 100 * worth
    amount = decimal(messages, scaled, 1 if scaled >= 0.95 else 2)
    return messages("analysis_in_points" if unit is Unit.POINTS else "odds_percent", points=amount, percent=amount)
