"""Pictures as arrays: from a file to the working picture that the networks see."""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

SIDE: Final = 640
"""Width and height of the working picture in pixels."""
GREY: Final = 128
"""The byte that fills the working picture beside the photo. Its network value is 0."""
CONTRAST: Final = 64
"""Bytes for a difference of 1 in network values."""


@dataclass(frozen=True)
class WorkingPicture:
    """A photo that was scaled to fit a square of 640 × 640 pixels, at its top left.

    `pixels` is uint8 of shape (640, 640, 3). `scale` is the size of the working picture divided by
    that of the photo, `width` and `height` are the size of the photo in pixels.
    """

    pixels: NDArray[np.uint8]
    scale: float
    width: int
    height: int


def working_picture(pixels: NDArray[np.uint8]) -> WorkingPicture:
    """Return the working picture of a photo, which is uint8 of shape (height, width, 3)."""
    height, width, _ = pixels.shape
    scale = SIDE / max(width, height)
    across, down = (max(1, int(np.floor(length * scale + 0.5))) for length in (width, height))
    result = np.full((SIDE, SIDE, 3), GREY, np.uint8)
    result[:down, :across] = pixels if (across, down) == (width, height) else _resized(pixels, across, down)
    return WorkingPicture(result, scale, width, height)


def _resized(pixels: NDArray[np.uint8], width: int, height: int) -> NDArray[np.uint8]:
    narrow = _filtered(pixels.transpose(1, 0, 2), width)
    values = _filtered(narrow.transpose(1, 0, 2), height)
    return np.clip(np.floor(values + 0.5), 0, 255).astype(np.uint8)


def _filtered(values: NDArray[np.generic], length: int) -> NDArray[np.float64]:
    """Return values resampled along their first axis with a triangle filter."""
    ratio = len(values) / length
    support = max(ratio, 1.0)
    centres = (np.arange(length) + 0.5) * ratio
    first = np.maximum(0, np.floor(centres - support)).astype(int)
    last = np.minimum(len(values), np.ceil(centres + support)).astype(int)
    taps = first[:, None] + np.arange((last - first).max())
    weights = np.maximum(0, 1 - np.abs(taps + 0.5 - centres[:, None]) / support) * (taps < last[:, None])
    weights /= weights.sum(axis=1, keepdims=True)
    taps = np.minimum(taps, len(values) - 1)
    result = np.zeros((length, *values.shape[1:]))
    for tap in range(taps.shape[1]):
        result += values[taps[:, tap]] * weights[:, tap, None, None]
    return result


def network_values(picture: NDArray[np.uint8] | NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the values that networks get for bytes or means of bytes."""
    return (picture.astype(np.float32) - np.float32(GREY)) / np.float32(CONTRAST)


def halved(values: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the mean of each block of 2 × 2 pixels."""
    height, width, channels = values.shape
    blocks = values.reshape(height // 2, 2, width // 2, 2, channels)
    return np.asarray(blocks.mean(axis=(1, 3), dtype=np.float32))
