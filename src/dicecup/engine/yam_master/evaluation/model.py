"""The weights of the evaluation: a small network over the contents of the lines.

Every line of the board (rows, columns, diagonals) selects one row of weights by its content, where
each square is free, own or opposing. The supplies and the difference in points select a row each.
The rows of a state are added up to `HIDDEN` numbers, and negative ones become zero. They give
`SECOND` sums, where negative ones become zero again. The weighted total of these, together with a
direct weight of each selected row and one of supplies and points together, goes through tanh. The
result is the expected result for the side to move, from -1 (lost) to 1 (won).
"""

from collections.abc import Mapping
from typing import Final, NamedTuple

import numpy as np

from dicecup.engine.arrays import Integers, Singles
from dicecup.engine.yam_master.rules.state import MOST_LINES, MOST_TOKENS
from dicecup.yam_master import Board
from dicecup.yam_master.figures import Figure

HIDDEN: Final = 64
SECOND: Final = 16
MOST_POINTS: Final = 6
"""Larger differences in points count as this one."""
SUPPLIES: Final = MOST_TOKENS + 2
POINTS: Final = 2 * MOST_POINTS + 1
MOST_SHAPES: Final = MOST_LINES + len(Figure)
"""No board has more shapes (`shapes_of`)."""


class Model(NamedTuple):
    """The weights and the index tables of the network.

    Weights: `rows` (rows, HIDDEN) and `alone` (rows,), the direct weights, first for the contents
    of every shape, then for supplies, then for points; `second` (HIDDEN + 1, SECOND), whose last
    row is always added; `third` (SECOND,); `standing` (2, supplies, supplies, points), whose first
    index is 1 for o where the side to move matters (`end=full_round`).

    Index tables: `shape_first`, the row of each shape's empty content; `square_shapes`, the shapes
    with each square, (squares, most); `square_powers`, the factor of the square in each of them;
    `square_count`, their number; `supplies_first` and `points_first`, the first rows of supplies
    and of points.
    """

    rows: Singles
    alone: Singles
    second: Singles
    third: Singles
    standing: Singles
    shape_first: Integers
    square_shapes: Integers
    square_powers: Integers
    square_count: Integers
    supplies_first: int
    points_first: int


LEARNED: Final = ("rows", "alone", "second", "third", "standing")
"""The fields that are learned. The others follow from the board."""


def shapes_of(board: Board) -> tuple[tuple[int, ...], ...]:
    """Return the sets of squares that select a row together: every line, and the squares of the
    same figure.
    """
    figures = sorted(set(board.figures))
    alike = (tuple(square for square, asked in enumerate(board.figures) if asked is figure) for figure in figures)
    return board.lines + tuple(squares for squares in alike if len(squares) > 1)


def new_model(board: Board, seed: int = 1) -> Model:
    """Return untrained weights."""
    random = np.random.default_rng(seed)
    blank = _blank_model(board)

    def normal(shape: tuple[int, ...], scale: float) -> Singles:
        return random.normal(scale=scale, size=shape).astype(np.float32)

    second = normal((HIDDEN + 1, SECOND), (2 / HIDDEN) ** 0.5)
    second[HIDDEN] = 0
    return blank._replace(rows=normal(blank.rows.shape, 0.1), second=second, third=normal((SECOND,), 0.1))


def _blank_model(board: Board) -> Model:
    """Return the index tables of a board, with zeros for all that is learned."""
    shapes = shapes_of(board)
    first = np.cumsum([0, *(3 ** len(shape) for shape in shapes)], dtype=np.int64)
    squares = len(board.names)
    of_square = [
        [(at, 3 ** shape.index(square)) for at, shape in enumerate(shapes) if square in shape] for square in range(squares)
    ]
    most = max(map(len, of_square))
    square_shapes = np.zeros((squares, most), np.int64)
    square_powers = np.zeros((squares, most), np.int64)
    for square, entries in enumerate(of_square):
        for at, (shape, power) in enumerate(entries):
            square_shapes[square, at], square_powers[square, at] = shape, power
    count = int(first[-1])
    total = count + 2 * SUPPLIES**2 + POINTS
    return Model(
        rows=np.zeros((total, HIDDEN), np.float32),
        alone=np.zeros(total, np.float32),
        second=np.zeros((HIDDEN + 1, SECOND), np.float32),
        third=np.zeros(SECOND, np.float32),
        standing=np.zeros((2, SUPPLIES, SUPPLIES, POINTS), np.float32),
        shape_first=first[:-1].copy(),
        square_shapes=square_shapes,
        square_powers=square_powers,
        square_count=np.array(list(map(len, of_square)), np.int64),
        supplies_first=count,
        points_first=count + 2 * SUPPLIES**2,
    )


def model_from(board: Board, arrays: Mapping[str, Singles]) -> Model:
    """Return the model with these learned arrays."""
    return replaced(_blank_model(board), {name: np.asarray(arrays[name]) for name in LEARNED})


def learned(model: Model) -> dict[str, Singles]:
    """Return the learned arrays by name."""
    return {name: getattr(model, name) for name in LEARNED}


def read_only(model: Model) -> Model:
    """Return the model with views of the learned arrays through which nothing can be written, as
    they are in a model from a file. So kernels are compiled for one kind of arrays."""
    views = {name: array.view() for name, array in learned(model).items()}
    for view in views.values():
        view.flags.writeable = False
    return replaced(model, views)


def zeros_like(model: Model) -> Model:
    """Return the model with zeros for all that is learned."""
    return replaced(model, {name: np.zeros_like(array) for name, array in learned(model).items()})


def replaced(model: Model, arrays: Mapping[str, Singles]) -> Model:
    """Return the model with other learned arrays."""
    return model._replace(
        rows=arrays["rows"],
        alone=arrays["alone"],
        second=arrays["second"],
        third=arrays["third"],
        standing=arrays["standing"],
    )
