"""Games between two in batches, against the same games played through positions."""

import numpy as np
import pytest

from dicecup.core.dice import KEEPS, Keep, Roll
from dicecup.engine.yamm.evaluation.decisions import LEAST_GAIN, correction, evaluate
from dicecup.engine.yamm.evaluation.dice_kernel import bits_of, throw
from dicecup.engine.yamm.evaluation.simulate import FOR_POINTS, NEVER_CORRECTS, Side, duel
from dicecup.engine.yamm.evaluation.table import load_table
from dicecup.players.yamm import TABLE, action_values, best_action
from dicecup.yamm import Position, Yamm


def in_batch(seed: int, first: int, moving: tuple[float, float]) -> tuple[list[list[float]], int]:
    """Return the totals of some games and the number of corrections."""
    totals, moved = duel(load_table(TABLE), seed, first, (Side(moving=moving[0]), Side(moving=moving[1])))
    return totals.T.tolist(), moved


def by_the_rules(seed: int, number: int, moving: tuple[float, float]) -> Position:
    """Return the totals of the same game, played through positions."""
    table = load_table(TABLE)
    position = Yamm.from_id("yamm").start()
    while position.turn is not None:
        turn, side = position.turn, position.sheet
        assert side is not None
        if turn.waiting:
            if not turn.throws and moving[side] == LEAST_GAIN and (moved := correction(table, position, side)) is not None:
                position = position.play(moved)
            bits = np.uint64(bits_of(seed, number, position.number - 1, turn.throws))
            position = position.roll(Roll(KEEPS[throw(bits, Keep(turn.dice).index, turn.dice.count)]))
        else:
            judged = evaluate(table, position, alone=bool(np.isnan(moving[side])))
            position = position.play(best_action(action_values(judged, position)))
    return position


@pytest.mark.slow
@pytest.mark.parametrize("moving", [(FOR_POINTS, FOR_POINTS), (NEVER_CORRECTS, FOR_POINTS), (LEAST_GAIN, NEVER_CORRECTS)])
def test_a_batch_plays_the_games_of_the_rules(moving: tuple[float, float]) -> None:
    """In single precision another of two equal actions may be chosen, so nearly all games agree."""
    totals, _ = in_batch(3, 8, moving)
    played = [by_the_rules(3, 8 + number, moving) for number in range(4)]
    found = [[sheet.total for sheet in position.sheets] for position in played]
    assert sum(one == other for one, other in zip(found, totals, strict=False)) >= 3


def test_without_corrections_no_result_moves() -> None:
    totals, moved = in_batch(5, 0, (FOR_POINTS, NEVER_CORRECTS))
    assert moved == 0
    assert all(500 < points < 5000 for both in totals for points in both)
    again, _ = in_batch(5, 0, (FOR_POINTS, FOR_POINTS))
    assert [own for own, _ in totals] == [own for own, _ in again]


@pytest.mark.slow
def test_results_are_corrected_where_that_gains() -> None:
    _, seldom = in_batch(5, 0, (LEAST_GAIN, NEVER_CORRECTS))
    _, often = in_batch(5, 0, (LEAST_GAIN / 10, NEVER_CORRECTS))
    assert 0 < seldom < often
