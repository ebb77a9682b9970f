"""What the reader is trained on: rendered dice, turned samples, and photos kept apart."""

from pathlib import Path

import numpy as np
import pytest

from dicecup.vision import Die, read_dice
from dicecup.vision.training import augment
from dicecup.vision.training.evaluate import Outcome, Pair, apart
from dicecup.vision.training.lights import Lamp, mirrored
from dicecup.vision.training.looks import BRIGHTNESS, LEAST_CONTRAST, random_look
from dicecup.vision.training.photos import FOLDS, GAP, Photo, matches, same_throw, split
from dicecup.vision.training.rendering import render

UNSEEN = 9
"""A seed that the shipped reader was not trained with."""


def photo(number: int, *, upright: bool = False) -> Photo:
    """A photo with a die at a place of its own."""
    corner = 20.0 + 2 * number
    return Photo(
        f"{number}.jpg", np.zeros((640, 640, 3), np.uint8), np.array([1]), np.array([[corner, 20, corner + 1, 21]]), upright
    )


def test_no_photo_is_trained_on_with_its_neighbour_in_a_test() -> None:
    photos = [photo(number) for number in range(200)] + [photo(number, upright=True) for number in range(200, 288)]
    tested = []
    for fold in range(FOLDS):
        training, held_out = split(photos, fold)
        numbers = {int(Path(one.name).stem) for one in held_out}
        assert not {number + gap for number in numbers for gap in range(-GAP, GAP + 1)} & {
            int(Path(one.name).stem) for one in training
        }
        assert len(training) > 200
        tested += held_out
    assert {one.name for one in tested} == {one.name for one in photos}
    assert len(tested) == len(photos)


def test_a_throw_is_recognised_in_another_photo() -> None:
    one = photo(1)
    assert same_throw(one, photo(1))
    assert not same_throw(one, photo(2))
    empty = Photo("empty.jpg", one.pixels, np.array([], int), np.zeros((0, 4)), upright=False)
    assert not same_throw(empty, empty)


def test_doubts_of_a_session_are_judged_by_a_threshold_of_the_others() -> None:
    """A sure mistake raises the threshold for the other session, and not for its own."""

    def session(*read: tuple[float, int]) -> list[Outcome]:
        box = np.zeros(4)
        pairs = [Pair(1, face, box, Die(face, (0, 0, 1, 1), confidence, doubtful=False)) for confidence, face in read]
        return [Outcome(photo(1), pairs)]

    judged = apart([session((0.9, 2), (0.8, 1)), session((0.95, 1), (0.7, 1))])
    assert [[pair.die.doubtful for pair in one.pairs if pair.die] for one in judged] == [[False, False], [True, True]]


def test_a_box_belongs_to_the_label_around_its_centre() -> None:
    labels = np.array([[0.0, 0, 40, 40], [30, 0, 70, 40]])
    boxes = np.array([[30.0, 5, 60, 35], [5, 5, 35, 35], [200, 200, 230, 230], [8, 5, 38, 35]])
    assert matches(boxes, labels) == {0: 1, 1: 0}
    assert matches(boxes[:0], labels) == {}
    assert matches(boxes, labels[:0]) == {}


def test_a_turned_sample_keeps_its_die_in_the_box() -> None:
    """A white square on black: the box in the sample holds what is white."""
    rng = np.random.default_rng(2)
    pixels = np.zeros((640, 640, 3), np.uint8)
    pixels[300:340, 400:440] = 255
    labelled = Photo("square.jpg", pixels, np.array([1]), np.array([[400.0, 300, 440, 340]]), upright=False)
    origin = augment.source(labelled)
    for _ in range(10):
        view = augment.View(augment.turning(rng, 0.7, upright=False), np.array([430.0, 310.0]), np.full(2, 60.0))
        shown = augment.sampled(origin, view, 120)[:, :, 0] > 127
        rows, columns = np.nonzero(shown)
        ((x, y, width, height),) = view.boxes(labelled.boxes)
        assert (columns.mean() + 0.5, rows.mean() + 0.5) == pytest.approx((x, y), abs=1)
        assert 0.7 < (np.ptp(columns) + 1) / width < 1.5
        assert 0.7 < (np.ptp(rows) + 1) / height < 1.5


