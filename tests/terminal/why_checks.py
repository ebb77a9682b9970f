"""Checks of the facts and of the sentence about one choice, in all languages."""

import re
from collections.abc import Iterator, Mapping
from itertools import product
from random import Random
from typing import Any

import pytest

from dicecup.analysis.decisions import ActionAnalysis, DecisionAnalysis, analyse
from dicecup.analysis.game_analysis import Fact
from dicecup.analysis.why import why
from dicecup.core.game import Action, Position
from dicecup.locale import LANGUAGES, Messages
from dicecup.terminal.games import screen_of
from dicecup.terminal.games.sheet import column_name
from dicecup.terminal.why import why_text
from tests.terminal.why_truths import ENDS, TRUTHS, Values, expert, other_of, probabilities


def analysed(position: Position) -> DecisionAnalysis:
    name = position.game.id
    return analyse(position, expert(name), points=expert(name, alone=True) if name == "yamm" else None)


def checked(found: DecisionAnalysis, others: int) -> Iterator[str]:
    """Check the sentences of the best choice and of some others in all languages, and yield the
    codes of their facts."""
    rest = found.choices[1:]
    for choice in (found.best, *Random(str(found.position)).sample(rest, min(others, len(rest)))):
        facts = why(found, choice)
        assert_no_event_twice(found, choice, facts)
        for fact in facts:
            assert_alike(fact.values, TRUTHS[fact.code](found, choice, fact))
            yield fact.code
        for language, opponent in product(LANGUAGES, ("", "Benedikt")):
            text = why_text(found, choice, Messages(language), opponent)
            assert (text is None) == (not facts)
            if text is not None:
                compare(found, choice, facts, text, Messages(language), opponent)


def assert_no_event_twice(found: DecisionAnalysis, choice: ActionAnalysis, facts: tuple[Fact, ...]) -> None:
    """Check that no code, no line and no end of the turn is in two facts."""
    codes = [fact.code for fact in facts]
    assert len(set(codes)) == len(codes), codes
    lines = [tuple(fact.values["line"]) for fact in facts if "line" in fact.values]
    assert len(set(lines)) == len(lines), codes
    counted = [(fact.code, action) for fact in facts if fact.code in ENDS for action in ends_of(found, choice, fact)]
    assert len({action for _, action in counted}) == len(counted), counted


def ends_of(found: DecisionAnalysis, choice: ActionAnalysis, fact: Fact) -> set[Action]:
    """Return the ends of the turn whose probabilities a fact adds up, for both choices."""
    compared = [choice, *([other_of(found, fact)] if "other" in fact.values else [])]
    ends = {action for each in compared for action in probabilities(each)}
    return {action for action in ends if ENDS[fact.code](found.position, action, fact)}


def assert_alike(values: Mapping[str, Any], truth: Values) -> None:
    """Check that two mappings hold the same texts and, to rounding, the same numbers."""
    assert values.keys() == truth.keys()
    for name, value in truth.items():
        assert values[name] == (pytest.approx(value, abs=1e-9) if isinstance(value, float) else value), name


def compare(
    found: DecisionAnalysis, choice: ActionAnalysis, facts: tuple[Fact, ...], text: str, messages: Messages, opponent: str
) -> None:
    """Check that a sentence holds these facts in this order and no other number."""

    def phrase(action: str) -> str:
        return screen_of(found.position.game).phrase(found.position.game.action(action), messages)

    subject = phrase(str(choice.action))
    assert text.lower().startswith(subject.lower())
    rest = text[len(subject) :]
    for fact in facts:
        values = {name: shown(name, value, fact.values, messages) for name, value in fact.values.items()}
        if "other" in fact.values:
            values["other"] = phrase(fact.values["other"])
        values["opponent"] = opponent or messages("why_opponent")
        before, clause, rest = rest.partition(messages(f"why_{fact.code}", **values))
        assert clause, (fact, text)
        assert not re.search(r"\d", before), (before, text)
        if "other_chance" in values:
            named = rf"(?: \({re.escape(values['other'])}\u00a0?:)?"
            compared = re.match(rf"{named} (?:\D* )?{values['other_chance']}\u00a0?%\)?", rest)
            assert compared, (fact, text)
            rest = rest[compared.end() :]
    assert rest == "."


def shown(name: str, value: Any, values: Any, messages: Messages) -> Any:
    """Return a value as people read it."""
    match name:
        case "chance" | "other_chance":
            percent = 100 * value
            digits = 1 if 0.05 <= percent < 0.95 or 99 < percent < 100 else 0
            text = f"{round(min(percent, 99.9) if digits else percent, digits):.{digits}f}"
        case "now" | "later":
            text = f"{value:.1f}"
        case "worth":
            scaled = value if values["unit"] == "points" else 100 * value
            text = f"{scaled:.{1 if scaled >= 0.95 else 2}f}"
            unit = messages("analysis_in_points" if values["unit"] == "points" else "odds_percent", points="@", percent="@")
            return unit.replace("@", text.replace(".", messages("decimal_sign")))
        case "line":
            return f"{value[0]}–{value[1]}"
        case "column":
            return column_name(value, messages)
        case _:
            return value
    return text.replace(".", messages("decimal_sign"))
