"""The level that the start page suggests (ui/src/start/fittingLevel.ts)."""

import json
import random
from typing import Final

import pytest

from dicecup.core.game import LEVELS
from tests.browser.harness import TOP
from tests.browser.node_program import run_node

MODULE: Final = TOP / "ui" / "src" / "start" / "fittingLevel.ts"
PROGRAM: Final = f"""
import {{ readFileSync }} from 'node:fs';
const {{ fittingLevel }} = await import({json.dumps(MODULE.as_uri())});
const cases = JSON.parse(readFileSync(0, 'utf8'));
console.log(JSON.stringify(cases.map(([levels, last, played]) => fittingLevel(levels, last, played))));
"""
STRENGTHS: Final = {"novice": 0.8, "casual": 0.62, "club": 0.5, "expert": 0.33, "master": 0.25}
"""The chance of a person to win against each level."""

Game = dict[str, str]
Case = tuple[list[str], str, list[Game]]


def fitting(*cases: Case) -> list[str]:
    printed = run_node("--disable-warning=ExperimentalWarning", "--input-type=module", "--eval", PROGRAM, given=cases)
    found: list[str] = json.loads(printed)
    return found


def games(text: str, level: str = "novice") -> list[Game]:
    """Return games at a level, the newest first: `wdl`."""
    outcomes = {"w": "won", "d": "drawn", "l": "lost"}
    return [{"level": level, "outcome": outcomes[each]} for each in text]


def test_the_level_follows_the_last_games_at_it() -> None:
    levels = list(LEVELS)
    cases: dict[str, tuple[Case, str]] = {
        "a first game": ((levels, "", []), "novice"),
        "an unknown level": ((levels, "grandmaster", games("www")), "novice"),
        "a game without novices": ((["random"], "", []), "random"),
        "too few games": ((levels, "novice", games("ww")), "novice"),
        "three won games": ((levels, "novice", games("www")), "casual"),
        "about half": ((levels, "casual", games("wlwl", "casual")), "casual"),
        "drawn games": ((levels, "casual", games("dddd", "casual")), "casual"),
        "three lost games": ((levels, "casual", games("lll", "casual")), "novice"),
        "no weaker level than novice": ((levels, "novice", games("lllll")), "novice"),
        "no stronger level than master": ((levels, "master", games("wwww", "master")), "master"),
        "five games count": ((levels, "novice", games("lwlwlwwwww")), "novice"),
        "games before another level do not count": (
            (levels, "novice", games("l") + games("ll", "casual") + games("www")),
            "novice",
        ),
        "a weak level that was chosen stays": ((levels, "greedy", games("www", "greedy")), "greedy"),
    }
    assert dict(zip(cases, fitting(*(case for case, _ in cases.values())), strict=True)) == {
        name: expected for name, (_, expected) in cases.items()
    }


@pytest.mark.slow
def test_a_person_comes_to_the_level_of_half_of_the_games() -> None:
    """Forty people of one strength play sixty games each; the suggestion is followed every time."""
    chance = random.Random(1)
    people: list[list[Game]] = [[] for _ in range(40)]
    last = ["" for _ in people]
    for _ in range(60):
        last = fitting(*((list(LEVELS), level, played) for level, played in zip(last, people, strict=True)))
        for level, played in zip(last, people, strict=True):
            played.insert(0, {"level": level, "outcome": "won" if chance.random() < STRENGTHS[level] else "lost"})
    late = [game for played in people for game in played[:40]]
    won = sum(game["outcome"] == "won" for game in late) / len(late)
    assert 0.4 < won < 0.6
