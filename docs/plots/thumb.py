"""Tables and pictures of docs/rules-of-thumb.md, from what `bench/rules_of_thumb.py` measured."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from docs.plots.tables import figure_of, measured, signed, table

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Figures = Mapping[str, Any]

PAGE: Final = Path(__file__).parent.parent / "rules-of-thumb.md"
STAGES: Final = ("0", "22", "44", "66", "88")
ORDERS: Final = {"d": "downward", "u": "upward", "f": "free"}
LISTED: Final = 5
EFFECTS: Final = {
    "stops": "stops a line that lacks one token",
    "blocks_three": "closes an opposing line of three",
    "four": "makes four in a line that is still free",
    "three": "makes three in a line that is still free",
    "points": "scores 2 points or more",
    "point": "scores 1 point",
    "denies": "takes a square on which the opponent would score",
}
"""What a token does → words."""
COLOURS: Final = ("#3f83d1", "#d9772b", "#4a9a5b", "#8d63c4", "#c0504d", "#7a7a7a", "#2aa1a8", "#b58900", "#d45b9a")


def _stages(names: Mapping[str, str], found: Figures, head: str, digits: int) -> str:
    """Return a table with a column for each stage."""
    return table(
        (head, *(f"{stage} written" for stage in STAGES)),
        (
            (name, *(measured(found[key][stage], 1, digits) if stage in found[key] else "–" for stage in STAGES))
            for key, name in names.items()
        ),
    )


def cells(figures: Figures) -> str:
    """Return the worth of an open cell of a free column."""
    found = figures["yamm"]["cells"]
    return _stages({row: f"**{row}**" for row in found}, found, "row", 1)


def points(figures: Figures) -> str:
    """Return the worth of a point towards the bonus."""
    return _stages(ORDERS, figures["yamm"]["points"], "column", 2)


def columns(figures: Figures) -> str:
    """Return the worth of each open cell of a column that is lost as a whole."""
    return _stages(ORDERS, figures["yamm"]["columns"], "column", 1)


def keeps(figures: Figures) -> str:
    """Return the best choice after each roll, four rolls a line."""
    found = [f"{dice} → {_choice(best['best'])}" for dice, best in figures["yamm"]["keeps"].items()]
    down = -(-len(found) // 4)
    return table([""] * 4, [[*found[at::down], "", "", ""][:4] for at in range(down)])


def _choice(action: str) -> str:
    """Return the dice of a keep, or the row that is written."""
    return (
        "nothing" if action == "k-" else f"**{action[1:]}**" if action.startswith("k") else f"write {action.partition('.')[2]}"
    )


def kinds(figures: Figures) -> str:
    """Return how many rolls of each pattern are kept in which way."""
    found: dict[str, Counter[str]] = {}
    for dice, best in figures["yamm"]["keeps"].items():
        found.setdefault(_pattern(dice), Counter())[_kept(dice, best["best"])] += 1
    return table(
        ("roll", "rolls", "what is best"),
        (
            (name, str(sum(ways.values())), ", ".join(f"{way} ({count})" for way, count in ways.most_common()))
            for name, ways in sorted(found.items())
        ),
    )


def _pattern(dice: str) -> str:
    """Return the pattern of a roll."""
    counts = sorted(Counter(dice).values(), reverse=True)
    names = {(5,): "five equal", (4, 1): "four equal", (3, 2): "full house", (3, 1, 1): "three equal", (2, 2, 1): "two pairs"}
    straight = dice in ("12345", "23456")
    return "straight" if straight else names.get(tuple(counts), "one pair" if counts[0] == 2 else "all different")


def _kept(dice: str, action: str) -> str:
    """Return what is kept of a roll in words."""
    if not action.startswith("k"):
        return f"write {action.partition('.')[2]}"
    kept = Counter(action[1:].replace("-", ""))
    if not kept:
        return "nothing"
    counts = sorted(kept.values(), reverse=True)
    if counts[0] == 1:
        return "one die" if len(counts) == 1 else f"{len(counts)} different"
    if len(counts) == 1:
        whole = Counter(dice)[next(iter(kept))] == counts[0]
        return {2: "a pair", 3: "three equal", 4: "four equal"}.get(counts[0], "all") if whole else "part of the equal dice"
    return "both pairs" if counts == [2, 2] else "a pair and more" if counts[0] == 2 else "three equal and more"


def squares(figures: Figures) -> str:
    """Return the board with the gain of each square."""
    gains = figures["yam_master"]["squares"]
    rows = ((f"**{row}**", *(f"{figure_of(at + row)} {signed(100 * gains[at + row])}" for at in "abcde")) for row in "12345")
    return table(("", *"abcde"), rows)


def pairs(figures: Figures) -> str:
    """Return the pairs of squares that gain most and least together."""
    ranked = sorted(figures["yam_master"]["pairs"].items(), key=lambda item: -item[1])
    return table(
        ("best pairs", "gain, %", "worst pairs", "gain, %"),
        (
            (best, signed(100 * more), worst, signed(100 * less))
            for (best, more), (worst, less) in zip(ranked[:LISTED], reversed(ranked[-LISTED:]), strict=True)
        ),
    )


def tokens(figures: Figures) -> str:
    """Return what a token gains by what it does."""
    found = figures["yam_master"]["tokens"]
    rows = (
        (words, measured(found[name], 100, 1, "+"), str(found[name][2])) for name, words in EFFECTS.items() if name in found
    )
    return table(("the token", "gain, % of a win", "games"), rows)


def fours(figures: Figures) -> str:
    """Return what four in a line gain by the figure that is missing."""
    found = sorted(figures["yam_master"]["fours"].items(), key=lambda item: -item[1][0])
    return table(
        ("missing", "gain, % of a win", "games"), ((name, measured(pair, 100, 1, "+"), str(pair[2])) for name, pair in found)
    )


TABLES: Final[Mapping[str, Callable[[Figures], str]]] = {
    "cells": cells,
    "points": points,
    "columns": columns,
    "kinds": kinds,
    "keeps": keeps,
    "squares": squares,
    "pairs": pairs,
    "tokens": tokens,
    "fours": fours,
}


def worth(figure: "Figure", figures: Figures) -> None:
    """Draw what a cell, a point and a column are worth as the sheet fills."""
    figure.set_size_inches(9, 7)
    found = figures["yamm"]
    upper, lower = figure.subplots(2, 2)
    rows = list(found["cells"])
    _lines(upper[0], {row: found["cells"][row] for row in rows[:6]}, "open cell of a free column, rows 1 to 6")
    _lines(upper[1], {row: found["cells"][row] for row in rows[6:]}, "open cell of a free column, FH, ST and Y")
    _lines(lower[0], {name: found["points"][key] for key, name in ORDERS.items()}, "a point towards the bonus")
    _lines(lower[1], {name: found["columns"][key] for key, name in ORDERS.items()}, "each open cell of a lost column")
    for axes in lower:
        axes.set_xlabel("written cells")


def _lines(axes: "Axes", found: Mapping[str, Mapping[str, Sequence[float]]], title: str) -> None:
    """Draw a line with its interval for each name."""
    for colour, (name, stages) in zip(COLOURS, found.items(), strict=False):
        places = list(map(int, stages))
        means, halves = ([pair[at] for pair in stages.values()] for at in (0, 1))
        axes.errorbar(places, means, yerr=halves, color=colour, capsize=2, marker="o", markersize=3, label=name)
    axes.set_title(title)
    axes.grid(axis="y")
    axes.legend()


def threats(figure: "Figure", figures: Figures) -> None:
    """Draw what tokens gain by what they do."""
    figure.set_size_inches(8, 3.6)
    found = figures["yam_master"]["tokens"]
    rows = [(words, found[name]) for name, words in EFFECTS.items() if name in found]
    axes = figure.subplots()
    places = [-at for at in range(len(rows))]
    means, halves = ([100 * pair[at] for _, pair in rows] for at in (0, 1))
    axes.errorbar(means, places, xerr=halves, fmt="o", color=COLOURS[0], elinewidth=2, capsize=3, markersize=6)
    axes.set_yticks(places, [words for words, _ in rows])
    axes.axvline(0, color="#d0d4da", linewidth=1)
    axes.tick_params(left=False)
    axes.grid(axis="x")
    axes.set_xlabel("gain in the chance to win, %, with 95 % intervals")


PICTURES: Final[Mapping[str, tuple[str, Callable[[Any, Figures], None]]]] = {
    "worth": ("Yamm: what is it worth, in points, as the sheet fills", worth),
    "threats": ("Yam Master: what a token gains by what it does", threats),
}
"""File name without suffix → title of the picture and the function that draws it."""
