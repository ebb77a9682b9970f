"""From a picture to dice: the working picture, crops, peaks and photos."""

import json
from pathlib import Path
from typing import cast

import numpy as np
import pytest

from dicecup.vision import load_photo, read_dice
from dicecup.vision.network import Floats, Model, Network
from dicecup.vision.pictures import GREY, halved, network_values, working_picture
from dicecup.vision.reading import Candidate, cropped, face_chances

PHOTOS = Path(__file__).parent / "photos"
"""Photos that the shipped reader was trained on."""


def test_a_picture_of_the_right_size_stays_as_it_is() -> None:
    pixels = np.random.default_rng(1).integers(0, 256, (480, 640, 3)).astype(np.uint8)
    found = working_picture(pixels)
    assert (found.pixels[:480] == pixels).all()
    assert (found.pixels[480:] == GREY).all()
    assert found.scale == 1


@pytest.mark.parametrize("height, width", [(900, 1200), (50, 30), (1, 1), (1, 3000)])
def test_another_size_is_scaled_to_fit(height: int, width: int) -> None:
    """A ramp of brightness stays a ramp."""
    ramp = np.linspace(0, 255, width).astype(np.uint8)
    found = working_picture(np.broadcast_to(ramp[None, :, None], (height, width, 3)))
    assert found.scale == 640 / max(height, width)
    rows, columns = max(1, round(height * found.scale)), max(1, round(width * found.scale))
    shown = found.pixels[:rows, :columns]
    assert (found.pixels[rows:] == GREY).all()
    assert (found.pixels[:, columns:] == GREY).all()
    places = (np.arange(columns) + 0.5) / columns * width - 0.5
    wanted = np.interp(places, np.arange(width), ramp)
    assert np.abs(shown[0, :, 0] - wanted).max() <= 255 / width + 1.5


def test_a_crop_shows_what_the_picture_has_there() -> None:
    y, x = np.mgrid[0:640, 0:640]
    values = network_values(np.stack([x / 4, y / 4, np.full_like(x, 64)], -1))
    levels = [values]
    while len(levels) < 4:
        levels.append(halved(levels[-1]))
    for side in (20.0, 60.0, 150.0, 300.0):
        crop = cropped(levels, Candidate(300.0, 320.0, side, side / 2, 1.0), 48, 1.5)
        steps = ((np.arange(48) + 0.5) / 48 - 0.5) * side * 1.5
        assert crop[20, :, 0] * 64 + 128 == pytest.approx((300 - 0.5 + steps) / 4, abs=0.01)
        assert crop[:, 30, 1] * 64 + 128 == pytest.approx((320 - 0.5 + steps) / 4, abs=0.01)


def test_a_crop_beyond_the_edge_is_grey() -> None:
    levels = [np.ones((640 >> level, 640 >> level, 3), np.float32) for level in range(4)]
    crop = cropped(levels, Candidate(0.0, 640.0, 32.0, 32.0, 1.0), 48, 1.5)
    assert (crop[:, :22] == 0).all()
    assert (crop[26:] == 0).all()
    assert (crop[:22, 26:] == 1).all()


class Looks:
    """A classifier that knows what a crop shows by its colours: red is the left half, and green
    says which die. `shown` has for each die the faces that it reads with the left half at the left,
    right (mirrored), bottom and top, and how sure it is of them: a logit. `blue` says for each look
    whether anything was blue."""

    def __init__(self, *shown: tuple[str, float]) -> None:
        self.size = 48
        self.shown = shown
        self.seen: list[int] = []
        self.blue: list[bool] = []

    def run(self, values: Floats) -> Floats:
        red = values[:, :, 0] > 0
        halves = [red[:, :20].mean(), red[:, 28:].mean(), red[28:].mean(), red[:20].mean()]
        faces, logit = self.shown[round(float(values[24, 24, 1]))]
        side = int(np.argmax(halves))
        self.seen.append(side)
        self.blue.append(bool((values[:, :, 2] > 0.5).any()))
        result = np.zeros((1, 1, 7), np.float32)
        result[0, 0, int(faces[side])] = logit
        return result


def looked_at(classifier: Looks) -> list[tuple[int, float]]:
    """Return the most probable class of each die of the classifier, and its probability."""
    values = np.zeros((640, 640, 3), np.float32)
    values[:, :, 2] = 1
    places = [Candidate(100.0 + 100 * number, 100.0, 32.0, 32.0, 1.0) for number in range(len(classifier.shown))]
    for number, place in enumerate(places):
        left = int(place.x) - 30
        values[70:130, left : left + 60, 1] = number
        values[70:130, left : left + 30, 0] = 1
        values[77:123, left + 7 : left + 53, 2] = 0
    levels = [values]
    while len(levels) < 4:
        levels.append(halved(levels[-1]))
    decoding = {"crop": 1.5, "crop_turned": 1.35, "none": 0.5, "settled": 0.97, "clear": 0.9, "tested": 2, "alike": 0.9}
    network = cast(Network, classifier)
    found, _ = face_chances(Model(network, network, decoding, {}), levels, places)
    return [(int(np.argmax(chances)), float(chances.max())) for chances in found]


def test_unclear_dice_are_turned_in_a_picture_from_above() -> None:
    """The clear die is a three from all sides. The other one looks like a two at first."""
    looks = Looks(("3333", 9.0), ("2555", 2.0))
    clear, unclear = looked_at(looks)
    assert clear[0] == 3
    assert unclear[0] == 5
    assert len(looks.seen) == 1 + 2 + 3 + 3


