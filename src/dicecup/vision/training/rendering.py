"""Rendered pictures of dice on a table, with their labels.

Rays are followed to dice with rounded edges. A die is a cube with side 1 and its centre at the
origin of its own coordinates; the table is the plane z = 0.
"""

import io
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageFilter

from dicecup.vision.pictures import SIDE
from dicecup.vision.training.grounds import ground
from dicecup.vision.training.lights import Light, mirrored, random_light
from dicecup.vision.training.looks import Look, random_look
from dicecup.vision.training.photos import Photo

Array = NDArray[np.float32]
Random = np.random.Generator

PIPS: Final = {
    1: [(0, 0)],
    2: [(-1, -1), (1, 1)],
    3: [(-1, -1), (0, 0), (1, 1)],
    4: [(-1, -1), (-1, 1), (1, -1), (1, 1)],
    5: [(-1, -1), (-1, 1), (0, 0), (1, -1), (1, 1)],
    6: [(-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)],
}
"""Places of the pips of each face, in distances of a pip from the middle."""
SIDES: Final = {1: (2, 1), 6: (2, -1), 2: (0, 1), 5: (0, -1), 3: (1, 1), 4: (1, -1)}
"""Axis and sign of each face in the coordinates of a die. The axis y is mirrored in half of the
dice, as both kinds are sold."""
STEEPEST: Final = 30.0
"""Degrees from the vertical up to which a picture counts as taken from above."""
VISIBLE: Final = 0.5
"""Share of a die's pixels that must be visible for a label."""

EDGE: Final = 0.35
"""Distance of a labelled die's middle from the picture's edge, in sizes of the die."""


@dataclass(frozen=True)
class RenderedDie:
    """A die on the table: its size, place (x, y), rotation from its own coordinates, look, face."""

    size: float
    place: NDArray[np.float64]
    rotation: NDArray[np.float64]
    angle: float
    look: Look
    face: int


