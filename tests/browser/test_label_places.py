"""Where the faces of found dice are shown: over no other die, also where dice touch."""

import json
from itertools import permutations
from typing import Any, Final, TypedDict

import pytest

from tests.browser.node_program import HERE, run_node

SIDE: Final = 300
"""Width and height of the picture in CSS pixels."""
DIE: Final = 26

Rectangle = dict[str, float]
Place = tuple[float, float]


class Mark(TypedDict):
    """A mark as ui/src/camera/labelPlaces.ts has it."""

    frame: Rectangle
    label: Rectangle
    direction: int


def box(middle: Place) -> list[float]:
    """Return the box of a die in fractions of the picture."""
    x, y = middle
    return [(x - DIE / 2) / SIDE, (y - DIE / 2) / SIDE, (x + DIE / 2) / SIDE, (y + DIE / 2) / SIDE]


def marks(*pictures: list[Place]) -> list[list[Mark]]:
    """Return the marks of the dice in pictures that follow each other."""
    given = [{"boxes": [box(middle) for middle in picture], "width": SIDE, "height": SIDE} for picture in pictures]
    found: Any = json.loads(run_node(HERE / "label_places_runner.mjs", given=given))
    return [list(picture) for picture in found]


def shared(one: Rectangle, other: Rectangle) -> float:
    """Return the area that two rectangles share."""
    across = min(one["left"] + one["width"], other["left"] + other["width"]) - max(one["left"], other["left"])
    down = min(one["top"] + one["height"], other["top"] + other["height"]) - max(one["top"], other["top"])
    return max(0, across) * max(0, down)


def rectangle(middle: Place) -> Rectangle:
    """Return the rectangle of a die."""
    return {"left": middle[0] - DIE / 2, "top": middle[1] - DIE / 2, "width": DIE, "height": DIE}


PICTURE: Final[Rectangle] = {"left": 0, "top": 0, "width": SIDE, "height": SIDE}
TOUCHING: Final[dict[str, list[Place]]] = {
    "a column": [(150, 100 + 27 * place) for place in range(5)],
    "a row": [(80 + 27 * place, 150) for place in range(5)],
    "two rows": [(120 + 27 * (place % 3), 150 + 27 * (place // 3)) for place in range(5)],
    "stairs": [(100 + 20 * place, 100 + 24 * place) for place in range(5)],
    "a corner": [(15, 15), (42, 15), (15, 42), (285, 285), (258, 285)],
    "a heap": [(140, 150), (165, 140), (158, 168), (133, 177), (180, 163)],
}


@pytest.mark.parametrize("name", TOUCHING)
def test_no_label_covers_another_die_or_label(name: str) -> None:
    middles = TOUCHING[name]
    (found,) = marks(middles)
    for number, one in enumerate(found):
        label = one["label"]
        assert shared(label, one["frame"]) > 0
        assert shared(label, PICTURE) == pytest.approx(label["width"] * label["height"]), number
        for other, middle in enumerate(middles):
            if other != number:
                assert shared(label, rectangle(middle)) <= 0.1 * DIE**2, (number, other)
                assert shared(label, found[other]["label"]) <= 0.1 * DIE**2, (number, other)


def test_a_die_by_itself_has_its_label_above() -> None:
    (found,) = marks([(60, 60), (150, 150), (240, 60)])
    for one in found:
        label, frame = one["label"], one["frame"]
        assert label["left"] + label["width"] / 2 == pytest.approx(frame["left"] + frame["width"] / 2)
        assert label["top"] < frame["top"] < label["top"] + label["height"]
        assert frame["width"] == frame["height"] == 32


def test_labels_stay_while_dice_lie_still() -> None:
    """Each reading finds the boxes a little elsewhere."""
    middles = [(142.0, 150.0), (167.0, 142.0), (158.0, 167.0), (134.0, 178.0), (182.0, 163.0)]
    shaken = [[(x + dx, y + dy) for x, y in middles] for dx, dy in permutations((-1.2, 0, 1.2), 2)]
    found = marks(middles, *shaken)

    assert all([one["direction"] for one in picture] == [one["direction"] for one in found[0]] for picture in found)


def test_labels_of_dice_that_were_thrown_again_begin_above() -> None:
    """A die at another place is another one."""
    crowded, apart = TOUCHING["two rows"], [(40.0 + 55 * place, 60.0) for place in range(5)]
    _, thrown = marks(crowded, apart)
    assert [one["direction"] for one in thrown] == [0] * 5


def test_before_the_picture_has_a_size_nothing_fails() -> None:
    given = [{"boxes": [box((150, 150))], "width": 0, "height": 0}]
    assert len(json.loads(run_node(HERE / "label_places_runner.mjs", given=given))[0]) == 1
