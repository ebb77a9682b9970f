"""Labelled photos in memory, and their division into photos to train on and to test on."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from dicecup.vision.pictures import working_picture

LABELS: Final = "labels.json"
FOLDS: Final = 5
"""Parts of the photos that take turns in being tested."""
RUNS: Final = {False: 20, True: 8}
"""Consecutive photos that are tested together: taken from above, and at a slant."""
GAP: Final = 2
"""Photos on both sides of a run that are not used."""


@dataclass(frozen=True)
class Photo:
    """A labelled photo.

    `pixels` is the working picture (uint8, 640 × 640 × 3). `boxes` has a row (xmin, ymin, xmax,
    ymax) in pixels for each die, `faces` its upper face. `upright` says that the top of the picture
    is farther from the camera, so that the photo cannot be turned by any angle.
    """

    name: str
    pixels: NDArray[np.uint8]
    faces: NDArray[np.int64]
    boxes: NDArray[np.float64]
    upright: bool


def load_photos(folder: Path) -> list[Photo]:
    """Return the photos that the labels of a folder name, in their order."""
    photos = []
    for name, entry in json.loads((folder / LABELS).read_text(encoding="utf-8")).items():
        with Image.open(folder / name) as image:
            pixels = np.asarray(image.convert("RGB"))
        picture = working_picture(pixels)
        boxes = np.array([die["box"] for die in entry["dice"]], float).reshape(-1, 4)
        boxes *= np.tile([pixels.shape[1], pixels.shape[0]], 2) * picture.scale
        faces = np.array([die["face"] for die in entry["dice"]], int)
        photos.append(Photo(name, picture.pixels, faces, boxes, entry["view"] != "above"))
    return photos


def labelled(photos: list[Photo]) -> list[Photo]:
    """Return the photos in which dice are labelled. The others show dice, too, which a training and
    its figures would take for mistakes."""
    return [photo for photo in photos if len(photo.faces)]


def split(photos: list[Photo], fold: int) -> tuple[list[Photo], list[Photo]]:
    """Return the photos to train on and those to test on.

    Photos are numbered in the order in which they were taken. Runs of consecutive photos are
    tested, one in `FOLDS`. The two photos before and after a run, and other photos of a throw that
    is tested, are in neither list.
    """
    tested: set[int] = set()
    for upright in (False, True):
        numbers = [number for number, photo in enumerate(photos) if photo.upright == upright]
        run = RUNS[upright]
        tested |= {number for place, number in enumerate(numbers) if place // run % FOLDS == fold}
    near = {number + gap for number in tested for gap in range(-GAP, GAP + 1)}
    held_out = [photos[number] for number in sorted(tested)]
    training = [
        photo
        for number, photo in enumerate(photos)
        if number not in near and not any(same_throw(photo, other) for other in held_out)
    ]
    return training, held_out


def same_throw(one: Photo, other: Photo) -> bool:
    """Return whether at least half of the dice have the same face and place in both photos."""
    if not (len(one.faces) and len(other.faces)):
        return False
    same = (overlaps(one.boxes, other.boxes) > 0.4) & (one.faces[:, None] == other.faces)
    return bool(2 * same.any(axis=1).sum() >= max(len(one.faces), len(other.faces)))


def overlaps(boxes: NDArray[np.float64], others: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the intersection over union of each box with each other box: (boxes, others)."""
    corners = np.maximum(boxes[:, None, :2], others[:, :2]), np.minimum(boxes[:, None, 2:], others[:, 2:])
    shared = np.prod(np.clip(corners[1] - corners[0], 0, None), axis=-1)
    areas = [np.prod(rows[:, 2:] - rows[:, :2], axis=-1) for rows in (boxes, others)]
    return np.asarray(shared / (areas[0][:, None] + areas[1] - shared))


def matches(boxes: NDArray[np.float64], labels: NDArray[np.float64]) -> dict[int, int]:
    """Return the number of the label for the numbers of boxes whose centre lies in a labelled box.

    Labelled boxes are up to half too large and off their dice, so overlap says little. The nearest
    centres are matched first, and each label once.
    """
    centres, middles = ((rows[:, :2] + rows[:, 2:]) / 2 for rows in (boxes, labels))
    inside = (np.abs(centres[:, None] - middles) <= (labels[:, 2:] - labels[:, :2]) / 2).all(axis=-1)
    distances = np.linalg.norm(centres[:, None] - middles, axis=-1)
    found: dict[int, int] = {}
    for box, label in sorted(zip(*np.nonzero(inside), strict=True), key=lambda pair: distances[pair]):
        if int(box) not in found and int(label) not in found.values():
            found[int(box)] = int(label)
    return found
