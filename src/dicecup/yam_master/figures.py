"""The figures of Yam Master and which of them five dice hold (RULES, Yam Master, Figures)."""

from enum import StrEnum
from typing import Final

from dicecup.core.dice import ROLLS, Roll


class Figure(StrEnum):
    """What a square asks for, by the word that stands on the board."""

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
        """The same word in ASCII, for options, layouts and JSON keys: `Carre`, `<=8`, `Defi`."""
        return _ASCII.get(self, self.value)


_ASCII: Final[dict[Figure, str]] = {Figure.CARRE: "Carre", Figure.AT_MOST_8: "<=8", Figure.DEFI: "Defi"}

THREE_OF_A_KIND: Final = (Figure.ONES, Figure.TWOS, Figure.THREES, Figure.FOURS, Figure.FIVES, Figure.SIXES)
"""The figure of face n is `THREE_OF_A_KIND[n - 1]`."""
BIG: Final = frozenset({Figure.FULL, Figure.CARRE, Figure.YAM, Figure.SUITE, Figure.AT_MOST_8})
"""The figures that make a Sec or win a Défi."""


def figures(shown: Roll) -> frozenset[Figure]:
    """The figures that these five dice hold by themselves, whichever throw they come from: neither Sec nor Défi."""
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
"""`figures` of every roll."""
BIG_ROLLS: Final[frozenset[Roll]] = frozenset(shown for shown, held in FIGURES.items() if held & BIG)
"""The rolls that make a Sec or win a Défi."""
YAMS: Final[frozenset[Roll]] = frozenset(shown for shown, held in FIGURES.items() if Figure.YAM in held)
"""The rolls of five equal dice."""


def figure_from_text(text: str) -> Figure | None:
    """The figure by its board word or its ASCII word."""
    return _BY_TEXT.get(text)


_BY_TEXT: Final = {figure.value: figure for figure in Figure} | {figure.ascii: figure for figure in Figure}
