"""Tables of docs/analysis.md, written between `<!-- table NAME -->` and `<!-- end -->` from
figures.json."""

import re
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, Final

from dicecup.yam_master import BOARD

Figures = Mapping[str, Any]

PAGE: Final = Path(__file__).parent.parent / "analysis.md"
FILE: Final = Path(__file__).parent.parent / "images" / "figures.json"
NAMES: Final = {"d": "↓", "u": "↑", "f": "free "}
"""First letter of a column → its name for readers."""
MEASURES: Final = {
    "first": ("first player’s score, %", 100, 2),
    "lines": ("won by a line of five, %", 100, 2),
    "draws": ("drawn, %", 100, 2),
    "turns": ("turns", 1, 2),
    "points": ("points of both", 1, 2),
}
"""Measure of Yam Master → heading, factor of the displayed value, number of decimals."""


def page(text: str, figures: Figures, tables: "Tables | None" = None) -> str:
    """Return the page with all tables rewritten. `tables`: by default those of docs/analysis.md.

    Raise `KeyError` for an unknown table name."""

    def table(found: re.Match[str]) -> str:
        return f"{found[1]}\n\n{(tables or TABLES)[found[2]](figures)}\n\n<!-- end -->"

    return re.sub(r"(<!-- table (\w+) -->).*?<!-- end -->", table, text, flags=re.DOTALL)


def column_name(column: str) -> str:
    """Return the name of a column for readers, such as `↓1`."""
    return f"{NAMES[column[0]]}{column[1]}"


def measured(pair: tuple[float, float], factor: float = 1, digits: int = 1, sign: str = "") -> str:
    """Format a mean with its half interval: `2771.4 ± 0.5`. Pass `+` as `sign` for differences."""
    return f"{factor * pair[0]:{sign}.{digits}f} ± {factor * pair[1]:.{digits}f}".replace("-", "−")


def signed(value: float) -> str:
    """Format a number with its sign and one decimal."""
    return f"{value:+.1f}".replace("-", "−")


def difference(one: tuple[float, float], other: tuple[float, float]) -> tuple[float, float]:
    """Return the difference of two independent means, with half of its 95 % interval."""
    return one[0] - other[0], (one[1] ** 2 + other[1] ** 2) ** 0.5


def table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """Return a Markdown table whose number columns are aligned to the right."""
    head = list(head)
    rule = ["---"] + ["---:"] * (len(head) - 1)
    return "\n".join(f"| {' | '.join(row)} |" for row in (head, rule, *map(list, rows)))


def scores(figures: Figures) -> str:
    """Return the table of totals by level."""
    return table(
        ("level", "sheets", "mean", "standard deviation", "5 % below", "half below", "5 % above"),
        (
            (
                f"`{level}`",
                str(found["games"]),
                measured(found["mean"]),
                f"{found['sd']:.0f}",
                *(f"{found['quantiles'][share]:.0f}" for share in ("5", "50", "95")),
            )
            for level, found in figures["sheets"].items()
        ),
    )


def columns(figures: Figures) -> str:
    """Return the table of column means."""
    levels = ("greedy", "casual", "expert")
    found = figures["sheets"]
    return table(
        ("column", *(f"`{level}`" for level in levels), "of which bonus (`expert`)"),
        (
            (
                column_name(column),
                *(measured(found[level]["columns"][column]) for level in levels),
                f"{found['expert']['bonuses'][column]:.1f}",
            )
            for column in found["expert"]["columns"]
        ),
    )


def squares(figures: Figures) -> str:
    """Return the board with the gain of a first token on each square."""
    gains = figures["squares"]
    return table(
        ("", *"abcde"),
        (
            (f"**{row}**", *(f"{figure_of(column + row)} {signed(100 * gains[column + row])}" for column in "abcde"))
            for row in "12345"
        ),
    )


def figure_of(square: str) -> str:
    """Return the figure of a square, as printed on the board."""
    return str(BOARD.figures[BOARD.index[square]])


def levels(figures: Figures) -> str:
    """Return the table of Yam Master levels that play against themselves."""
    return table(
        ("level", *(heading for heading, _, _ in MEASURES.values())),
        (
            (f"`{level}`", *(measured(found[name], factor, digits) for name, (_, factor, digits) in MEASURES.items()))
            for level, found in figures["duels"].items()
        ),
    )


def options(figures: Figures) -> str:
    """Return the table of differences that each option of Yam Master makes between experts."""
    usual = figures["duels"]["expert"]
    return table(
        ("option", *(heading for heading, _, _ in MEASURES.values())),
        (
            (
                f"`{option}`",
                *(
                    measured(difference(found[name], usual[name]), factor, digits, "+")
                    for name, (_, factor, digits) in MEASURES.items()
                ),
            )
            for option, found in figures["options"].items()
        ),
    )


def yamm_rules(figures: Figures) -> str:
    """Return the cost of locked dice and the points of first-throw Yamms, for `expert` alone on a
    sheet."""
    usual, locked = figures["sheets"]["expert"], figures["locked"]
    return table(
        ("rule", "points a sheet"),
        (
            ("`kept_dice=locked` instead of `free`", measured(difference(locked["mean"], usual["mean"]), sign="+")),
            ("first-throw Yamms, 100 points each", measured(usual["first_throw_yamms"], 100, sign="+")),
        ),
    )


Tables = Mapping[str, Callable[[Figures], str]]
TABLES: Final[Tables] = {
    "scores": scores,
    "columns": columns,
    "squares": squares,
    "levels": levels,
    "options": options,
    "yamm_rules": yamm_rules,
}
