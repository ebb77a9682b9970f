"""The exact turn, readably: best play over at most three throws, given what ending the turn with each roll is worth.

Standard library only (the terminal's greedy player decides with it); `dicecup.engine.fast` is the same by compiled kernels.
Values are floats in any unit, higher is better. They may also be integers that are multiples of `EXACT`, with
`divide=operator.floordiv`: then every mean is exact and a result is `Fraction(value, EXACT)`.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from operator import truediv
from typing import Any, Final, Protocol, TypeAlias

from dicecup.core.dice import DICE, FIRST_ROLL, KEEPS, NO_DICE, Dice, Keep, Roll
from dicecup.core.turn import THROWS, KeptDice
from dicecup.engine.turn.lattice import FILLINGS, KEEP_COUNT, MINUS, PLUS, UNIONS, WEIGHTS


class Values(Protocol):
    """252 values by roll, 210 by keep, or several such rows: a sequence, or a NumPy array."""

    def __getitem__(self, index: int, /) -> Any: ...
    def __iter__(self) -> Iterator[Any]: ...
    def __len__(self) -> int: ...


Divide: TypeAlias = Callable[[Any, int], Any]

EXACT: Final = 6 ** (DICE * THROWS)
"""What integers are to be multiplied with, so that all divisions of a turn come out even."""


@dataclass(frozen=True, slots=True)
class Choice:
    """What to do after a throw: `keep` these dice and throw the others, or end the turn (`None`); `declare`: with a Défi."""

    value: Any
    keep: Keep | None
    declare: bool = False


@dataclass(frozen=True, slots=True)
class TurnValues:
    """The optimal values of one turn.

    `value`: the expectation before the first throw. `ends`: what ending with each of the 252 rolls after throw 1, 2, 3 is worth,
    as it was given. `keeps`: the values of the 210 keeps after throw 1 and after throw 2. With a Défi to declare,
    `defi_ends` and `defi_keeps` are the same under a Défi: ends after throw 2 and 3, keeps after throw 1 (declaring it) and 2.
    """

    value: Any
    ends: Values
    keeps: Values
    defi_ends: Values | None = None
    defi_keeps: Values | None = None

    def end_value(self, throws: int, roll: Roll, *, declared: bool = False) -> Any:
        """What ending the turn now is worth; minus infinity where it is not allowed."""
        if not declared:
            return self.ends[throws - 1][roll.index - FIRST_ROLL]
        assert self.defi_ends is not None
        return self.defi_ends[throws - 2][roll.index - FIRST_ROLL]

    def keep_value(self, throws: int, kept: Keep, *, declared: bool = False) -> Any:
        """What throwing all dice but `kept` is worth, after `throws` (1 or 2) throws; `declared`: under a Défi, or, after the
        first throw, declaring it now."""
        if not declared:
            return self.keeps[throws - 1][kept.index]
        assert self.defi_keeps is not None
        return self.defi_keeps[throws - 1][kept.index]

    def choices(self, throws: int, roll: Roll, *, locked: Keep = NO_DICE, declared: bool = False) -> list[Choice]:
        """Everything that may be done with `roll` after `throws` throws, in the pinned order: end, keep, declare and keep.

        `declared`: a Défi was declared before. `locked`: dice that must stay (`kept_dice=locked`, after throw 2)."""
        found = [Choice(self.end_value(throws, roll, declared=declared), None)]
        if throws == THROWS:
            return found
        kept = [keep for keep in roll.keeps if locked in keep.parts]
        found += [Choice(self.keep_value(throws, keep, declared=declared), keep) for keep in kept]
        if self.defi_keeps is not None and throws == 1 and not declared:
            found += [Choice(self.keep_value(throws, keep, declared=True), keep, True) for keep in kept]
        return found

    def best(self, throws: int, roll: Roll, *, locked: Keep = NO_DICE, declared: bool = False) -> Choice:
        """The best of `choices`; the first of those that are equally good."""
        return max(self.choices(throws, roll, locked=locked, declared=declared), key=lambda choice: choice.value)


def turn_values(
    ends: Values,
    defi: Values | None = None,
    *,
    kept_dice: KeptDice = KeptDice.FREE,
    divide: Divide = truediv,
) -> TurnValues:
    """Solve a turn. `ends`: 252 values of ending with each roll after throw 1, 2 and 3, minus infinity where the turn cannot end
    (never after throw 3). `defi`: the same after throw 2 and 3 under a Défi, which may be declared with the keep after throw 1."""
    end1, end2, end3 = ends
    first, second = _rerolls(end2, end3, kept_dice, divide)
    declared = None if defi is None else _rerolls(defi[0], defi[1], kept_dice, divide)
    before = first if declared is None else [max(pair) for pair in zip(first, declared[0], strict=True)]
    value = mean(best_values(before, end1), divide)
    return TurnValues(value, ends, (first, second), defi, declared)


def keep_values(rolls: Values, divide: Divide = truediv) -> list[Any]:
    """What each of the 210 keeps is worth, given what each of the 252 rolls is worth that may follow."""
    values = [None] * KEEP_COUNT + list(rolls)
    for keep in range(KEEP_COUNT - 1, -1, -1):
        a, b, c, d, e, f = PLUS[keep]
        values[keep] = divide(values[a] + values[b] + values[c] + values[d] + values[e] + values[f], len(PLUS[keep]))
    return values[:KEEP_COUNT]


def best_values(keeps: Values, end: Values) -> list[Any]:
    """What each of the 252 rolls is worth: the best of ending there and of its keeps, given the values of the 210 keeps."""
    values = [*keeps, *end]
    for index in range(1, len(KEEPS)):
        values[index] = max(values[index], *[values[smaller] for smaller in MINUS[index]])
    return values[KEEP_COUNT:]


def mean(rolls: Values, divide: Divide = truediv) -> Any:
    """The expectation of a throw of all five dice."""
    return divide(sum(weight * value for weight, value in zip(WEIGHTS, rolls, strict=True)), sum(WEIGHTS))


def _rerolls(end2: Values, end3: Values, kept_dice: KeptDice, divide: Divide) -> tuple[list[Any], list[Any]]:
    """What each keep is worth after throw 1 and after throw 2."""
    second = keep_values(end3, divide)
    if kept_dice is KeptDice.LOCKED:
        return [_locked_value(keep, [*second, *end2], divide) for keep in KEEPS[:KEEP_COUNT]], second
    return keep_values(best_values(second, end2), divide), second


def _locked_value(kept: Dice, after_second: Values, divide: Divide) -> Any:
    """What keeping `kept` after throw 1 is worth when these dice must stay: the mean, over what the others show, of the best of
    ending and of all keeps that add to `kept`. `after_second`: 462 values, of the keeps and of ending with each roll."""
    thrown = DICE - kept.count
    best: list[Any] = []
    for added, union in enumerate(UNIONS[kept.index]):
        best.append(max([after_second[union], *[best[smaller] for smaller in MINUS[added]]]))
    shown = range(FILLINGS[thrown - 1], FILLINGS[thrown])
    return divide(sum(KEEPS[added].weight * best[added] for added in shown), 6**thrown)
