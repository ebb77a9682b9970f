"""When the dice in the pictures of a camera lie still, and what they are for the throw. The clock
is handed in."""

import json
from typing import Any, Final

import pytest

from tests.browser.node_program import HERE, run_node

BRIGHT: Final = 120.0
PACE: Final = 100
"""Milliseconds between two readings."""
STILL, STILL_WITHOUT_KEPT, STEADY = 350, 1000, 400
"""Times of ui/src/camera/watching.ts, in milliseconds."""
ALL: Final = "13345"


def dice(faces: str, shift: float = 0, confidence: float = 0.99, doubtful: str = "") -> list[dict[str, Any]]:
    """Return dice in a row, each a twentieth of the picture wide. `shift`: how far they moved, in
    parts of their width. `doubtful`: the places of doubtful dice."""
    width = 0.05
    lefts = [0.1 + 3 * width * place + shift * width for place in range(len(faces))]
    return [
        {
            "face": int(face),
            "box": [left, 0.4, left + width, 0.4 + width],
            "confidence": confidence,
            "doubtful": str(place) in doubtful,
        }
        for place, (face, left) in enumerate(zip(faces, lefts, strict=True))
    ]


def told(*pictures: list[dict[str, Any]], kept: str = "", brightness: float = BRIGHT) -> list[tuple[str, str]]:
    """Return the message after each picture."""
    readings = [{"dice": each, "brightness": brightness, "now": PACE * number} for number, each in enumerate(pictures)]
    expected = {"count": 5, "kept": [int(face) for face in kept]}
    given = {"expected": expected, "readings": readings}
    return [(sight, faces) for sight, faces in json.loads(run_node(HERE / "watching_runner.mjs", given=given))]


def sights(*pictures: list[dict[str, Any]], **more: Any) -> list[str]:
    return [sight for sight, _ in told(*pictures, **more)]


def lasting(picture: list[dict[str, Any]], milliseconds: int) -> list[list[dict[str, Any]]]:
    """Return pictures that last at least this long."""
    return [picture] * (milliseconds // PACE + 2)


def test_dice_are_told_once_they_lie_still() -> None:
    seen = told(*lasting(dice(ALL), STILL))
    assert [sight for sight, _ in seen[:-1]].count("still") == 0
    assert seen[-1] == ("still", "1 3 3 4 5")


def test_rolling_dice_are_not_told() -> None:
    rolling = [dice(faces, shift) for shift, faces in enumerate(["13345", "23456", "11111", "65432", "13345"] * 3)]
    seen = sights(*rolling, *lasting(dice(ALL, 14), STILL))
    assert set(seen[: len(rolling)]) == {"empty", "moving"}
    assert seen[-1] == "still"


def test_a_trembling_hand_does_not_matter() -> None:
    trembling = [dice(ALL, 0.3 * (number % 2)) for number in range(6)]
    assert sights(*trembling)[-1] == "still"


def test_a_single_bad_reading_does_not_end_a_proposal_and_two_do() -> None:
    still, few = dice(ALL), dice("1334")
    seen = told(*lasting(still, STILL), few, still, few, few)
    assert seen[-4:-1] == [("still", "1 3 3 4 5")] * 3
    assert seen[-1] == ("few", "1 3 3 4")


def test_a_hand_in_the_picture_ends_a_proposal_and_its_dice_come_again() -> None:
    seen = sights(*lasting(dice(ALL), STILL), *lasting(dice("13"), STILL), *lasting(dice(ALL), STILL + STEADY))
    assert [sight for sight, before in zip(seen, ["", *seen], strict=False) if sight != before] == [
        "empty",
        "still",
        "few",
        "still",
    ]


@pytest.mark.parametrize(
    "faces, brightness, sight", [(ALL, 10, "dark"), ("", BRIGHT, "empty"), ("1334", BRIGHT, "few"), ("113345", BRIGHT, "many")]
)
def test_what_is_wrong_is_told_when_it_lasts(faces: str, brightness: float, sight: str) -> None:
    seen = sights(*lasting(dice(faces), STILL + STEADY), brightness=brightness)
    assert seen[0] == "empty"
    assert seen[-1] == sight


def test_a_face_that_changes_between_readings_is_doubtful() -> None:
    six, five = dice("13346", confidence=0.9), dice("13345", confidence=0.95)
    assert told(*[six, five] * 4)[-1] == ("still", "1 3 3 4 5?")
    assert told(*[six, five] * 4, *[five] * 3)[-1] == ("still", "1 3 3 4 5")


def test_thrown_dice_alone_have_to_lie_longer() -> None:
    """A hand may hide a die."""
    three = lasting(dice("145"), STILL_WITHOUT_KEPT)
    assert "still" not in sights(*three[: STILL // PACE + 3], kept="33")
    assert told(*three, kept="33")[-1] == ("still", "1 4 5")


def test_what_dice_are_for_the_throw() -> None:
    cases = [
        ("13345", "", "", "complete", "13345"),
        ("145", "", "33", "complete", "13345"),
        ("31543", "", "33", "complete", "13345"),
        ("1245", "", "33", "few", ""),
        ("14", "", "33", "few", ""),
        ("13456", "", "33", "kept-missing", ""),
        ("133456", "", "33", "many", ""),
        ("13345", "2", "33", "doubtful", ""),
        ("6", "", "1111", "complete", "11116"),
    ]
    given = [[dice(faces, doubtful=doubtful), {"count": 5, "kept": [*map(int, kept)]}] for faces, doubtful, kept, *_ in cases]
    said = json.loads(run_node(HERE / "judging_runner.mjs", given=given))
    assert said == [list(case[3:]) for case in cases]
