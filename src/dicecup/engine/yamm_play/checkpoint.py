"""A training that was interrupted, as a file."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any, Final
from zipfile import BadZipFile

import numpy as np

from dicecup.engine.tables_file import TablesCode, TablesError
from dicecup.engine.yamm_play.learn import Moments
from dicecup.engine.yamm_play.train import Training
from dicecup.engine.yamm_play.value import Weights, shapes

_WIDTH: Final = len(Weights._fields)


def save(path: Path, training: Training, goal: str) -> None:
    """Writes the file in one go. `goal`: what is asked of the training, in any words."""
    arrays = [*training.weights, *(part for group in training.moments for part in group)]
    head = {"goal": goal, "seed": training.seed, "games": training.games, "steps": training.steps}
    new = path.with_suffix(".new")
    with new.open("wb") as file:
        named: dict[str, Any] = {f"part{at}": part for at, part in enumerate(arrays)}
        np.savez(file, head=np.array(json.dumps(head)), **named)
    new.replace(path)


def load(path: Path, goal: str, seed: int) -> Training | None:
    """The training of this file; None where there is no file, or one with another goal or seed. Raises `TablesError`
    (`tables-damaged`)."""
    try:
        with path.open("rb") as opened, np.load(opened) as file:
            head = json.loads(str(file["head"]))
            if (head["goal"], head["seed"]) != (goal, seed):
                return None
            parts = [file[f"part{at}"] for at in range(4 * _WIDTH)]
    except FileNotFoundError:
        return None
    except (OSError, ValueError, KeyError, TypeError, BadZipFile):
        raise TablesError(TablesCode.TABLES_DAMAGED, file=path.name) from None
    if [part.shape for part in parts] != list(shapes()) * 4:
        raise TablesError(TablesCode.TABLES_FOREIGN, file=path.name)
    weights, *moments = (Weights(*parts[at : at + _WIDTH]) for at in range(0, len(parts), _WIDTH))
    return replace(Training.fresh(seed), weights=weights, moments=Moments(*moments), games=head["games"], steps=head["steps"])
