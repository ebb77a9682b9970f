"""Finds the dice in a picture and reads their upper faces.

A detector finds boxes in the whole picture, and a classifier reads each box. ui/ has the same steps
in TypeScript; docs/camera.md describes them.
"""

from dataclasses import dataclass
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from dicecup.vision.network import Floats, Model, shipped_model
from dicecup.vision.pictures import SIDE, WorkingPicture, halved, network_values, working_picture

Pixels: TypeAlias = NDArray[np.uint8]

CELL: Final = 4
"""Pixels of the detector's input for one cell of its output."""
USUAL_SIZE: Final = 16.0
"""Pixels of the detector's input for a size of 0 in its output, a logarithm."""
SIZES: Final = (-2.0, 2.5)
"""Limits of sizes in the detector's output."""
LEVELS: Final = 4
"""Levels that crops are taken from: the working picture and its halves."""
MOST_DETAIL: Final = 1.5
"""Pixels of a level for one pixel of a crop, above which the next level is taken."""
TURNS: Final = 3
"""Quarter turns in which a die is seen, beside the crop itself."""


@dataclass(frozen=True)
class Die:
    """A die in a picture.

    `box` is (xmin, ymin, xmax, ymax) in fractions of the picture's width and height. `confidence`
    is the probability of `face` by the classifier. `doubtful` asks for a look by a person.
    """

    face: int
    box: tuple[float, float, float, float]
    confidence: float
    doubtful: bool


@dataclass(frozen=True)
class Candidate:
    """A place where the detector sees a die: its centre and size in pixels of the working picture,
    and the probability."""

    x: float
    y: float
    width: float
    height: float
    score: float


def read_dice(pixels: Pixels, model: Model | None = None) -> list[Die]:
    """Return the dice of a picture, the surest first.

    `pixels` is RGB of shape (height, width, 3). `model` is the one of the package by default.
    """
    model = model or shipped_model()
    picture = working_picture(pixels)
    values = network_values(picture.pixels)
    found = candidates(model, values)
    levels = [values]
    while len(levels) < LEVELS:
        levels.append(halved(levels[-1]))
    faces, is_from_above = face_chances(model, levels, found)
    sure = model.decoding["sure" if is_from_above else "sure_slanted"]
    kept: list[Candidate] = []
    dice = []
    for candidate, chances in zip(found, faces, strict=True):
        # At a slant a box stays if the detector's die is at least as probable as the classifier's
        # “no die” (docs/decisions/0053).
        is_die = chances[0] <= (model.decoding["none"] if is_from_above else candidate.score)
        if is_die and all(_inside(candidate, other) <= model.decoding["inside"] for other in kept):
            kept.append(candidate)
            dice.append(_die(model, picture, candidate, chances, sure))
    return dice


def candidates(model: Model, values: Floats) -> list[Candidate]:
    """Return the boxes that the detector finds in the values of a working picture, the most
    probable first. Boxes that overlap a more probable one are left out."""
    scale = SIDE / model.detector.size
    seen = _resampled(values, SIDE / 2, SIDE / 2, SIDE, model.detector.size)
    output = model.detector.run(seen).astype(np.float64)
    scores = 1 / (1 + np.exp(-output[:, :, 0]))
    rows, columns = np.nonzero(_peaks(scores) & (scores >= model.decoding["peak"]))
    found = []
    for at in np.argsort(-scores[rows, columns], kind="stable")[: model.decoding["most"]]:
        row, column = int(rows[at]), int(columns[at])
        _, across, down, width, height = (float(value) for value in output[row, column])
        found.append(
            Candidate(
                (column + 0.5 + across) * CELL * scale,
                (row + 0.5 + down) * CELL * scale,
                USUAL_SIZE * scale * float(np.exp(np.clip(width, *SIZES))),
                USUAL_SIZE * scale * float(np.exp(np.clip(height, *SIZES))),
                float(scores[row, column]),
            )
        )
    kept: list[Candidate] = []
    for candidate in found:
        if all(_overlap(candidate, other) <= model.decoding["overlap"] for other in kept):
            kept.append(candidate)
    return kept


