"""Tables and pictures of docs/rules-of-thumb.md in each language, from what
`bench/rules_of_thumb.py` measured."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from docs.plots.tables import figure_of, measured, signed, table
from docs.plots.thumb_words import WORDS, Words

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Figures = Mapping[str, Any]

PAGE: Final = Path(__file__).parent.parent / "rules-of-thumb.md"
STAGES: Final = ("0", "22", "44", "66", "88")
ORDERS: Final = ("d", "u", "f")
LISTED: Final = 5
EFFECTS: Final = ("stops", "blocks_three", "four", "three", "points", "point", "denies")
"""What a token does."""
ENGLISH: Final = WORDS["en"]
MOST_INSIDE: Final = 3
"""The most lines that are named inside a plot, where there is room beside them."""
COLOURS: Final = ("#3f83d1", "#d9772b", "#4a9a5b", "#8d63c4", "#c0504d", "#7a7a7a", "#2aa1a8", "#b58900", "#d45b9a")


def _stages(names: Mapping[str, str], found: Figures, head: str, digits: int, words: Words) -> str:
    """Return a table with a column for each stage."""
    return table(
        (head, *(words["written"].format(stage=stage) for stage in STAGES)),
        (
            (name, *(_measured(words, found[key][stage], 1, digits) if stage in found[key] else "–" for stage in STAGES))
            for key, name in names.items()
        ),
    )


def _measured(words: Words, pair: tuple[float, float], factor: float, digits: int, sign: str = "") -> str:
    return measured(pair, factor, digits, sign).replace(".", words["decimal"])


def _signed(words: Words, value: float) -> str:
    return signed(value).replace(".", words["decimal"])


def _orders(words: Words) -> dict[str, str]:
    return {order: words[order] for order in ORDERS}


def cells(figures: Figures, words: Words = ENGLISH) -> str:
    """Return the worth of an open cell of a free column."""
    found = figures["yamm"]["cells"]
    return _stages({row: f"**{row}**" for row in found}, found, words["row"], 1, words)


def points(figures: Figures, words: Words = ENGLISH) -> str:
    """Return the worth of a point towards the bonus."""
    return _stages(_orders(words), figures["yamm"]["points"], words["column"], 2, words)


def columns(figures: Figures, words: Words = ENGLISH) -> str:
    """Return the worth of each open cell of a column that is lost as a whole."""
    return _stages(_orders(words), figures["yamm"]["columns"], words["column"], 1, words)


def keeps(figures: Figures, words: Words = ENGLISH) -> str:
    """Return the best choice after each roll, four rolls a line."""
    found = [f"{dice} → {_choice(best['best'], words)}" for dice, best in figures["yamm"]["keeps"].items()]
    down = -(-len(found) // 4)
    return table([""] * 4, [[*found[at::down], "", "", ""][:4] for at in range(down)])


def _choice(action: str, words: Words) -> str:
    """Return the dice of a keep, or the row that is written."""
    if action.startswith("k"):
        return words["nothing"] if action == "k-" else f"**{action[1:]}**"
    return words["write"].format(row=action.partition(".")[2])


def kinds(figures: Figures, words: Words = ENGLISH) -> str:
    """Return how many rolls of each pattern are kept in which way."""
    found: dict[str, Counter[str]] = {}
    for dice, best in figures["yamm"]["keeps"].items():
        found.setdefault(_pattern(dice, words), Counter())[_kept(dice, best["best"], words)] += 1
    return table(
        (words["roll"], words["rolls"], words["best"]),
        (
            (name, str(sum(ways.values())), ", ".join(f"{way} ({count})" for way, count in ways.most_common()))
            for name, ways in sorted(found.items())
        ),
    )


def _pattern(dice: str, words: Words) -> str:
    """Return the pattern of a roll."""
    counts = sorted(Counter(dice).values(), reverse=True)
    return words["straight" if dice in ("12345", "23456") else "".join(map(str, counts))]


def _kept(dice: str, action: str, words: Words) -> str:
    """Return what is kept of a roll in words."""
    if not action.startswith("k"):
        return words["write"].format(row=action.partition(".")[2])
    kept = Counter(action[1:].replace("-", ""))
    if not kept:
        return words["nothing"]
    counts = sorted(kept.values(), reverse=True)
    if counts[0] == 1:
        return words["one"] if len(counts) == 1 else words["different"].format(count=len(counts))
    if len(counts) == 1:
        whole = Counter(dice)[next(iter(kept))] == counts[0]
        return words.get(f"kept_{counts[0]}", words["all"]) if whole else words["part"]
    return words["both_pairs" if counts == [2, 2] else "pair_more" if counts[0] == 2 else "three_more"]


def squares(figures: Figures, words: Words = ENGLISH) -> str:
    """Return the board with the gain of each square."""
    gains = figures["yam_master"]["squares"]
    rows = (
        (f"**{row}**", *(f"{figure_of(at + row)} {_signed(words, 100 * gains[at + row])}" for at in "abcde")) for row in "12345"
    )
    return table(("", *"abcde"), rows)


def pairs(figures: Figures, words: Words = ENGLISH) -> str:
    """Return the pairs of squares that gain most and least together."""
    ranked = sorted(figures["yam_master"]["pairs"].items(), key=lambda item: -item[1])
    return table(
        (words["best_pairs"], words["gain"], words["worst_pairs"], words["gain"]),
        (
            (best, _signed(words, 100 * more), worst, _signed(words, 100 * less))
            for (best, more), (worst, less) in zip(ranked[:LISTED], reversed(ranked[-LISTED:]), strict=True)
        ),
    )


def tokens(figures: Figures, words: Words = ENGLISH) -> str:
    """Return what a token gains by what it does."""
    found = figures["yam_master"]["tokens"]
    rows = ((words[name], _measured(words, found[name], 100, 1, "+"), str(found[name][2])) for name in EFFECTS if name in found)
    return table((words["token"], words["gain_of_win"], words["games"]), rows)


def fours(figures: Figures, words: Words = ENGLISH) -> str:
    """Return what four in a line gain by the figure that is missing."""
    found = sorted(figures["yam_master"]["fours"].items(), key=lambda item: -item[1][0])
    return table(
        (words["missing"], words["gain_of_win"], words["games"]),
        ((name, _measured(words, pair, 100, 1, "+"), str(pair[2])) for name, pair in found),
    )


TABLES: Final[Mapping[str, Callable[..., str]]] = {
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


def tables(language: str) -> Mapping[str, Callable[[Figures], str]]:
    """Return the tables of the page in a language."""
    return {name: partial(made, words=WORDS[language]) for name, made in TABLES.items()}


def page_in(language: str) -> Path:
    """Return the file of the page in a language."""
    return PAGE if language == "en" else PAGE.with_suffix(f".{language}.md")


def worth(figure: "Figure", figures: Figures, words: Words = ENGLISH) -> None:
    """Draw what a cell, a point and a column are worth as the sheet fills."""
    figure.set_size_inches(9, 7)
    found = figures["yamm"]
    upper, lower = figure.subplots(2, 2)
    rows = list(found["cells"])
    _lines(upper[0], {row: found["cells"][row] for row in rows[:6]}, words["upper_cell"])
    _lines(upper[1], {row: found["cells"][row] for row in rows[6:]}, words["lower_cell"])
    _lines(lower[0], {name: found["points"][key] for key, name in _orders(words).items()}, words["bonus_point"])
    _lines(lower[1], {name: found["columns"][key] for key, name in _orders(words).items()}, words["lost_column"])
    for axes in lower:
        axes.set_xlabel(words["written_cells"])


def _lines(axes: "Axes", found: Mapping[str, Mapping[str, Sequence[float]]], title: str) -> None:
    """Draw a line with its interval for each name."""
    for colour, (name, stages) in zip(COLOURS, found.items(), strict=False):
        places = list(map(int, stages))
        means, halves = ([pair[at] for pair in stages.values()] for at in (0, 1))
        axes.errorbar(places, means, yerr=halves, color=colour, capsize=2, marker="o", markersize=3, label=name)
    axes.set_title(title)
    axes.grid(axis="y")
    beside: Any = {"loc": "center left", "bbox_to_anchor": (1, 0.5), "reverse": True}
    axes.legend(**(beside if len(found) > MOST_INSIDE else {}))


def threats(figure: "Figure", figures: Figures, words: Words = ENGLISH) -> None:
    """Draw what tokens gain by what they do."""
    figure.set_size_inches(8, 3.6)
    found = figures["yam_master"]["tokens"]
    rows = [(words[name], found[name]) for name in EFFECTS if name in found]
    axes = figure.subplots()
    places = [-at for at in range(len(rows))]
    means, halves = ([100 * pair[at] for _, pair in rows] for at in (0, 1))
    axes.errorbar(means, places, xerr=halves, fmt="o", color=COLOURS[0], elinewidth=2, capsize=3, markersize=6)
    axes.set_yticks(places, [name for name, _ in rows])
    axes.axvline(0, color="#d0d4da", linewidth=1)
    axes.tick_params(left=False)
    axes.grid(axis="x")
    axes.set_xlabel(words["gain_with"])


DRAWN: Final[Mapping[str, Callable[..., None]]] = {"worth": worth, "threats": threats}
"""Name of a picture, which is also the key of its title → the function that draws it."""


def pictures(language: str) -> Mapping[str, tuple[str, Callable[[Any, Figures], None]]]:
    """Return the pictures of the page in a language: file name without suffix → title, and the
    function that draws the picture."""
    words, ending = WORDS[language], "" if language == "en" else f".{language}"
    return {f"{name}{ending}": (words[name], partial(drawn, words=words)) for name, drawn in DRAWN.items()}
