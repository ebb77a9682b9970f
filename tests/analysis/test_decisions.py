"""The analysis of decisions and throws: ranks, reasons that add up, and losses."""

from functools import cache
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dicecup import games, players, yam_master, yamm
from dicecup.analysis.decisions import MOST_SHOWN, SHOWN, analyse, analyse_throw
from dicecup.analysis.endings import KeepReasons
from dicecup.analysis.evaluation import Evaluation, Unit
from dicecup.analysis.grade import SAME
from dicecup.analysis.registry import by_tables
from dicecup.analysis.yam_master.evaluation import by_solution
from dicecup.analysis.yamm.cells import CellReasons, cell_reasons
from dicecup.core.game import Action, Position, Rules
from dicecup.core.turn import KeptDice
from dicecup.engine.errors import EngineError
from dicecup.engine.yam_master.exact.solve import solve_board
from dicecup.yam_master import YamMaster
from dicecup.yamm import Options, Yamm
from tests.analysis.draws import draw_decision
from tests.strategies import BOARD_3, NAMED, YAM_MASTER
from tests.yam_master.positions import at


@cache
def expert(game: Rules, *, alone: bool = False) -> Evaluation:
    return by_tables(game, alone=alone)


@settings(max_examples=30)
@given(data=st.data(), game=st.sampled_from(NAMED))
def test_actions_are_ranked_and_the_expert_plays_the_first(data: st.DataObject, game: Rules) -> None:
    position = draw_decision(data, game)
    found = analyse(position, expert(game), explain=False)
    losses = [choice.loss for choice in found.choices]
    assert losses == sorted(losses)
    assert losses[0] == 0
    assert found.best.action == players.create("expert").choose(position)
    assert {choice.action for choice in found.choices} == set(position.actions)
    assert all(choice.value == pytest.approx(found.best.value - choice.loss) for choice in found.choices)
    assert all(choice.reasons is None for choice in found.choices)


@pytest.mark.slow
@settings(max_examples=20)
@given(data=st.data(), game=st.sampled_from(YAM_MASTER))
def test_the_value_of_a_keep_is_the_mean_over_the_ends(data: st.DataObject, game: YamMaster) -> None:
    position = draw_decision(data, game)
    assert isinstance(position, yam_master.Position)
    evaluation = expert(game)
    worth: dict[Action, float] = {}
    for throws, defi, shown in ((2, False, face * 5) for face in "123456"):
        worth |= evaluation.values(_showing(position, throws, shown, defi=defi))
    worth |= evaluation.values(_showing(position, 2, "12345", defi=False))
    worth |= evaluation.values(_showing(position, 2, "11111", defi=True))
    for choice in analyse(position, evaluation).choices:
        if isinstance(choice.reasons, KeepReasons):
            ways = choice.reasons.endings
            assert sum(way.probability for way in ways.values()) == pytest.approx(1)
            mean = sum(way.probability * worth[action] for action, way in ways.items())
            assert choice.value == pytest.approx(mean, abs=1e-6)


def _showing(position: yam_master.Position, throws: int, shown: str, *, defi: bool) -> yam_master.Position:
    supplies, number = position.supplies, position.number
    turn = f"{throws}{'!' * defi}:{shown}"
    board = str(position).split(" ", maxsplit=1)[0]
    if position.game.options.kept_dice == "locked":
        turn = f"{throws + 1}{'!' * defi}:{shown}"  # nothing is locked any more
    return position.game.position(f"{board} {position.to_move} {turn} {supplies[0]}-{supplies[1]} {number}")


@pytest.mark.slow
@settings(max_examples=20)
@given(data=st.data(), players_=st.integers(1, 3))
def test_gain_and_later_points_add_up_to_the_total(data: st.DataObject, players_: int) -> None:
    game = Yamm(Options(players_))
    position = draw_decision(data, game)
    assert isinstance(position, yamm.Position)
    assert position.sheet is not None
    total = position.sheets[position.sheet].total
    found = analyse(position, expert(game), points=expert(game, alone=True))
    for choice in found.choices:
        assert choice.points is not None
        if isinstance(choice.reasons, CellReasons):
            reasons = choice.reasons
            assert reasons.gain + reasons.later + total == pytest.approx(choice.points)
            assert isinstance(choice.action, yamm.Write)
            # A wet result can still be moved: what counts is the sheet with it.
            after = position.play(choice.action)
            assert after.written[position.sheet].total - total == reasons.gain
        elif isinstance(choice.reasons, KeepReasons):
            assert sum(way.probability for way in choice.reasons.endings.values()) == pytest.approx(1)
    cells = [choice for choice in found.choices if isinstance(choice.action, yamm.Write) and choice.points is not None]
    best = max(cells, key=lambda choice: choice.points or 0)
    if isinstance(best.reasons, CellReasons):
        assert best.reasons.gives_up == pytest.approx(0, abs=1e-6)


