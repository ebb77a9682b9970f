"""The file format of trained tables: named arrays, memory-mapped, with their origin.

A file begins with a line `dicecup-tables VERSION SHA256`; the hash is that of everything after the
line. A second line holds JSON (`kind`, `origin`, and the `dtype`, `shape` and `offset` of each
array) and is padded with blanks. The arrays follow, each at a multiple of 64 bytes. `offset` counts
from the end of the second line.
"""

import hashlib
import json
import os
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from math import prod
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from dicecup.core.errors import DicecupError

MAGIC: Final = "dicecup-tables"
VERSION: Final = 1
ALIGNMENT: Final = 64
LONGEST_LINE: Final = 200
"""The most bytes of the first line."""


class TablesCode(StrEnum):
    """Reasons why a file holds no usable tables."""

    TABLES_MISSING = "tables-missing"
    TABLES_FOREIGN = "tables-foreign"
    TABLES_VERSION = "tables-version"
    TABLES_DAMAGED = "tables-damaged"


class TablesError(DicecupError):
    """A table file that is missing, damaged, or of another kind or version (`details`: `file`)."""


@dataclass(frozen=True)
class Tables:
    """The content of a file: read-only arrays that are mapped from the file, and their origin."""

    arrays: Mapping[str, NDArray[Any]]
    origin: Mapping[str, Any]


def save(path: Path, kind: str, arrays: Mapping[str, NDArray[Any]], origin: Mapping[str, Any]) -> None:
    """Write the file whole or not at all. Raises `OSError`."""
    listed, parts, offset = {}, [], 0
    for name, array in arrays.items():
        content = np.ascontiguousarray(array)
        listed[name] = {"dtype": content.dtype.str, "shape": list(array.shape), "offset": offset}
        padded = content.tobytes() + bytes(-content.nbytes % ALIGNMENT)
        parts.append(padded)
        offset += len(padded)
    header = json.dumps({"kind": kind, "origin": dict(origin), "arrays": listed}, ensure_ascii=True).encode()
    first_line = len(f"{MAGIC} {VERSION} {'0' * 64}\n")
    header += b" " * (-(first_line + len(header) + 1) % ALIGNMENT) + b"\n"
    body = header + b"".join(parts)
    digest = hashlib.sha256(body).hexdigest()
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, temporary = tempfile.mkstemp(dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(f"{MAGIC} {VERSION} {digest}\n".encode())
            file.write(body)
        Path(temporary).chmod(0o644)
        Path(temporary).replace(path)
    except BaseException:
        Path(temporary).unlink()
        raise


def load(path: Path, kind: str) -> Tables:
    """Return the tables of a file of this kind, memory-mapped. Raises `TablesError`."""
    try:
        content = np.memmap(path, np.uint8, "r")
        with path.open("rb") as file:
            first, second = file.readline(LONGEST_LINE), file.readline()
    except FileNotFoundError:
        raise TablesError(TablesCode.TABLES_MISSING, file=path.name) from None
    except (OSError, ValueError):
        raise TablesError(TablesCode.TABLES_DAMAGED, file=path.name) from None
    words = first.rstrip(b"\n").split(b" ")
    if words[0] != MAGIC.encode():
        raise TablesError(TablesCode.TABLES_FOREIGN, file=path.name)
    if words[1:2] != [str(VERSION).encode()]:
        raise TablesError(TablesCode.TABLES_VERSION, file=path.name)
    body: Any = content[len(first) :]
    if words[2:] != [hashlib.sha256(body.data).hexdigest().encode()]:
        raise TablesError(TablesCode.TABLES_DAMAGED, file=path.name)
    try:
        header = json.loads(second)
        origin = dict(header["origin"])
        if header["kind"] != kind:
            raise TablesError(TablesCode.TABLES_FOREIGN, file=path.name)
        data = body[len(second) :]
        return Tables({str(name): _array(data, **listed) for name, listed in header["arrays"].items()}, origin)
    # A matching hash does not prove that `save` wrote the file. NumPy raises all of these.
    except (ValueError, TypeError, LookupError, AttributeError, OverflowError, RecursionError, MemoryError, SyntaxError):
        raise TablesError(TablesCode.TABLES_DAMAGED, file=path.name) from None


def _array(data: NDArray[Any], dtype: str, shape: list[Any], offset: Any) -> NDArray[Any]:
    """Return the array that begins at a byte of the file's data, without a copy.

    Raises `ValueError` for Python objects and for a shape or an offset that is no number, and
    what NumPy raises.
    """
    kind = np.dtype(dtype)
    if kind.hasobject or not all(isinstance(size, int) and size >= 0 for size in (*shape, offset)):
        raise ValueError
    count = prod(shape) * kind.itemsize
    return data[offset : offset + count].view(kind).reshape(shape)
