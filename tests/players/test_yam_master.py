"""The computer players of Yam Master: what they are asked, what they answer, and what they are made of."""

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
from dicecup.engine.yam_master.exact.solve import solve_position
from dicecup.engine.yam_master.rules.arrays import rules_of
from dicecup.engine.yam_master.rules.state import pack
from dicecup.engine.yam_master.training.train import FILES, KIND
from dicecup.players import yam_master_master, yam_master_values
from dicecup.players.yam_master_expert import YamMasterExpert
from dicecup.players.yam_master_graded import TEMPERATURES, YamMasterGraded
from dicecup.players.yam_master_master import STATE, WORK, YamMasterMaster, late_values, slot_values
from dicecup.players.yam_master_values import TABLES, best_action, evaluation, losses, trained_for
from dicecup.yam_master import KeepDice, Position, YamMaster
from tests.strategies import BOARD_3, YAM_MASTER
from tests.yam_master.positions import decisions

STRONG = (YamMasterExpert(), YamMasterMaster(work=200))
PLAYERS: tuple[YamMasterExpert | YamMasterGraded, ...] = (*STRONG, *map(YamMasterGraded, TEMPERATURES))


@settings(max_examples=20)
@given(game=st.sampled_from(YAM_MASTER), seed=st.integers(0, 2**32), turns=st.integers(1, 40))
def test_every_option_is_played(game: YamMaster, seed: int, turns: int) -> None:
    position = decisions(game, seed, turns)[-1]
    for player in PLAYERS:
        assert player.choose(position) in position.actions
        assert player.choose(position) == player.choose(position)


@settings(max_examples=20)
@given(game=st.sampled_from(YAM_MASTER), seed=st.integers(0, 2**32), turns=st.integers(1, 40))
def test_every_action_has_a_chance_to_win(game: YamMaster, seed: int, turns: int) -> None:
    position = decisions(game, seed, turns)[-1]
    for player in STRONG:
        values = player.values(position)
        assert list(values) == list(position.actions)
        assert all(-1e-6 <= value <= 1 + 1e-6 for value in values.values())
        lost = losses(values)
        assert min(lost.values()) == lost[best_action(values)] == 0
        assert player.choose(position) == best_action(values)


def test_keeps_are_worth_the_mean_of_what_follows() -> None:
    position = YamMaster().start().roll("11345")
    expert = YamMasterExpert()
    for action, value in expert.values(position).items():
        if isinstance(action, KeepDice):
            thrown = position.play(action)
            total = sum(weight * max(expert.values(thrown.roll(shown)).values()) for shown, weight in thrown.chances)
            assert value == pytest.approx(total / 6 ** (5 - action.kept.count), abs=1e-6)


def test_a_line_is_filled() -> None:
    position = YamMaster().position("xxxx1/oooo1/5/5/5 x 1:12666 8-8 9")
    assert str(YamMasterExpert().choose(position)) == "e1"
    assert YamMasterExpert().values(position)[position.game.action("e1")] == pytest.approx(1)


def test_who_plays_with_whose_tables() -> None:
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
    monkeypatch.setattr(yam_master_values, "TABLES", tmp_path)
    evaluation.cache_clear()
    with pytest.raises(TablesError) as error:
        YamMasterExpert().choose(YamMaster().start().roll("12345"))
    assert error.value.code is TablesCode.TABLES_DAMAGED
    evaluation.cache_clear()


def test_dice_in_the_air_are_no_decision() -> None:
    for player in PLAYERS:
        with pytest.raises(EngineError):
            player.choose(YamMaster().start())


def test_the_shipped_tables_say_where_they_come_from() -> None:
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


def test_no_time_at_all_is_enough() -> None:
    position = YamMaster().start().roll("11345")
    assert YamMasterMaster(seconds=0).choose(position) == YamMasterExpert().choose(position)
    assert YamMasterMaster(work=0).choose(position) == YamMasterExpert().choose(position)
    assert YamMasterMaster(seconds=0.2).choose(position) in position.actions


def late(game: YamMaster, shown: str = "1:11266") -> Position:
    return game.position(f"oox1o/xoooo/1x1ox/xxoox/xxxxo x {shown} 1-1 85")


@pytest.mark.parametrize("game", YAM_MASTER, ids=lambda game: game.id)
def test_master_knows_late_positions(game: YamMaster) -> None:
    position = late(game)
    exact = solve_position(position, limit=WORK // STATE).decision(position).values
    assert YamMasterMaster().values(position) == pytest.approx({action: (1 + value) / 2 for action, value in exact.items()})


def test_master_searches_where_a_position_is_too_large_or_the_time_too_short() -> None:
    position = late(YamMaster())
    rules, state, evaluate = rules_of(position.game), pack(position), evaluation(position.game)
    searched = deepen(rules, evaluate, state, turns=400).values
    assert (slot_values(position.game, state, evaluate, 400) == searched).all()
    assert late_values(position.game, state, 100, lambda: False) is None
    assert late_values(position.game, state, 10_000, lambda: True) is None
    assert late_values(position.game, state, 10_000, lambda: False) is not None
    at_once = slot_values(position.game, state, evaluate, inf, seconds=0)
    assert (at_once == deepen(rules, evaluate, state, deepest=1).values).all()


def test_master_searches_once_a_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []

    def counted(game: YamMaster, state: int, *rest: Any) -> Any:
        asked.append(state)
        return slot_values(game, state, *rest)

    monkeypatch.setattr(yam_master_master, "slot_values", counted)
    game, master = YamMaster(), YamMasterMaster(work=100)
    for shown in ("1:11266", "2:11166", "1:12345"):
        assert master.values(late(game, shown)) == YamMasterMaster(work=100).values(late(game, shown))
    assert len(asked) == 4
    master.values(game.start().roll("12345"))
    assert len(asked) == 5


def test_levels_err_by_chance_and_seldom_badly() -> None:
    position = YamMaster().start().roll("11123")
    lost = losses(YamMasterExpert().values(position))
    means = []
    for level in TEMPERATURES:
        chosen = [lost[YamMasterGraded(level, str(seed)).choose(position)] for seed in range(150)]
        assert len(set(chosen)) > 1
        means.append(sum(chosen) / len(chosen))
    assert means == sorted(means, reverse=True)


@pytest.mark.parametrize("player", PLAYERS, ids=lambda player: type(player).__name__)
def test_nobody_is_shown_dice_to_come(player: YamMasterExpert) -> None:
    """What a player is asked with is the position, and a position that waits for a decision holds no dice to come."""
    assert list(inspect.signature(player.choose).parameters) == ["position"]
    assert set(Position.__slots__) == {"game", "x", "o", "to_move", "turn", "defi", "supplies", "number"}
