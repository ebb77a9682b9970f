"""The board: the figure of each square, the number of tokens, the lines that win, and the runs that
score.

A set of squares is an `int` with one bit for each square, row by row from the top left.
"""

from dataclasses import dataclass, field
from enum import IntEnum
from typing import Final, NewType

from dicecup.core.errors import GameError, TextCode
from dicecup.yam_master.figures import Figure, figure_from_text

Squares = NewType("Squares", int)
"""A set of squares: bit `n` is set for the square `Board.names[n]`."""


class Side(IntEnum):
    """The two players. x has the first turn."""

    X = 0
    O = 1  # noqa: E741 the side is called o everywhere

    def __str__(self) -> str:
        return "xo"[self]

    @property
    def other(self) -> "Side":
        """Return the opponent."""
        return Side(1 - self)


@dataclass(frozen=True)
class Board:
    """A board.

    `layout`: the figures, rows from the top, columns from the left, at most 9 by 9. `tokens`: the
    tokens of each player. `line`: the number of tokens in a row that win. `scores`: pairs of the
    length of a run and its points.

    Raises `GameError` (`not-a-board`) for a layout that is not rectangular, no tokens, or a line
    that does not fit on the board.
    """

    layout: tuple[tuple[Figure, ...], ...]
    tokens: int
    line: int
    scores: tuple[tuple[int, int], ...]

    columns: int = field(init=False, repr=False, compare=False)
    rows: int = field(init=False, repr=False, compare=False)
    names: tuple[str, ...] = field(init=False, repr=False, compare=False)
    """The names of the squares in their pinned order: a1 b1 … e5."""
    figures: tuple[Figure, ...] = field(init=False, repr=False, compare=False)
    """The figure of each square, in the order of `names`."""
    index: dict[str, int] = field(init=False, repr=False, compare=False)
    """The index in `names` of each name."""
    lines: tuple[tuple[int, ...], ...] = field(init=False, repr=False, compare=False)
    """Every row, column and diagonal in which a run can score, as indexes of squares in order."""
    wins: tuple[tuple[Squares, ...], ...] = field(init=False, repr=False, compare=False)
    """For each square the winning lines through it."""

    def __post_init__(self) -> None:
        rows = len(self.layout)
        columns = len(self.layout[0]) if rows else 0
        sizes_fit = 1 <= rows <= 9 and 1 <= columns <= 9 and all(len(row) == columns for row in self.layout)
        if not sizes_fit or self.tokens < 1 or not 2 <= self.line <= max(rows, columns):
            raise GameError(TextCode.NOT_A_BOARD, text=layout_text(self.layout), tokens=self.tokens, line=self.line)
        derived: dict[str, object] = {"rows": rows, "columns": columns}
        derived["names"] = names = tuple(f"{'abcdefghi'[c]}{r + 1}" for r in range(rows) for c in range(columns))
        derived["figures"] = tuple(figure for row in self.layout for figure in row)
        derived["index"] = {name: place for place, name in enumerate(names)}
        everything = _straight_lines(rows, columns)
        shortest = min((length for length, _ in self.scores), default=self.line)
        derived["lines"] = tuple(line for line in everything if len(line) >= shortest)
        winning = {_squares(line[at : at + self.line]) for line in everything for at in range(len(line) - self.line + 1)}
        derived["wins"] = tuple(tuple(sorted(win for win in winning if win >> place & 1)) for place in range(rows * columns))
        for name, value in derived.items():
            object.__setattr__(self, name, value)

    def runs(self, own: Squares) -> tuple[tuple[int, ...], ...]:
        """Return the unbroken runs of own tokens that score, each as indexes of squares. A run
        counts once, at its full length.
        """
        scoring = dict(self.scores)
        found = []
        for line in self.lines:
            run: list[int] = []
            for place in (*line, None):
                if place is not None and own >> place & 1:
                    run.append(place)
                    continue
                if len(run) in scoring:
                    found.append(tuple(run))
                run = []
        return tuple(found)

    def points(self, own: Squares) -> int:
        """Return the points of one side (docs/rules.md, End and score).

        On the maker's board a run of exactly three scores 1 point and a run of exactly four 2
        points.
        """
        scoring = dict(self.scores)
        return sum(scoring[len(run)] for run in self.runs(own))

    def has_line(self, own: Squares) -> bool:
        """Return whether own tokens fill a winning line."""
        return any(own & win == win for wins in self.wins for win in wins)


def _straight_lines(rows: int, columns: int) -> tuple[tuple[int, ...], ...]:
    """Return all rows, columns and diagonals of at least two squares, each as indexes of
    squares."""
    steps = ((0, 1), (1, 0), (1, 1), (1, -1))
    found = []
    for row in range(rows):
        for column in range(columns):
            for down, right in steps:
                if row - down >= 0 and 0 <= column - right < columns:
                    continue  # the line begins further up
                length = 0
                while row + down * length < rows and 0 <= column + right * length < columns:
                    length += 1
                if length > 1:
                    found.append(tuple((row + down * step) * columns + column + right * step for step in range(length)))
    return tuple(found)


def _squares(places: tuple[int, ...]) -> Squares:
    """Return the set of the squares with these indexes."""
    return Squares(sum(1 << place for place in places))


def layout_text(layout: tuple[tuple[Figure, ...], ...]) -> str:
    """Return the text of a layout: `1 Full 6/Sec Yam Suite/2 <=8 Defi`."""
    return "/".join(" ".join(figure.ascii for figure in row) for row in layout)


def layout_from_text(text: str) -> tuple[tuple[Figure, ...], ...]:
    """Return the layout of a text: rows from the top joined by `/`, figures as board words or ASCII
    words.

    Raises `GameError` (`not-a-board`).
    """
    rows = []
    for row in text.split("/"):
        figures = [figure_from_text(word) for word in row.split(" ")]
        if None in figures:
            raise GameError(TextCode.NOT_A_BOARD, text=text)
        rows.append(tuple(figure for figure in figures if figure is not None))
    return tuple(rows)


def small_board(layout: str, tokens: int) -> Board:
    """Return a square board on which a full line wins and a run of one token less scores 1 point.
    It is small enough to solve.

    Raises `GameError` (`not-a-board`).
    """
    squares = layout_from_text(layout)
    size = len(squares)
    if any(len(row) != size for row in squares):
        raise GameError(TextCode.NOT_A_BOARD, text=layout, tokens=tokens, line=size)
    return Board(squares, tokens, line=size, scores=((size - 1, 1),))


BOARD: Final = Board(
    layout_from_text(
        "1 3 Defi 4 6/2 Carre Sec Full 5/<=8 Full Yam Defi Suite/6 Sec Suite <=8 1/3 2 Carre 5 4",
    ),
    tokens=12,
    line=5,
    scores=((3, 1), (4, 2)),
)
"""The maker's board (docs/rules.md, Board)."""
