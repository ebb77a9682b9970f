"""The lattice of keeps: which keep follows from which by adding or removing one die.

A keep's value is the mean over the six keeps with one more die, and the best keep of a roll is found by removing one die at a
time: 210 × 6 additions and 1260 maxima a reroll instead of the 252 × 462 products of a dense matrix (FIGURES §3). Standard
library only: the readable turn reads these tables, and the kernels are generated from them.
"""

from typing import Final

from dicecup.core.dice import DICE, FACES, FIRST_ROLL, KEEPS, ROLLS, Dice, from_faces

KEEP_COUNT: Final = FIRST_ROLL
"""Keeps that throw at least one die: 210, the first of the 462."""


def without(value: Dice, face: int) -> Dice:
    """The same dice without one that shows `face`, which must be among them."""
    faces = list(value.faces)
    faces.remove(face)
    return from_faces(faces)


PLUS: Final = tuple(tuple(from_faces((*kept.faces, face)).index for face in FACES) for kept in KEEPS[:KEEP_COUNT])
"""For each of the 210 keeps the indices of the six with one die more."""

MINUS: Final = tuple(tuple(without(value, face).index for face in sorted(set(value.faces))) for value in KEEPS)
"""For each of the 462 keeps the indices of those with one die less: one for each distinct face, none for the empty keep."""

WEIGHTS: Final = tuple(roll.weight for roll in ROLLS)
"""In how many of 7776 orders each roll falls."""

FILLINGS: Final = tuple(sum(value.count <= count for value in KEEPS) for count in range(DICE + 1))
"""How many sets of at most 0, 1, … 5 dice there are: 1, 7, 28, 84, 210, 462. They are the first ones of `KEEPS`."""

UNIONS: Final = tuple(
    tuple(from_faces(kept.faces + added.faces).index for added in KEEPS[: FILLINGS[DICE - kept.count]])
    for kept in KEEPS[:KEEP_COUNT]
)
"""For each of the 210 keeps the indices of the keep with every set of dice added that leaves at most five."""
