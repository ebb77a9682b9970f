"""The curves of a review as an SVG picture. It follows the light or dark scheme of its viewer and
explains every mark in words."""

import re
from collections.abc import Sequence
from itertools import pairwise
from textwrap import wrap
from typing import Final, NamedTuple
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from dicecup.analysis.curve import Curve, curves, place
from dicecup.analysis.evaluation import Unit
from dicecup.analysis.reviewed import Review
from dicecup.locale import Messages
from dicecup.terminal.chart import bounds
from dicecup.terminal.console import TIE
from dicecup.terminal.display import decimal, game_title, player_names
from dicecup.terminal.review import moment, scaled, side_names, turn_side

WIDTH: Final = 960
LEFT: Final = 64
RIGHT: Final = {Unit.POINTS: 204, Unit.CHANCE: 72}
"""The pixels right of the plot, for the numbers and names at the ends of the curves."""
PLOT: Final = 320
"""The height of the plot in pixels."""
LINE: Final = 20
"""The pixels from one line of text to the next."""
TITLE_LETTERS, LETTERS, NAME_LETTERS = 72, 118, 18
"""The most letters on a line of the title, on another line, and in a name at the end of a curve."""
TICKS: Final = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000)
COLOURS: Final = (
    ("#0072b2", "#56b4e9"),
    ("#c24e00", "#ff9d5c"),
    ("#007a5a", "#3fd0a4"),
    ("#a0407f", "#e39ac8"),
    ("#806000", "#e6c34a"),
    ("#3d5a80", "#a9c4eb"),
    ("#7a3b00", "#d9a37a"),
    ("#555555", "#bbbbbb"),
)
"""The colours of the curves on a light and on a dark background. Further curves are dashed and use
the colours again."""
_NOT_IN_XML: Final = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")

_STYLE: Final = """
text { font: 14px system-ui, "Segoe UI", Roboto, Helvetica, Arial, sans-serif; fill: #1c1c1e }
.title { font-size: 20px; font-weight: 600 }
.quiet { fill: #63666e }
.ground { fill: #ffffff }
.grid { stroke: #e3e5e8; stroke-width: 1 }
.middle { stroke: #9a9da5; stroke-width: 1 }
.curve { fill: none; stroke-width: 2.5; stroke-linejoin: round; stroke-linecap: round }
.area { stroke: none; fill-opacity: .14 }
.mark { fill: #ffffff; stroke: #b3261e; stroke-width: 2 }
.rank { font-size: 12px; font-weight: 700; fill: #b3261e; text-anchor: middle }
.right { text-anchor: end }
.centre { text-anchor: middle }
"""
_DARK: Final = """
text { fill: #ececee }
.quiet { fill: #a3a7b0 }
.ground { fill: #16181d }
.grid { stroke: #2c3038 }
.middle { stroke: #6a6e78 }
.mark { fill: #16181d; stroke: #ff8a80 }
.rank { fill: #ff8a80 }
"""


class Scale(NamedTuple):
    """The mapping from turns and values to pixels.

    `top` and `right` are edges of the plot. Lines of equal value lie `step` apart from `low` to
    `high`. `turns`: the turns of the longest curve.
    """

    top: float
    right: float
    step: float
    low: float
    high: float
    turns: int

    def x(self, at: float) -> float:
        """Return the horizontal place of the moment before turn `at` + 1."""
        return LEFT + at * (self.right - LEFT) / self.turns

    def y(self, value: float) -> float:
        """Return the vertical place of a value."""
        return self.top + PLOT * (self.high - value) / (self.high - self.low)


