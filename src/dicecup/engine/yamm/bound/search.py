"""The search for better prices.

The bound is a convex function of the prices. Its slope is the supply of the turns less the demand
of the blocks: the probability that a turn ends with a roll, or that a keep is followed by one, less
the probability that blocks use it. The first is exact; for the second each block plays some games
by its best policy. Adam follows the slope, on several scales at once: a roll's price everywhere, a
keep's, a class's, and each price alone.
"""

import time
from collections.abc import Callable
from dataclasses import replace
from typing import Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from dicecup.engine.sheets.section import FIVE_EQUAL
from dicecup.engine.turn.faces import MOST_THROWN, Faces
from dicecup.engine.yamm.bound.blocks import Block, block
from dicecup.engine.yamm.bound.certificate import Certificate, Prices
from dicecup.engine.yamm.bound.last_throw_kernel import PAIR_CHANCE, PAIR_KEEP, PAIR_ROLL, PAIRS_AT
from dicecup.engine.yamm.bound.search_arrays import flow_of, played, workspace
from dicecup.engine.yamm.bound.search_kernel import block_turn, common_turn, sample_turn
from dicecup.yamm.score import FIRST_THROW_YAMM

Slopes: TypeAlias = dict[str, NDArray[np.float64]]
"""Numbers for each knot: for the prices of the certificate by name, or for a scale."""
Report: TypeAlias = Callable[[float, float], None]
"""A function that receives the finished part of the time, and the best bound so far."""

GAMES: Final = 48
"""Games of each block for one slope."""
RATES: Final = (0.3, 0.06)
"""The largest step of a price on one scale, in points, at the beginning and at the end."""
RAMP: Final = 8
"""The steps until the first of the rates is reached: the slopes are noisy while their size is not
known.
"""
MEMORY: Final = (0.9, 0.97)
"""The decays of the means of the slopes and of their squares."""
SMALLEST: Final = 1e-4
"""Slopes far below this do not count, because they stand for rare events."""

CHANCES: Final = PAIR_CHANCE.astype(np.float32)
BONUS: Final = np.array([FIRST_THROW_YAMM * (at in FIVE_EQUAL) for at in range(252)], dtype=np.float64)
BY_ROLL: Final = np.argsort(PAIR_ROLL, kind="stable")
"""The pairs in the order of their rolls."""
ROLLS_AT: Final = np.searchsorted(PAIR_ROLL[BY_ROLL], np.arange(252))
"""Where each roll's pairs begin in `BY_ROLL`."""


class Found(NamedTuple):
    """The bound at some prices, in single precision, and its slopes at the knots."""

    bound: float
    slopes: Slopes


def tighten(certificate: Certificate, seconds: float, seed: int, report: Report) -> Certificate:
    """Return better prices, as far as they are found in this time; otherwise those of
    `certificate`.

    `claimed` stays: only the verification says what the prices prove.
    """
    began = time.monotonic()
    faces = Faces(seed)
    blocks = [block(name, copies) for name, copies in certificate.blocks.items()]
    best, best_bound = certificate, np.inf
    means: Slopes = {}
    squares: Slopes = {}
    steps, part = 0, 0.0
    while part < 1.0:
        found = evaluate(certificate, blocks, faces)
        if found.bound < best_bound:
            best, best_bound = certificate, found.bound
        steps += 1
        rate = RATES[0] * (RATES[1] / RATES[0]) ** part * min(1.0, steps / RAMP)
        moves = {}
        for scale, slope in scales(found.slopes).items():
            means[scale] = MEMORY[0] * means.get(scale, 0.0) + (1.0 - MEMORY[0]) * slope
            squares[scale] = MEMORY[1] * squares.get(scale, 0.0) + (1.0 - MEMORY[1]) * slope**2
            mean, square = means[scale] / (1.0 - MEMORY[0] ** steps), squares[scale] / (1.0 - MEMORY[1] ** steps)
            moves[scale] = -rate * mean / (np.sqrt(square) + SMALLEST)
        certificate = moved(certificate, moves)
        part = (time.monotonic() - began) / seconds if seconds > 0 else 1.0
        report(min(part, 1.0), best_bound)
    return best


