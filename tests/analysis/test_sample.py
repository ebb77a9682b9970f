"""Win, draw and loss from sampled games."""

import pytest

from dicecup.analysis.decisions import analyse
from dicecup.analysis.registry import by_tables
from dicecup.analysis.yam_master.sample import shares
from dicecup.yam_master import Action, YamMaster
from tests.strategies import BOARD_3
from tests.yam_master.positions import at


def test_shares_add_up_to_the_value() -> None:
    position = at("5/1xxx1/5/o1o2/5 x 1:11222 9-10 9")
    evaluation = by_tables(position.game)
    found = analyse(position, evaluation, games=50)
    assert found == analyse(position, evaluation, games=50)
    shown = [group[0] for group in found.shown]
    for choice in shown:
        assert choice.shares is not None
        win, draw, loss, games = choice.shares
        assert win + draw + loss == pytest.approx(1)
        assert win + draw / 2 == pytest.approx(choice.value)
        assert min(win, draw, loss) >= 0
        assert games == 50
    assert all(choice in shown or choice.shares is None for choice in found.choices)


def test_an_action_that_ends_the_game_has_no_sample() -> None:
    position = at("x4/1x3/5/3x1/4x x 3:44444 8-12 9")
    line: Action = position.game.action("c3")
    assert shares(position, {line: {line: 1.0}}, {line: 1.0}, 10) == {line: (1, 0, 0, 0)}


def test_games_are_apportioned_by_probability() -> None:
    position = at("5/5/5/5/5 x 3:11122 12-12 1")
    actions = [position.game.action(text) for text in ("a1", "c4", "--")]
    ways = dict(zip(actions, (0.5, 0.3, 0.2), strict=True))
    passing = actions[-1]
    found = shares(position, {passing: ways}, {passing: 0.5}, 7)
    assert found[passing].games == 7


def test_a_board_without_tables_has_no_shares() -> None:
    position = YamMaster(board=BOARD_3).start().roll("11111")
    passing = position.game.action("--")
    assert shares(position, {passing: {passing: 1.0}}, {passing: 0.5}, 10) == {}
