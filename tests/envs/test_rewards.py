"""Rewards: result, points, and returns without luck."""

from fractions import Fraction
from operator import add, sub
from typing import Any

import pytest
from hypothesis import given, settings

from dicecup import games
from dicecup.analysis.errors import AnalysisError
from dicecup.core.errors import GameError
from dicecup.core.game import Position, Rules
from dicecup.engine.tables_file import TablesError
from dicecup.envs.encoding import Encoding
from dicecup.envs.episode import Episode
from dicecup.envs.options import yam_master_encoding, yamm_encoding
from dicecup.envs.process import Kind, ordered_throws, start, throw_at
from dicecup.envs.rewards import RewardKind, Rewards, evaluation_of, luck_of, points, results
from dicecup.yam_master import YamMaster, small_board
from dicecup.yamm import SHEET, Column, Options, Row, Sheet, SheetSpec, Yamm
from dicecup.yamm import Position as YammPosition
from tests.envs.playing import ENCODINGS, drawing, name
from tests.strategies import seeds

CAP = 60
"""Turns of an episode."""
X_WINS = games.position("yam-master", "xxxxx/5/5/5/5 o - 7-12 10")


def played(encoding: Encoding, kind: str, seed: int, cap: int = CAP) -> tuple[list[tuple[float, ...]], Episode]:
    """Return the rewards of all steps of an episode that is played at random."""
    episode = Episode(encoding, Rewards(encoding.game, kind), cap)
    draw = drawing(seed)
    episode.begin(draw)
    paid = []
    while not episode.over:
        legal = episode.legal()
        episode.step(legal[draw(len(legal))], draw)
        paid.append(episode.paid())
    return paid, episode


def summed(paid: list[tuple[float, ...]]) -> tuple[float, ...]:
    return tuple(map(sum, zip(*paid, strict=True)))


# --- Result and points ----------------------------------------------------------------------------


def test_a_win_is_one_and_a_loss_minus_one() -> None:
    assert results(X_WINS) == (1.0, -1.0)
    assert results(YamMaster().start()) == (0.0, 0.0)


class Over:
    """A finished game of several sides."""

    def __init__(self, sides: int, winners: tuple[int, ...]) -> None:
        self.game: Any = Yamm(Options(players=sides))
        self.outcome: Any = self
        self.winners = winners


@pytest.mark.parametrize(
    "sides,winners,expected",
    [
        (2, (), (0, 0)),
        (2, (0, 1), (0, 0)),
        (3, (1,), (-Fraction(1, 2), 1, -Fraction(1, 2))),
        (4, (0, 3), (Fraction(1, 3), -Fraction(1, 3), -Fraction(1, 3), Fraction(1, 3))),
    ],
)
def test_winners_share_and_results_add_up_to_nothing(sides: int, winners: tuple[int, ...], expected: tuple[Any, ...]) -> None:
    found = results(Over(sides, winners))  # type: ignore[arg-type]
    assert found == pytest.approx([float(value) for value in expected])
    assert sum(found) == pytest.approx(0)


@pytest.mark.parametrize("encoding", ENCODINGS, ids=name)
@settings(max_examples=3)
@given(seed=seeds)
def test_rewards_add_up_to_the_end_of_the_game(encoding: Encoding, seed: int) -> None:
    paid, episode = played(encoding, "points", seed)
    position = episode.situation.position
    assert summed(paid) == pytest.approx(points(position))
    again, other = played(encoding, "result", seed)
    assert other.situation == episode.situation
    assert summed(again) == pytest.approx(results(position))
    assert all(not any(reward) for reward in again[:-1])


def test_points_of_a_duel_are_those_of_both_sides() -> None:
    position = games.position("yam-master", "xxx2/5/5/5/oooo1 x 0:????? 9-8 9")
    assert position.scores == (1, 2)
    assert points(position) == (-1.0, 1.0)


def test_an_unknown_reward_is_named() -> None:
    with pytest.raises(GameError, match="option-value: option=reward, value=wealth"):
        Rewards(YamMaster(), "wealth")
    assert [str(kind) for kind in RewardKind] == ["result", "points", "luck-adjusted"]


# --- Luck -----------------------------------------------------------------------------------------


