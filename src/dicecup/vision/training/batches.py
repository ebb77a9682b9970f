"""Batches of training samples, made in another process while the networks learn."""

from collections import deque
from collections.abc import Iterator
from multiprocessing import get_context
from typing import Any, Final

import numpy as np

from dicecup.vision.training.augment import Source, classifier_sample, detector_sample, empty_box, on_other_ground, source
from dicecup.vision.training.photos import Photo

AHEAD: Final = 6
"""Batches that are made before they are asked for."""
DETECTOR_BATCH: Final = 8
CLASSIFIER_BATCH: Final = 96
EMPTY: Final = 0.2
"""Share of a batch for the classifier that shows no die."""
OTHER_GROUND: Final = 0.2
"""Share of crops with other dice around theirs."""

Batch = tuple[np.ndarray[Any, Any], ...]

_pool: dict[str, Any] = {}
"""What a process that makes batches holds: the sources and their weights."""


def _prepare(
    photos: list[Photo],
    shares: list[float],
    mistaken: dict[int, np.ndarray[Any, Any]],
    hardness: list[np.ndarray[Any, Any]] | None,
) -> None:
    sources = [source(photo) for photo in photos]
    dice = [(number, at) for number, photo in enumerate(photos) for at in range(len(photo.boxes))]
    odds = np.array([shares[number] * (hardness[number][at] if hardness else 1) for number, at in dice])
    _pool.update(
        sources=sources,
        shares=np.array(shares) / np.sum(shares),
        dice=dice,
        odds=odds / odds.sum(),
        mistaken=[(number, box) for number, boxes in mistaken.items() for box in boxes],
    )


def _detector_batch(seed: tuple[int, int]) -> Batch:
    rng = np.random.default_rng(seed)
    chosen = rng.choice(len(_pool["sources"]), DETECTOR_BATCH, p=_pool["shares"])
    pictures, targets = zip(*(detector_sample(rng, _pool["sources"][number]) for number in chosen), strict=True)
    return np.stack(pictures), np.stack(targets)


def _classifier_batch(seed: tuple[int, int]) -> Batch:
    rng = np.random.default_rng(seed)
    empty = round(CLASSIFIER_BATCH * EMPTY)
    crops, labels = [], []
    for at in rng.choice(len(_pool["dice"]), CLASSIFIER_BATCH - empty, p=_pool["odds"]):
        number, die = _pool["dice"][at]
        origin: Source = _pool["sources"][number]
        crops.append(classifier_sample(rng, origin, origin.photo.boxes[die]))
        labels.append(int(origin.photo.faces[die]))
    while len(crops) < CLASSIFIER_BATCH:
        if _pool["mistaken"] and rng.random() < 0.5:
            number, box = _pool["mistaken"][rng.integers(len(_pool["mistaken"]))]
        else:
            number = rng.choice(len(_pool["sources"]), p=_pool["shares"])
            box = empty_box(rng, _pool["sources"][number].photo)
        if box is not None:
            crops.append(classifier_sample(rng, _pool["sources"][number], box))
            labels.append(0)
    for at in np.nonzero(rng.random(len(crops)) < OTHER_GROUND)[0]:
        crops[at] = on_other_ground(rng, crops[at], crops[rng.integers(len(crops))])
    return np.stack(crops), np.array(labels)


def batches(
    kind: str,
    photos: list[Photo],
    shares: list[float],
    *,
    count: int,
    seed: int,
    mistaken: dict[int, np.ndarray[Any, Any]] | None = None,
    hardness: list[np.ndarray[Any, Any]] | None = None,
) -> Iterator[Batch]:
    """Yield batches for the network `kind`; they depend on the seed alone.

    `shares` says how often a photo, or a die in it, is chosen. `mistaken` are boxes without dice
    that the detector found, as rows (xmin, ymin, xmax, ymax) for the number of a photo. `hardness`
    has for each photo how often each of its dice is chosen, compared with others.
    """
    make = {"detector": _detector_batch, "classifier": _classifier_batch}[kind]
    with get_context("spawn").Pool(1, _prepare, (photos, shares, mistaken or {}, hardness)) as pool:
        waiting = deque(pool.apply_async(make, ((seed, number),)) for number in range(min(AHEAD, count)))
        for number in range(len(waiting), count + len(waiting)):
            yield waiting.popleft().get()
            if number < count:
                waiting.append(pool.apply_async(make, ((seed, number),)))
