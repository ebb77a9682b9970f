"""Reads the upper faces of dice from a photo.

    from pathlib import Path
    from dicecup.vision import load_photo, read_dice

    for die in read_dice(load_photo(Path("table.jpg"))):
        print(die.face, die.box, die.confidence, die.doubtful)

docs/camera.md describes the two small networks, how they were trained, and how well they read.
"""

from dicecup.vision.errors import VisionCode, VisionError
from dicecup.vision.photo_files import load_photo
from dicecup.vision.reading import Die, read_dice

__all__ = ["Die", "VisionCode", "VisionError", "load_photo", "read_dice"]