def test_dice_are_turned_a_little_nearer() -> None:
    """Blue lies at the very edge of the crops that are not turned."""
    looks = Looks(("3333", 9.0), ("2555", 2.0))
    looked_at(looks)
    assert looks.blue == [True] * (1 + 2 + 3) + [False] * 3


def test_dice_at_a_slant_are_not_turned() -> None:
    """The clear die shows another face on its head."""
    looks = Looks(("3433", 9.0), ("2555", 2.0))
    assert [face for face, _ in looked_at(looks)] == [3, 2]  # two and five are as probable: the first one
    assert len(looks.seen) == 1 + 2 + 3


def test_without_a_clear_die_nothing_is_turned() -> None:
    assert [face for face, _ in looked_at(Looks(("2555", 2.0), ("6666", 2.0)))] == [2, 6]


def test_what_the_first_look_settles_is_seen_in_no_mirror() -> None:
    looks = Looks(("0000", 9.0), ("3333", 9.0))
    assert [face for face, _ in looked_at(looks)] == [0, 3]
    assert len(looks.seen) == 1 + 1 + 3


class Places:
    """A detector that finds given boxes: x, y, width and height in pixels of the working picture,
    and the logit of the score."""

    def __init__(self, *boxes: tuple[float, float, float, float, float]) -> None:
        self.size = 256
        self.boxes = boxes

    def run(self, _values: Floats) -> Floats:
        result = np.full((64, 64, 5), -9, np.float32)
        scale = 640 / self.size
        for x, y, width, height, logit in self.boxes:
            column, row = x / scale / 4, y / scale / 4
            at = int(row), int(column)
            sizes = np.log(np.array([width, height]) / scale / 16)
            result[at] = (logit, column - int(column) - 0.5, row - int(row) - 0.5, *sizes)
        return result


DECODING = {
    "peak": 0.1, "most": 9, "overlap": 0.5, "inside": 0.7, "crop": 1.5, "crop_turned": 1.35, "none": 0.5, "settled": 0.97,
    "clear": 0.9, "tested": 2, "alike": 0.9, "sure": 0.94, "sure_slanted": 0.98, "sure_score": 0.3,
}  # fmt: skip


def test_a_part_of_a_surer_die_is_no_die() -> None:
    """Its upper face at a slant, or a pip. A die that covers a part of another one stays."""
    whole, face, pip, covering, below = (
        (300.0, 300.0, 100.0, 120.0, 3.0),
        (300.0, 275.0, 90.0, 60.0, 2.0),
        (320.0, 330.0, 20.0, 20.0, 1.0),
        (350.0, 370.0, 100.0, 120.0, 0.5),
        (500.0, 300.0, 20.0, 20.0, 0.0),
    )
    detector, classifier = Places(whole, face, pip, covering, below), Looks(("3333", 9.0))
    model = Model(cast(Network, detector), cast(Network, classifier), DECODING, {})
    dice = read_dice(np.full((640, 640, 3), GREY, np.uint8), model)
    middles = [((left + right) * 320, (top + bottom) * 320) for left, top, right, bottom in (die.box for die in dice)]
    assert np.array(middles) == pytest.approx(np.array([box[:2] for box in (whole, covering, below)]))


@pytest.mark.parametrize("faces, is_doubtful", [("3333", False), ("3344", True)])
def test_dice_at_a_slant_are_doubted_more(faces: str, is_doubtful: bool) -> None:
    """The same confidence, but another face after a quarter turn."""
    pixels = np.full((640, 640, 3), GREY, np.uint8)
    pixels[:, :300, 0] = 255
    detector, classifier = Places((300.0, 300.0, 100.0, 100.0, 3.0)), Looks((faces, 4.9))
    (die,) = read_dice(pixels, Model(cast(Network, detector), cast(Network, classifier), DECODING, {}))
    assert 0.94 < die.confidence < 0.98
    assert die.doubtful is is_doubtful


def test_at_a_slant_the_detector_has_a_say_in_what_is_a_die() -> None:
    """The classifier's probability of no die is 0.31 everywhere, the detector's of a die 0.5 and
    0.27."""
    detector, classifier = Places((200.0, 300.0, 60.0, 60.0, 0.0), (400.0, 300.0, 60.0, 60.0, -1.0)), Looks(("0000", 1.0))
    model = Model(cast(Network, detector), cast(Network, classifier), DECODING, {})
    (die,) = read_dice(np.full((640, 640, 3), GREY, np.uint8), model)
    assert die.box[0] < 0.3
    assert die.doubtful


def test_a_plain_picture_has_no_dice() -> None:
    for brightness in (0, 90, 255):
        assert read_dice(np.full((300, 400, 3), brightness, np.uint8)) == []


@pytest.mark.parametrize("name", sorted(json.loads((PHOTOS / "labels.json").read_text("utf-8"))))
def test_the_dice_of_a_photo_are_read(name: str) -> None:
    labelled = json.loads((PHOTOS / "labels.json").read_text("utf-8"))[name]
    dice = read_dice(load_photo(PHOTOS / name))
    assert sorted(die.face for die in dice) == sorted(labelled)
    for die in dice:
        left, top, right, bottom = die.box
        assert 0 <= left < right <= 1
        assert 0 <= top < bottom <= 1
        assert 0 < die.confidence <= 1


def test_a_photo_may_have_any_size() -> None:
    """Of the same dice, larger and smaller, and with room beside them."""
    from PIL import Image

    name, labelled = next(iter(json.loads((PHOTOS / "labels.json").read_text("utf-8")).items()))
    image = Image.fromarray(load_photo(PHOTOS / name))
    large = np.asarray(image.resize((1100, 1100), Image.Resampling.BICUBIC))
    assert sorted(die.face for die in read_dice(large)) == sorted(labelled)
