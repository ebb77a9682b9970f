"""Compares what a reader says with the labels of photos."""

from dataclasses import dataclass, replace
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dicecup.vision.network import Model
from dicecup.vision.reading import Die, read_dice
from dicecup.vision.training.photos import Photo, matches


class Pair(NamedTuple):
    """A labelled die and what was read of it.

    `label` is 0 for a die that is none, `face` for one that was not found. `box` (xmin, ymin, xmax,
    ymax in pixels) is the found or else the labelled one. `die` is None if none was found.
    """

    label: int
    face: int
    box: NDArray[np.float64]
    die: Die | None

    @property
    def right(self) -> bool:
        """Whether the die was found and its face is right."""
        return self.label == self.face


@dataclass(frozen=True)
class Outcome:
    """What was read in a photo."""

    photo: Photo
    pairs: list[Pair]

    def doubting(self, sure: float) -> "Outcome":
        """Return the outcome with dice below a confidence marked as doubtful, too."""
        return replace(self, pairs=[_doubting(pair, sure) for pair in self.pairs])

    @property
    def whole(self) -> bool:
        """Whether every die was read rightly and nothing else was found."""
        return all(pair.right for pair in self.pairs)


def _doubting(pair: Pair, sure: float) -> Pair:
    die = pair.die
    return pair if die is None else pair._replace(die=replace(die, doubtful=die.doubtful or die.confidence < sure))


def outcome(photo: Photo, model: Model) -> Outcome:
    """Return what a model reads in a photo, beside the labels."""
    dice = read_dice(photo.pixels, model)
    boxes = np.array([die.box for die in dice]).reshape(-1, 4) * len(photo.pixels)
    matched = matches(boxes, photo.boxes)
    labels = [int(photo.faces[matched[number]]) if number in matched else 0 for number in range(len(dice))]
    pairs = [Pair(label, die.face, box, die) for label, die, box in zip(labels, dice, boxes, strict=True)]
    missed = sorted(set(range(len(photo.faces))) - set(matched.values()))
    return Outcome(photo, pairs + [Pair(int(photo.faces[label]), 0, photo.boxes[label], None) for label in missed])


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


SURE_ENOUGH: Final = 0.998
"""Share of sure dice that are right in the photos that `threshold` is chosen on: 0.995 is promised
for others."""
FEW: Final = 7
"""Dice up to which a photo counts in `small`."""


def summary(outcomes: list[Outcome]) -> Summary:
    """Return the counts of outcomes."""
    pairs = [pair for one in outcomes for pair in one.pairs]
    small = [one for one in outcomes if len(one.photo.faces) <= FEW]
    sure = [pair for pair in pairs if pair.die and not pair.die.doubtful]
    return Summary(
        photos=len(outcomes),
        dice=sum(pair.label > 0 for pair in pairs),
        right=sum(pair.right for pair in pairs),
        found=sum(pair.face > 0 for pair in pairs),
        false=sum(pair.label == 0 for pair in pairs),
        small=len(small),
        small_whole=sum(one.whole for one in small),
        sure=len(sure),
        sure_right=sum(pair.right for pair in sure),
    )


def threshold(outcomes: list[Outcome], wanted: float = SURE_ENOUGH) -> float:
    """Return the smallest confidence from which the share `wanted` of the found dice are right.

    Dice that are doubtful in the outcomes are left out.
    """
    pairs = [pair for one in outcomes for pair in one.pairs]
    read = sorted(((pair.die.confidence, pair.right) for pair in pairs if pair.die and not pair.die.doubtful), reverse=True)
    right, chosen = 0, 1.0
    for number, (confidence, is_right) in enumerate(read, 1):
        right += is_right
        if right >= wanted * number:
            chosen = confidence
    return chosen


def apart(groups: list[list[Outcome]]) -> list[Outcome]:
    """Return the outcomes of all groups, with doubts by a threshold that was chosen on the other
    groups alone. `groups` are photos of different sessions; two of them at least."""
    judged = []
    for number, group in enumerate(groups):
        others = [one for other, outcomes in enumerate(groups) if other != number for one in outcomes]
        sure = threshold(others)
        judged += [one.doubting(sure) for one in group]
    return judged


def confusion(outcomes: list[Outcome]) -> NDArray[np.int64]:
    """Return how often each label (row; 0: no die) was read as each face (column; 0: not found)."""
    table = np.zeros((7, 7), np.int64)
    for one in outcomes:
        for pair in one.pairs:
            table[pair.label, pair.face] += 1
    return table
