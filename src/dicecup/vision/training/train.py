"""Trains the dice reader: `dicecup train dice-reader`."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from dicecup.vision.network import Model, read_weights, write_weights
from dicecup.vision.pictures import halved, network_values
from dicecup.vision.reading import LEVELS, Candidate, candidates, face_chances
from dicecup.vision.training.architecture import CLASSES, classifier, detector
from dicecup.vision.training.augment import CONTEXT, CROP
from dicecup.vision.training.batches import batches
from dicecup.vision.training.corrections import corrected
from dicecup.vision.training.fitting import SETTLING, classifier_loss, continued, detector_loss, fit, folded, initial
from dicecup.vision.training.photos import Photo, labelled, load_photos, matches, split
from dicecup.vision.training.rendering import render


class Refinement(NamedTuple):
    """A further training: the steps of each network, of which the detector may have none, the
    greatest learning rate, and the share of the new weights in the result. The others are those
    before."""

    detector_steps: int
    classifier_steps: int
    rate: float
    share: float


DECODING: Final = {
    "peak": 0.1,
    "most": 64,
    "overlap": 0.5,
    "inside": 0.7,
    "crop": CONTEXT,
    "crop_turned": 0.9 * CONTEXT,
    "none": 0.15,
    "settled": 0.97,
    "clear": 0.88,
    "tested": 4,
    "alike": 0.9,
    "sure": 0.94,
    "sure_slanted": 0.98,
    "sure_score": 0.4,
}
"""Numbers of the header of a weights file; docs/camera.md says how they were chosen."""
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
DETECTOR_STEPS: Final = 5000
DETECTOR_RATE: Final = 8e-3
CLASSIFIER_STEPS: Final = 10000
CLASSIFIER_RATE: Final = 8e-3
DETECTOR_SIZE: Final = 368
"""Side of the detector's input in pixels, when it looks at a picture."""
REFINEMENTS: Final[tuple[Refinement, ...]] = (Refinement(1500, 3000, 1e-3, 0.5), Refinement(0, 4000, 2e-3, 1.0))
"""What follows the first training, in this order."""
HARDEST: Final = 4.0
"""How often a die that was read wrongly is chosen, compared with one that was read rightly."""

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
    start: bytes | None = None,
    rendered: int = RENDERED,
    detector_steps: int = DETECTOR_STEPS,
    classifier_steps: int = CLASSIFIER_STEPS,
) -> bytes:
    """Return the weights file of a reader that was trained on a folder of labelled photos.

    With `fold`, the photos of this part (`photos.split`) are left out. With `start`, a weights file
    that was trained before, only the last of the `REFINEMENTS` is done. `report` gets the stage,
    the part of it that is done, and the loss.
    """
    everything = [corrected(photo) for photo in load_photos(photos)]
    if fold is not None:
        everything = split(everything, fold)[0]
    everything = labelled(everything)
    with get_context("spawn").Pool() as pool:
        for number, picture in enumerate(pool.imap(partial(_rendered, seed), range(rendered))):
            everything.append(picture)
            report("rendering", number / rendered, 0.0)
    if start is None:
        found, _ = _relabelled(_detector(everything, "boxes", detector_steps // 3, seed, report), everything)
        finder = _detector(found, "detector", detector_steps, seed, report)
        found, mistaken = _relabelled(finder, found)
        reader = _classifier(found, mistaken, classifier_steps, seed, report)
        start = write_weights({"detector": finder, "classifier": reader}, DECODING, origin)
        refinements = REFINEMENTS
    else:
        refinements = REFINEMENTS[-1:]
    for number, refinement in enumerate(refinements):
        model = replace(read_weights(start), decoding=DECODING)
        start = write_weights(_refined(model, everything, refinement, seed + 2 + number, report), DECODING, origin)
    return start


def _rendered(seed: int, number: int) -> Photo:
    return render(np.random.default_rng((seed, number)), f"{PREFIX}{number:03}")


def _detector(photos: list[Photo], stage: str, steps: int, seed: int, report: Report) -> Trained:
    """Return a detector that was trained on photos, as `write_weights` takes it."""
    trained = fit(
        initial(detector(), seed, [-4.0, 0.0, 0.0, 0.0, 0.0]),  # few cells hold a centre
        detector_loss,
        batches("detector", photos, _shares(photos, per_die=False), count=steps + SETTLING, seed=seed),
        steps=steps,
        rate=DETECTOR_RATE,
        report=partial(_progress, report, stage, steps),
    )
    return {**trained, "size": DETECTOR_SIZE}


def _classifier(
    photos: list[Photo], mistaken: dict[int, NDArray[np.float64]], steps: int, seed: int, report: Report
) -> Trained:
    """Return a classifier that was trained on the dice of photos and on boxes without dice."""
    shares = _shares(photos, per_die=True)
    trained = fit(
        initial(classifier(), seed + 1, [0.0] * CLASSES),
        classifier_loss,
        batches("classifier", photos, shares, count=steps + SETTLING, seed=seed + 1, mistaken=mistaken),
        steps=steps,
        rate=CLASSIFIER_RATE,
        report=partial(_progress, report, "classifier", steps),
    )
    return {**trained, "size": CROP}


def _refined(model: Model, photos: list[Photo], refinement: Refinement, seed: int, report: Report) -> dict[str, Trained]:
    """Return both networks of a model after more training, in which dice that the model reads badly
    are chosen more often."""
    photos, mistaken = _relabelled_by(model, photos)
    hardness = [_hardness(model, photo) for photo in photos]
    finder, reader = folded(continued(model.detector)), folded(continued(model.classifier))
    if steps := refinement.detector_steps:
        after = fit(
            continued(model.detector),
            detector_loss,
            batches("detector", photos, _shares(photos, per_die=False), count=steps, seed=seed),
            steps=steps,
            rate=refinement.rate,
            report=partial(_progress, report, "detector again", steps),
        )
        finder = _mixed(finder, after, refinement.share)
    steps = refinement.classifier_steps
    after = fit(
        continued(model.classifier),
        classifier_loss,
        batches(
            "classifier",
            photos,
            _shares(photos, per_die=True),
            count=steps,
            seed=seed,
            mistaken=mistaken,
            hardness=hardness,
        ),
        steps=steps,
        rate=refinement.rate,
        report=partial(_progress, report, "classifier again", steps),
    )
    return {
        "detector": {**finder, "size": DETECTOR_SIZE},
        "classifier": {**_mixed(reader, after, refinement.share), "size": CROP},
    }


def _mixed(before: Trained, after: Trained, share: float) -> Trained:
    """Return the weighted means of the weights and biases of two networks with the same layers."""
    means = {
        name: [(1 - share) * one + share * other for one, other in zip(before[name], after[name], strict=True)]
        for name in ("weights", "biases")
    }
    return {"layers": before["layers"], **means}


def _hardness(model: Model, photo: Photo) -> NDArray[np.float64]:
    """Return how often each die of a photo is chosen, compared with one that was read rightly.

    Rendered dice may be unreadable, so all of them count alike.
    """
    if photo.name.startswith(PREFIX):
        return np.ones(len(photo.faces))
    levels = [network_values(photo.pixels)]
    while len(levels) < LEVELS:
        levels.append(halved(levels[-1]))
    places = [
        Candidate((left + right) / 2, (top + bottom) / 2, right - left, bottom - top, 1.0)
        for left, top, right, bottom in photo.boxes
    ]
    read = zip(photo.faces, face_chances(model, levels, places)[0], strict=True)
    return np.array([HARDEST + (1 - HARDEST) * chances[face] for face, chances in read])


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


def _relabelled(finder: Trained, photos: list[Photo]) -> tuple[list[Photo], dict[int, NDArray[np.float64]]]:
    """Do what `_relabelled_by` does, with a detector as `write_weights` takes it."""
    return _relabelled_by(read_weights(write_weights({"detector": finder, "classifier": NOTHING}, DECODING, {})), photos)


def _relabelled_by(model: Model, photos: list[Photo]) -> tuple[list[Photo], dict[int, NDArray[np.float64]]]:
    """Return photos with the boxes that the detector finds around labelled dice, and the boxes that
    it finds where no die is, by the number of the photo.

    Many labelled boxes are too large or off their dice. The detector learns what they have in
    common.
    """
    model = replace(model, decoding={**DECODING, "peak": SUSPICIOUS})
    changed, mistaken = [], {}
    for number, photo in enumerate(photos):
        found = candidates(model, network_values(photo.pixels))
        boxes = np.array(
            [(one.x - one.width / 2, one.y - one.height / 2, one.x + one.width / 2, one.y + one.height / 2) for one in found]
        ).reshape(-1, 4)
        matched = matches(boxes, photo.boxes)
        better = photo.boxes.copy()
        for box, label in matched.items():
            better[label] = boxes[box]
        changed.append(replace(photo, boxes=better))
        wrong = [box for box, one in enumerate(found) if box not in matched and one.score < UNLABELLED]
        if wrong:
            mistaken[number] = boxes[wrong]
    return changed, mistaken
