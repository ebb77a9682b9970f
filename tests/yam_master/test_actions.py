"""The texts of actions (docs/notation.md). Whether a position allows an action is tested
elsewhere."""

import pytest

from dicecup.core.dice import dice, keep
from dicecup.core.errors import TextError
from dicecup.yam_master import Action, KeepDice, Pass, Place, Remove, action_from_text


@pytest.mark.parametrize(
    "action, text",
    [
        (KeepDice(keep("33")), "k33"),
        (KeepDice(keep("-")), "k-"),
        (KeepDice(keep("12345")), "k12345"),
        (KeepDice(keep("33"), defi=True), "!k33"),
        (KeepDice(keep("-"), defi=True), "!k-"),
        (Place("c3"), "c3"),
        (Place("i9"), "i9"),
        (Remove("c3"), "-c3"),
        (Pass(), "--"),
    ],
)
def test_an_action_reads_back_from_its_text(action: Action, text: str) -> None:
    assert str(action) == text
    assert action_from_text(text) == action
    names = {"KeepDice": KeepDice, "Place": Place, "Remove": Remove, "Pass": Pass, "dice": dice}
    assert eval(repr(action), names) == action  # noqa: S307 our own text


@pytest.mark.parametrize(
    "text",
    [
        *[
            "",
            " ",
            "-",
            "---",
            "k",
            "!k",
            "!",
            "!!k3",
            "k--",
            "k 3",
            "k3 ",
            " k3",
            "K33",
            "k33\n",
            "!c3",
            "!--",
            "!-c3",
            "--c3",
        ],
        *[
            "c0",
            "c10",
            "j1",
            "C3",
            "c",
            "3c",
            "c3 ",
            "c3\n",
            "c٣",
            "с3",
            "-c",
            "-c3 ",
            "-j1",
            "-c3\n",
            "f1.FH",
            "1. > a1",
            "pass",
        ],
        *["k31", "k7", "k0", "k٣", "!k111111"],
    ],
)
def test_other_texts_are_refused(text: str) -> None:
    with pytest.raises(TextError, match="not-an-action"):
        action_from_text(text)
