"""The sheets of Yahtzee, Kniffel and Yatzy whose optimum is published (FIGURES §2)."""

from collections.abc import Callable, Mapping, Sequence
from functools import cache, partial
from typing import Final, TypeAlias

from dicecup.core.dice import FACES, ROLLS, Roll
from dicecup.engine.errors import EngineCode, EngineError
from dicecup.engine.sheets.section import FIVE_EQUAL, Section, section
from dicecup.engine.sheets.sheet import Joker, Sheet

Score: TypeAlias = Callable[[Roll], int]


def published_sheet(name: str) -> Sheet:
    """Return the sheet of this name. Raises `EngineError` (`not-solvable`) for an unknown name."""
    try:
        return SHEETS[name]()
    except KeyError:
        raise EngineError(EngineCode.NOT_SOLVABLE, name=name) from None


# --- Boxes ---


def _sum_of(face: int) -> Score:
    """Score the sum of the dice that show one face."""
    return lambda roll: face * roll.counts[face - 1]


def _total(roll: Roll) -> int:
    """Score the sum of all dice."""
    return roll.total


def _if_equal(count: int, points: Score) -> Score:
    """Score `points` for `count` or more equal dice."""
    return lambda roll: points(roll) if max(roll.counts) >= count else 0


def _equal_dice(count: int) -> Score:
    """Score the sum of `count` equal dice, the highest possible (Yatzy)."""
    return lambda roll: count * max((face for face in FACES if roll.counts[face - 1] >= count), default=0)


def _two_pairs(roll: Roll) -> int:
    """Score two different pairs (Yatzy)."""
    pairs = [face for face in FACES if roll.counts[face - 1] >= 2]
    return 2 * sum(pairs) if len(pairs) == 2 else 0


def _full_house(points: Score) -> Score:
    """Score three of one face and two of another."""
    return lambda roll: points(roll) if {2, 3} <= set(roll.counts) else 0


def _run(length: int, points: int) -> Score:
    """Score `length` consecutive faces."""

    def score(roll: Roll) -> int:
        starts = range(1, len(FACES) - length + 2)
        return points if any(set(range(start, start + length)) <= set(roll.faces) for start in starts) else 0

    return score


def _exactly(text: str, points: int) -> Score:
    """Score `points` for the roll with this text."""
    return lambda roll: points if roll.text == text else 0


def _fixed(points: int) -> Score:
    """Score `points` for every roll."""
    return lambda _: points


UPPER: Final = {str(face): _sum_of(face) for face in FACES}
YAHTZEE_LOWER: Final = {
    "3K": _if_equal(3, _total),
    "4K": _if_equal(4, _total),
    "FH": _full_house(_fixed(25)),
    "SS": _run(4, 30),
    "LS": _run(5, 40),
    "Y": _if_equal(5, _fixed(50)),
    "C": _total,
}
YATZY_LOWER: Final = {
    "1P": _equal_dice(2),
    "2P": _two_pairs,
    "3K": _equal_dice(3),
    "4K": _equal_dice(4),
    "SS": _exactly("12345", 15),
    "LS": _exactly("23456", 20),
    "FH": _full_house(_total),
    "C": _total,
    "Y": _if_equal(5, _fixed(50)),
}
BONUS_AT: Final = 63
"""The sum of the upper boxes that earns the bonus, in all games of this family."""

# --- Sheets ---


def _values(boxes: Mapping[str, Score]) -> dict[str, tuple[int, ...]]:
    """Return the points of each of the 252 rolls in every box."""
    return {name: tuple(map(score, ROLLS)) for name, score in boxes.items()}


Boxes: TypeAlias = tuple[tuple[str, ...], int]
"""The open boxes, and the sum of the upper ones while it matters."""


def _open(state: Boxes) -> tuple[str, ...]:
    """Return all open boxes."""
    return state[0]


def _next_open(state: Boxes) -> tuple[str, ...]:
    """Return the first open box, for games that write from the top down."""
    return state[0][:1]


