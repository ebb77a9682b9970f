"""The facts that decide for or against a keep or a cell of Yamm."""

from collections.abc import Iterator, Mapping
from typing import Any, Final, cast

from dicecup.analysis.endings import KeepReasons
from dicecup.analysis.evaluation import Unit
from dicecup.analysis.game_analysis import Compared, Fact
from dicecup.analysis.yamm.cells import CellReasons
from dicecup.yamm import Row, Write
from dicecup.yamm.rows import UPPER

APART: Final = 0.03
"""The difference of two probabilities from which on it is a fact."""
LEAST: Final = 0.05
"""The least probability of the row that a keep is played for, and the least points of a fact."""
NEAR: Final = 15
"""The most points to the next bonus that are a fact."""
NAMES: Final = {Row.FULL_HOUSE: "full_house", Row.STRAIGHT: "straight", Row.YAMM: "yamm"}
"""Row → the code of the fact that it is filled. The other rows share `row`."""


def why(choice: Compared, other: Compared | None, unit: Unit) -> list[Fact]:
    """Return the facts that decide for or against a choice, the most important first.

    `other`: the choice that it is compared with."""
    reasons = choice.reasons
    facts = list(_of_keep(reasons, other) if isinstance(reasons, KeepReasons) else _of_cell(choice, cast(CellReasons, reasons)))
    if other is not None and unit is Unit.POINTS:
        now = _gain(choice) - _gain(other)
        facts += difference(now, choice.value - other.value - now, other)
    return facts


def _of_keep(reasons: KeepReasons, other: Compared | None) -> Iterator[Fact]:
    """Yield the row that a keep is played for, and the probability that a cell is struck."""
    rows = _rows(reasons)
    others = other.reasons if other is not None else None
    if not isinstance(others, KeepReasons):
        yield from _row(rows, None, {})
        return
    compared = _rows(others)
    ahead = {row: chance - compared.get(row, 0.0) for row, chance in rows.items() if chance >= LEAST}
    most = max(ahead, key=lambda row: ahead[row], default=None)
    if most is not None and ahead[most] >= APART:
        yield from _row({most: rows[most]}, other, compared)
    else:
        yield from _row(rows, None, {})
    struck, less = _struck(reasons), _struck(others)
    if abs(struck - less) >= APART:
        yield Fact("strikes", {"chance": struck} | _against(other, less), good=struck < less)


def _row(rows: Mapping[Row, float], other: Compared | None, compared: Mapping[Row, float]) -> Iterator[Fact]:
    """Yield the likeliest of these rows."""
    row = max(rows, key=lambda row: rows[row], default=None)
    if row is not None and rows[row] >= LEAST:
        values: dict[str, Any] = {"chance": rows[row]} | ({} if row in NAMES else {"row": str(row)})
        yield Fact(NAMES.get(row, "row"), values | _against(other, compared.get(row, 0.0)))


def _rows(reasons: KeepReasons) -> dict[Row, float]:
    """Return the probability that the turn fills each row without striking a cell."""
    found: dict[Row, float] = {}
    for action, end in reasons.endings.items():
        row = Row(cast(Write, action).cell.partition(".")[2])
        found[row] = found.get(row, 0.0) + end.probability - end.struck
    return found


def _struck(reasons: KeepReasons) -> float:
    """Return the probability that the turn strikes a cell."""
    return sum(end.struck for end in reasons.endings.values())


def _against(other: Compared | None, chance: float) -> dict[str, Any]:
    """Return the values that compare a probability with that of another choice."""
    return {} if other is None else {"other": str(other.action), "other_chance": chance}


def _of_cell(choice: Compared, reasons: CellReasons) -> Iterator[Fact]:
    """Yield what an entry brings, and what it does to the bonus of its column."""
    column, _, row = cast(Write, choice.action).cell.partition(".")
    if reasons.strikes_both:
        yield Fact("strikes_both", {"column": column, "lost": reasons.lost}, good=False)
    elif reasons.strikes:
        yield Fact("struck", {}, good=False)
    else:
        yield Fact("points", {"points": reasons.points})
    if reasons.first_throw_yamm:
        yield Fact("first_throw_yamm", {"extra": reasons.first_throw_yamm})
    upper = reasons.upper
    if upper is None or row not in UPPER:
        return
    if reasons.bonus:
        yield Fact("bonus", {"bonus": reasons.bonus})
    elif upper.reach_before and not upper.reach_after:
        yield Fact("no_bonus", {"column": column}, good=False)
    elif upper.next is not None and upper.reach_after and upper.next.missing <= NEAR:
        yield Fact("near_bonus", {"column": column, "missing": upper.next.missing, "bonus": upper.next.bonus})


def difference(now: float, later: float, other: Compared) -> Iterator[Fact]:
    """Yield how many points more or fewer a choice brings in this turn and later than another."""
    parts = [(name, value) for name, value in (("now", now), ("later", later)) if abs(value) >= LEAST]
    if parts:
        code = "_".join(f"{name}_{'more' if value > 0 else 'fewer'}" for name, value in parts)
        values = {name: abs(value) for name, value in parts} | {"other": str(other.action)}
        yield Fact(code, values, good=now + later > 0)


def _gain(choice: Compared) -> float:
    """Return the points that a choice brings in this turn, on average."""
    reasons = choice.reasons
    assert isinstance(reasons, CellReasons | KeepReasons)
    return float(reasons.gain or 0.0)
