"""Training samples: parts of labelled photos, turned, scaled and with other colours and light."""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFilter

from dicecup.vision.pictures import GREY, network_values
from dicecup.vision.training.photos import Photo

Floats = NDArray[np.float32]
Random = np.random.Generator

PATCH: Final = 224
"""Side of the pictures that the detector is trained on, in pixels of its input."""
CROP: Final = 48
"""Side of the classifier's input in pixels."""
GLARING: Final = 0.15
"""Share of crops from above with streaks of mirrored light."""
FINER: Final = 3
"""Pixels in which such streaks are drawn for one pixel of a crop."""
CONTEXT: Final = 1.5
"""Side of a crop, in sides of the box."""
CELL: Final = 4
"""Pixels of the detector's input for one cell of its output."""
MOST_DETAIL: Final = 1.3
"""Pixels of the source for one pixel of a sample, above which a coarser level is sampled."""
SIDES: Final = (9.0, 100.0)
"""Sides of dice that the detector learns to find, in pixels of its input."""
PIPS: Final = (0.12, 0.35)
"""Sides of boxes around pips that teach the classifier, in sides of the die."""


@dataclass(frozen=True)
class Source:
    """A labelled photo and its levels: the photo, and the photo at 1/2, 1/4 and 1/8."""

    photo: Photo
    levels: list[Image.Image]


def source(photo: Photo) -> Source:
    """Return the levels of a photo."""
    image = Image.fromarray(photo.pixels)
    return Source(photo, [image.reduce(2**level) if level else image for level in range(4)])


