"""The file with the trained evaluation that the players use (`engine.tables_file`)."""

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final, NamedTuple

from dicecup.engine.tables_file import TablesCode, TablesError, load, save
from dicecup.engine.yamm.evaluation.endgame import endgame, endgame_size
from dicecup.engine.yamm.evaluation.value import Evaluation, Weights, shapes

KIND: Final = "yamm"


class Table(NamedTuple):
    """The trained tables.

    `evaluation`: of the points to come. `variance`: of their variance, in units of `VARIANCE_UNIT`.
    `origin`: the command, seed, games, commit and measured strength.
    """

    evaluation: Evaluation
    variance: Weights
    origin: Mapping[str, Any]


def save_table(path: Path, table: Table) -> None:
    """Write the file whole or not at all. Raises `OSError`."""
    parts = {"early": table.evaluation.early, "late": table.evaluation.late, "variance": table.variance}
    arrays = {f"{part} {name}": array for part, weights in parts.items() for name, array in weights._asdict().items()}
    arrays |= {"known": table.evaluation.endgame.values}
    save(path, KIND, arrays, table.origin)


@cache
def load_table(path: Path) -> Table:
    """Return the table of a file, which is read once.

    Raises `TablesError`, also for a table with other columns or hidden units.
    """
    tables = load(path, KIND)
    parts = []
    for part in ("early", "late", "variance"):
        arrays = [tables.arrays.get(f"{part} {name}") for name in Weights._fields]
        if [getattr(array, "shape", None) for array in arrays] != list(shapes()):
            raise TablesError(TablesCode.TABLES_FOREIGN, file=path.name)
        # Copied: kernels are compiled for arrays that may be written to, and 2 MB are soon copied.
        parts.append(Weights(*(array.copy() for array in arrays if array is not None)))
    values = tables.arrays.get("known")
    if values is None or values.shape != (endgame_size(),):
        raise TablesError(TablesCode.TABLES_FOREIGN, file=path.name)
    return Table(Evaluation(parts[0], parts[1], endgame(values.copy())), parts[2], tables.origin)
