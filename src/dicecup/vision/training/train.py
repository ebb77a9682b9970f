"""Trains the dice reader: `dicecup train dice-reader`."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from dicecup.vision.network import Model, Network, read_weights, write_weights
from dicecup.vision.pictures import halved, network_values
from dicecup.vision.reading import LEVELS, Candidate, candidates, face_chances
from dicecup.vision.training.architecture import CLASSES, classifier, detector
from dicecup.vision.training.augment import CONTEXT, CROP
from dicecup.vision.training.batches import CLASSIFIER_BATCH, Batch, batches
from dicecup.vision.training.corrections import corrected
from dicecup.vision.training.fitting import SETTLING, apply, classifier_loss, continued, detector_loss, fit, folded
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
DETECTOR_REFINING_STEPS: Final = 1500
CLASSIFIER_REFINING_STEPS: Final = 3000
REFINING_RATE: Final = 1e-3
FIXED_LAYERS: Final = 3
"""Layers of the classifier, from the first one, that the second part does not change."""
SAMPLES: Final = 400
"""Batches of samples that the second part teaches the classifier again and again."""
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
    that was trained before, only the second part of the training is done. `report` gets the stage,
    the part of it that is done, and the loss.
    """
    labelled = [corrected(photo) for photo in load_photos(photos)]
    if fold is not None:
        labelled = split(labelled, fold)[0]
    everything = list(labelled)
    for number in range(rendered):
        everything.append(render(np.random.default_rng((seed, number)), f"{PREFIX}{number:03}"))
        report("rendering", number / rendered, 0.0)
    if start is None:
        found, _ = _relabelled(_detector(everything, "boxes", detector_steps // 3, seed, report), everything)
        finder = _detector(found, "detector", detector_steps, seed, report)
        found, mistaken = _relabelled(finder, found)
        reader = _classifier(found, mistaken, classifier_steps, seed, report)
        start = write_weights({"detector": finder, "classifier": reader}, DECODING, origin)
    return write_weights(_refined(read_weights(start), everything, seed, report), DECODING, origin)


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


def _refined(model: Model, photos: list[Photo], seed: int, report: Report) -> dict[str, Trained]:
    """Return both networks of a model: the mean of their weights before and after more training,
    which reads new photos better than the weights after it."""
    photos, mistaken = _relabelled_by(model, photos)
    finder = fit(
        model.detector.layers,
        detector_loss,
        batches("detector", photos, _shares(photos, per_die=False), count=DETECTOR_REFINING_STEPS, seed=seed + 2),
        last_bias=[],
        steps=DETECTOR_REFINING_STEPS,
        rate=REFINING_RATE,
        seed=seed,
        report=partial(_progress, report, "detector again", DETECTOR_REFINING_STEPS),
        start=model.detector,
    )
    reader = _later_layers(model, photos, mistaken, seed, report)
    return {
        "detector": {**_halfway(model.detector, finder), "size": DETECTOR_SIZE},
        "classifier": {**_halfway(model.classifier, reader), "size": CROP},
    }


def _halfway(before: Network, after: Trained) -> Trained:
    """Return the means of the weights and biases of a network and of what was trained from it."""
    old = folded(before.layers, continued(before), [])
    means = {
        name: [(one + np.asarray(other)) / 2 for one, other in zip(old[name], after[name], strict=True)]
        for name in ("weights", "biases")
    }
    return {"layers": before.layers, **means}


def _later_layers(
    model: Model, photos: list[Photo], mistaken: dict[int, NDArray[np.float64]], seed: int, report: Report
) -> Trained:
    """Return the classifier of a model with later layers that were trained further.

    Samples pass the first layers once, and the later ones see them many times. That takes a third
    of the time for a step. Dice that the model reads badly are chosen more often.
    """
    whole = model.classifier
    first = continued(whole)[:FIXED_LAYERS]
    hardness = [_hardness(model, photo) for photo in photos]
    shares = _shares(photos, per_die=True)
    samples: list[Batch] = []
    for crops, labels in batches(
        "classifier", photos, shares, count=SAMPLES, seed=seed + 2, mistaken=mistaken, hardness=hardness
    ):
        values, _ = apply(whole.layers[:FIXED_LAYERS], first, crops, None)
        samples.append((np.asarray(values, np.float16), labels))
        report("samples", len(samples) / SAMPLES, 0.0)
    later = Network(
        0,
        [{**layer, "from": [source - FIXED_LAYERS for source in layer["from"]]} for layer in whole.layers[FIXED_LAYERS:]],
        {index - FIXED_LAYERS: values for index, values in whole.weights.items() if index >= FIXED_LAYERS},
        {index - FIXED_LAYERS: values for index, values in whole.biases.items() if index >= FIXED_LAYERS},
    )
    trained = fit(
        later.layers,
        classifier_loss,
        _mixed(samples, seed),
        last_bias=[],
        steps=CLASSIFIER_REFINING_STEPS,
        rate=REFINING_RATE,
        seed=seed,
        report=partial(_progress, report, "classifier again", CLASSIFIER_REFINING_STEPS),
        start=later,
    )
    fixed = folded(whole.layers, first, [])
    return {"layers": whole.layers, **{name: fixed[name] + trained[name] for name in ("weights", "biases")}}


def _mixed(samples: list[Batch], seed: int) -> Iterator[Batch]:
    """Yield batches of samples in random order, all of them again and again."""
    values, labels = (np.concatenate(parts) for parts in zip(*samples, strict=True))
    rng = np.random.default_rng(seed)
    for _ in range(-(-CLASSIFIER_REFINING_STEPS // SAMPLES)):
        for chosen in rng.permutation(len(labels)).reshape(-1, CLASSIFIER_BATCH):
            yield values[chosen].astype(np.float32), labels[chosen]


def _hardness(model: Model, photo: Photo) -> NDArray[np.float64]:
    """Return how often each die of a photo is chosen, compared with one that was read rightly.

    Rendered dice may be unreadable, so all of them count alike.
    """
    if photo.name.startswith(PREFIX):
        return np.ones(len(photo.faces))
    levels = [network_values(photo.pixels)]
    while len(levels) < LEVELS:
        levels.append(halved(levels[-1]))
    found = []
    for face, (left, top, right, bottom) in zip(photo.faces, photo.boxes, strict=True):
        place = Candidate((left + right) / 2, (top + bottom) / 2, right - left, bottom - top, 1.0)
        found.append(HARDEST + (1 - HARDEST) * face_chances(model, levels, place)[face])
    return np.array(found)


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