def _peaks(scores: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Return where no neighbour is greater. Of equal neighbours the first in row order counts."""
    height, width = scores.shape
    padded = np.pad(scores, 1, constant_values=-1.0)
    result = np.ones(scores.shape, bool)
    for y in range(3):
        for x in range(3):
            other = padded[y : y + height, x : x + width]
            if (y, x) < (1, 1):
                result &= scores > other
            elif (y, x) > (1, 1):
                result &= scores >= other
    return result


def _overlap(one: Candidate, other: Candidate) -> float:
    """Return the intersection over union of two boxes."""
    shared = _shared(one, other)
    return shared / (one.width * one.height + other.width * other.height - shared)


def _inside(one: Candidate, other: Candidate) -> float:
    """Return the share of the smaller of two boxes that lies in the other one, as a pip lies in its
    die."""
    return _shared(one, other) / min(one.width * one.height, other.width * other.height)


def _shared(one: Candidate, other: Candidate) -> float:
    """Return the area that two boxes share, in pixels."""
    across = min(one.x + one.width / 2, other.x + other.width / 2) - max(one.x - one.width / 2, other.x - other.width / 2)
    down = min(one.y + one.height / 2, other.y + other.height / 2) - max(one.y - one.height / 2, other.y - other.height / 2)
    return max(across, 0.0) * max(down, 0.0)


def face_chances(model: Model, levels: list[Floats], found: list[Candidate]) -> tuple[list[NDArray[np.float64]], bool]:
    """Return the probabilities of no die and of the faces 1–6 in each box, the surest box first,
    and whether the picture was taken from above.

    The classifier sees each box. It sees the mirror image, too, unless one class has at least the
    probability `settled`. A die is clear if its face has at least `clear`. If clear dice show the
    same face after quarter turns, the picture was taken from above: there the classifier sees dice
    whose face has less than `settled` in all quarter turns, too, a little nearer. docs/camera.md
    describes these numbers of `model.decoding`.
    """
    decoding = model.decoding
    crops = [cropped(levels, candidate, model.classifier.size, decoding["crop"]) for candidate in found]
    looks = [[_logits(model, crop)] for crop in crops]
    for crop, look in zip(crops, looks, strict=True):
        if _chances(look).max() < decoding["settled"]:
            look.append(_logits(model, crop[:, ::-1]))
    chances = [_chances(look) for look in looks]
    tested = [number for number, one in enumerate(chances) if one[1:].max() >= decoding["clear"]][: decoding["tested"]]
    alike = [_face(look) == _face(chances[number]) for number in tested for look in _turned(model, crops[number])]
    is_from_above = bool(alike) and bool(np.mean(alike) >= decoding["alike"])
    if is_from_above:
        unsettled = [n for n, one in enumerate(chances) if one[0] <= decoding["none"] and one[1:].max() < decoding["settled"]]
        for number in unsettled:
            nearer = cropped(levels, found[number], model.classifier.size, decoding["crop_turned"])
            chances[number] = _chances(looks[number] + _turned(model, nearer))
    return chances, is_from_above


def _face(chances: NDArray[np.float64]) -> int:
    """Return the most probable face, by probabilities or logits."""
    return int(np.argmax(chances[1:])) + 1


def _logits(model: Model, crop: Floats) -> NDArray[np.float64]:
    return np.asarray(model.classifier.run(crop)[0, 0], np.float64)


def _turned(model: Model, crop: Floats) -> list[NDArray[np.float64]]:
    """Return the logits of a crop after each quarter turn."""
    return [_logits(model, np.rot90(crop, turns)) for turns in range(1, TURNS + 1)]


def _chances(looks: list[NDArray[np.float64]]) -> NDArray[np.float64]:
    """Return the probabilities of the classes, from the mean of the logits of several looks."""
    logits = np.mean(looks, axis=0)
    chances = np.exp(logits - logits.max())
    return np.asarray(chances / chances.sum())


def cropped(levels: list[Floats], candidate: Candidate, size: int, context: float) -> Floats:
    """Return the square around a box, `context` times as wide as the box, at size × size pixels."""
    side = context * max(candidate.width, candidate.height)
    level = 0
    while level < len(levels) - 1 and side / 2**level > MOST_DETAIL * size:
        level += 1
    return _resampled(levels[level], candidate.x / 2**level, candidate.y / 2**level, side / 2**level, size)


def _resampled(values: Floats, x: float, y: float, side: float, size: int) -> Floats:
    """Return the square with its centre at (x, y) and this side at size × size pixels, by bilinear
    interpolation."""
    steps = (np.arange(size) + 0.5) / size - 0.5
    places = [centre + steps * side - 0.5 for centre in (y, x)]
    rows, columns = (np.floor(place).astype(int) for place in places)
    down, across = (np.asarray(place - np.floor(place), np.float32) for place in places)
    padded = np.pad(values, ((1, 1), (1, 1), (0, 0)))
    last = len(values) + 1
    corners = [
        padded[np.clip(rows + i + 1, 0, last)[:, None], np.clip(columns + j + 1, 0, last)[None, :]]
        for i in (0, 1)
        for j in (0, 1)
    ]
    right = across[None, :, None]
    upper = corners[0] * (1 - right) + corners[1] * right
    lower = corners[2] * (1 - right) + corners[3] * right
    return np.asarray(upper + (lower - upper) * down[:, None, None], np.float32)


def _die(model: Model, picture: WorkingPicture, candidate: Candidate, chances: NDArray[np.float64], sure: float) -> Die:
    face = _face(chances)
    confidence = float(chances[face])
    doubtful = confidence < sure or candidate.score < model.decoding["sure_score"]
    across, down = picture.width * picture.scale, picture.height * picture.scale
    corners = (
        (candidate.x - candidate.width / 2) / across,
        (candidate.y - candidate.height / 2) / down,
        (candidate.x + candidate.width / 2) / across,
        (candidate.y + candidate.height / 2) / down,
    )
    left, top, right, bottom = (min(max(corner, 0.0), 1.0) for corner in corners)
    return Die(face, (left, top, right, bottom), confidence, doubtful)
