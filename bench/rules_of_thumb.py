"""Rules of thumb: what a keep, a cell, a bonus point, a column, a square and a threat are worth.

`python -m bench.rules_of_thumb write` measures for a few minutes on one core, and writes
`dicecup/analysis/rules_of_thumb.json`. Without the word it prints the figures. All values are those
of `expert`: points of a sheet that is filled alone, and probabilities to win.

Yamm: positions are the sheets of games that `expert` plays alone, each time a further eleven cells
are written. The worth of an open cell is the value of the sheet less its value with this cell
struck, which takes the turn, too; only cells that may be written next can be struck, and H and T
not alone. The worth of a column is the same with all of its open cells struck, for each of these
cells. The worth of a point is that of one more die in a written cell of rows 1 to 6, less its
points, for each point.

Yam Master: positions are those of games of `expert` against itself before a turn, each time three
further tokens are placed. For each free square the value after a token there is compared with the
mean over the squares of the same board on which a token does nothing of what is measured.

Intervals are 95 % intervals over games: positions of one game are alike.
"""

import json
import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import combinations
from statistics import fmean
from typing import Any, Final, cast

from dicecup import games, players, yam_master, yamm
from dicecup.analysis.decisions import analyse
from dicecup.analysis.evaluation import Evaluation
from dicecup.analysis.grade import SAME
from dicecup.analysis.registry import by_tables
from dicecup.analysis.rules_of_thumb import FILE
from dicecup.analysis.yam_master.squares import SquareReasons, square_reasons
from dicecup.arena.statistics import estimate
from dicecup.core.dice import ROLLS
from dicecup.core.game import Position, Rules
from dicecup.core.source import SeededSource
from dicecup.core.turn import BEGIN
from dicecup.yam_master import BOARD
from dicecup.yamm.rows import UPPER

SHEETS: Final = 150
"""The number of games of Yamm."""
DUELS: Final = 1000
"""The number of games of Yam Master."""
STAGES: Final = tuple(range(0, 99, 11))
"""The numbers of written cells at which sheets are looked at."""
PLACED: Final = (6, 9, 12, 15, 18)
"""The numbers of tokens on the board at which boards are looked at."""
FEWEST: Final = 20
"""The fewest games in which something has to occur."""
FILLED: Final = {"H": 30, "T": 5}
"""Rows that cannot be struck alone, and the points that hold beside every result of the other."""
Means = dict[Any, dict[int, list[float]]]
"""What is measured → number of the game → values in this game."""


def main(words: list[str]) -> None:
    """Measure, and print or write the figures."""
    found = {"command": "python -m bench.rules_of_thumb write", "yamm": of_yamm(SHEETS), "yam_master": of_yam_master(DUELS)}
    text = json.dumps(found, indent=1) + "\n"
    if "write" in words:
        FILE.write_text(text, encoding="utf-8")
    else:
        print(text)


def turns(game: Rules, number: int) -> Iterator[Position]:
    """Yield the positions of a game of `expert` before each turn.

    `number`: the seed of the dice."""
    playing, source = players.create("expert"), SeededSource(f"rules of thumb {number}")
    position = game.start()
    while (turn := position.turn) is not None:
        if not position.waiting:
            position = position.play_unchecked(playing.choose(position))
            continue
        if not turn.throws:
            yield position
        throw = source.throw(turn.kept)
        assert throw is not None
        position = position.roll_unchecked(throw.roll)


def summary(values: Mapping[int, list[float]]) -> list[float]:
    """Return the mean over games, half of its 95 % interval, and the number of games."""
    found = estimate([fmean(each) for each in values.values()])
    half = 0.0 if found.ci95 is None else found.ci95[1] - found.mean
    return [rounded(found.mean), rounded(half), len(values)]


def rounded(value: float) -> float:
    """Round to five significant digits."""
    return float(f"{value:.5g}")


# --- Yamm -----------------------------------------------------------------------------------------


