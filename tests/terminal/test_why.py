"""The sentences that say why a choice is good or bad: every number in them is calculated again
from the rules, the values of the choices and the ways in which a turn ends."""

from collections.abc import Iterator
from random import Random
from typing import Final, cast

import pytest

from dicecup import games, yamm
from dicecup.analysis.decisions import DecisionAnalysis
from dicecup.analysis.endings import KeepReasons
from dicecup.analysis.questions import decisions
from tests.terminal.why_checks import analysed, checked
from tests.terminal.why_truths import expert

FEW: Final = (("yam-master", 12), ("yamm(players=1)", 4), ("yamm", 3))

MANY: Final = (("yam-master", 350), ("yamm(players=1)", 100), ("yamm", 50))


def sampled(game: str, seed: str, count: int) -> Iterator[DecisionAnalysis]:
    """Yield analyses of decisions from games between levels."""
    chance = Random(f"{game} {seed}")
    while count:
        played = list(decisions(games.from_id(game), chance))
        for position in chance.sample(played, min(count, len(played), 25)):
            yield analysed(position)
            count -= 1


@pytest.mark.parametrize("game, count", FEW)
def test_every_number_of_a_sentence_is_one_of_the_analysis(game: str, count: int) -> None:
    codes = {code for found in sampled(game, "few", count) for code in checked(found, 2)}
    assert len(codes) > 4


@pytest.mark.slow
@pytest.mark.parametrize("game, count", MANY)
def test_every_number_is_true_on_five_hundred_positions(game: str, count: int) -> None:
    codes = {code for found in sampled(game, "many", count) for code in checked(found, 4)}
    rare = {
        "stops",
        "stops_in",
        "stopping",
        "stopping_in",
        "wins",
        "wins_in",
        "builds",
        "leaves",
        "prepares",
        "denies",
        "scores",
    }
    assert codes >= (rare if game == "yam-master" else {"strikes", "strikes_both", "struck", "near_bonus", "no_bonus", "bonus"})


def test_the_probability_of_a_strike_is_that_of_the_dice() -> None:
    position = games.position("yamm(players=1)", "/".join([".11"] * 9) + " 1:11336 1").play("k1133").roll("11334")
    found = analysed(position)
    keep = next(choice for choice in found.choices if str(choice.action) == "k1133")
    assert isinstance(keep.reasons, KeepReasons)
    waiting, struck = position.play("k1133"), 0.0
    for roll, weight in waiting.chances:
        shown = waiting.roll(roll)
        values = expert("yamm(players=1)").values(shown)
        best = max(values, key=lambda action: values[action])
        struck += weight / 6 * (not cast(yamm.Position, shown).preview(cast(yamm.Write, best)).points)
    assert sum(end.struck for end in keep.reasons.endings.values()) == pytest.approx(struck)
