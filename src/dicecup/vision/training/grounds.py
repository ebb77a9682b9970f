"""Grounds for rendered dice: plain, striped, chequered, grainy, and things that are no dice."""

import colorsys

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFilter

Random = np.random.Generator
IVORY = np.array([0.93, 0.92, 0.88])


def colour(rng: Random) -> NDArray[np.float64]:
    """Return a colour (red, green, blue in 0–1): often white, black or ivory, otherwise any."""
    kind = rng.random()
    if kind < 0.2:
        return np.asarray(np.clip(IVORY + rng.normal(0, 0.05, 3), 0, 1))
    if kind < 0.35:
        return np.asarray(np.clip(rng.uniform(0.02, 0.15) + rng.normal(0, 0.02, 3), 0, 1))
    return np.array(colorsys.hsv_to_rgb(rng.random(), rng.uniform(0.3, 1) ** 0.7, rng.uniform(0.25, 1)))


def ground(rng: Random, size: int) -> NDArray[np.float32]:
    """Return a picture of a table (size × size × 3 in 0–1), a little of it cluttered."""
    base = colour(rng) * rng.uniform(0.7, 1)
    if rng.random() < 0.4:
        base = base * 0.3 + base.mean() * 0.7
    picture = np.broadcast_to(base, (size, size, 3)).astype(np.float32)
    y, x = np.mgrid[0:size, 0:size].astype(np.float32) / size
    angle = rng.uniform(0, 2 * np.pi)
    along = x * np.float32(np.cos(angle)) + y * np.float32(np.sin(angle))
    kind = rng.random()
    if kind < 0.2:  # wood
        across = y * np.float32(np.cos(angle)) - x * np.float32(np.sin(angle))
        grain = np.sin(across * rng.uniform(30, 200) + 3 * np.sin(along * rng.uniform(2, 9)))
        picture = picture * (1 + np.float32(rng.uniform(0.03, 0.2)) * grain[..., None])
    elif kind < 0.35:  # chequered
        cells = np.float32(rng.uniform(3, 25))
        other = (np.floor(x * cells) + np.floor(y * cells)) % 2
        picture = np.where(other[..., None] > 0, picture, colour(rng).astype(np.float32))
    if rng.random() < 0.6:
        picture = picture * (1 + _speckles(rng, size))
    if rng.random() < 0.3:
        picture = _cluttered(rng, picture)
    light = 1 + np.float32(rng.uniform(-0.4, 0.4)) * (along - along.mean())
    return np.asarray(np.clip(picture * light[..., None], 0, 1), np.float32)


def _speckles(rng: Random, size: int) -> NDArray[np.float32]:
    """Return soft random spots around 0 (size × size × 1)."""
    coarse = rng.normal(0, 255 * rng.uniform(0.02, 0.12), (size // int(rng.integers(2, 24)),) * 2)
    image = Image.fromarray(coarse.astype(np.float32)).resize((size, size), Image.Resampling.BICUBIC)
    return np.asarray(image, np.float32)[..., None] / np.float32(255)


def _cluttered(rng: Random, picture: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return a picture with discs, cards, lines and dots that are no dice."""
    size = len(picture)
    image = Image.fromarray((np.clip(picture, 0, 1) * 255).astype(np.uint8))
    draw = ImageDraw.Draw(image)
    for _ in range(int(rng.integers(1, 12))):
        x, y = rng.uniform(0, size, 2)
        width, height = size * np.exp(rng.uniform(np.log(0.01), np.log(0.3), 2))
        ink = tuple(int(part * 255) for part in colour(rng))
        match int(rng.integers(5)):
            case 0:
                draw.ellipse((x - width, y - width, x + width, y + width), fill=ink)
            case 1:
                draw.rectangle((x - width, y - height, x + width, y + height), fill=ink)
            case 2:
                draw.line((x, y, *rng.uniform(0, size, 2)), fill=ink, width=int(rng.uniform(1, size / 40)))
            case 3:
                draw.polygon([(x + rng.normal(0, width), y + rng.normal(0, width)) for _ in range(5)], fill=ink)
            case _:
                for _ in range(int(rng.integers(2, 9))):
                    a, b = x + rng.normal(0, width), y + rng.normal(0, width)
                    radius = size * rng.uniform(0.003, 0.012)
                    draw.ellipse((a - radius, b - radius, a + radius, b + radius), fill=ink)
    return np.asarray(image.filter(ImageFilter.GaussianBlur(size / 900)), np.float32) / np.float32(255)
