"""Exact odds: the published table of single turns, and laws that hold at every moment of a turn."""

from fractions import Fraction
from typing import Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dicecup import games
from dicecup.core.dice import ROLLS, keep, roll
from dicecup.core.errors import DiceError
from dicecup.engine.errors import EngineCode, EngineError
from dicecup.engine.turn.odds import Moment, means, moment, probabilities

YAM_MASTER: Final = games.from_id("yam-master")
YAMM: Final = games.from_id("yamm")

THREE_OR_MORE = ("23/648", "1718321/10077696", "27807523471/78364164096")
TURNS: Final = {
    "Yam": ("1/1296", "221/17496", "347897/7558272"),
    "Carre": ("13/648", "9259/69984", "2197897/7558272"),
    **dict.fromkeys("123456", THREE_OR_MORE),
    "Full": ("17/432", "283/1458", "461237/1259712"),
    "Suite": ("5/162", "40861/314928", "319695199/1224440064"),
    "<=8": ("7/972", "493117/7558272", "1373089649/7346640384"),
    "Sec": ("179/1944", "179/1944", "179/1944"),
}
"""FIGURES, 1: a turn of one, two and three throws."""


@pytest.mark.parametrize("aim", TURNS)
@pytest.mark.parametrize("throws", [1, 2, 3])
def test_turns_have_their_published_odds(aim: str, throws: int) -> None:
    expected = Fraction(TURNS[aim][throws - 1])
    assert probabilities(YAM_MASTER, Moment(throws))[aim].value == expected
    in_yamm = {**dict.fromkeys("123456", aim), "Full": "FH", "Suite": "ST", "Yam": "Y"}
    if aim in in_yamm:
        name = aim if aim in "123456" else in_yamm[aim]
        assert probabilities(YAMM, Moment(throws))[name].value == expected


def test_a_defi_has_its_published_odds() -> None:
    for declared in (False, True):
        assert probabilities(YAM_MASTER, Moment(declared=declared))["Defi"].value == Fraction(666287, 1259712)
    assert probabilities(YAM_MASTER, Moment(1))["Defi"].value == 0


def test_rows_have_their_published_means() -> None:
    found = means(YAMM, Moment())
    expected = {"H": "70/3", "T": "35/3", "FH": "173020105/11337408", "ST": "30599671265/2448880128", "Y": "1053745/354294"}
    assert {row: found[row].value for row in expected} == {row: Fraction(value) for row, value in expected.items()}
    # A named face with three throws: each of five dice shows it with 1 - (5/6)³.
    assert found["6"].value == 30 * (1 - Fraction(5, 6) ** 3)
    assert means(YAM_MASTER, Moment()) == {}


def test_aims_are_in_the_order_of_board_and_sheet() -> None:
    assert list(probabilities(YAM_MASTER, Moment())) == [*"123456", "Full", "Carre", "Yam", "Suite", "<=8", "Sec", "Defi"]
    assert list(probabilities(YAMM, Moment())) == [*"123456", "H", "T", "FH", "ST", "Y"]


GAMES = st.sampled_from(["yam-master", "yam-master(failed_defi=ignored)", "yam-master(kept_dice=locked)", "yamm"])


@pytest.mark.slow
@settings(max_examples=10, deadline=None)
@given(game_id=GAMES, shown=st.sampled_from(ROLLS), left=st.integers(1, 2), declared=st.booleans())
def test_the_best_keep_is_the_best_of_all(game_id: str, shown: object, left: int, declared: bool) -> None:
    game = games.from_id(game_id)
    if game == YAMM:
        declared = False
    dice = roll(str(shown))
    now = Moment(left, dice, declared=declared)
    best = probabilities(game, now)
    alone = {kept: probabilities(game, Moment(left, dice, kept, declared=declared)) for kept in dice.keeps}
    for aim, found in best.items():
        assert 0 <= found.value <= 1
        values = [each[aim].value for each in alone.values()]
        assert found.value >= max(values)
        if found.keep is not None:
            assert alone[found.keep][aim].value == found.value == max(values)


