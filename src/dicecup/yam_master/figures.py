"""The figures of Yam Master and the rolls that hold them (docs/rules.md, Yam Master, Figures)."""

from enum import StrEnum
from typing import Final

from dicecup.core.dice import ROLLS, Roll


class Figure(StrEnum):
    """The figure of a square. The value is the word printed on the board."""

    ONES = "1"
    TWOS = "2"
    THREES = "3"
    FOURS = "4"
    FIVES = "5"
    SIXES = "6"
    FULL = "Full"
    CARRE = "Carré"
    YAM = "Yam"
    SUITE = "Suite"
    AT_MOST_8 = "≤8"
    SEC = "Sec"
    DEFI = "Défi"

    @property
    def ascii(self) -> str:
        """Return the word in ASCII, for layouts and JSON keys: `Carre`, `<=8`, `Defi`."""
        return _ASCII.get(self, self.value)


_ASCII: Final[dict[Figure, str]] = {Figure.CARRE: "Carre", Figure.AT_MOST_8: "<=8", Figure.DEFI: "Defi"}

THREE_OF_A_KIND: Final = (Figure.ONES, Figure.TWOS, Figure.THREES, Figure.FOURS, Figure.FIVES, Figure.SIXES)
"""The figure of face n is `THREE_OF_A_KIND[n - 1]`."""
BIG: Final = frozenset({Figure.FULL, Figure.CARRE, Figure.YAM, Figure.SUITE, Figure.AT_MOST_8})
"""The figures that make a Sec or win a Défi."""


def figures(shown: Roll) -> frozenset[Figure]:
    """Return the figures that five dice hold after any throw: all but Sec and Défi."""
    counts = sorted(shown.counts, reverse=True)
    held = {THREE_OF_A_KIND[face] for face, count in enumerate(shown.counts) if count >= 3}
    if counts[:2] == [3, 2] or counts[0] == 5:
        held.add(Figure.FULL)
    if counts[0] >= 4:
        held.add(Figure.CARRE)
    if counts[0] == 5:
        held.add(Figure.YAM)
    if shown.faces in ((1, 2, 3, 4, 5), (2, 3, 4, 5, 6)):
        held.add(Figure.SUITE)
    if shown.total <= 8:
        held.add(Figure.AT_MOST_8)
    return frozenset(held)


FIGURES: Final[dict[Roll, frozenset[Figure]]] = {shown: figures(shown) for shown in ROLLS}
"""The figures of each roll."""
BIG_ROLLS: Final[frozenset[Roll]] = frozenset(shown for shown, held in FIGURES.items() if held & BIG)
"""The rolls that make a Sec or win a Défi."""
YAMS: Final[frozenset[Roll]] = frozenset(shown for shown, held in FIGURES.items() if Figure.YAM in held)
"""The rolls of five equal dice."""


def figure_from_text(text: str) -> Figure | None:
    """Return the figure of a board word or an ASCII word, `None` for another text."""
    return _BY_TEXT.get(text)


_BY_TEXT: Final = {figure.value: figure for figure in Figure} | {figure.ascii: figure for figure in Figure}
