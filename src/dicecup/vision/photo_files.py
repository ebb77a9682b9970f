"""Photos from files, as people see them: turned upright, in RGB."""

import io
import struct
import warnings
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from dicecup.vision.errors import VisionCode, VisionError, package_missing

MEGAPIXELS: Final = 64
"""Limit of a picture's width times height, in millions of pixels."""
MEGABYTES: Final = 64
"""Limit of a file's size, in millions of bytes."""
MILLION: Final = 1_000_000
BROKEN: Final = (OSError, SyntaxError, ValueError, EOFError, LookupError, TypeError, OverflowError, struct.error)
"""What Pillow raises for damaged pictures of its formats."""


def load_photo(path: Path) -> NDArray[np.uint8]:
    """Return the picture in a file as RGB of shape (height, width, 3).

    The picture is turned as its EXIF data say, other colours are converted to RGB, and transparent
    parts become white. Of several pictures in a file, the first is taken.

    Raises `VisionError` for a file that is no picture, damaged or too large, and if Pillow is not
    installed. Raises `OSError` for a file that cannot be opened.
    """
    try:
        from PIL import Image, ImageOps, UnidentifiedImageError
    except ImportError:
        raise package_missing("Pillow", "photos") from None
    with path.open("rb") as file:
        content = file.read(MEGABYTES * MILLION + 1)
    if len(content) > MEGABYTES * MILLION:
        raise _too_large(path)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        warnings.simplefilter("error", Image.DecompressionBombWarning)
        try:
            image = Image.open(io.BytesIO(content))
        except (Image.DecompressionBombError, Image.DecompressionBombWarning):
            raise _too_large(path) from None
        except UnidentifiedImageError:
            raise VisionError(VisionCode.NOT_A_PICTURE, file=path) from None
        except BROKEN:
            raise VisionError(VisionCode.PICTURE_DAMAGED, file=path) from None
        with image:
            if image.width * image.height > MEGAPIXELS * MILLION:
                raise _too_large(path)
            try:
                return _rgb(ImageOps.exif_transpose(image))
            except BROKEN:
                raise VisionError(VisionCode.PICTURE_DAMAGED, file=path) from None


def _too_large(path: Path) -> VisionError:
    return VisionError(VisionCode.PICTURE_TOO_LARGE, file=path, megapixels=MEGAPIXELS, megabytes=MEGABYTES)


def _rgb(image: Any) -> NDArray[np.uint8]:
    """Return a picture of Pillow as RGB on white."""
    from PIL import Image

    if image.mode.startswith("I"):  # 16 bits of grey, which Pillow would cut off at 255
        grey = np.asarray(image).astype(np.int64) >> 8
        return np.repeat(np.clip(grey, 0, 255).astype(np.uint8)[:, :, None], 3, axis=2)
    if image.has_transparency_data:
        coloured = image.convert("RGBA")
        image = Image.alpha_composite(Image.new("RGBA", coloured.size, "white"), coloured)
    return np.asarray(image.convert("RGB"), np.uint8)
