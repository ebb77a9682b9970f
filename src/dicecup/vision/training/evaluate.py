"""Compares what a reader says with the labels of photos."""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from dicecup.vision.network import Model
from dicecup.vision.reading import Die, read_dice
from dicecup.vision.training.photos import Photo, matches

@dataclass(frozen=True)
class Outcome:
    """What was read in a photo: pairs (label or 0, read face or 0, die), 0 for a die that was not
    found or is none."""

    photo: Photo
    pairs: list[tuple[int, int, Die | None]]

    @property
    def right(self) -> int:
        """The number of dice that were found and read rightly."""
        return sum(label == face for label, face, _ in self.pairs)

    @property
    def whole(self) -> bool:
        """Whether every die was read rightly and nothing else was found."""
        return self.right == len(self.pairs)


def outcome(photo: Photo, model: Model) -> Outcome:
    """Return what a model reads in a photo, beside the labels."""
    dice = read_dice(photo.pixels, model)
    boxes = np.array([die.box for die in dice]).reshape(-1, 4) * len(photo.pixels)
    matched = matches(boxes, photo.boxes)
    pairs: list[tuple[int, int, Die | None]] = [
        (int(photo.faces[matched[number]]) if number in matched else 0, die.face, die) for number, die in enumerate(dice)
    ]
    missed = set(range(len(photo.faces))) - set(matched.values())
    pairs += [(int(photo.faces[label]), 0, None) for label in sorted(missed)]
    return Outcome(photo, pairs)


@dataclass(frozen=True)
class Summary:
    """Counts over photos. `sure` are dice that were found and not marked doubtful."""

    photos: int
    dice: int
    right: int
    found: int
    false: int
    small: int
    small_whole: int
    sure: int
    sure_right: int


FEW: Final = 7
"""Dice up to which a photo counts in `small`."""


def summary(outcomes: list[Outcome]) -> Summary:
    """Return the counts of outcomes."""
    pairs = [pair for one in outcomes for pair in one.pairs]
    small = [one for one in outcomes if len(one.photo.faces) <= FEW]
    sure = [(label, face) for label, face, die in pairs if die is not None and not die.doubtful]
    return Summary(
        photos=len(outcomes),
        dice=sum(label > 0 for label, _, _ in pairs),
        right=sum(label == face for label, face, _ in pairs),
        found=sum(face > 0 for _, face, _ in pairs),
        false=sum(label == 0 for label, _, _ in pairs),
        small=len(small),
        small_whole=sum(one.whole for one in small),
        sure=len(sure),
        sure_right=sum(label == face for label, face in sure),
    )


def confusion(outcomes: list[Outcome]) -> NDArray[np.int64]:
    """Return how often each label (row; 0: no die) was read as each face (column; 0: not found)."""
    table = np.zeros((7, 7), np.int64)
    for one in outcomes:
        for label, face, _ in one.pairs:
            table[label, face] += 1
    return table
