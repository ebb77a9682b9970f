"""The errors of reading photos and of training the dice reader."""

from enum import StrEnum

from dicecup.core.errors import DicecupError


class VisionCode(StrEnum):
    """Why a photo cannot be read, or why the reader cannot be trained."""

    NOT_A_PICTURE = "not-a-picture"
    """The file is empty or not in a picture format that Pillow knows."""
    PICTURE_DAMAGED = "picture-damaged"
    """The file begins as a picture, but is cut off or damaged."""
    PICTURE_TOO_LARGE = "picture-too-large"
    """The file or the picture in it exceeds the limits of `dicecup.vision.photo_files`."""
    PACKAGE_MISSING = "package-missing"
    """A package of an extra is not installed."""


class VisionError(DicecupError):
    """A photo that cannot be read (`details`: `file`, and for its size the limits in `megapixels`
    and `megabytes`), or a package that is missing (`package`, `extra`, `install`)."""


def package_missing(package: str, extra: str) -> VisionError:
    """Return the error for a package of an extra that is not installed."""
    return VisionError(VisionCode.PACKAGE_MISSING, package=package, extra=extra, install=f"pip install 'dicecup[{extra}]'")