@dataclass(frozen=True)
class Camera:
    """A pinhole camera: its place, the rows right, down and forward, and the focal length in
    pixels."""

    place: NDArray[np.float64]
    axes: NDArray[np.float64]
    focal: float
    size: int

    def seen(self, points: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the pixels (x, y) of points (rows)."""
        turned = (points - self.place) @ self.axes.T
        return np.asarray(turned[:, :2] / turned[:, 2:] * self.focal + self.size / 2)

    def rays(self, left: int, top: int, right: int, bottom: int) -> Array:
        """Return unit directions for the pixels of a rectangle: (height, width, 3)."""
        x, y = np.meshgrid(np.arange(left, right) + 0.5, np.arange(top, bottom) + 0.5)
        flat = np.stack([(x - self.size / 2) / self.focal, (y - self.size / 2) / self.focal, np.ones_like(x)], -1)
        rays = flat @ self.axes
        return np.asarray(rays / np.linalg.norm(rays, axis=-1, keepdims=True), np.float32)


def render(rng: Random, name: str) -> Photo:
    """Return a rendered picture of up to 14 dice, labelled."""
    upright = rng.random() < 0.35
    slant = np.radians(rng.uniform(STEEPEST, 62) if upright else rng.uniform(0, STEEPEST))
    side = float(np.exp(rng.uniform(np.log(24), np.log(100))))
    finer = 2 if side < 40 else 1
    distance = rng.uniform(10, 26)
    camera = _camera(slant, rng.uniform(0, 2 * np.pi), distance, side * finer * distance, SIDE * finer)
    light = random_light(rng)
    dice = _thrown(rng, int(rng.integers(1, 15)), 0.42 * SIDE / side)
    canvas = ground(rng, SIDE * finer)
    owner = np.full(canvas.shape[:2], -1, np.int16)
    order = np.argsort([-np.linalg.norm(camera.place[:2] - die.place) for die in dice])
    for number in order:
        _shade_ground(canvas, camera, dice[number], light)
    masks = {int(number): _draw(canvas, owner, camera, dice[number], int(number), light) for number in order}
    faces, boxes = [], []
    for number, (box, pixels) in masks.items():
        if box is None:
            continue
        middle = camera.seen(np.array([[*dice[number].place, dice[number].size / 2]]))[0]
        margin = EDGE * max(box[2] - box[0], box[3] - box[1])
        whole = margin < middle.min() and middle.max() < SIDE * finer - margin
        if whole and (owner == number).sum() > VISIBLE * pixels:
            faces.append(dice[number].face)
            boxes.append(np.array(box) / finer)
    pixels_out = _developed(rng, canvas, finer)
    return Photo(name, pixels_out, np.array(faces, int), np.array(boxes, float).reshape(-1, 4), upright)


def _camera(slant: float, heading: float, distance: float, focal: float, size: int) -> Camera:
    forward = -np.array([np.sin(slant) * np.cos(heading), np.sin(slant) * np.sin(heading), np.cos(slant)])
    right = np.array([-np.sin(heading), np.cos(heading), 0.0])
    return Camera(-forward * distance, np.stack([right, np.cross(forward, right), forward]), focal, size)


def _thrown(rng: Random, count: int, reach: float) -> list[RenderedDie]:
    """Return dice within a distance of the middle; about half touch another one."""
    alike = rng.random() < 0.4
    look = random_look(rng)
    size = 1.0
    dice: list[RenderedDie] = []
    for _ in range(count * 6):
        if len(dice) == count:
            break
        size = size if alike else rng.uniform(0.8, 1.15)
        angle, place = rng.uniform(0, 2 * np.pi), rng.uniform(-reach, reach, 2)
        if dice and rng.random() < 0.5:
            other = dice[rng.integers(len(dice))]
            angle = other.angle + rng.normal(0, 0.05) + rng.integers(4) * np.pi / 2
            gap = (size + other.size) / 2 * rng.uniform(1.01, 1.12)
            step = np.array([gap, rng.uniform(-0.8, 0.8)]) @ _turn(other.angle + rng.integers(4) * np.pi / 2).T
            place = other.place + step
        if np.abs(place).max() > reach or any(_touching(size, angle, place, other) for other in dice):
            continue
        face = int(rng.integers(1, 7))
        turn = np.eye(3)
        turn[:2, :2] = _turn(angle)
        dice.append(RenderedDie(size, place, turn @ _up(rng, face), angle, look if alike else random_look(rng), face))
    return dice


def _turn(angle: float) -> NDArray[np.float64]:
    return np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])


def _up(rng: Random, face: int) -> NDArray[np.float64]:
    """Return a rotation, perhaps mirrored, that brings a face to the top."""
    axis, sign = SIDES[face]
    rows = np.zeros((3, 3))
    rows[2, axis] = sign
    rest = [other for other in range(3) if other != axis]
    for row, other in enumerate(rng.permutation(rest)):
        rows[row, other] = rng.choice([-1.0, 1.0])
    return rows


def _touching(size: float, angle: float, place: NDArray[np.float64], other: RenderedDie) -> bool:
    """Return whether two squares overlap, by separating axes."""
    corners = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) / 2
    one = corners * size @ _turn(angle).T + place
    two = corners * other.size @ _turn(other.angle).T + other.place
    for turn in (angle, angle + np.pi / 2, other.angle, other.angle + np.pi / 2):
        direction = np.array([np.cos(turn), np.sin(turn)])
        first, second = one @ direction, two @ direction
        if first.max() < second.min() or second.max() < first.min():
            return False
    return True


def _distance(points: Array, look: Look) -> Array:
    """Return the distance of points (in a die's coordinates) from its surface."""
    over = np.abs(points) - np.float32(0.5 - look.rounding)
    outside = np.sqrt((np.maximum(over, 0) ** 2).sum(-1))
    box = outside + np.minimum(over.max(-1), 0) - np.float32(look.rounding)
    if look.ball >= 1:
        return np.asarray(box)
    return np.asarray(np.maximum(box, np.sqrt((points**2).sum(-1)) - np.float32(look.ball)))


def _normals(points: Array, look: Look) -> Array:
    step = np.float32(2e-3)
    slopes = [
        _distance(points + step * axis, look) - _distance(points - step * axis, look) for axis in np.eye(3, dtype=np.float32)
    ]
    normals = np.stack(slopes, -1)
    return np.asarray(normals / np.maximum(np.linalg.norm(normals, axis=-1, keepdims=True), 1e-6))


def _rectangle(camera: Camera, points: NDArray[np.float64]) -> tuple[int, int, int, int] | None:
    """Return the rectangle of pixels that holds points, or None outside of the picture."""
    seen = camera.seen(points)
    low = np.maximum(np.floor(seen.min(0)).astype(int) - 1, 0)
    high = np.minimum(np.ceil(seen.max(0)).astype(int) + 1, camera.size)
    return None if (high <= low).any() else (int(low[0]), int(low[1]), int(high[0]), int(high[1]))


def _corners(die: RenderedDie) -> NDArray[np.float64]:
    signs = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]) / 2
    return np.asarray(signs * die.size @ die.rotation.T + np.array([*die.place, die.size / 2]))