def evaluate(certificate: Certificate, blocks: list[Block], faces: Faces, games: int = GAMES) -> Found:
    """Return the bound at these prices, and its slopes from `games` games of each block."""
    turns = certificate.turns
    classes = certificate.classes
    prices = [_single(certificate.at(turn)) for turn in range(turns)]
    tables = [np.zeros((turns + 1, each.size), np.float32) for each in blocks]
    for each, values in zip(blocks, tables, strict=True):
        arrays = workspace(each.plan, np.float32)
        for turn in range(turns - 1, -1, -1):
            shapes = each.shapes[each.written <= turn]
            block_turn(each.plan, shapes, values[turn + 1], values[turn], classes, *prices[turn], CHANCES, arrays)
    total = sum(each.copies * float(values[0, each.start_index]) for each, values in zip(blocks, tables, strict=True))
    slopes = {name: np.zeros(getattr(certificate, name).shape) for name in ("first", "second", "pairs", "by_roll", "by_keep")}
    nodes = [np.repeat(each.start[:, None], games, axis=1) for each in blocks]
    kinds = len(prices[0][1])
    flow, works = flow_of(kinds), [played(each.plan, kinds, np.float32) for each in blocks]
    for turn in range(turns):
        uses = tuple(np.zeros(price.shape) for price in prices[turn])
        total += common_turn(classes, *prices[turn], BONUS, flow, *uses)
        for each, values, places, work in zip(blocks, tables, nodes, works, strict=True):
            wanted = tuple(np.zeros(price.shape) for price in prices[turn])
            dice = faces.ready(MOST_THROWN * games)
            sample_turn(each.plan, values[turn + 1], places, classes, *prices[turn], CHANCES, *dice, work, *wanted)
            uses = tuple(use - each.copies * want for use, want in zip(uses, wanted, strict=True))
        first, second, third = uses
        at_turn = {
            "first": first,
            "second": second,
            "pairs": third.sum(axis=0),
            "by_roll": np.add.reduceat(third[:, BY_ROLL], ROLLS_AT, axis=1),
            "by_keep": np.add.reduceat(third, PAIRS_AT[:-1], axis=1),
        }
        for knot, part in certificate.parts(turn):
            for name, slope in at_turn.items():
                slopes[name][knot] += part * slope
    return Found(total, slopes)


def _single(prices: Prices) -> tuple[NDArray[np.float32], NDArray[np.float32], NDArray[np.float32]]:
    """Return the prices in single precision."""
    first, second, third = (np.ascontiguousarray(each, dtype=np.float32) for each in prices)
    return first, second, third


def scales(slopes: Slopes) -> Slopes:
    """Return the slopes on all scales: of each price, and of all prices of a roll, of a keep or of
    a class together.
    """
    first, second, pairs, by_roll, by_keep = (slopes[name] for name in ("first", "second", "pairs", "by_roll", "by_keep"))
    together = {
        "roll": first + second.sum(axis=1) + by_roll.sum(axis=1),
        "roll second": second.sum(axis=1),
        "keep": by_keep.sum(axis=1),
    }
    if by_roll.shape[1] == 1:
        return {**together, "first": first, "pairs": pairs}
    return {**together, "class": second.sum(axis=2) + by_roll.sum(axis=2), **slopes}


def moved(certificate: Certificate, moves: Slopes) -> Certificate:
    """Return the certificate with its prices moved on all scales."""
    roll = moves["roll"]
    kind = moves["class"] if "class" in moves else np.zeros(certificate.by_roll.shape[:2])
    return replace(
        certificate,
        first=certificate.first + roll + moves["first"],
        second=certificate.second + (roll + moves["roll second"])[:, None] + kind[:, :, None] + moves.get("second", 0.0),
        pairs=certificate.pairs + roll[:, PAIR_ROLL] + moves["keep"][:, PAIR_KEEP] + moves["pairs"],
        by_roll=certificate.by_roll + kind[:, :, None] + moves.get("by_roll", 0.0),
        by_keep=certificate.by_keep + moves.get("by_keep", 0.0),
    )
