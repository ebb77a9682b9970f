"""How well the dice reader reads, its size, and its time for a picture.

    dicecup train dice-reader --photos ../shared/dice_photos --fold 0 --out build/dice-reader/0
    python -m bench dice_reader

Printed are the size of the weights, the time of the shipped reader for a picture on one core (goal:
at most 150 ms), and what the shipped reader reads in the photos, which it was trained on. For each
fold that was trained as above, the photos of the fold that it never saw are read, with the
decoding of the shipped reader. Doubts are counted twice: with the shipped threshold, which was
chosen on these photos, and for each run of photos with the threshold that the other runs suggest.
The wrong dice are pasted into build/dice-reader/failures.png, with the label and what was read.
Two photos without labels count nowhere, because they show dice.
"""

import gzip
import sys
from dataclasses import replace
from importlib.resources import files
from pathlib import Path
from time import process_time
from typing import Final

import numpy as np
from PIL import Image, ImageDraw

from dicecup.vision.network import Model, read_weights, shipped_model
from dicecup.vision.reading import read_dice
from dicecup.vision.training.corrections import corrected
from dicecup.vision.training.evaluate import Outcome, apart, confusion, outcome, summary, threshold
from dicecup.vision.training.photos import FOLDS, RUNS, Photo, labelled, load_photos, split

TOP: Final = Path(__file__).parent.parent
PHOTOS: Final = TOP.parent / "shared" / "dice_photos"
TRAINED: Final = TOP / "build" / "dice-reader"
REPEATED: Final = 20
TILE: Final = 96
ACROSS: Final = 14


def undoubting(model: Model) -> Model:
    """Return a model with the decoding of the shipped one, but without a threshold of doubt."""
    return replace(model, decoding={**shipped_model().decoding, "sure": 0})


def figures(name: str, outcomes: list[Outcome]) -> None:
    """Print shares of outcomes, for both kinds of photos."""
    for kind, slanted in (("above", False), ("oblique", True)):
        chosen = [one for one in outcomes if one.photo.upright == slanted]
        if not chosen:
            continue
        found = summary(chosen)
        print(
            f"{name}, {kind}: {found.photos} photos, {found.dice} dice: {found.right / found.dice:.2%} right, "
            f"{found.false / max(found.found, 1):.2%} of the found are none, "
            f"{found.small_whole} of {found.small} photos with up to 7 dice wholly right; "
            f"{found.sure} not doubtful, of these {found.sure_right / max(found.sure, 1):.2%} right",
            flush=True,
        )


def held_out(photos: list[Photo]) -> dict[int, list[Outcome]]:
    """Return by fold what was read in photos that a reader had not seen, with corrected labels and
    without a threshold of doubt."""
    read = {}
    for fold in range(FOLDS):
        path = TRAINED / str(fold) / "dice-reader.bin"
        if path.exists():
            model = undoubting(read_weights(path.read_bytes()))
            read[fold] = [outcome(corrected(photo), model) for photo in labelled(split(photos, fold)[1])]
    return read


def sessions(outcomes: list[Outcome]) -> list[list[Outcome]]:
    """Return the outcomes of each run of consecutive photos."""
    groups = []
    for slanted, length in RUNS.items():
        chosen = [one for one in outcomes if one.photo.upright == slanted]
        groups += [chosen[begin : begin + length] for begin in range(0, len(chosen), length)]
    return groups


def failures(outcomes: list[Outcome]) -> Image.Image:
    """Return the wrong dice in rows: label, then what was read; 0 is no die."""
    tiles = []
    for one in outcomes:
        for pair in one.pairs:
            if pair.right:
                continue
            centre, half = (pair.box[:2] + pair.box[2:]) / 2, 0.9 * max(pair.box[2:] - pair.box[:2])
            left, top, right, bottom = (int(edge) for edge in np.rint([*(centre - half), *(centre + half)]))
            shown = Image.fromarray(one.photo.pixels).crop((left, top, right, bottom))
            tile = shown.resize((TILE, TILE), Image.Resampling.BICUBIC)
            draw = ImageDraw.Draw(tile)
            draw.rectangle((0, 0, TILE, 12), fill="white")
            sure = "" if pair.die is None else f" {pair.die.confidence:.2f}{'?' * pair.die.doubtful}"
            draw.text((2, 0), f"{pair.label} as {pair.face}{sure}", fill="black")
            tiles.append(tile)
    sheet = Image.new("RGB", (ACROSS * TILE, max(1, -(-len(tiles) // ACROSS)) * TILE), "white")
    for number, tile in enumerate(tiles):
        sheet.paste(tile, (number % ACROSS * TILE, number // ACROSS * TILE))
    return sheet


def main() -> None:
    """Print the figures."""
    content = (files("dicecup.vision") / "weights.bin").read_bytes()
    print(f"weights: {len(content)} bytes, {len(gzip.compress(content, 9))} with gzip")
    if not PHOTOS.exists():
        sys.exit(f"no photos in {PHOTOS}")
    photos = load_photos(PHOTOS)
    chosen = [photo for photo in photos if len(photo.faces) == 5][:REPEATED]
    read_dice(chosen[0].pixels)
    begin = process_time()
    for photo in chosen:
        read_dice(photo.pixels)
    print(f"a picture of five dice in Python: {(process_time() - begin) / len(chosen) * 1000:.0f} CPU ms")
    figures("trained on them", [outcome(photo, shipped_model()) for photo in labelled(photos)])
    figures("trained on them, labels corrected", [outcome(corrected(photo), shipped_model()) for photo in labelled(photos)])
    folds = held_out(photos)
    if not folds:
        return
    sure = shipped_model().decoding["sure"]
    for fold, read in folds.items():
        figures(f"held out, fold {fold}, labels corrected", [one.doubting(sure) for one in read])
    outcomes = [one for read in folds.values() for one in read]
    print(f"threshold that these photos suggest: {threshold(outcomes):.4f}")
    figures("held out, doubts by a threshold that other sessions suggest", apart(sessions(outcomes)))
    outcomes = [one.doubting(sure) for one in outcomes]
    figures("held out, labels corrected", outcomes)
    print("label (rows; 0: none) and what was read (columns; 0: not found)")
    print(confusion(outcomes))
    failures(outcomes).save(TRAINED / "failures.png")
    print(TRAINED / "failures.png")


if __name__ == "__main__":
    main()
