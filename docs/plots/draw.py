"""Draw the pictures as reproducible SVG files that follow the light or dark theme of the reader."""

import io
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from docs.plots.tables import MEASURES, Figures, column_name, difference, figure_of, signed

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

PAPER, INK, FAINT = "#ffffff", "#24292f", "#d0d4da"
NIGHT: Final = {PAPER: "#0d1117", INK: "#e0e6ed", FAINT: "#3a424d"}
"""Colours in the dark theme. The other colours are the same in both themes."""
BLUE, ORANGE = "#3f83d1", "#d9772b"
STYLE: Final[Any] = {
    "figure.facecolor": PAPER,
    "axes.facecolor": PAPER,
    "axes.edgecolor": FAINT,
    "axes.labelcolor": INK,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.axisbelow": True,
    "axes.titlesize": 11,
    "axes.titlecolor": INK,
    "grid.color": FAINT,
    "text.color": INK,
    "xtick.color": INK,
    "ytick.color": INK,
    "legend.frameon": False,
    "font.family": "sans-serif",
    "font.size": 10,
    "svg.fonttype": "none",
    "svg.hashsalt": "dicecup",
}


def draw(figures: Figures, folder: Path, pictures: "Pictures | None" = None) -> None:
    """Write pictures to `folder`. `pictures`: by default those of docs/analysis.md."""
    for name, (title, picture) in (pictures or PICTURES).items():
        with drawn(folder / f"{name}.svg", title) as figure:
            picture(figure, figures)


@contextmanager
def drawn(path: Path, title: str) -> "Iterator[Figure]":
    """Yield an empty figure, and save it to `path` afterwards."""
    import matplotlib as mpl
    from matplotlib.figure import Figure

    with mpl.rc_context(STYLE):
        figure = Figure(layout="constrained")
        yield figure
        figure.suptitle(title, fontsize=12, fontweight="bold")
        text = io.StringIO()
        figure.savefig(text, format="svg", metadata={"Date": None, "Creator": None, "Title": title})
    path.write_text(for_both(text.getvalue()), encoding="utf-8")


def for_both(svg: str) -> str:
    """Return the SVG text with style rules for a dark background."""
    rules = "".join(
        f'[style*="{kind}: {day}"]{{{kind}:{night}!important}}' for day, night in NIGHT.items() for kind in ("fill", "stroke")
    )
    head, end, rest = svg.partition("<defs>\n")
    assert end
    lines = (head + end + f"  <style>@media (prefers-color-scheme:dark){{{rules}}}</style>\n" + rest).splitlines()
    return "".join(f"{line.rstrip()}\n" for line in lines)


def scores(figure: "Figure", figures: Figures) -> None:
    """Draw histograms of the totals, one per level, with the means."""
    figure.set_size_inches(8, 5)
    axes = figure.subplots()
    found = list(figures["sheets"].items())
    for place, (_, sheets) in enumerate(found):
        held = sheets["histogram"]
        width, counts = held["width"], held["counts"]
        edges = [held["first"] + width * bar for bar in range(len(counts) + 1)]
        heights = [-place + 0.85 * count / max(counts) for count in counts]
        axes.stairs(heights, edges, baseline=-place, fill=True, color=BLUE, alpha=0.75, linewidth=0)
        axes.plot([sheets["mean"][0]] * 2, [-place, -place + 0.9], color=ORANGE, linewidth=2, label=None if place else "mean")
    axes.set_yticks([-place for place in range(len(found))], [level for level, _ in found])
    axes.set_ylim(-len(found) + 0.9, 1)
    axes.tick_params(left=False)
    axes.grid(axis="x")
    axes.set_xlabel("grand total of a sheet filled alone")
    axes.legend(loc="upper right")


def columns(figure: "Figure", figures: Figures) -> None:
    """Draw the mean of each column as a bar of cells and bonus."""
    figure.set_size_inches(8, 4.2)
    axes = figure.subplots()
    found = figures["sheets"]["expert"]
    names = list(map(column_name, found["columns"]))
    bonuses = list(found["bonuses"].values())
    cells = [total[0] - bonus for total, bonus in zip(found["columns"].values(), bonuses, strict=True)]
    axes.bar(names, cells, color=BLUE, label="expert: cells")
    axes.bar(names, bonuses, bottom=cells, color=ORANGE, label="expert: bonus")
    for level, marker in (("casual", "D"), ("greedy", "o")):
        totals = [total[0] for total in figures["sheets"][level]["columns"].values()]
        axes.plot(names, totals, marker, color=PAPER, markeredgecolor=INK, markersize=7, label=f"{level}: column")
    axes.set_ylabel("points, mean")
    axes.grid(axis="y")
    axes.tick_params(bottom=False)
    axes.legend(loc="upper left")


