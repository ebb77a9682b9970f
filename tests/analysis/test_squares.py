"""The reasons for squares, compared with the rules and with the published odds of a turn."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dicecup.analysis.yam_master.squares import square_reasons, threat
from dicecup.yam_master import KeepDice, Position, Side, YamMaster
from tests.analysis.draws import draw_decision
from tests.strategies import SMALL_BOARDS, YAM_MASTER
from tests.yam_master.positions import at

YAM, CARRE, FULL = 347897 / 7558272, 2197897 / 7558272, 461237 / 1259712
SEC, DEFI = 179 / 1944, 666287 / 1259712
"""The probabilities of figures in one turn that is played for them alone."""


@settings(max_examples=60)
@given(data=st.data(), game=st.sampled_from((*YAM_MASTER, *SMALL_BOARDS)))
def test_reasons_agree_with_the_rules(data: st.DataObject, game: YamMaster) -> None:
    position = draw_decision(data, game)
    assert isinstance(position, Position)
    side = position.to_move
    for action in position.actions:
        if isinstance(action, KeepDice):
            continue
        after, found = position.play(action), square_reasons(position, action)
        outcome = after.outcome
        assert found.over == (outcome is not None)
        assert found.wins == (outcome is not None and game.board.has_line((after.x, after.o)[side]))
        gained = after.points[side] - position.points[side] - after.points[side.other] + position.points[side.other]
        assert found.points == gained
        assert (found.threat is None) == found.over
        for line in (*found.made, *found.stopped):
            assert len(line.squares) == game.board.line
            assert 2 <= line.tokens <= game.board.line


def test_a_run_that_becomes_longer_is_a_reason() -> None:
    position = at("xxx2/5/5/oo3/5 x 3:44455 9-10 9")
    found = square_reasons(position, position.game.action("d1"))
    assert found.points == 1  # a run of three becomes one of four
    assert found.made == ((("a1", "b1", "c1", "d1", "e1"), 4),)
    assert found.stopped == ()
    found = square_reasons(position, position.game.action("--"))
    assert (found.points, found.made, found.stopped, found.denied) == (0, (), (), 0)


def test_a_square_is_denied_to_the_opponent() -> None:
    position = at("5/5/1oo2/5/5 x 3:11122 12-10 5")
    assert "a3" in position.actions  # ≤8
    found = square_reasons(position, position.game.action("a3"))
    assert (found.denied, found.denied_line) == (1, False)
    assert found.stopped == ((("a3", "b3", "c3", "d3", "e3"), 2),)


def test_a_removal_takes_points_and_stops_a_line() -> None:
    position = at("5/5/5/ooo2/5 x 3:44444 12-9 7")
    found = square_reasons(position, position.game.action("-b4"))
    assert found.points == 1
    assert found.stopped == ((("a4", "b4", "c4", "d4", "e4"), 3),)


@pytest.mark.parametrize(
    "board,line",
    [
        ("x4/1x3/5/3x1/4x", YAM),  # c3 is missing: Yam
        ("1x3/1x3/5/1x3/1x3", FULL),  # b3: Full
        ("1x3/1x3/1x3/5/1x3", SEC),  # b4: Sec
        ("2x2/2x2/2x2/2x2/5", CARRE),  # c5: Carré
        ("3x1/3x1/5/3x1/3x1", DEFI),  # d3: Défi, declared after the first throw
        ("5/5/5/5/5", 0.0),
    ],
)
def test_the_threat_of_a_line_is_the_probability_of_its_figure(board: str, line: float) -> None:
    position = at(f"{board} x 0:????? {8 if 'x' in board else 12}-12 9")
    found = threat(position, Side.X).line
    assert found == pytest.approx(line, abs=1e-12)
    assert threat(position, Side.O) == (0, 0)
