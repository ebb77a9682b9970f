"""The figures that five dice hold (docs/rules.md, Yam Master)."""

from collections import Counter
from collections.abc import Callable

import pytest

from dicecup.core.dice import ROLLS, roll
from dicecup.yam_master.figures import BIG, BIG_ROLLS, FIGURES, YAMS, Figure, figure_from_text, figures


@pytest.mark.parametrize(
    "shown, held",
    [
        ("11346", ""),
        ("22256", "2"),
        ("11345", ""),
        ("11222", "2 Full ≤8"),
        ("33366", "3 Full"),
        ("33666", "6 Full"),
        ("44445", "4 Carré"),
        ("55555", "5 Full Carré Yam"),
        ("11111", "1 Full Carré Yam ≤8"),
        ("12345", "Suite"),
        ("23456", "Suite"),
        ("12346", ""),
        ("13456", ""),
        ("11123", "1 ≤8"),
        ("11114", "1 Carré ≤8"),
        ("11124", "1"),
        ("11122", "1 Full ≤8"),
        ("11223", ""),
        ("11133", "1 Full"),
    ],
)
def test_a_roll_holds_its_figures(shown: str, held: str) -> None:
    assert figures(roll(shown)) == {Figure(word) for word in held.split()}


FACES = {str(face): face for face in range(1, 7)}
RULES: dict[str, Callable[[str], bool]] = {
    **{word: lambda faces, word=word: faces.count(word) >= 3 for word in FACES},  # type: ignore[misc]
    "Full": lambda faces: (
        any(faces[:3] == face * 3 and faces[3] == faces[4] for face in faces)
        or any(faces[2:] == face * 3 and faces[0] == faces[1] for face in faces)
    ),
    "Carré": lambda faces: any(face * 4 in faces for face in faces),
    "Yam": lambda faces: len(set(faces)) == 1,
    "Suite": lambda faces: faces in "123456",
    "≤8": lambda faces: sum(map(int, faces)) <= 8,
}
"""The table of RULES in other words, over the faces as ascending text."""


@pytest.mark.parametrize("word", RULES)
def test_a_figure_holds_for_exactly_the_rolls_of_its_rule(word: str) -> None:
    rule = RULES[word]
    assert [shown.text for shown in ROLLS if Figure(word) in FIGURES[shown]] == [s.text for s in ROLLS if rule(s.text)]


@pytest.mark.parametrize(
    "word, of_7776",
    [
        ("Yam", 6),  # 1/1296
        ("Carré", 156),  # 13/648
        ("1", 276),  # 23/648
        ("6", 276),
        ("Full", 306),  # 17/432
        ("Suite", 240),  # 5/162
        ("≤8", 56),  # 7/972
    ],
)
def test_a_figure_holds_in_its_number_of_throws(word: str, of_7776: int) -> None:
    assert sum(shown.weight for shown in ROLLS if Figure(word) in FIGURES[shown]) == of_7776


def test_a_sec_holds_in_716_of_7776_throws() -> None:
    assert sum(shown.weight for shown in BIG_ROLLS) == 716  # 179/1944
    assert {"Full", "Carré", "Yam", "Suite", "≤8"} == BIG
    assert {shown.text for shown in YAMS} == {str(face) * 5 for face in range(1, 7)}


def test_sec_and_defi_are_no_figures_of_the_dice_alone() -> None:
    seen = Counter(figure for held in FIGURES.values() for figure in held)
    assert set(Figure) - set(seen) == {Figure.SEC, Figure.DEFI}


@pytest.mark.parametrize("figure", Figure)
def test_a_figure_is_named_by_its_board_word_and_by_its_ascii_word(figure: Figure) -> None:
    assert figure_from_text(figure.value) is figure
    assert figure_from_text(figure.ascii) is figure
    assert figure.ascii.isascii()


@pytest.mark.parametrize("text", ["", "7", "full", "Yamm", "Carre ", "١"])
def test_other_words_name_no_figure(text: str) -> None:
    assert figure_from_text(text) is None
