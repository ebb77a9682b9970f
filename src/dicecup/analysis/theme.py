"""Themes of decisions: what a player can practise."""

from enum import StrEnum


class Theme(StrEnum):
    """What a decision was about. `dicecup.analysis.mistakes.themes` finds the theme of one."""

    FIRST_KEEP = "first_keep"
    """Dice kept after the first throw, or ending the turn there."""
    SECOND_KEEP = "second_keep"
    """The same after the second throw."""
    TWO_PAIRS = "two_pairs"
    """Whether both of two pairs stay."""
    DEFI = "defi"
    """Whether a Défi is declared."""
    LINE = "line"
    """A square that extends a line of the player."""
    BLOCKING = "blocking"
    """A square against a line of the opponent."""
    SQUARE = "square"
    """Any other choice between squares."""
    COLUMN = "column"
    """The column for a result whose row is settled."""
    ROW = "row"
    """The row for a result."""
    HIGH_LOW = "high_low"
    """The rows H and T."""
    BONUS = "bonus"
    """A column bonus that an entry in rows 1 to 6 endangers or earns."""
    STRIKING = "striking"
    """Which cell is struck, or whether one is."""
    CORRECTION = "correction"
    """The cell to which a result was moved."""