@pytest.mark.slow
@settings(max_examples=6, deadline=None)
@given(kept=st.sampled_from(["33", "456", "1112"]), declared=st.booleans())
def test_the_odds_of_a_keep_are_the_mean_of_the_rolls(kept: str, declared: bool) -> None:
    now = Moment(2, None, keep(kept or "-"), declared=declared)
    after = {
        landed: (probabilities(YAM_MASTER, Moment(1, landed, declared=declared)), weight)
        for landed, weight in keep(kept or "-").outcomes
    }
    for aim, found in probabilities(YAM_MASTER, now).items():
        if aim != "Defi" or declared:  # a Défi may still be declared with the keep
            total = sum(weight * each[aim].value for each, weight in after.values())
            assert found.value == total / 6 ** (5 - len(kept))


def test_a_declared_defi_needs_a_big_figure() -> None:
    """Under a Défi a figure counts only with a big one, unless `failed_defi=ignored`.

    The side that declares must throw at least one die.
    """
    over = Moment(0, roll("12666"), declared=True)
    assert probabilities(YAM_MASTER, over)["6"].value == 0
    assert probabilities(games.from_id("yam-master(failed_defi=ignored)"), over)["6"].value == 1
    assert probabilities(YAM_MASTER, Moment(0, roll("11666"), declared=True))["6"].value == 1
    assert probabilities(YAM_MASTER, Moment(2, roll("11111"), declared=True))["Yam"].value == Fraction(11, 36)
    assert probabilities(YAM_MASTER, Moment(2, roll("11111")))["Yam"].value == 1
    assert probabilities(YAM_MASTER, Moment(2, roll("11111"), declared=True))["Sec"].value == 0


def test_locked_dice_are_kept() -> None:
    locked = games.from_id("yam-master(kept_dice=locked)")
    assert probabilities(locked, moment(locked, dice="33|456", throws_left=1))["4"].value == Fraction(1, 36)
    unlocked = probabilities(YAM_MASTER, moment(YAM_MASTER, dice="33456", throws_left=1))
    assert unlocked["4"].value == Fraction(6 * 25 + 4 * 5 + 1, 6**4)  # two more fours of four dice
    assert unlocked["4"].keep == keep("4")
    free = probabilities(YAM_MASTER, Moment())
    assert all(found.value <= free[aim].value for aim, found in probabilities(locked, Moment()).items())


def test_a_moment_is_read_from_texts() -> None:
    assert moment(YAM_MASTER) == Moment()
    assert moment(YAM_MASTER, dice="64311") == Moment(2, roll("11346"))
    assert moment(YAM_MASTER, dice="11346", kept="-") == Moment(2, roll("11346"), keep("-"))
    assert moment(YAM_MASTER, dice="11346", kept="41", throws_left=1) == Moment(1, roll("11346"), keep("14"))
    assert moment(YAM_MASTER, kept="33") == Moment(2, None, keep("33"))


@pytest.mark.parametrize(
    "given, code",
    [
        ({"throws_left": 0}, EngineCode.NOT_A_STAGE),
        ({"throws_left": 4}, EngineCode.NOT_A_STAGE),
        ({"dice": "11346", "throws_left": 3}, EngineCode.NOT_A_STAGE),
        ({"dice": "11346", "throws_left": 0, "kept": "1"}, EngineCode.NOT_A_STAGE),
        ({"dice": "33|456", "throws_left": 1}, EngineCode.NOT_A_STAGE),
        ({"dice": "11346", "kept": "12"}, EngineCode.NOT_A_KEEP),
        ({"dice": "11346", "kept": "11346"}, EngineCode.NOT_A_KEEP),
        ({"kept": "11346"}, EngineCode.NOT_A_KEEP),
        ({"declared": True, "throws_left": 1}, EngineCode.NO_DEFI),
    ],
)
def test_impossible_moments_are_refused(given: dict[str, object], code: EngineCode) -> None:
    with pytest.raises(EngineError) as error:
        moment(YAM_MASTER, **given)  # type: ignore[arg-type]
    assert error.value.code is code


@pytest.mark.parametrize("dice", ["1134", "113467", "11340", "", "1134x", "٣٣٤٥٦", "1|1346|"])
def test_impossible_dice_are_refused(dice: str) -> None:
    with pytest.raises(DiceError):
        moment(YAM_MASTER, dice=dice)


def test_yamm_has_no_defi() -> None:
    with pytest.raises(EngineError):
        moment(YAMM, declared=True)
    locked = games.from_id("yam-master(kept_dice=locked)")
    with pytest.raises(EngineError):
        moment(locked, dice="33|456", throws_left=1, kept="4")