def svg_text(review: Review, messages: Messages) -> str:
    """Return the SVG text of a review."""
    svg = Element("svg", {"xmlns": "http://www.w3.org/2000/svg", "role": "img", "lang": messages.language})
    names = ", ".join(player_names(review.record))
    title = messages("review_title", game=game_title(review.game, messages), names=names)
    about = messages(f"review_by_{review.unit}", evaluation=review.evaluation)
    moments = [moment(review, decision, messages).replace(TIE, " ") for decision in review.worst]
    SubElement(svg, "title").text = _clean(title)
    SubElement(svg, "desc").text = _clean(" ".join([about, *moments]))
    SubElement(svg, "style").text = _style()
    SubElement(svg, "rect", {"class": "ground", "width": "100%", "height": "100%"})
    bottom = _lines(svg, wrap(title, TITLE_LETTERS), LEFT, 36, "title", 26)
    bottom = _lines(svg, wrap(about, LETTERS), LEFT, bottom, "quiet")
    drawn = curves(review)
    scale = _scale(review, drawn, bottom + 8)
    _grid(svg, review, scale, messages)
    if review.unit is Unit.CHANCE:
        _duel(svg, review, drawn[0], scale)
    else:
        _sheets(svg, review, drawn, scale, messages)
    _marks(svg, review, drawn, scale)
    bottom = scale.top + PLOT + 3 * LINE
    for rank, line in enumerate(moments, 1):
        _mark(svg, rank, LEFT + 10, bottom - 5)
        bottom = _lines(svg, wrap(line, LETTERS), LEFT + 30, bottom, "") + 6
    svg.set("viewBox", f"0 0 {WIDTH} {bottom:.0f}")
    indent(svg)
    return tostring(svg, encoding="unicode") + "\n"


def _style() -> str:
    """Return the style sheet for a light and a dark background."""
    light, dark = (
        "".join(f".s{at} {{ stroke: {pair[ground]} }}\n.f{at} {{ fill: {pair[ground]} }}\n" for at, pair in enumerate(COLOURS))
        for ground in range(2)
    )
    return f"{_STYLE}{light}@media (prefers-color-scheme: dark) {{{_DARK}{dark}}}\n"


def _scale(review: Review, drawn: Sequence[Curve], top: float) -> Scale:
    """Return a scale on which every drawn curve fits.

    Chances always reach from 0 to 1. `top`: the upper edge of the plot in pixels.
    """
    everything = [value for curve in drawn for value in curve.values]
    if review.unit is Unit.CHANCE:
        step, (low, high) = 0.25, (0.0, 1.0)
    else:
        step = float(_tick(max(everything) - min(everything), 6))
        low, high = bounds(everything, step)
    turns = max(1, *(len(curve.values) - 1 for curve in drawn))
    return Scale(top, WIDTH - RIGHT[review.unit], step, low, high, turns)


def _tick(length: float, count: int) -> int:
    """Return the smallest round step that divides a length into at most `count` parts."""
    return next((tick for tick in TICKS if tick * count >= length), TICKS[-1])


# --- What is drawn --------------------------------------------------------------------------------


def _grid(svg: Element, review: Review, scale: Scale, messages: Messages) -> None:
    """Draw the lines of equal value with their numbers, the numbers of the turns, and the name of
    the turn axis."""
    for number in range(round((scale.high - scale.low) / scale.step) + 1):
        value = scale.low + number * scale.step
        y = scale.y(value)
        kind = "middle" if review.unit is Unit.CHANCE and number == 2 else "grid"
        _line(svg, kind, LEFT, y, scale.right, y)
        label = decimal(messages, scaled(review, value), 0)
        if review.unit is Unit.CHANCE:
            label = messages("odds_percent", percent=label)
        _text(svg, label, LEFT - 10, y + 5, "quiet right")
    tick = _tick(scale.turns, 12)
    for turn in sorted({1, *range(tick, scale.turns + 1, tick)} if tick > 1 else range(1, scale.turns + 1)):
        _text(svg, str(turn), scale.x(turn - 1), scale.top + PLOT + LINE, "quiet centre")
    _text(
        svg,
        messages("review_turn" if review.unit is Unit.CHANCE else "review_turn_of_sheet"),
        scale.right + 10,
        scale.top + PLOT + LINE,
        "quiet",
    )


def _duel(svg: Element, review: Review, curve: Curve, scale: Scale) -> None:
    """Draw the chance of x: the area above the middle belongs to x, the area below to o."""
    middle = scale.y(0.5)
    for side, (y, height, name_at) in enumerate(
        ((scale.top, PLOT / 2, scale.top + 18), (middle, PLOT / 2, scale.top + PLOT - 10))
    ):
        clip = SubElement(svg, "clipPath", {"id": f"half{side}"})
        SubElement(clip, "rect", _numbers(x=LEFT, y=y, width=scale.right - LEFT, height=height))
        points = _points(curve, scale)
        area = f"{points} L{scale.x(len(curve.values) - 1):.1f} {middle:.1f} L{scale.x(0):.1f} {middle:.1f} Z"
        SubElement(svg, "path", {"class": f"area f{1 - side}", "d": area, "clip-path": f"url(#half{side})"})
        SubElement(svg, "path", {"class": f"curve s{1 - side}", "d": points, "clip-path": f"url(#half{side})"})
        _text(svg, side_names(review)[side], LEFT + 10, name_at, f"f{1 - side}")