def test_reasons_describe_bonus_strikes_and_reach() -> None:
    position = games.position("yamm(players=1)", ".11/.11/.11/.11/.11/.11/5,10,15,20,25,.6/.6,10,.4/.11 3:44466 7")
    sixes = _reasons(position, "f1.6")
    assert (sixes.points, sixes.bonus, sixes.gain, sixes.strikes) == (12, 150, 162, False)
    assert sixes.upper is not None
    assert (sixes.upper.before, sixes.upper.after, sixes.upper.reach_before, sixes.upper.reach_after) == (75, 87, 1000, 150)
    both = _reasons(position, "f2.T")
    assert (both.points, both.lost, both.strikes_both, both.strikes, both.gain) == (0, 10, True, True, -10)
    ones = _reasons(position, "f2.1")
    assert (ones.points, ones.strikes, ones.strikes_both) == (0, True, False)


def _reasons(position: Position, cell: str) -> CellReasons:
    assert isinstance(position, yamm.Position)
    values = expert(position.game).values(position)
    totals = {action.cell: value for action, value in values.items() if isinstance(action, yamm.Write)}
    return cell_reasons(position, totals)[yamm.Cell(cell)]


def test_reasons_include_a_first_throw_yamm() -> None:
    position = games.from_id("yamm(players=1)").start().roll("33333")
    assert _reasons(position, "f1.3").first_throw_yamm == 100
    assert _reasons(position, "f1.3").gain == 115
    assert _reasons(games.position("yamm(players=1)", f"{'/'.join(['.11'] * 9)} 2:33333 1"), "f1.3").first_throw_yamm == 0


def test_a_decision_with_one_sensible_choice_is_forced() -> None:
    line = at("x4/1x3/5/3x1/4x x 3:44444 8-12 9")
    found = analyse(line, expert(line.game))
    assert str(found.best.action) == "c3"
    assert found.best.value == 1
    assert found.forced
    assert len(found.shown) >= SHOWN


def test_shown_groups_are_the_sensible_ones_within_bounds() -> None:
    position = at("5/5/5/5/5 x 1:12346 12-12 1")
    found = analyse(position, expert(position.game))
    assert SHOWN <= len(found.shown) <= MOST_SHOWN
    assert found.shown == found.groups[: len(found.shown)]
    assert tuple(choice for group in found.groups for choice in group) == found.choices
    losses = [[choice.loss for choice in group] for group in found.groups]
    assert all(max(group) - min(group) <= SAME for group in losses)
    assert all(after[0] - before[0] > SAME for before, after in pairwise(losses))


def test_options_without_training_are_listed() -> None:
    position = at("5/5/5/5/5 x 1:12346 12-12 1", "yam-master(kept_dice=locked,captured=out)")
    assert analyse(position, expert(position.game), explain=False).foreign == ("kept_dice", "captured")
    assert analyse_throw(position.game.start(), expert(position.game)).foreign == ("kept_dice", "captured")
    locked, free = (Yamm(Options(3, kept_dice)).start() for kept_dice in (KeptDice.LOCKED, KeptDice.FREE))
    assert analyse_throw(locked, expert(locked.game)).foreign == ("kept_dice",)
    assert analyse_throw(free, expert(free.game)).foreign == ()


def test_the_analysis_of_a_solved_board_equals_the_solution() -> None:
    solution = solve_board(YamMaster(board=BOARD_3))
    position = solution.position.roll("11111")
    found = analyse(position, by_solution(solution), games=10)
    decided = solution.decision(position)
    assert isinstance(position, yam_master.Position)
    assert found.exact
    assert found.best.action == decided.best
    assert {choice.action: choice.value for choice in found.choices} == {
        action: (1 + value) / 2 for action, value in decided.values.items()
    }
    assert all(choice.shares is None for choice in found.choices)  # no games are played on


# --- Dice in the air ------------------------------------------------------------------------------


def test_a_throw_of_yam_master_is_valued_by_its_mean() -> None:
    position = at("5/5/5/5/5 x 2:1111? 12-12 1")
    found = analyse_throw(position, expert(position.game))
    assert len(found.rolls) == 6
    assert sum(chance for _, chance, _ in found.rolls) == pytest.approx(1)
    assert found.value == pytest.approx(sum(chance * value for _, chance, value in found.rolls))
    assert found.rolls[0][0].text == "11111"
    assert found.figures == pytest.approx({"1": 1, "Full": 1 / 6, "Carre": 1, "Yam": 1 / 6, "<=8": 4 / 6})
    assert found.unit is Unit.CHANCE


def test_a_throw_of_yamm_has_the_chances_of_its_figures() -> None:
    position = games.position("yamm(players=1)", f"{'/'.join(['.11'] * 9)} 1:2345? 1")
    assert analyse_throw(position, expert(position.game)).figures == pytest.approx({"ST": 2 / 6})


def test_positions_of_the_wrong_kind_are_refused() -> None:
    over = at("x4/1x3/5/3x1/4x x 3:44444 8-12 9").play("c3")
    evaluation = expert(over.game)
    for ask in (analyse, analyse_throw):
        with pytest.raises(EngineError) as refused:
            ask(over, evaluation)
        assert refused.value.code == "game-over"
    with pytest.raises(EngineError) as refused:
        analyse(over.game.start(), evaluation)
    assert refused.value.code == "not-a-decision"
    with pytest.raises(EngineError) as refused:
        analyse_throw(over.game.start().roll("11111"), evaluation)
    assert refused.value.code == "no-dice-in-the-air"
