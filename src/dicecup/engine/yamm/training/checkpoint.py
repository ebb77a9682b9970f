"""An interrupted training as a file."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any, Final
from zipfile import BadZipFile

import numpy as np

from dicecup.engine.tables_file import TablesCode, TablesError
from dicecup.engine.yamm.evaluation.value import Weights, shapes
from dicecup.engine.yamm.training.fit_kernel import Moments
from dicecup.engine.yamm.training.train import Training

_WIDTH: Final = len(Weights._fields)


def save(path: Path, training: Training, goal: str) -> None:
    """Write the file whole or not at all. `goal`: a text that identifies the task of
    the training.
    """
    arrays = [*training.weights, *(part for group in training.moments for part in group), *(training.late or ())]
    head = {"goal": goal, "seed": training.seed, "games": training.games, "steps": training.steps}
    new = path.with_suffix(".new")
    with new.open("wb") as file:
        named: dict[str, Any] = {f"part{at}": part for at, part in enumerate(arrays)}
        np.savez(file, head=np.array(json.dumps(head)), **named)
    new.replace(path)


def load(path: Path, goal: str, fresh: Training) -> Training:
    """Return the training of this file, or `fresh` where there is no file, or one with another goal
    or seed.

    Raises `TablesError` (`tables-damaged`, `tables-foreign`).
    """
    try:
        with path.open("rb") as opened, np.load(opened) as file:
            head = json.loads(str(file["head"]))
            if (head["goal"], head["seed"]) != (goal, fresh.seed):
                return fresh
            parts = [file[f"part{at}"] for at in range(len(file.files) - 1)]
    except FileNotFoundError:
        return fresh
    except (OSError, ValueError, KeyError, TypeError, BadZipFile):
        raise TablesError(TablesCode.TABLES_DAMAGED, file=path.name) from None
    if [part.shape for part in parts] not in (list(shapes()) * 4, list(shapes()) * 5):
        raise TablesError(TablesCode.TABLES_FOREIGN, file=path.name)
    weights, mean, square, gradient, *late = (Weights(*parts[at : at + _WIDTH]) for at in range(0, len(parts), _WIDTH))
    moments = Moments(mean, square, gradient)
    return replace(
        fresh, weights=weights, moments=moments, late=late[0] if late else None, games=head["games"], steps=head["steps"]
    )