def _shade_ground(canvas: Array, camera: Camera, die: RenderedDie, light: Light) -> None:
    """Darken the ground where a die keeps light off."""
    corners = _corners(die)
    fallen = corners - light.direction * (corners[:, 2:] / light.direction[2])
    rectangle = _rectangle(camera, np.vstack([fallen, corners[corners[:, 2] < die.size / 2] * [1.0, 1.0, 0.0]]))
    if rectangle is None:
        return
    left, top, right, bottom = rectangle
    rays = camera.rays(left, top, right, bottom)
    points = camera.place + rays * (-camera.place[2] / rays[..., 2:])
    centre = np.array([*die.place, die.size / 2])
    local = ((points - centre) @ die.rotation / die.size).astype(np.float32)
    direction = (light.direction @ die.rotation).astype(np.float32)
    lit = np.ones(local.shape[:2], np.float32)
    travelled = np.full_like(lit, 0.02)
    contact = np.exp(-6 * np.maximum(_distance(local, die.look), 0))
    for _ in range(10):
        away = _distance(local + travelled[..., None] * direction, die.look)
        lit = np.minimum(lit, np.clip(8 * away / travelled, 0, 1))
        travelled = travelled + np.clip(away, 0.03, 0.3)
    factor = (light.ambient + (1 - light.ambient) * lit) * (1 - np.float32(0.35) * contact)
    canvas[top:bottom, left:right] *= factor[..., None]


def _draw(
    canvas: Array,
    owner: NDArray[np.int16],
    camera: Camera,
    die: RenderedDie,
    number: int,
    light: Light,
) -> tuple[tuple[int, int, int, int] | None, int]:
    """Draw a die and return its box in pixels and the number of its pixels."""
    rectangle = _rectangle(camera, _corners(die))
    if rectangle is None:
        return None, 0
    left, top, right, bottom = rectangle
    rays = camera.rays(left, top, right, bottom)
    origin = ((camera.place - [*die.place, die.size / 2]) @ die.rotation / die.size).astype(np.float32)
    directions = (rays @ die.rotation).astype(np.float32)
    with np.errstate(divide="ignore"):
        bounds = (np.array([-0.5, 0.5], np.float32)[:, None, None, None] - origin) / directions
    enter, leave = bounds.min(0).max(-1), bounds.max(0).min(-1)
    rows, columns = np.nonzero(enter < leave)
    directions, travelled, last = directions[rows, columns], enter[rows, columns], leave[rows, columns]
    for _ in range(14):
        travelled = travelled + _distance(origin + travelled[:, None] * directions, die.look)
    points = origin + travelled[:, None] * directions
    hit = (_distance(points, die.look) < 0.01) & (travelled <= last + 0.01)
    if not hit.any():
        return None, 0
    rows, columns, points = rows[hit], columns[hit], points[hit]
    shaded = _shaded(points, directions[hit], die, light)
    canvas[top + rows, left + columns] = shaded
    owner[top + rows, left + columns] = number
    box = (left + columns.min(), top + rows.min(), left + columns.max() + 1, top + rows.max() + 1)
    return (int(box[0]), int(box[1]), int(box[2]), int(box[3])), len(rows)


