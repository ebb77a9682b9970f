"""Wrong and missing labels of the photos, as we saw them in the pictures."""

from dataclasses import replace
from typing import Final

import numpy as np

from dicecup.vision.training.photos import Photo

SIZE: Final = 34.0
"""Side of the box of an added die, in pixels."""
CORRECTIONS: Final[dict[str, list[tuple[int, int, int]]]] = {
    "above_010.jpg": [(117, 579, 6)],
    "above_053.jpg": [(313, 481, 3), (270, 153, 3)],
    "above_054.jpg": [(314, 377, 3)],
    "above_109.jpg": [(332, 386, 4)],
    "above_115.jpg": [(337, 363, 6)],
    "above_145.jpg": [(237, 340, 3)],
    "above_197.jpg": [(431, 439, 5)],
}
"""For each photo: the place (x, y) of a die in pixels, and the face that it shows."""


def corrected(photo: Photo) -> Photo:
    """Return a photo with its wrong labels corrected and its missing labels added."""
    faces, boxes = list(photo.faces), list(photo.boxes)
    for x, y, face in CORRECTIONS.get(photo.name, []):
        around = [number for number, box in enumerate(boxes) if box[0] <= x <= box[2] and box[1] <= y <= box[3]]
        if around:
            faces[around[0]] = face
        else:
            faces.append(face)
            boxes.append(np.array([x - SIZE / 2, y - SIZE / 2, x + SIZE / 2, y + SIZE / 2]))
    return replace(photo, faces=np.array(faces, int), boxes=np.array(boxes, float).reshape(-1, 4))
