"""The options of Yam Master and the game ids that name them (docs/notation.md)."""

import pytest

from dicecup.core.errors import GameError
from dicecup.core.turn import KeptDice
from dicecup.yam_master import Captured, End, FailedDefi, Options, YamMaster


@pytest.mark.parametrize(
    "options, text",
    [
        (Options(), "yam-master"),
        (Options(KeptDice.LOCKED), "yam-master(kept_dice=locked)"),
        (Options(failed_defi=FailedDefi.IGNORED, captured=Captured.OUT), "yam-master(failed_defi=ignored,captured=out)"),
        (Options(end=End.FULL_ROUND), "yam-master(end=full_round)"),
        (
            Options(KeptDice.LOCKED, FailedDefi.IGNORED, Captured.OUT, End.FULL_ROUND),
            "yam-master(kept_dice=locked,failed_defi=ignored,captured=out,end=full_round)",
        ),
    ],
)
def test_an_id_holds_what_differs_from_the_defaults(options: Options, text: str) -> None:
    assert YamMaster(options).id == text
    assert YamMaster.from_id(text) == YamMaster(options)


@pytest.mark.parametrize(
    "text, code",
    [
        ("yamm", "not-a-game"),
        ("yam-master()", "not-a-game"),
        ("yam-master(end)", "not-a-game"),
        ("Yam-Master", "not-a-game"),
        ("yam-master ", "not-a-game"),
        ("yam-master(end=full_round", "not-a-game"),
        ("yam-master(end=full_round,end=full_round)", "not-a-game"),
        ("yam-master(players=2)", "unknown-option"),
        ("yam-master(end=at_once)", "option-default"),
        ("yam-master(captured=out,failed_defi=ignored)", "option-order"),
        ("yam-master(end=later)", "option-value"),
        ("yam-master(kept_dice=)", "option-value"),
    ],
)
def test_other_texts_name_no_options(text: str, code: str) -> None:
    with pytest.raises(GameError) as refusal:
        YamMaster.from_id(text)
    assert refusal.value.code == code


def test_equality_compares_options_and_board() -> None:
    assert YamMaster() == YamMaster(Options())
    assert YamMaster() != YamMaster(Options(end=End.FULL_ROUND))
    assert YamMaster().name == "yam-master"
