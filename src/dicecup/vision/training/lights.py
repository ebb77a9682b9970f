"""Lights above rendered dice: one that throws shadows, and lamps that glossy dice mirror."""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float32]
Random = np.random.Generator

SOFT: Final = 0.06
"""Width of the edge of a mirrored lamp, in units of the distance to the lamp."""
AHEAD: Final = 0.05
"""Least cosine between a ray and a lamp's middle that distances from the middle are divided by."""


@dataclass(frozen=True)
class Lamp:
    """A bright rectangle, such as a window: the direction of its middle (3), two axes across it
    (2, 3), and half of its sides along them in units of the distance."""

    middle: NDArray[np.float64]
    axes: NDArray[np.float64]
    halves: NDArray[np.float64]
    brightness: float


@dataclass(frozen=True)
class Light:
    """Light on a table: the direction (3) of the sun or lamp that throws shadows, the share of
    light that comes from everywhere, and what dice mirror."""

    direction: NDArray[np.float64]
    ambient: float
    lamps: list[Lamp]


def random_light(rng: Random) -> Light:
    """Return a light, with windows and lamps above the table."""
    lamps = []
    for _ in range(int(rng.integers(3, 9))):
        middle = _unit(np.array([*rng.normal(0, 0.4, 2), 1.0]))
        across = _unit(np.cross(middle, rng.normal(0, 1, 3)))
        halves = np.exp(rng.uniform(np.log(0.07), np.log(0.6), 2))
        lamps.append(Lamp(middle, np.stack([across, np.cross(middle, across)]), halves, rng.uniform(0.4, 1.2)))
    direction = _unit(np.array([rng.normal(), rng.normal(), rng.uniform(0.7, 2.5)]))
    return Light(direction, rng.uniform(0.35, 0.75), lamps)


def _unit(vector: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the vector of length 1 in the same direction."""
    return np.asarray(vector / np.linalg.norm(vector))


def mirrored(normals: Array, directions: Array, rotation: NDArray[np.float64], lamps: list[Lamp]) -> Array:
    """Return how much light of the lamps (n) a mirror throws along rays that look at it.

    `normals` and `directions` of the rays (n, 3) are unit vectors in the coordinates of a die,
    which `rotation` (3, 3) brings to those of the lamps.
    """
    away = directions - 2 * (normals * directions).sum(-1, keepdims=True) * normals
    total = np.zeros(len(away), np.float32)
    for lamp in lamps:
        ahead = away @ (lamp.middle @ rotation).astype(np.float32)
        across = np.abs(away @ (lamp.axes @ rotation).T.astype(np.float32)) / np.maximum(ahead, AHEAD)[:, None]
        inside = np.clip((lamp.halves - across) / SOFT + 0.5, 0, 1).min(-1) * (ahead > 0)
        total += np.float32(lamp.brightness) * inside.astype(np.float32)
    return total