def of_yamm(count: int) -> dict[str, Any]:
    """Return the figures of Yamm."""
    game = yamm.Yamm(yamm.Options(players=1))
    evaluation = by_tables(game)
    cells: Means = defaultdict(lambda: defaultdict(list))
    columns: Means = defaultdict(lambda: defaultdict(list))
    points: Means = defaultdict(lambda: defaultdict(list))
    for number in range(count):
        for position in turns(game, number):
            sheet = cast(yamm.Position, position).written[0]
            if sheet.written in STAGES:
                _look_at_sheet(evaluation, game, sheet, number, cells, columns, points)
    return {
        "games": count,
        "stages": list(STAGES),
        "keeps": keeps(evaluation, game),
        "cells": _by_stage(cells),
        "columns": _by_stage(columns),
        "points": _by_stage(points),
    }


def _by_stage(found: Means) -> dict[str, dict[int, list[float]]]:
    """Return name → stage → summary."""
    stages: dict[str, dict[int, list[float]]] = defaultdict(dict)
    for name, stage in sorted(found):
        if len(found[name, stage]) >= FEWEST:
            stages[name][stage] = summary(found[name, stage])
    return stages


def _look_at_sheet(
    evaluation: Evaluation, game: yamm.Yamm, sheet: yamm.Sheet, number: int, cells: Means, columns: Means, points: Means
) -> None:
    """Measure one sheet of a game."""
    stage, whole = sheet.written, worth(evaluation, game, sheet)
    for cell in sheet.open_cells:
        column, _, row = cell.partition(".")
        if column.startswith("f") and row not in FILLED:
            cells[row, stage][number].append(whole - worth(evaluation, game, changed(sheet, {cell: 0})))
    for column in sheet.spec.columns:
        open_cells = [yamm.Cell(f"{column}.{row}") for row in sheet.spec.rows if sheet[yamm.Cell(f"{column}.{row}")] is None]
        if open_cells and len(open_cells) < sum(held is None for each in sheet.columns for held in each):
            filled = {cell: nothing(sheet, cell) for cell in open_cells}
            without = worth(evaluation, game, changed(sheet, filled)) - sum(filled.values())
            columns[column[0], stage][number].append((whole - without) / len(open_cells))
        if sheet.bonus(column) is None:
            for face, row in enumerate(UPPER, 1):
                held = sheet[yamm.Cell(f"{column}.{row}")]
                if held is not None and held < 5 * face:
                    better = worth(evaluation, game, changed(sheet, {yamm.Cell(f"{column}.{row}"): held + face}))
                    points[column[0], stage][number].append((better - whole) / face - 1)


def nothing(sheet: yamm.Sheet, cell: yamm.Cell) -> int:
    """Return points for a cell that is to be worth nothing: 0, but where the other one of H and T
    is written points with which both hold."""
    column, _, row = cell.partition(".")
    other = {"H": "T", "T": "H"}.get(row)
    held = None if other is None else sheet[yamm.Cell(f"{column}.{other}")]
    return FILLED[row] if held else 0


def worth(evaluation: Evaluation, game: yamm.Yamm, sheet: yamm.Sheet) -> float:
    """Return the expected total of a sheet before its next turn."""
    return evaluation.before_throw(yamm.Position(game, (sheet,), (None,), BEGIN, sheet.written + 1))


def changed(sheet: yamm.Sheet, points: Mapping[yamm.Cell, int]) -> yamm.Sheet:
    """Return a sheet with other points in some cells."""
    columns = tuple(
        tuple(points.get(yamm.Cell(f"{column}.{row}"), held) for row, held in zip(sheet.spec.rows, each, strict=True))
        for column, each in zip(sheet.spec.columns, sheet.columns, strict=True)
    )
    return replace(sheet, columns=columns)


def keeps(evaluation: Evaluation, game: yamm.Yamm) -> dict[str, Any]:
    """Return for each roll the best choice after the first throw on an empty sheet, the points by
    which the roll is luckier than the mean, and the loss of the next best choice."""
    start = game.start()
    mean = evaluation.before_throw(start)
    found = {}
    for roll in ROLLS:
        choices = analyse(start.roll(roll), evaluation, explain=False).choices
        other = next((choice for choice in choices if choice.loss > SAME), None)
        found[roll.text] = {
            "best": str(choices[0].action),
            "luck": rounded(choices[0].value - mean),
            "next": None if other is None else str(other.action),
            "loss": None if other is None else rounded(other.loss),
        }
    return found