def _shaded(points: Array, directions: Array, die: RenderedDie, light: Light) -> Array:
    """Return the colours (n, 3) of points on a die."""
    look = die.look
    direction = (light.direction @ die.rotation).astype(np.float32)
    normals = _normals(points, look)
    veins = np.sin(points @ np.array([5.1, 7.3, 3.7], np.float32) + 2 * np.sin(points[:, [1, 2, 0]] * 6).sum(-1))
    share = (look.marbling * (0.5 + 0.5 * veins))[:, None]
    colours = look.body * (1 - share) + look.second * share
    axes = np.abs(points).argmax(-1)
    for face, (axis, sign) in SIDES.items():
        on_face = np.nonzero((axes == axis) & (np.sign(points[:, axis]) == sign))[0]
        if not len(on_face):
            continue
        first, second = (other for other in range(3) if other != axis)
        if look.turned[face]:
            first, second = second, first
        flip = -1 if look.turned[0] else 1
        radius = look.pip * (look.first_pip if face == 1 else 1)
        flat = points[on_face][:, [first, second]]
        normals[on_face, first] += look.bulge * flat[:, 0]
        normals[on_face, second] += look.bulge * flat[:, 1]
        for place in PIPS[face]:
            away = flat - np.array(place) * look.spread * np.array([1, flip])
            inside = (away**2).sum(-1) < radius**2
            chosen = on_face[inside]
            colours[chosen] = look.first if face == 1 else look.pips
            tilt = look.hollow * away[inside] / radius
            normals[chosen, first] -= tilt[:, 0]
            normals[chosen, second] -= tilt[:, 1]
    normals /= np.linalg.norm(normals, axis=-1, keepdims=True)
    diffuse = np.maximum(normals @ direction, 0)
    halfway = direction - directions
    halfway /= np.linalg.norm(halfway, axis=-1, keepdims=True)
    shine = look.shine * np.maximum((normals * halfway).sum(-1), 0) ** look.gloss
    if look.mirror:
        shine = shine + look.mirror * mirrored(normals, directions, die.rotation, light.lamps)
    brightness = light.ambient * (0.75 + 0.25 * np.abs(normals).max(-1)) + (1.1 - light.ambient) * diffuse
    return np.asarray(colours * brightness[:, None] + shine[:, None], np.float32)


def _developed(rng: Random, canvas: Array, finer: int) -> NDArray[np.uint8]:
    """Return the picture as a camera would save it: sharpened or blurred, noisy, and as a JPEG."""
    image = Image.fromarray((np.clip(canvas, 0, 1) * 255).astype(np.uint8))
    image = image.reduce(finer) if finer > 1 else image
    if rng.random() < 0.6:
        image = image.filter(ImageFilter.GaussianBlur(rng.uniform(0.2, 1.2)))
    noisy = np.asarray(image, float) + rng.normal(0, rng.uniform(0, 6), (SIDE, SIDE, 3))
    saved = io.BytesIO()
    Image.fromarray(np.clip(noisy, 0, 255).astype(np.uint8)).save(saved, "JPEG", quality=int(rng.uniform(45, 95)))
    return np.asarray(Image.open(saved).convert("RGB"))
