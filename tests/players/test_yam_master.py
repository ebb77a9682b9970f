"""The players of Yam Master: their choices, their values and their tables."""

import inspect
from math import inf
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dicecup.engine.errors import EngineError
from dicecup.engine.tables_file import TablesCode, TablesError, load
from dicecup.engine.yam_master.evaluation.search import deepen
from dicecup.engine.yam_master.evaluation.tables import FILES, KIND
from dicecup.engine.yam_master.exact.solve import solve_position
from dicecup.engine.yam_master.rules.arrays import rules_of
from dicecup.engine.yam_master.rules.state import pack
from dicecup.players import yam_master
from dicecup.players.player import losses
from dicecup.players.yam_master import (
    STATE,
    TABLES,
    TEMPERATURES,
    WORK,
    YamMasterBeginner,
    YamMasterExpert,
    YamMasterMaster,
    best_action,
    evaluation,
    exact_values,
    search,
    trained_for,
)
from dicecup.yam_master import KeepDice, Position, YamMaster
from tests.strategies import BOARD_3, YAM_MASTER
from tests.sweep import sweep
from tests.yam_master.positions import decisions

STRONG = (YamMasterExpert(), YamMasterMaster(work=200))
PLAYERS: tuple[YamMasterExpert | YamMasterBeginner, ...] = (*STRONG, *map(YamMasterBeginner, TEMPERATURES))


@settings(max_examples=20)
@given(game=st.sampled_from(YAM_MASTER), seed=st.integers(0, 2**32), turns=st.integers(1, 40))
def test_every_choice_is_allowed_and_repeatable(game: YamMaster, seed: int, turns: int) -> None:
    position = decisions(game, seed, turns)[-1]
    for player in PLAYERS:
        assert player.choose(position) in position.actions
        assert player.choose(position) == player.choose(position)


@settings(max_examples=20)
@given(game=st.sampled_from(YAM_MASTER), seed=st.integers(0, 2**32), turns=st.integers(1, 40))
def test_values_are_win_probabilities_of_all_actions(game: YamMaster, seed: int, turns: int) -> None:
    position = decisions(game, seed, turns)[-1]
    for player in STRONG:
        values = player.values(position)
        assert list(values) == list(position.actions)
        assert all(-1e-6 <= value <= 1 + 1e-6 for value in values.values())
        lost = losses(values)
        assert min(lost.values()) == lost[best_action(values)] == 0
        assert player.choose(position) == best_action(values)


def test_the_value_of_a_keep_is_the_mean_of_the_rolls() -> None:
    position = YamMaster().start().roll("11345")
    expert = YamMasterExpert()
    for action, value in expert.values(position).items():
        if isinstance(action, KeepDice):
            thrown = position.play(action)
            total = sum(weight * max(expert.values(thrown.roll(shown)).values()) for shown, weight in thrown.chances)
            assert value == pytest.approx(total / 6 ** (5 - action.kept.count), abs=1e-6)


def test_expert_completes_a_line() -> None:
    position = YamMaster().position("xxxx1/oooo1/5/5/5 x 1:12666 8-8 9")
    assert str(YamMasterExpert().choose(position)) == "e1"
    assert YamMasterExpert().values(position)[position.game.action("e1")] == pytest.approx(1)


def test_games_with_the_same_end_share_tables() -> None:
    for game in YAM_MASTER:
        trained = trained_for(game)
        assert trained.options.end is game.options.end
        assert trained in FILES
        assert evaluation(game) is evaluation(game)


def test_a_board_without_tables_is_refused() -> None:
    with pytest.raises(TablesError) as error:
        evaluation(YamMaster(board=BOARD_3))
    assert error.value.code is TablesCode.TABLES_MISSING