def yamm_throw(game: str) -> Position:
    """Return the second throw of the last side, which keeps 4 4."""
    position = games.from_id(game).start()
    for _ in range(position.game.sides - 1):
        position = position.roll("12345").play("d1.1")
    return position.roll("12344").play("k44")


THROWS = [
    games.position("yam-master", "x1o2/5/5/5/5 x 0:????? 11-11 3"),
    games.position("yam-master", "x1o2/5/5/5/5 x 1!:33??? 11-11 3"),
    games.position("yam-master(kept_dice=locked)", "x1o2/5/5/5/5 x 2:336?? 11-11 3"),
    *map(yamm_throw, ("yamm(players=1)", "yamm", "yamm(players=4,pairs=yes)")),
]


@pytest.mark.parametrize("before", THROWS, ids=lambda position: position.game.id)
def test_the_mean_luck_of_a_throw_is_nothing(before: Position) -> None:
    """Weighted as the rolls fall, the luck of all rolls adds up to 0 for every side."""
    lucks = [(weight, luck_of(before, before.roll(shown))) for shown, weight in before.chances]
    assert any(any(luck) for _, luck in lucks)
    for side in range(before.game.sides):
        mean = sum(weight * luck[side] for weight, luck in lucks) / ordered_throws(before)
        assert abs(mean) < 1e-4


def test_luck_of_a_duel_is_the_loss_of_the_other() -> None:
    before = YamMaster().start()
    lucky = luck_of(before, before.roll("11111"))
    assert lucky[0] == -lucky[1]
    assert lucky[0] > 0.1


def test_luck_of_a_sheet_concerns_its_side_alone() -> None:
    before = Yamm().start()
    assert luck_of(before, before.roll("55555"))[0] > 50
    assert luck_of(before, before.roll("55555"))[1] == 0


def test_columns_that_a_sheet_does_not_have_add_no_luck() -> None:
    """The luck on a part of the sheet is that on the printed sheet with the other columns
    struck."""
    few = yamm_encoding("d1,f1", players=1).game
    before = few.start()
    empty, struck = (None,) * 11, (0,) * 11
    sheet = Sheet(SHEET, tuple(empty if column in few.sheet.columns else struck for column in SHEET.columns))
    full = Yamm(Options(players=1))
    same = YammPosition(full, (sheet,), (None,), before.turn, 78)
    for shown in ("11111", "12346", "56666"):
        assert evaluation_of(few)(before, before.roll(shown)) == evaluation_of(full)(same, same.roll(shown))


@pytest.mark.parametrize(
    "encoding",
    [yam_master_encoding(), yamm_encoding("f1", players=1), yamm_encoding("d1", players=4, pairs=True)],
    ids=name,
)
def test_the_adjusted_return_is_the_return_less_the_luck(encoding: Encoding) -> None:
    """The same dice and actions, followed throw by throw."""
    paid, _ = played(encoding, "luck-adjusted", 7)
    plain, _ = played(encoding, "result" if encoding.game.name == "yam-master" else "points", 7)
    luck = (0.0,) * encoding.game.sides
    draw, now, throws = drawing(7), start(encoding.game), 0
    while now.kind is not Kind.OVER and now.position.number <= CAP:
        if now.kind is Kind.CHANCE:
            after = now.roll(throw_at(now.chances, draw(ordered_throws(now.position))))
            luck = tuple(map(add, luck, luck_of(now.position, after.position)))
            now, throws = after, throws + 1
        else:
            legal = encoding.legal(now)
            now = now.play(encoding.action(now, legal[draw(len(legal))]))
    assert throws > 10
    assert any(luck)
    assert summed(paid) == pytest.approx(tuple(map(sub, summed(plain), luck)))


def test_luck_needs_an_evaluation() -> None:
    small: Rules = YamMaster(board=small_board("Yam Defi/Sec 6", 2))
    with pytest.raises(TablesError):
        Rewards(small, "luck-adjusted")
    for spec in (SheetSpec((Column("f4"),)), SheetSpec((Column("f1"),), (Row.SIX, Row.HIGH))):
        with pytest.raises(AnalysisError, match="no-evaluation"):
            Rewards(Yamm(Options(players=1), spec), "luck-adjusted")
