"""Trains the dice reader: `dicecup train dice-reader`."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from dicecup.vision.network import read_weights, write_weights
from dicecup.vision.pictures import network_values
from dicecup.vision.reading import candidates
from dicecup.vision.training.architecture import CLASSES, classifier, detector
from dicecup.vision.training.augment import CONTEXT, CROP
from dicecup.vision.training.batches import batches
from dicecup.vision.training.fitting import SETTLING, classifier_loss, detector_loss, fit
from dicecup.vision.training.photos import Photo, load_photos, matches, split
from dicecup.vision.training.rendering import render

DECODING: Final = {
    "peak": 0.15,
    "most": 64,
    "overlap": 0.5,
    "crop": CONTEXT,
    "none": 0.15,
    "mirrored": True,
    "sure": 0.94,
    "sure_score": 0.3,
}
"""Numbers of the header of a weights file; `dicecup.vision.training.evaluate` chose `sure`."""
SUSPICIOUS: Final = 0.1
"""Score from which a box without a die teaches the classifier."""
UNLABELLED: Final = 0.5
"""Score from which such a box probably shows a die that has no label."""
RENDERED: Final = 400
"""Rendered pictures."""
SHARE_RENDERED: Final = 0.25
"""Share of the samples that come from rendered pictures."""
SHARE_SLANTED: Final = 0.35
"""Share of the others that come from photos taken at a slant."""
DETECTOR_STEPS: Final = 4000
DETECTOR_RATE: Final = 3e-3
CLASSIFIER_STEPS: Final = 7000
CLASSIFIER_RATE: Final = 3e-3
DETECTOR_SIZE: Final = 320

PREFIX: Final = "rendered_"
Trained: TypeAlias = dict[str, Any]
NOTHING: Final[Trained] = {"size": CROP, "layers": [], "weights": [], "biases": []}

Report = Callable[[str, float, float], None]


def train(
    photos: Path,
    *,
    fold: int | None,
    seed: int,
    origin: dict[str, Any],
    report: Report,
    rendered: int = RENDERED,
    detector_steps: int = DETECTOR_STEPS,
    classifier_steps: int = CLASSIFIER_STEPS,
) -> bytes:
    """Return the weights file of a reader that was trained on a folder of labelled photos.

    With `fold`, the photos of this part (`photos.split`) are left out. `report` gets the stage, the
    part of it that is done, and the loss.
    """
    labelled = load_photos(photos)
    if fold is not None:
        labelled = split(labelled, fold)[0]
    pictures = []
    for number in range(rendered):
        pictures.append(render(np.random.default_rng((seed, number)), f"{PREFIX}{number:03}"))
        report("rendering", number / rendered, 0.0)
    everything = [*labelled, *pictures]
    everything, _ = _corrected(_detector(everything, "boxes", detector_steps // 3, seed, report), everything)
    finder = _detector(everything, "detector", detector_steps, seed, report)
    everything, mistaken = _corrected(finder, everything)
    reader = _classifier(everything, mistaken, classifier_steps, seed, report)
    return write_weights({"detector": finder, "classifier": reader}, DECODING, origin)


def _detector(photos: list[Photo], stage: str, steps: int, seed: int, report: Report) -> Trained:
    """Return a detector that was trained on photos, as `write_weights` takes it."""
    trained = fit(
        detector(),
        detector_loss,
        batches("detector", photos, _shares(photos, per_die=False), count=steps + SETTLING, seed=seed),
        last_bias=[-4.0, 0.0, 0.0, 0.0, 0.0],  # few cells hold a centre
        steps=steps,
        rate=DETECTOR_RATE,
        seed=seed,
        report=partial(_progress, report, stage, steps),
    )
    return {**trained, "size": DETECTOR_SIZE}


def _classifier(
    photos: list[Photo], mistaken: dict[int, NDArray[np.float64]], steps: int, seed: int, report: Report
) -> Trained:
    """Return a classifier that was trained on the dice of photos and on boxes without dice."""
    shares = _shares(photos, per_die=True)
    trained = fit(
        classifier(),
        classifier_loss,
        batches("classifier", photos, shares, count=steps + SETTLING, seed=seed + 1, mistaken=mistaken),
        last_bias=[0.0] * CLASSES,
        steps=steps,
        rate=CLASSIFIER_RATE,
        seed=seed + 1,
        report=partial(_progress, report, "classifier", steps),
    )
    return {**trained, "size": CROP}


def _progress(report: Report, stage: str, steps: int, step: int, loss: float) -> None:
    report(stage, step / steps, loss)


def _shares(photos: list[Photo], *, per_die: bool) -> list[float]:
    """Return how often each photo, or each die in it, is chosen."""
    kinds = ["rendered" if photo.name.startswith(PREFIX) else "slanted" if photo.upright else "above" for photo in photos]
    wanted = {
        "rendered": SHARE_RENDERED,
        "slanted": (1 - SHARE_RENDERED) * SHARE_SLANTED,
        "above": (1 - SHARE_RENDERED) * (1 - SHARE_SLANTED),
    }
    sizes = [len(photo.faces) if per_die else 1 for photo in photos]
    totals = {kind: max(sum(size for size, one in zip(sizes, kinds, strict=True) if one == kind), 1) for kind in wanted}
    return [wanted[kind] / totals[kind] for kind in kinds]


def _corrected(finder: Trained, photos: list[Photo]) -> tuple[list[Photo], dict[int, NDArray[np.float64]]]:
    """Return photos with the boxes that the detector finds around labelled dice, and the boxes that
    it finds where no die is, by the number of the photo.

    Many labelled boxes are too large or off their dice. The detector learns what they have in
    common.
    """
    decoding = {**DECODING, "peak": SUSPICIOUS}
    model = read_weights(write_weights({"detector": finder, "classifier": NOTHING}, decoding, {}))
    corrected, mistaken = [], {}
    for number, photo in enumerate(photos):
        found = candidates(model, network_values(photo.pixels))
        boxes = np.array(
            [(one.x - one.width / 2, one.y - one.height / 2, one.x + one.width / 2, one.y + one.height / 2) for one in found]
        ).reshape(-1, 4)
        matched = matches(boxes, photo.boxes)
        better = photo.boxes.copy()
        for box, label in matched.items():
            better[label] = boxes[box]
        corrected.append(replace(photo, boxes=better))
        wrong = [box for box, one in enumerate(found) if box not in matched and one.score < UNLABELLED]
        if wrong:
            mistaken[number] = boxes[wrong]
    return corrected, mistaken