def test_a_damaged_table_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    name = FILES[YamMaster()]
    content = bytearray((TABLES / name).read_bytes())
    content[-1000] ^= 255
    (tmp_path / name).write_bytes(content)
    monkeypatch.setattr(yam_master, "TABLES", tmp_path)
    evaluation.cache_clear()
    with pytest.raises(TablesError) as error:
        YamMasterExpert().choose(YamMaster().start().roll("12345"))
    assert error.value.code is TablesCode.TABLES_DAMAGED
    evaluation.cache_clear()


def test_waiting_for_dice_is_refused() -> None:
    for player in PLAYERS:
        with pytest.raises(EngineError):
            player.choose(YamMaster().start())


def test_the_shipped_tables_hold_their_origin() -> None:
    sizes = 0
    for game, name in FILES.items():
        origin = load(TABLES / name, KIND).origin
        sizes += (TABLES / name).stat().st_size
        assert origin["game"] == game.id
        assert origin["command"].startswith("dicecup train yam-master --games")
        assert origin["commit"]
        low, high = origin["score_ci95"]
        assert low < origin["score_against_greedy"] < high
    assert sizes < 10_000_000


def test_master_chooses_without_any_time() -> None:
    position = YamMaster().start().roll("11345")
    assert YamMasterMaster(seconds=0).choose(position) == YamMasterExpert().choose(position)
    assert YamMasterMaster(work=0).choose(position) == YamMasterExpert().choose(position)
    assert YamMasterMaster(seconds=0.2).choose(position) in position.actions


def late(game: YamMaster, shown: str = "1:11266") -> Position:
    return game.position(f"oox1o/xoooo/1x1ox/xxoox/xxxxo x {shown} 1-1 85")


@sweep("game", YAM_MASTER, ids=lambda game: game.id)
def test_master_solves_late_positions(game: YamMaster) -> None:
    position = late(game)
    exact = solve_position(position, limit=WORK // STATE).decision(position).values
    assert YamMasterMaster().values(position) == pytest.approx({action: (1 + value) / 2 for action, value in exact.items()})


def test_master_searches_where_solving_exceeds_a_limit() -> None:
    position = late(YamMaster())
    rules, state, evaluate = rules_of(position.game), pack(position), evaluation(position.game)
    searched = deepen(rules, evaluate, state, turns=400).values
    assert (search(position.game, state, evaluate, 400) == searched).all()
    assert exact_values(position.game, state, 100, lambda: False) is None
    assert exact_values(position.game, state, 10_000, lambda: True) is None
    assert exact_values(position.game, state, 10_000, lambda: False) is not None
    at_once = search(position.game, state, evaluate, inf, seconds=0)
    assert (at_once == deepen(rules, evaluate, state, deepest=1).values).all()


def test_master_searches_once_a_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []

    def counted(game: YamMaster, state: int, *rest: Any) -> Any:
        asked.append(state)
        return search(game, state, *rest)

    monkeypatch.setattr(yam_master, "search", counted)
    game, master = YamMaster(), YamMasterMaster(work=100)
    for shown in ("1:11266", "2:11166", "1:12345"):
        assert master.values(late(game, shown)) == YamMasterMaster(work=100).values(late(game, shown))
    assert len(asked) == 4
    master.values(game.start().roll("12345"))
    assert len(asked) == 5


def test_lower_levels_lose_more_on_average() -> None:
    position = YamMaster().start().roll("11123")
    lost = losses(YamMasterExpert().values(position))
    means = []
    for level in TEMPERATURES:
        chosen = [lost[YamMasterBeginner(level, str(seed)).choose(position)] for seed in range(150)]
        assert len(set(chosen)) > 1
        means.append(sum(chosen) / len(chosen))
    assert means == sorted(means, reverse=True)


@pytest.mark.parametrize("player", PLAYERS, ids=lambda player: type(player).__name__)
def test_a_player_gets_a_position_and_nothing_else(player: YamMasterExpert) -> None:
    assert list(inspect.signature(player.choose).parameters) == ["position"]
    assert set(Position.__slots__) == {"game", "x", "o", "to_move", "turn", "defi", "supplies", "number"}