# --- Yam Master -----------------------------------------------------------------------------------


def of_yam_master(count: int) -> dict[str, Any]:
    """Return the figures of Yam Master."""
    game = games.from_id("yam-master")
    evaluation = by_tables(game)
    tokens: Means = defaultdict(lambda: defaultdict(list))
    fours: Means = defaultdict(lambda: defaultdict(list))
    for number in range(count):
        left = list(PLACED)
        for position in turns(game, number):
            assert isinstance(position, yam_master.Position)
            if left and (position.x | position.o).bit_count() == left[0]:
                left.pop(0)
                _look_at_board(evaluation, position, number, tokens, fours)
    alone, pairs = squares(evaluation, game)
    return {
        "games": count,
        "squares": alone,
        "pairs": pairs,
        "tokens": _often(tokens),
        "fours": _often(fours),
    }


def _often(found: Means) -> dict[str, list[float]]:
    """Return name → summary of what occurred in enough games."""
    return {name: summary(values) for name, values in sorted(found.items()) if len(values) >= FEWEST}


def squares(evaluation: Evaluation, game: Rules) -> tuple[dict[str, float], dict[str, float]]:
    """Return the worth of each square on an empty board, and what two squares are worth together
    beyond their sum. The opponent is to move and has no token."""

    def chance(*held: str) -> float:
        rows = "/".join("".join("x" if f"{column}{row}" in held else "." for column in "abcde") for row in range(1, 6))
        for free in range(5, 0, -1):
            rows = rows.replace("." * free, str(free))
        return 1 - evaluation.before_throw(game.position(f"{rows} o 0:????? {12 - len(held)}-12 4"))

    empty = chance()
    alone = {name: chance(name) - empty for name in BOARD.names}
    both = {
        f"{one} {other}": rounded(chance(one, other) - empty - alone[one] - alone[other])
        for one, other in combinations(BOARD.names, 2)
    }
    return {name: rounded(gain) for name, gain in alone.items()}, both


def _look_at_board(evaluation: Evaluation, position: yam_master.Position, number: int, tokens: Means, fours: Means) -> None:
    """Compare the free squares of a board."""
    plain: list[float] = []
    special: list[tuple[str, str | None, float]] = []
    for place, name in enumerate(BOARD.names):
        if not position.free >> place & 1:
            continue
        action = yam_master.Place(name)
        after, reasons = position.play_unchecked(action), square_reasons(position, action)
        if after.turn is None:
            continue
        chance = 1 - evaluation.before_throw(after)
        effects = list(_effects(reasons))
        if not effects:
            plain.append(chance)
        elif len(effects) == 1:
            special.append((effects[0], _missing(reasons, position, name), chance))
    if plain:
        usual = fmean(plain)
        for effect, figure, chance in special:
            tokens[effect][number].append(chance - usual)
            if effect == "four" and figure is not None:
                fours[figure][number].append(chance - usual)


def _effects(reasons: SquareReasons) -> Iterator[str]:
    """Yield what a token does."""
    if reasons.denied_line:
        yield "stops"
    elif reasons.stopped and reasons.stopped[0].tokens == 3:
        yield "blocks_three"
    if reasons.made and reasons.made[0].tokens in (3, 4):
        yield "four" if reasons.made[0].tokens == 4 else "three"
    if reasons.points:
        yield "point" if reasons.points == 1 else "points"
    if reasons.denied and not reasons.denied_line:
        yield "denies"


def _missing(reasons: SquareReasons, position: yam_master.Position, placed: str) -> str | None:
    """Return the figure of the square that a line of four lacks."""
    if not reasons.made or reasons.made[0].tokens != 4:
        return None
    free = [name for name in reasons.made[0].squares if name != placed and position.free >> BOARD.index[name] & 1]
    return BOARD.figures[BOARD.index[free[0]]].value


if __name__ == "__main__":
    main(sys.argv[1:])
