"""The lattice of keeps: which keep follows from which by adding or removing one die.

The value of a keep is the mean over the six keeps with one more die, and the best keep of a roll is
found by removing one die at a time. That takes 210 × 6 additions and 1260 maxima for a reroll, in
place of the 252 × 462 products of a dense matrix (FIGURES §3). Standard library only. The readable
turn uses these tables, and the kernels are generated from them.
"""

from typing import Final

from dicecup.core.dice import DICE, FACES, FIRST_ROLL, KEEPS, ROLLS, Dice, from_faces

KEEP_COUNT: Final = FIRST_ROLL
"""The number of keeps that throw at least one die: 210. They are the first of the 462
sets of dice.
"""


def without(value: Dice, face: int) -> Dice:
    """Return the dice without one that shows `face`, which must be among them."""
    faces = list(value.faces)
    faces.remove(face)
    return from_faces(faces)


PLUS: Final = tuple(tuple(from_faces((*kept.faces, face)).index for face in FACES) for kept in KEEPS[:KEEP_COUNT])
"""For each of the 210 keeps the indices of the six keeps with one more die."""

MINUS: Final = tuple(tuple(without(value, face).index for face in sorted(set(value.faces))) for value in KEEPS)
"""For each of the 462 sets of dice the indices of those with one die less, one for each distinct
face. The empty set has none.
"""

WEIGHTS: Final = tuple(roll.weight for roll in ROLLS)
"""The number of orders, of 7776, in which each roll falls."""

FILLINGS: Final = tuple(sum(value.count <= count for value in KEEPS) for count in range(DICE + 1))
"""The number of sets of at most 0, 1, … 5 dice: 1, 7, 28, 84, 210, 462. They are the first ones of
`KEEPS`.
"""

UNIONS: Final = tuple(
    tuple(from_faces(kept.faces + added.faces).index for added in KEEPS[: FILLINGS[DICE - kept.count]])
    for kept in KEEPS[:KEEP_COUNT]
)
"""For each of the 210 keeps the indices of its unions with every set of dice that leaves at most
five.
"""
