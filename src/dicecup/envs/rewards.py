"""Rewards: the result, the points, or the return without the luck of the dice.

A reward function is asked after every throw and after every action, and returns the reward of each
side. docs/environments.md defines the three kinds.

The luck of a throw is the value of the turn after it less the value before it, both from the same
exact turn, so its mean is 0 for every way to play. The return less the luck therefore has the mean
of the return, and a smaller variance (`dicecup.arena.play` measures matches in the same way).
"""

from collections.abc import Callable
from enum import StrEnum
from functools import cache
from typing import Any, TypeAlias, cast

from dicecup.analysis.errors import AnalysisCode, AnalysisError
from dicecup.analysis.evaluation import Evaluation
from dicecup.analysis.registry import by_tables
from dicecup.core.dice import Keep, Roll
from dicecup.core.errors import GameError, TextCode
from dicecup.core.game import Position, Rules, Scoring
from dicecup.core.turn import Turn
from dicecup.yamm import SHEET, Options, Sheet, Yamm
from dicecup.yamm import Position as YammPosition

Sides: TypeAlias = tuple[float, ...]
"""A reward for each side."""


class RewardKind(StrEnum):
    """What an agent is rewarded for."""

    RESULT = "result"
    POINTS = "points"
    LUCK_ADJUSTED = "luck-adjusted"


def reward_kind(text: str) -> RewardKind:
    """Return the kind of a text. Raises `GameError` (`option-value`)."""
    try:
        return RewardKind(text)
    except ValueError:
        raise GameError(TextCode.OPTION_VALUE, option="reward", value=text) from None


def results(position: Position) -> Sides:
    """Return the result of a position for each side; 0 while the game runs.

    Of several sides the only winner gets 1, winners who share get equal parts, and the rewards add
    up to 0. A side that plays alone gets its points.
    """
    sides, outcome = position.game.sides, position.outcome
    if outcome is None:
        return (0.0,) * sides
    if sides == 1:
        return (float(position.scores[0]),)
    if not outcome.winners:
        return (0.0,) * sides
    share = sides / len(outcome.winners)
    return tuple(((share if side in outcome.winners else 0.0) - 1) / (sides - 1) for side in range(sides))


def points(position: Position) -> Sides:
    """Return the points so far of each side; where wins count, less those of the opponent."""
    scores = position.scores
    if position.game.scoring is Scoring.WINS:
        return tuple(float(2 * score - sum(scores)) for score in scores)
    return tuple(map(float, scores))


class Rewards:
    """The rewards of one game.

    Raises `GameError` (`option-value`) for an unknown kind. For `luck-adjusted` it raises
    `TablesError` for a board without tables, and `AnalysisError` (`no-evaluation`) for a sheet that
    is no part of the printed one.
    """

    def __init__(self, game: Rules, kind: str) -> None:
        self.game = game
        self.kind = reward_kind(kind)
        if self.kind is RewardKind.LUCK_ADJUSTED:
            evaluation_of(game)  # reports what is missing now, not at the first throw

    def played(self, before: Position, after: Position) -> Sides:
        """Return the rewards of an action."""
        if not before.waiting and after.number == before.number:
            return (0.0,) * self.game.sides  # a keep: nothing was written
        duel = self.game.scoring is Scoring.WINS
        if self.kind is RewardKind.RESULT or (self.kind is RewardKind.LUCK_ADJUSTED and duel):
            return results(after)
        return tuple(new - old for new, old in zip(points(after), points(before), strict=True))

    def threw(self, before: Position, after: Position) -> Sides:
        """Return the rewards of a throw: less its luck, or 0."""
        if self.kind is not RewardKind.LUCK_ADJUSTED:
            return (0.0,) * self.game.sides
        return tuple(-luck for luck in luck_of(before, after))


def luck_of(before: Position, after: Position) -> Sides:
    """Return the luck of a throw for each side, in the unit of the rewards.

    In Yamm it is in points and concerns the sheet on turn. In Yam Master a win is 1 and a loss -1,
    and what one side gains the other loses. Raises as `Rewards`.
    """
    game = before.game
    evaluate = evaluation_of(game)
    luck = evaluate(before, after)
    side = game.side_of_player(cast(int, before.player))
    if game.scoring is Scoring.WINS:
        return tuple(2 * luck if at == side else -2 * luck for at in range(game.sides))
    return tuple(luck if at == side else 0.0 for at in range(game.sides))


# --- Luck -----------------------------------------------------------------------------------------

Luck: TypeAlias = Callable[[Any, Any], float]
"""A function from the positions before and after a throw to its luck for the side on turn."""


@cache
def evaluation_of(game: Rules) -> Luck:
    """Return the luck of throws by the trained tables. Raises as `Rewards`."""
    if not isinstance(game, Yamm):
        return _luck_by(by_tables(game))
    if game.sheet.rows != SHEET.rows or not set(game.sheet.columns) <= set(SHEET.columns):
        raise AnalysisError(AnalysisCode.NO_EVALUATION, game=f"{game.id} {','.join(game.sheet.columns)}")
    alone = Yamm(Options(players=1, kept_dice=game.options.kept_dice))
    luck = _luck_by(by_tables(alone))
    return lambda before, after: luck(_alone(alone, before, before), _alone(alone, before, after))


def _alone(alone: Yamm, before: YammPosition, position: YammPosition) -> YammPosition:
    """Return the sheet on turn as a printed sheet that is played alone, in this state of the turn.

    Columns that the game does not have are struck, so that the tables value the others alone.
    """
    turn = cast(Turn, before.turn)
    sheet = (before.sheets if turn.throws else before.written)[cast(int, before.sheet)]
    full = _printed(sheet)
    return YammPosition(alone, (full,), (None,), position.turn, full.written + 1)


def _printed(sheet: Sheet) -> Sheet:
    """Return the printed sheet in which the columns that are missing here are struck."""
    held = dict(zip(sheet.spec.columns, sheet.columns, strict=True))
    struck = (0,) * len(SHEET.rows)
    return Sheet(SHEET, tuple(held.get(column, struck) for column in SHEET.columns), sheet.first_throw_yamms)


def _luck_by(evaluation: Evaluation) -> Luck:
    """Return the luck by an evaluation. Its unit is kept."""

    def luck(before: Position, after: Position) -> float:
        thrown, landed = cast(Turn, before.turn), cast(Turn, after.turn)
        values, declared = evaluation.turn(before), evaluation.declared(before)
        expected = values.keep_value(thrown.throws, Keep(thrown.dice), declared=declared) if thrown.throws else values.value
        best = values.best(landed.throws, Roll(landed.dice), locked=landed.locked, declared=declared)
        return float(best.value - expected)

    return luck
