"""The page says why a choice is good or bad in the same words as the terminal."""

import json

import pytest

from dicecup import games
from dicecup.analysis.decision_json import to_json
from dicecup.analysis.decisions import analyse
from dicecup.analysis.registry import by_tables
from dicecup.locale import LANGUAGES, Messages
from dicecup.terminal.why import why_text
from tests.browser.node_program import HERE, run_node


@pytest.mark.slow
@pytest.mark.parametrize(
    "game, positions",
    [
        (
            "yam-master",
            (
                "5/1x3/oooo1/2x1x/4x x 3:12345 8-8 9",  # a line of four tokens is stopped
                "5/1x3/oooo1/2x1x/4x x 1:12335 8-8 9",  # a keep may stop it
                "x1xxx/x3x/oo2x/o3x/1x2o o 1:22456 3-8 40",
                "ooxoo/ox1xx/x2o1/xx2x/oxooo x 1:33555 3-2 47",
            ),
        ),
        (
            "yamm(players=1)",
            ("x,2,x,8,15,12,25,19,50,50,.1/1,8,6,16,10,12,26,.4/1,.10/.11/.11/.11/.11/.2,3,8,.7/.11 2:12566 21",),
        ),
    ],
)
def test_the_page_and_the_terminal_say_the_same(game: str, positions: tuple[str, ...]) -> None:
    found = [analyse(position := games.position(game, text), by_tables(position.game)) for text in positions]
    choices = [choice for each in found for choice in to_json(each, "expert")["choices"]]
    answers = json.loads(run_node(HERE / "why_runner.mjs", given=dict.fromkeys(LANGUAGES, choices)))
    for language in LANGUAGES:
        messages = Messages(language)
        expected = [
            why_text(each, choice, messages, name) or ""
            for each in found
            for choice in each.choices
            for name in ("", "Benedikt")
        ]
        assert [text.replace("\u00a0", " ") for text in answers[language]] == [text.replace("\u00a0", " ") for text in expected]
        assert len(set(expected)) > 20