def test_a_box_without_a_die_lies_beside_dice_or_around_a_pip() -> None:
    rng = np.random.default_rng(4)
    one = Photo("one.jpg", np.zeros((640, 640, 3), np.uint8), np.array([1]), np.array([[300.0, 300, 400, 400]]), upright=False)
    beside = around = 0
    for _ in range(200):
        box = augment.empty_box(rng, one)
        assert box is not None
        side, middle = box[2] - box[0], (box[:2] + box[2:]) / 2
        if (np.abs(middle - 350) <= 30).all():
            around += 1
            assert side <= augment.PIPS[1] * 100
        else:
            beside += 1
            assert np.linalg.norm(middle - 350) > 50
    assert around > 10
    assert beside > 100


def test_another_ground_leaves_the_die_in_the_middle() -> None:
    crop, other = (np.full((augment.CROP, augment.CROP, 3), value, np.float32) for value in (1, -1))
    found = augment.on_other_ground(np.random.default_rng(5), crop, other)
    middle = augment.CROP // 2
    assert (found[middle - 10 : middle + 10, middle - 10 : middle + 10] == 1).all()
    assert (found[[0, 0, -1, -1], [0, -1, 0, -1]] == -1).all()


def test_a_mirror_shows_the_lamp_above_it_and_no_other() -> None:
    """Seen from above, from the side, and with the die turned on its side."""
    up, right = np.array([0.0, 0, 1]), np.array([1.0, 0, 0])
    lamp = Lamp(up, np.array([right, [0.0, 1, 0]]), np.array([0.2, 0.4]), 0.8)
    normals = np.array([up, up, right], np.float32)
    directions = np.array([-up, (right - up) / np.sqrt(2), -right], np.float32)
    assert mirrored(normals, directions, np.eye(3), [lamp, lamp]) == pytest.approx([1.6, 0, 0])
    turned = np.array([[0.0, 0, -1], [0, 1, 0], [1, 0, 0]])  # the die's x axis points up
    assert mirrored(normals, directions, turned, [lamp]) == pytest.approx([0, 0, 0.8])


def test_pips_stand_out_from_their_die_and_some_in_their_hue_alone() -> None:
    rng = np.random.default_rng(UNSEEN)
    looks = [random_look(rng) for _ in range(200)]
    assert min(np.abs(look.body - look.pips).max() for look in looks) > LEAST_CONTRAST
    alike = sum(abs((look.body - look.pips) @ BRIGHTNESS) < 0.1 for look in looks)
    assert 20 < alike < 100
    assert 50 < sum(look.mirror > 0 for look in looks) < 150


def test_some_dice_from_above_have_streaks_of_light(monkeypatch: pytest.MonkeyPatch) -> None:
    """In a grey picture only they are brighter."""
    monkeypatch.setattr(augment, "recoloured", lambda _rng, pixels: pixels)
    box = np.array([280.0, 280, 340, 340])

    def streaked(*, upright: bool) -> float:
        plain = Photo("grey.jpg", np.full((640, 640, 3), 60, np.uint8), np.array([1]), box[None], upright)
        origin = augment.source(plain)
        rng = np.random.default_rng(6)
        samples = [augment.classifier_sample(rng, origin, box) for _ in range(300)]
        assert all(sample.min() == 60 for sample in samples)
        return float(np.mean([sample.max() > 100 for sample in samples]))

    assert streaked(upright=False) == pytest.approx(augment.GLARING, abs=0.06)
    assert streaked(upright=True) == 0


def test_a_rendered_picture_is_the_same_for_the_same_seed() -> None:
    one, other = (render(np.random.default_rng(UNSEEN), "one") for _ in range(2))
    assert (one.pixels == other.pixels).all()
    assert (one.boxes == other.boxes).all()


def test_rendered_dice_are_read_as_they_are_labelled() -> None:
    """Most of them: some are hardly visible, and one in five has pips as bright as the rest."""
    labelled = right = 0
    for number in range(4):
        scene = render(np.random.default_rng((UNSEEN, number)), "scene")
        assert set(scene.faces) <= set(range(1, 7))
        assert (scene.boxes[:, 2:] > scene.boxes[:, :2]).all()
        dice = read_dice(scene.pixels)
        boxes = np.array([die.box for die in dice]).reshape(-1, 4) * len(scene.pixels)
        labelled += len(scene.faces)
        right += sum(dice[box].face == scene.faces[label] for box, label in matches(boxes, scene.boxes).items())
    assert right >= 0.7 * labelled > 0