def squares(figure: "Figure", figures: Figures) -> None:
    """Draw the board with the gain of a first token on each square."""
    from matplotlib.patches import Rectangle

    figure.set_size_inches(6, 5.6)
    axes = figure.subplots()
    gains = figures["squares"]
    least, most = min(gains.values()), max(gains.values())
    for square, gain in gains.items():
        column, row = "abcde".index(square[0]), int(square[1]) - 1
        shade = 0.1 + 0.65 * (gain - least) / (most - least)
        axes.add_patch(Rectangle((column, row), 1, 1, facecolor=BLUE, alpha=shade, linewidth=0))
        axes.add_patch(Rectangle((column, row), 1, 1, fill=False, edgecolor=FAINT))
        axes.text(column + 0.5, row + 0.38, figure_of(square), ha="center", va="center", fontsize=11)
        axes.text(column + 0.5, row + 0.68, signed(100 * gain), ha="center", va="center", fontsize=11, fontweight="bold")
    axes.set(xlim=(0, 5), ylim=(5, 0), aspect="equal")
    axes.set_xticks([0.5, 1.5, 2.5, 3.5, 4.5], list("abcde"))
    axes.set_yticks([0.5, 1.5, 2.5, 3.5, 4.5], list("12345"))
    axes.tick_params(left=False, bottom=False, top=False, labelbottom=False, labeltop=True)
    axes.spines[:].set_visible(False)


def first_player(figure: "Figure", figures: Figures) -> None:
    """Draw the score of the first player by level and, for expert, by option."""
    figure.set_size_inches(8, 4.6)
    rows = {level: found["first"] for level, found in figures["duels"].items()}
    rows |= {f"expert, {option}": found["first"] for option, found in figures["options"].items()}
    axes = figure.subplots()
    _points(axes, {name: (100 * pair[0], 100 * pair[1]) for name, pair in rows.items()})
    axes.axvline(50, color=INK, linewidth=1)
    axes.set_xlabel("score of the first player, % (a draw counts half), with 95 % intervals")


def rules(figure: "Figure", figures: Figures) -> None:
    """Draw the effect of each option of Yam Master, one panel per measure."""
    figure.set_size_inches(9, 4.4)
    usual = figures["duels"]["expert"]
    panels = figure.subplots(2, 3, sharey=True).flat
    for axes, (name, (heading, factor, _)) in zip(panels, MEASURES.items(), strict=False):
        pairs = {option: difference(found[name], usual[name]) for option, found in figures["options"].items()}
        _points(axes, {option: (factor * pair[0], factor * pair[1]) for option, pair in pairs.items()})
        axes.axvline(0, color=INK, linewidth=1)
        axes.set_title(heading)
        axes.margins(x=0.15)
    panels[-1].set_axis_off()


def _points(axes: "Axes", rows: Mapping[str, tuple[float, float]]) -> None:
    """Draw a dot with its interval for each row, the first row at the top."""
    places = [-place for place in range(len(rows))]
    middles, halves = zip(*rows.values(), strict=True)
    axes.errorbar(middles, places, xerr=halves, fmt="o", color=BLUE, ecolor=BLUE, elinewidth=2, capsize=3, markersize=6)
    axes.set_yticks(places, list(rows))
    axes.set_ylim(-len(rows) + 0.4, 0.6)
    axes.tick_params(left=False)
    axes.grid(axis="x")


Pictures = Mapping[str, tuple[str, Callable[[Any, Figures], None]]]
PICTURES: Final[Pictures] = {
    "scores": ("Yamm: totals by level", scores),
    "columns": ("Yamm: mean by column", columns),
    "squares": ("Yam Master: what a first token gains, in per cent of a win", squares),
    "first-player": ("Yam Master: the advantage of beginning", first_player),
    "rules": ("Yam Master: what an option changes between experts", rules),
}
"""File name without suffix → title of the picture and the function that draws it."""
