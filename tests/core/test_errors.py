"""Errors: code, details, and their text for logs."""

import copy
import pickle
from enum import Flag, StrEnum, auto

import pytest

from dicecup.core.errors import ActionError, DiceCode, DicecupError, DiceError, PositionError, TextCode


class Fault(Flag):
    """Two faults that a position may have at once."""

    TOO_MANY = auto()
    TOO_FEW = auto()


ONE_OF_EACH = [
    DiceError(DiceCode.NOT_A_FACE, text="7"),
    PositionError(TextCode.NOT_A_POSITION, faults=Fault.TOO_MANY | Fault.TOO_FEW, text="5/5"),
    ActionError(TextCode.NOT_AN_ACTION, position="5/5/5/5/5", action="c3", option="x"),
]


@pytest.mark.parametrize("error", ONE_OF_EACH)
def test_an_error_can_be_pickled_and_copied(error: DicecupError) -> None:
    for again in (pickle.loads(pickle.dumps(error)), copy.copy(error), copy.deepcopy(error)):  # noqa: S301  (our own bytes)
        assert type(again) is type(error)
        assert (again.code, again.details) == (error.code, error.details)
        assert vars(again) == vars(error)


def test_the_text_of_an_error_has_code_and_details() -> None:
    assert str(DiceError(DiceCode.NOT_A_FACE, text="7")) == "not-a-face: text=7"
    assert str(DicecupError(DiceCode.SOURCE_EMPTY)) == "source-empty"


def test_errors_hold_faults_position_and_action() -> None:
    _, position, action = ONE_OF_EACH
    assert isinstance(position, PositionError)
    assert position.faults == Fault.TOO_MANY | Fault.TOO_FEW
    assert isinstance(action, ActionError)
    assert (action.position, action.action) == ("5/5/5/5/5", "c3")


@pytest.mark.parametrize("codes", [DiceCode, TextCode])
def test_a_code_is_its_name(codes: type[StrEnum]) -> None:
    assert [code.value for code in codes] == [code.name.lower().replace("_", "-") for code in codes]
