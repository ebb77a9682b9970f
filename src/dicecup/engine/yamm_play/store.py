"""The table that the players play by: two evaluations and where they come from, in one file (`engine.tables_file`)."""

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final, NamedTuple

from dicecup.engine.tables_file import TablesCode, TablesError, load, save
from dicecup.engine.yamm_play.value import Weights, shapes

KIND: Final = "yamm"


class Table(NamedTuple):
    """`weights`: what is still to come; `variance`: its variance, in units of `VARIANCE_UNIT`; `origin`: the command, seed, games,
    commit and measured strength."""

    weights: Weights
    variance: Weights
    origin: Mapping[str, Any]


def write(path: Path, table: Table) -> None:
    """Writes all or nothing. Raises `OSError`."""
    arrays = {f"value {name}": array for name, array in table.weights._asdict().items()}
    arrays |= {f"variance {name}": array for name, array in table.variance._asdict().items()}
    save(path, KIND, arrays, table.origin)


@cache
def read(path: Path) -> Table:
    """The table of a file, read once. Raises `TablesError`, also for one of other columns or hidden units."""
    tables = load(path, KIND)
    parts = []
    for part in ("value", "variance"):
        arrays = [tables.arrays.get(f"{part} {name}") for name in Weights._fields]
        if [getattr(array, "shape", None) for array in arrays] != list(shapes()):
            raise TablesError(TablesCode.TABLES_FOREIGN, file=path.name)
        # Copied: kernels are compiled for arrays that may be written to, and 2 MB are soon copied.
        parts.append(Weights(*(array.copy() for array in arrays if array is not None)))
    return Table(parts[0], parts[1], tables.origin)