def _sheets(svg: Element, review: Review, drawn: Sequence[Curve], scale: Scale, messages: Messages) -> None:
    """Draw a curve for every sheet, with its total and its players at the end."""
    ends = sorted((scale.y(curve.values[-1]), curve.side) for curve in drawn)
    heights = _apart([y for y, _ in ends], LINE - 2.0, scale.top, scale.top + PLOT)
    for curve in drawn:
        broken = {"stroke-dasharray": "7 5"} if curve.side >= len(COLOURS) else {}
        colour = curve.side % len(COLOURS)
        SubElement(svg, "path", {"class": f"curve s{colour}", "d": _points(curve, scale), **broken})
    for (_, side), y in zip(ends, heights, strict=True):
        name, total = side_names(review)[side], decimal(messages, drawn[side].values[-1], 0)
        short = name if len(name) <= NAME_LETTERS else f"{name[: NAME_LETTERS - 1]}…"
        _text(svg, f"{total} {short}", scale.right + 10, y + 5, f"f{side % len(COLOURS)}")


def _marks(svg: Element, review: Review, drawn: Sequence[Curve], scale: Scale) -> None:
    """Draw the numbers of the costliest decisions in the middle of their turns."""
    taken: list[tuple[float, float]] = []
    for rank, decision in enumerate(review.worst, 1):
        values = drawn[turn_side(review, decision) or 0].values
        at = place(review, decision.turn)
        x, y = scale.x(at + 0.5), (scale.y(values[at]) + scale.y(values[at + 1])) / 2
        while any(abs(x - other_x) < LINE + 4 and abs(y - other_y) < LINE + 4 for other_x, other_y in taken):
            y -= LINE + 4
        taken.append((x, y))
        _mark(svg, rank, x, y)


def _mark(svg: Element, rank: int, x: float, y: float) -> None:
    SubElement(svg, "circle", {"class": "mark", **_numbers(cx=x, cy=y, r=10)})
    _text(svg, str(rank), x, y + 4.5, "rank")


def _apart(heights: Sequence[float], least: float, top: float, bottom: float) -> list[float]:
    """Return ascending heights between `top` and `bottom`, moved to lie `least` apart, or closer if
    they are many."""
    least = min(least, (bottom - top) / max(1, len(heights) - 1))
    found = list(heights)
    for at in range(1, len(found)):
        found[at] = max(found[at], found[at - 1] + least)
    if found[-1] > bottom:
        found[-1] = bottom
        for at in range(len(found) - 2, -1, -1):
            found[at] = min(found[at], found[at + 1] - least)
    assert all(below - above > least - 1e-6 for above, below in pairwise(found))
    return found


# --- Elements -------------------------------------------------------------------------------------


def _points(curve: Curve, scale: Scale) -> str:
    """Return the SVG path of a curve."""
    return " ".join(f"{'L' if at else 'M'}{scale.x(at):.1f} {scale.y(value):.1f}" for at, value in enumerate(curve.values))


def _lines(svg: Element, lines: Sequence[str], x: float, y: float, kind: str, height: float = LINE) -> float:
    """Draw lines of text and return the vertical place of the next line."""
    for at, line in enumerate(lines):
        _text(svg, line, x, y + at * height, kind)
    return y + len(lines) * height


def _text(svg: Element, content: str, x: float, y: float, kind: str) -> None:
    SubElement(svg, "text", {"class": kind, **_numbers(x=x, y=y)}).text = _clean(content)


def _line(svg: Element, kind: str, x1: float, y1: float, x2: float, y2: float) -> None:
    SubElement(svg, "line", {"class": kind, **_numbers(x1=x1, y1=y1, x2=x2, y2=y2)})


def _numbers(**values: float) -> dict[str, str]:
    """Return attributes rounded to a tenth of a pixel."""
    return {name: f"{value:.1f}".removesuffix(".0") for name, value in values.items()}


def _clean(text: str) -> str:
    """Return the text without characters that XML does not allow, which names may contain."""
    return _NOT_IN_XML.sub("\ufffd", text)
