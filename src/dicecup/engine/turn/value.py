"""The exact turn, readable: the best play over at most three throws, given the value of every end.

Standard library only; `batch` does the same with compiled kernels. Values are floats in any unit,
and higher is better. They may also be integers that are multiples of `EXACT`, with
`divide=operator.floordiv`. Then every mean is exact and a result is `Fraction(value, EXACT)`.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from operator import truediv
from typing import Any, Final, Protocol, TypeAlias

from dicecup.core.dice import DICE, FIRST_ROLL, KEEPS, NO_DICE, Dice, Keep, Roll
from dicecup.core.turn import THROWS, KeptDice
from dicecup.engine.turn.lattice import FILLINGS, KEEP_COUNT, MINUS, PLUS, UNIONS, WEIGHTS


class Values(Protocol):
    """252 values by roll, 210 by keep, or several such rows: a sequence or a NumPy array."""

    def __getitem__(self, index: int, /) -> Any: ...
    def __iter__(self) -> Iterator[Any]: ...
    def __len__(self) -> int: ...


Divide: TypeAlias = Callable[[Any, int], Any]

EXACT: Final = 6 ** (DICE * THROWS)
"""The factor that makes all divisions of a turn come out even for integers."""


@dataclass(frozen=True, slots=True)
class Choice:
    """A decision after a throw: `keep` these dice and throw the others, or end the turn (`None`).
    `declare`: the keep declares a Défi.
    """

    value: Any
    keep: Keep | None
    declare: bool = False


@dataclass(frozen=True, slots=True)
class TurnValues:
    """The optimal values of one turn.

    `value`: the expectation before the first throw. `stops`: the given values of ending the turn
    with each of the 252 rolls after throw 1, 2 and 3. `keeps`: the values of the 210 keeps after
    throw 1 and after throw 2. With a Défi, `defi_stops` and `defi_keeps` are the same under a Défi:
    stop values after throws 2 and 3, keeps after throw 1 (declaring it) and 2.
    """

    value: Any
    stops: Values
    keeps: Values
    defi_stops: Values | None = None
    defi_keeps: Values | None = None

    def stop_value(self, throws: int, roll: Roll, *, declared: bool = False) -> Any:
        """Return the value of ending the turn now; minus infinity where that is not allowed."""
        if not declared:
            return self.stops[throws - 1][roll.index - FIRST_ROLL]
        assert self.defi_stops is not None
        return self.defi_stops[throws - 2][roll.index - FIRST_ROLL]

    def keep_value(self, throws: int, kept: Keep, *, declared: bool = False) -> Any:
        """Return the value of throwing all dice but `kept` after `throws` (1 or 2) throws.

        `declared`: under a Défi; after the first throw, the keep declares it.
        """
        if not declared:
            return self.keeps[throws - 1][kept.index]
        assert self.defi_keeps is not None
        return self.defi_keeps[throws - 1][kept.index]

    def choices(self, throws: int, roll: Roll, *, locked: Keep = NO_DICE, declared: bool = False) -> list[Choice]:
        """Return all choices with `roll` after `throws` throws in the pinned order: end, keep,
        declare and keep.

        `declared`: a Défi was declared before. `locked`: dice that must stay (`kept_dice=locked`,
        after throw 2).
        """
        found = [Choice(self.stop_value(throws, roll, declared=declared), None)]
        if throws == THROWS:
            return found
        kept = [keep for keep in roll.keeps if locked in keep.parts]
        found += [Choice(self.keep_value(throws, keep, declared=declared), keep) for keep in kept]
        if self.defi_keeps is not None and throws == 1 and not declared:
            found += [Choice(self.keep_value(throws, keep, declared=True), keep, True) for keep in kept]
        return found

    def best(self, throws: int, roll: Roll, *, locked: Keep = NO_DICE, declared: bool = False) -> Choice:
        """Return the best of `choices`; of equal ones the first."""
        return max(self.choices(throws, roll, locked=locked, declared=declared), key=lambda choice: choice.value)


def turn_values(
    stops: Values,
    defi: Values | None = None,
    *,
    kept_dice: KeptDice = KeptDice.FREE,
    divide: Divide = truediv,
) -> TurnValues:
    """Solve a turn.

    `stops`: the values of ending the turn with each of the 252 rolls after throw 1, 2 and 3, minus
    infinity where the turn cannot end (never after throw 3). `defi`: the same after throws 2 and 3
    under a Défi, which may be declared with the keep after throw 1.
    """
    stop1, stop2, stop3 = stops
    first, second = _rerolls(stop2, stop3, kept_dice, divide)
    declared = None if defi is None else _rerolls(defi[0], defi[1], kept_dice, divide)
    before = first if declared is None else [max(pair) for pair in zip(first, declared[0], strict=True)]
    value = mean(best_values(before, stop1), divide)
    return TurnValues(value, stops, (first, second), defi, declared)


def keep_values(rolls: Values, divide: Divide = truediv) -> list[Any]:
    """Return the values of the 210 keeps, given the values of the 252 rolls that may follow."""
    values = [None] * KEEP_COUNT + list(rolls)
    for keep in range(KEEP_COUNT - 1, -1, -1):
        a, b, c, d, e, f = PLUS[keep]
        values[keep] = divide(values[a] + values[b] + values[c] + values[d] + values[e] + values[f], len(PLUS[keep]))
    return values[:KEEP_COUNT]


def best_values(keeps: Values, stop: Values) -> list[Any]:
    """Return the values of the 252 rolls: the best of stopping and of the roll's keeps.

    `keeps`: the values of the 210 keeps. `stop`: the values of ending the turn with each roll.
    """
    values = [*keeps, *stop]
    for index in range(1, len(KEEPS)):
        values[index] = max(values[index], *[values[smaller] for smaller in MINUS[index]])
    return values[KEEP_COUNT:]


def mean(rolls: Values, divide: Divide = truediv) -> Any:
    """Return the expectation of a throw of all five dice, given the values of the 252 rolls."""
    return divide(sum(weight * value for weight, value in zip(WEIGHTS, rolls, strict=True)), sum(WEIGHTS))


def _rerolls(stop2: Values, stop3: Values, kept_dice: KeptDice, divide: Divide) -> tuple[list[Any], list[Any]]:
    """Return the values of the keeps after throw 1 and after throw 2."""
    second = keep_values(stop3, divide)
    if kept_dice is KeptDice.LOCKED:
        return [_locked_value(keep, [*second, *stop2], divide) for keep in KEEPS[:KEEP_COUNT]], second
    return keep_values(best_values(second, stop2), divide), second


def _locked_value(kept: Dice, after_second: Values, divide: Divide) -> Any:
    """Return the value of keeping `kept` after throw 1 where these dice must stay.

    That is the mean, over what the other dice show, of the best of ending the turn and of all keeps
    that contain `kept`. `after_second`: 462 values, of the keeps and of ending with each roll.
    """
    thrown = DICE - kept.count
    best: list[Any] = []
    for added, union in enumerate(UNIONS[kept.index]):
        best.append(max([after_second[union], *[best[smaller] for smaller in MINUS[added]]]))
    shown = range(FILLINGS[thrown - 1], FILLINGS[thrown])
    return divide(sum(KEEPS[added].weight * best[added] for added in shown), 6**thrown)
