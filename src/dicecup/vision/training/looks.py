"""Shapes and colours of rendered dice."""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from dicecup.vision.training.grounds import colour

Random = np.random.Generator

ALIKE: Final = 0.2
"""Share of dice whose pips are as bright as the rest."""
LEAST_CONTRAST: Final = 0.15
"""Difference of such pips from their die in red, green or blue."""
BRIGHTNESS: Final = np.array([0.3, 0.59, 0.11])
"""Weights of red, green and blue in the brightness of a colour."""


@dataclass(frozen=True)
class Look:
    """Shape and colours of a die. Lengths are in sides of the die, colours are (red, green, blue)
    from 0 to 1.

    `bulge` bends the faces outwards, and `hollow` the pips inwards. `mirror` is the share of the
    lamps' light that the die mirrors.
    """

    rounding: float
    ball: float
    spread: float
    pip: float
    first_pip: float
    body: NDArray[np.float64]
    second: NDArray[np.float64]
    marbling: float
    pips: NDArray[np.float64]
    first: NDArray[np.float64]
    shine: float
    gloss: float
    hollow: float
    bulge: float
    mirror: float
    turned: tuple[bool, ...]


def random_look(rng: Random) -> Look:
    """Return a die as sold: plain or marbled, with pips that stand out from it."""
    body = colour(rng)
    pips = _pip_colour(rng, body)
    first = pips if rng.random() < 0.85 else colour(rng)
    second = np.clip(body * rng.uniform(0.4, 1.2) + rng.normal(0, 0.1, 3), 0, 1)
    if rng.random() < 0.4:  # marbled in two colours
        second = colour(rng)
    return Look(
        rounding=rng.uniform(0.02, 0.2),
        ball=rng.uniform(0.66, 0.8) if rng.random() < 0.5 else 2.0,
        spread=rng.uniform(0.21, 0.29),
        pip=rng.uniform(0.07, 0.125),
        first_pip=rng.uniform(1, 1.9) if rng.random() < 0.3 else 1.0,
        body=body,
        second=second,
        marbling=rng.uniform(0, 1) if rng.random() < 0.4 else 0.0,
        pips=pips,
        first=first if np.abs(body - first).max() > 0.3 else pips,
        shine=rng.uniform(0, 0.7),
        gloss=rng.uniform(8, 90),
        hollow=rng.uniform(0, 0.6),
        bulge=rng.uniform(-0.2, 0.4),
        mirror=rng.uniform(0.2, 1) if rng.random() < 0.5 else 0.0,
        turned=tuple(rng.random(7) < 0.5),
    )


def _pip_colour(rng: Random, body: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return a colour that differs from a die's, now and then in its hue alone."""
    if rng.random() < ALIKE:
        for _ in range(20):
            pips = colour(rng)
            pips = np.clip(pips * (body @ BRIGHTNESS) / max(pips @ BRIGHTNESS, 0.01) + rng.normal(0, 0.03), 0, 1)
            if np.abs(body - pips).max() > LEAST_CONTRAST:
                return np.asarray(pips)
    pips = colour(rng)
    contrast = 0.3 if rng.random() < 0.7 else 0.18
    while np.abs(body - pips).max() < contrast:
        pips = rng.choice([np.full(3, 0.95), np.full(3, 0.05), colour(rng)])
    return np.asarray(pips)