@dataclass(frozen=True)
class View:
    """A similarity between a photo and a sample: `matrix @ (x - centre) + offset` is the place in
    the sample of the place x in the photo."""

    matrix: NDArray[np.float64]
    centre: NDArray[np.float64]
    offset: NDArray[np.float64]

    def boxes(self, boxes: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return boxes (xmin, ymin, xmax, ymax) of the photo as rows (x, y, width, height) in the
        sample. A box is turned as the ellipse in it."""
        centres = ((boxes[:, :2] + boxes[:, 2:]) / 2 - self.centre) @ self.matrix.T + self.offset
        sizes = boxes[:, 2:] - boxes[:, :2]
        return np.hstack([centres, np.sqrt(sizes**2 @ (self.matrix**2).T)])


def sampled(origin: Source, view: View, size: int) -> NDArray[np.uint8]:
    """Return the sample of size × size pixels that a view shows."""
    inverse = np.linalg.inv(view.matrix)
    detail = np.sqrt(abs(np.linalg.det(inverse)))
    level = 0
    while level < len(origin.levels) - 1 and detail / 2**level > MOST_DETAIL:
        level += 1
    shift = view.centre - inverse @ view.offset
    rows = np.hstack([inverse, shift[:, None]]) / 2**level
    shown = origin.levels[level].transform(
        (size, size), Image.Transform.AFFINE, tuple(rows.ravel()), Image.Resampling.BILINEAR, fillcolor=(GREY,) * 3
    )
    return np.asarray(shown)


def turning(rng: Random, scale: float, upright: bool) -> NDArray[np.float64]:
    """Return a random matrix: turned, mirrored half of the time, slightly sheared."""
    angle = rng.normal(0, 0.15) if upright else rng.uniform(0, 2 * np.pi)
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    stretch = np.diag(np.exp(rng.normal(0, 0.06, 2)))
    matrix = turn @ stretch @ np.diag([rng.choice([-1.0, 1.0]), 1.0]) * scale
    if not upright:
        angle = rng.uniform(0, 2 * np.pi)
        matrix = matrix @ np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    return np.asarray(matrix)


def recoloured(rng: Random, pixels: NDArray[np.uint8]) -> Floats:
    """Return the network values of a picture with other colours, light, blur and noise."""
    image = Image.fromarray(pixels)
    if rng.random() < 0.2:
        image = image.filter(ImageFilter.GaussianBlur(rng.uniform(0.2, 0.9)))
    elif rng.random() < 0.1:
        image = image.filter(ImageFilter.UnsharpMask(1, int(rng.uniform(50, 200)), 0))
    values: Floats = np.asarray(image, np.float32) / np.float32(255)
    if rng.random() < 0.3:
        values = values[:, :, rng.permutation(3)]
    if rng.random() < 0.25:
        values = _hue_turned(values, rng.uniform(-0.6, 0.6))
    if rng.random() < 0.05:
        kept = np.float32(rng.uniform(0, 0.5))
        values = values.mean(axis=2, keepdims=True) * (1 - kept) + values * kept
    if rng.random() < 0.02:
        values = 1 - values
    if rng.random() < 0.5:
        values = np.clip(values, 0, 1) ** np.float32(np.exp(rng.normal(0, 0.18)))
    if rng.random() < 0.6:
        gain = np.exp(rng.normal(0, 0.14) + rng.normal(0, 0.08, 3)).astype(np.float32)
        values = (values - np.float32(0.5)) * gain * np.float32(np.exp(rng.normal(0, 0.12))) + np.float32(
            0.5 + rng.normal(0, 0.06)
        )
    if rng.random() < 0.2:
        values = values * _shadow(rng, values.shape[0])[:, :, None]
    if rng.random() < 0.3:
        values = values + rng.normal(0, rng.uniform(0.005, 0.025), values.shape).astype(np.float32)
    return network_values(np.clip(values, 0, 1) * np.float32(255))


def _hue_turned(values: Floats, angle: float) -> Floats:
    """Return colours turned around the axis of greys by an angle in turns of 2π."""
    turn = 2 * np.pi * angle
    cosine, sine = np.cos(turn), np.sin(turn) / np.sqrt(3)
    base = (1 - cosine) / 3
    cross = np.array([[0, -sine, sine], [sine, 0, -sine], [-sine, sine, 0]])
    return np.asarray(values @ (cosine * np.eye(3) + base + cross).T, np.float32)


def _shadow(rng: Random, size: int) -> Floats:
    """Return factors of light with a soft straight edge."""
    angle = rng.uniform(0, 2 * np.pi)
    places = np.arange(size, dtype=np.float32) / size - np.float32(0.5)
    across = places[None, :] * np.float32(np.cos(angle)) + places[:, None] * np.float32(np.sin(angle))
    edge = 0.5 + 0.5 * np.tanh((across - rng.uniform(-0.4, 0.4)) / rng.uniform(0.02, 0.8))
    return (1 - rng.uniform(0.1, 0.5) * edge).astype(np.float32)


def detector_sample(rng: Random, origin: Source) -> tuple[Floats, Floats]:
    """Return a picture (224 × 224 × 3) and its target (56 × 56 × 6): the heat of centres, the
    offset and the logarithm of the size as the detector gives them, and 1 where these count."""
    photo = origin.photo
    scale = 0.5 * np.exp(rng.uniform(-0.6, 0.7)) if not photo.upright else 0.5 * np.exp(rng.uniform(-0.9, 0.8))
    if len(photo.boxes) and rng.random() < 0.85:
        box = photo.boxes[rng.integers(len(photo.boxes))]
        side = max(box[2] - box[0], box[3] - box[1]) * scale
        if photo.upright and rng.random() < 0.5:  # any size, as these photos have
            scale *= np.exp(rng.uniform(*np.log(SIDES))) / side
        elif side > PATCH / 3 and rng.random() < 0.7:  # the others show pips that are no dice
            scale *= PATCH / 3 / side * rng.uniform(0.5, 1)
        centre = (box[:2] + box[2:]) / 2 + rng.uniform(-0.4, 0.4, 2) * PATCH / scale
    else:
        centre = rng.uniform(0, 640, 2)
    view = View(turning(rng, scale, photo.upright), centre, np.full(2, PATCH / 2))
    return recoloured(rng, sampled(origin, view, PATCH)), _target(view.boxes(photo.boxes))


def _target(boxes: NDArray[np.float64]) -> Floats:
    cells = PATCH // CELL
    target = np.zeros((cells, cells, 6), np.float32)
    places = np.arange(cells) + 0.5
    nearest = np.full((cells, cells), np.inf)
    for x, y, width, height in boxes / CELL:
        if not (0 <= x < cells and 0 <= y < cells) or max(width, height) * CELL > 1.2 * SIDES[1]:
            continue
        spread = np.maximum(0.12 * np.array([width, height]), 0.55)
        heat = (
            np.exp(-((places - x) ** 2) / (2 * spread[0] ** 2))[None, :]
            * np.exp(-((places - y) ** 2) / (2 * spread[1] ** 2))[:, None]
        )
        column, row = int(x), int(y)
        heat[row, column] = 1
        target[:, :, 0] = np.maximum(target[:, :, 0], heat)
        near = (max(0, row - 1), min(cells, row + 2), max(0, column - 1), min(cells, column + 2))
        for i in range(near[0], near[1]):
            for j in range(near[2], near[3]):
                distance = (places[j] - x) ** 2 + (places[i] - y) ** 2
                if distance < nearest[i, j]:
                    nearest[i, j] = distance
                    size = np.log(np.array([width, height]) * CELL / 16)
                    target[i, j, 1:] = (x - places[j], y - places[i], *size, 1)
    return target


def classifier_sample(rng: Random, origin: Source, box: NDArray[np.float64]) -> Floats:
    """Return a crop (48 × 48 × 3) around a box, as an imprecise detector would give it."""
    width, height = box[2] - box[0], box[3] - box[1]
    side = max(width, height) * CONTEXT * np.exp(rng.normal(0, 0.08))
    centre = (box[:2] + box[2:]) / 2 + rng.normal(0, 0.04, 2) * max(width, height)
    view = View(turning(rng, CROP / side, origin.photo.upright), centre, np.full(2, CROP / 2))
    pixels = sampled(origin, view, CROP)
    if not origin.photo.upright and rng.random() < GLARING:
        pixels = _glaring(rng, pixels)
    if rng.random() < (0.25 if origin.photo.upright else 0.12):
        small = int(rng.uniform(20, CROP))
        image = Image.fromarray(pixels).resize((small, small), Image.Resampling.BOX)
        pixels = np.asarray(image.resize((CROP, CROP), Image.Resampling.BILINEAR))
    return recoloured(rng, pixels)


def _glaring(rng: Random, pixels: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return a crop whose die mirrors a lamp: one to three bright streaks, straight or bent."""
    mask = Image.new("L", (CROP * FINER, CROP * FINER))
    draw = ImageDraw.Draw(mask)
    die = CROP * FINER / CONTEXT
    for _ in range(int(rng.integers(1, 4))):
        angle = rng.uniform(0, 2 * np.pi)
        place = CROP * FINER / 2 + rng.uniform(-0.4, 0.4, 2) * die
        width = die * rng.uniform(0.03, 0.14)
        step = die * rng.uniform(0.03, 0.1)
        bend = rng.normal(0, 0.25)
        line = [tuple(place)]
        for _ in range(5):
            place = place + step * np.array([np.cos(angle), np.sin(angle)])
            angle += bend
            line.append(tuple(place))
        draw.line(line, fill=int(rng.uniform(110, 255)), width=max(1, round(width)), joint="curve")
    soft = mask.filter(ImageFilter.GaussianBlur(FINER * rng.uniform(0.3, 1.2))).reduce(FINER)
    share = np.asarray(soft, np.float32)[:, :, None] / np.float32(255)
    light = np.float32(rng.uniform(200, 255))
    return np.asarray(pixels * (1 - share) + light * share, np.uint8)


def empty_box(rng: Random, photo: Photo) -> NDArray[np.float64] | None:
    """Return a box without a die in its middle, often beside one or around a pip, or None if none
    was found."""
    if len(photo.boxes) and rng.random() < 0.2:
        return _box_in_die(rng, photo.boxes[rng.integers(len(photo.boxes))])
    for _ in range(10):
        if len(photo.boxes) and rng.random() < 0.6:
            box = photo.boxes[rng.integers(len(photo.boxes))]
            side = max(box[2] - box[0], box[3] - box[1]) * np.exp(rng.normal(0, 0.3))
            angle = rng.uniform(0, 2 * np.pi)
            centre = (box[:2] + box[2:]) / 2 + side * rng.uniform(0.55, 1.5) * np.array([np.cos(angle), np.sin(angle)])
        else:
            side = np.exp(rng.uniform(np.log(16), np.log(120)))
            centre = rng.uniform(0, 640, 2)
        middles = (photo.boxes[:, :2] + photo.boxes[:, 2:]) / 2
        sides = np.maximum(photo.boxes[:, 2:] - photo.boxes[:, :2], 1).max(axis=1)
        if np.all(np.linalg.norm(middles - centre, axis=1) > 0.5 * np.maximum(sides, side * 0.6)):
            return np.concatenate([centre - side / 2, centre + side / 2])
    return None


def _box_in_die(rng: Random, box: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return a small square box within a die, about as large as a pip."""
    side = max(box[2] - box[0], box[3] - box[1])
    centre = (box[:2] + box[2:]) / 2 + rng.uniform(-0.3, 0.3, 2) * side
    half = side * rng.uniform(*PIPS) / 2
    return np.concatenate([centre - half, centre + half])


def on_other_ground(rng: Random, crop: Floats, other: Floats) -> Floats:
    """Return a crop whose corners show the die of another crop, as of dice that touch."""
    places = np.arange(CROP, dtype=np.float32) + np.float32(0.5 - CROP / 2)
    radius = CROP / CONTEXT * rng.uniform(0.58, 0.68)
    inside = np.clip((radius - np.hypot(places[:, None], places)) / 2 + 0.5, 0, 1)[:, :, None].astype(np.float32)
    moved = np.roll(other, (CROP // 2, CROP // 2), (0, 1))
    return np.asarray(crop * inside + moved * (1 - inside), np.float32)
