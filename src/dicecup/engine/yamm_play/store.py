"""The table as two files: the numbers (`.npy`, single precision, mapped into memory) and beside them what they are and where they
come from (`.json`)."""

import hashlib
import json
from collections.abc import Mapping
from enum import StrEnum
from functools import cache
from math import prod
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np

from dicecup.core.errors import DicecupError
from dicecup.engine.yamm_play.value import Weights, shapes

KIND: Final = "dicecup yamm evaluation"
VERSION: Final = 1
_ALIGNED: Final = 16
"""Every array begins at a multiple of so many numbers: 64 bytes."""


class TableFileCode(StrEnum):
    """Why a table cannot be used."""

    MISSING = "table-missing"
    FOREIGN = "table-foreign"
    DAMAGED = "table-damaged"


class TableFileError(DicecupError):
    """A table file that is missing, of another kind or version, or damaged (`details`: `path`)."""


class Table(NamedTuple):
    """`weights`: what is still to come; `variance`: its variance, in units of `VARIANCE_UNIT`; `origin`: the command, seed, games,
    commit and measured strength."""

    weights: Weights
    variance: Weights
    origin: Mapping[str, Any]


def write(path: Path, table: Table) -> None:
    """Writes both files, each in one go. `path` ends in `.npy`."""
    parts = [*table.weights, *table.variance]
    flat = np.zeros(sum(_padded(part.size) for part in parts), np.float32)
    at = 0
    for part in parts:
        flat[at : at + part.size] = part.ravel()
        at += _padded(part.size)
    path.parent.mkdir(parents=True, exist_ok=True)
    new = path.with_suffix(".new")
    with new.open("wb") as file:
        np.save(file, flat)
    head = {"kind": KIND, "version": VERSION, "sha256": _digest(new), "shapes": [list(part.shape) for part in parts]}
    new.replace(path)
    new.write_text(json.dumps({**head, "origin": dict(table.origin)}, indent=1) + "\n", encoding="utf-8")
    new.replace(path.with_suffix(".json"))


def read(path: Path) -> Table:
    """Maps a table into memory. Raises `TableFileError`."""
    try:
        head = json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))
        expected = [*shapes(), *shapes()]
        if (head["kind"], head["version"], [tuple(shape) for shape in head["shapes"]]) != (KIND, VERSION, expected):
            raise TableFileError(TableFileCode.FOREIGN, path=str(path))
        if _digest(path) != head["sha256"]:
            raise TableFileError(TableFileCode.DAMAGED, path=str(path))
        origin = dict(head["origin"])
        # Copied on writing: kernels are compiled once, for arrays that may be written to, and the file never changes.
        flat = np.asarray(np.load(path, mmap_mode="c"))
    except FileNotFoundError:
        raise TableFileError(TableFileCode.MISSING, path=str(path)) from None
    except (OSError, ValueError, KeyError, TypeError):
        raise TableFileError(TableFileCode.DAMAGED, path=str(path)) from None
    parts, at = [], 0
    for shape in expected:
        parts.append(flat[at : at + prod(shape)].reshape(shape))
        at += _padded(prod(shape))
    return Table(Weights(*parts[: len(shapes())]), Weights(*parts[len(shapes()) :]), origin)


@cache
def read_once(path: Path) -> Table:
    """`read`, and the same table again for the same path."""
    return read(path)


def _padded(size: int) -> int:
    return -(-size // _ALIGNED) * _ALIGNED


def _digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()