@cache
def _without(boxes: tuple[str, ...], box: str) -> tuple[tuple[str, ...], bool]:
    """Return the other boxes, and whether `box` was the last upper one."""
    left = tuple(other for other in boxes if other != box)
    return left, box in UPPER and not any(other in UPPER for other in left)


def _write(bonus: int, state: Boxes, box: str, points: int) -> tuple[Boxes, int]:
    """Write a box. The last upper box adds the bonus if the sum of the upper boxes earns it.

    Sums above `BONUS_AT` are stored as `BONUS_AT`, because they gain the same.
    """
    left, complete = _without(state[0], box)
    upper = state[1] if box not in UPPER else min(state[1] + points, BONUS_AT)
    if complete:
        return (left, 0), points + bonus * (upper == BONUS_AT)
    return (left, upper), points


def _boxes(boxes: Mapping[str, Score], bonus: int = 0, open_boxes: Callable[[Boxes], Sequence[str]] = _open) -> Section:
    """Return the section of these boxes, with a bonus for the upper ones."""
    return section((tuple(boxes), 0), _values(boxes), open_boxes, partial(_write, bonus))


def _write_yahtzee(_state: int | None, _box: str, points: int) -> tuple[int, int]:
    """Write the box Y of Yahtzee. Its next state is its points."""
    return points, points


def _yahtzee_box() -> Section:
    """Return the box Y of Yahtzee: open (None), or its points. After a 50 every further Yahtzee
    earns 100.
    """
    values = _values({"Y": YAHTZEE_LOWER["Y"]})
    return section(
        None, values, lambda state: ("Y",) if state is None else (), _write_yahtzee, lambda state: 100 * (state == 50)
    )


def _free(name: str, lower: Mapping[str, Score], bonus: int, jokers: tuple[Joker, ...] = ()) -> Sheet:
    """Return a sheet whose boxes may be written in any order: each lower box is a section."""
    singles = [_yahtzee_box() if jokers and box == "Y" else _boxes({box: score}) for box, score in lower.items()]
    sections = (_boxes(UPPER, bonus), *singles)
    return Sheet(name, sections, tuple(range(len(sections))), jokers=jokers)


def _jokers(*, forced: bool) -> tuple[Joker, ...]:
    """Return the jokers of Yahtzee, which apply once the box Y is written.

    If the upper box of the face is written too, the dice count in full in the lower boxes, and
    nothing in the other upper ones. Forced: an open upper box of the face must be taken, and after
    it lower boxes come before upper ones.
    """
    lower = frozenset(YAHTZEE_LOWER)
    found = []
    for roll in (ROLLS[at] for at in FIVE_EQUAL):
        own = str(roll.faces[0])
        below = {box: score(roll) for box, score in YAHTZEE_LOWER.items()} | {"FH": 25, "SS": 30, "LS": 40}
        above = {box: score(roll) for box, score in UPPER.items()}
        both = frozenset({"Y", own})
        found.append(Joker(roll, both, frozenset(), below if forced else above | below))
        if forced:
            found.append(Joker(roll, both | lower, frozenset(), above))
            found.append(Joker(roll, frozenset("Y"), frozenset({own}), {own: above[own]}))
    return tuple(found)


def _in_order() -> Sheet:
    """Return the sheet of Yatzy that is written from the top down, one section."""
    section = _boxes(UPPER | YATZY_LOWER, 50, _next_open)
    return Sheet("yatzy-forced-order", (section,), (0,))


SHEETS: Final[dict[str, Callable[[], Sheet]]] = {
    "yahtzee": lambda: _free("yahtzee", YAHTZEE_LOWER, 35, _jokers(forced=False)),
    "yahtzee-forced-joker": lambda: _free("yahtzee-forced-joker", YAHTZEE_LOWER, 35, _jokers(forced=True)),
    "kniffel": lambda: _free("kniffel", YAHTZEE_LOWER, 35),
    "yatzy": lambda: _free("yatzy", YATZY_LOWER, 50),
    "yatzy-forced-order": _in_order,
}
"""Name → the function that makes the sheet."""
