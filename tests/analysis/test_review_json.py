"""A review as JSON: its keys, texts that can be read back, and sums."""

import json
from math import fsum
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dicecup.analysis.review import review
from dicecup.analysis.review_json import to_json
from dicecup.core.game import Rules
from dicecup.yam_master import YamMaster
from dicecup.yamm import Yamm
from tests import strategies
from tests.record.texts import read

GAMES: tuple[Rules, ...] = (YamMaster(), Yamm.from_id("yamm(players=3)"), Yamm.from_id("yamm(players=4,pairs=yes)"))
TURNS = "1. 11266 k66 22666 f1.FH\n2. 13456 k3456 23456 u1.Y\n1. > f2.6\n3. 44444\n"


def shown(turns: str, game: str, **tags: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(json.dumps(to_json(review(read(turns, game=game, **tags))), allow_nan=False))
    return found


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
@settings(max_examples=25)
@given(st.data())
def test_positions_and_actions_read_back_and_sums_agree(game: Rules, data: st.DataObject) -> None:
    record = data.draw(strategies.records(game, most=25))
    found = json.loads(json.dumps(to_json(review(record)), allow_nan=False))
    assert next(iter(found)) == "game"
    assert {"game", "players", "turns", "worst", "residual"} <= set(found)
    for turn in found["turns"]:
        assert turn["loss"] == pytest.approx(fsum(decision["loss"] for decision in turn["decisions"]))
        assert turn["luck"] == pytest.approx(fsum(thrown["luck"] for thrown in turn["throws"]))
        for decision in turn["decisions"]:
            position = game.position(decision["position"])
            assert {decision["played"], decision["best"]} <= set(decision["values"])
            if decision["kind"] == "correction":
                assert isinstance(game, Yamm)
                others = {text for text in map(str, position.corrections) if text.startswith(f"{turn['turn']}.")}
                stays = set(decision["values"]) - others
                assert decision["played"] in others < set(decision["values"])
                assert len(stays) == 1
            else:
                assert list(decision["values"]) == list(map(str, position.actions))
    for at, player in enumerate(found["players"]):
        own = [decision for turn in found["turns"] for decision in turn["decisions"] if decision["player"] == at]
        assert player["loss"] == pytest.approx(fsum(decision["loss"] for decision in own))
        assert player["loss"] == pytest.approx(fsum(player["losses"].values()))
        assert player["decisions"] == sum(decision["counts"] for decision in own)
        assert player["luck"] == pytest.approx(fsum(turn["luck"] for turn in found["turns"] if turn["player"] == at))
    assert [decision["loss"] for decision in found["worst"]] == sorted(
        (decision["loss"] for turn in found["turns"] for decision in turn["decisions"] if decision["loss"] > 1e-9), reverse=True
    )[:3]


def test_each_sheet_of_yamm_has_a_curve() -> None:
    found = shown(TURNS, "yamm", P1="Anna")
    assert [player["name"] for player in found["players"]] == ["Anna", None]
    assert (found["unit"], found["evaluation"], found["end"]) == ("points", "expert", None)
    assert [side["side"] for side in found["sides"]] == [0, 1]
    assert [len(curve["values"]) for curve in found["curve"]] == [3, 2]
    assert [curve["values"][-1] for curve in found["curve"]] == [side["expected"] for side in found["sides"]]
    assert found["residual"] == max((side["residual"] for side in found["sides"]), key=abs)
    assert [decision["kind"] for decision in found["turns"][0]["decisions"]] == ["first_keep", "ending", "correction"]
    assert found["turns"][2]["throws"] == [{"throw": 1, "dice": "44444", "luck": pytest.approx(found["turns"][2]["luck"])}]


def test_yam_master_has_the_curve_of_x() -> None:
    found = shown("1. 66666 c3\n2. ~ 11166 a1\n", "yam-master", Dice="table", X="Anna")
    (curve,) = found["curve"]
    assert curve["side"] == "x"
    first, second = found["turns"]
    assert curve["values"] == [first["before"], 1 - second["before"], found["sides"][0]["expected"]]
    assert [(thrown["throw"], thrown["dice"]) for thrown in second["throws"]] == [(1, "~"), (1, "11166")]
    assert [side["residual"] for side in found["sides"]] == [found["residual"], pytest.approx(-found["residual"])]
    assert fsum(side["adjusted"] for side in found["sides"]) == pytest.approx(1)
