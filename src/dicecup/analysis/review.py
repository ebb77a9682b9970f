"""Review of a game: what every decision lost, how lucky every throw was, and what would have come of it without luck.

Losses and luck are differences of values: a decision loses the best value less the chosen one, a throw's luck is the value after it
less the value before. So result = value of the start + luck - losses. Where values are exact this holds to rounding;
elsewhere what is left over is the `residual`, the measure of the evaluation's own error.

Yam Master counts in the chance to win, and what one side gains the other loses. Yamm counts in the points of each sheet, always
as if there were no opponents.
"""

from collections.abc import Iterator
from math import fsum
from typing import Final

from dicecup import yamm
from dicecup.analysis.evaluation import Evaluation, Unit, by_tables
from dicecup.analysis.grade import grade, grades, is_graded, mean_loss
from dicecup.analysis.reviewed import Kind, Review, ReviewedPlayer, ReviewedSide
from dicecup.analysis.steps import steps
from dicecup.analysis.walk import Walk
from dicecup.core.errors import GameError, TextCode
from dicecup.engine.progress import Progress, unwatched
from dicecup.players.levels import untrained_options
from dicecup.record import Record
from dicecup.yam_master import Side
from dicecup.yamm import Yamm
from dicecup.yamm.seats import Writers, players_of_sheet, writers_from_text

EXACT: Final = "exact"
"""The name of perfect play's evaluation."""
_RESULTS: Final = {"x": (1.0, 0.0), "o": (0.0, 1.0), "draw": (0.5, 0.5)}
"""How the tag `Result` of Yam Master begins → what x and o got."""


def review(
    record: Record, player: str = "expert", *, evaluation: Evaluation | None = None, progress: Progress = unwatched
) -> Review:
    """Reviews a game as far as it was played, by the values of `expert` or `master`, or by another evaluation (of Yamm one
    that counts in points). `progress`: turns.

    What led to a `Position` that a record begins with is not in it, and not judged.

    Raises `GameError` (`option-value`) for another player or unit, `TablesError`, and what the evaluation raises."""
    found = by_tables(record.game, player, alone=True) if evaluation is None else evaluation
    if isinstance(record.game, Yamm) and found.unit is not Unit.POINTS:
        raise GameError(TextCode.OPTION_VALUE, option="unit", value=found.unit)
    walk = Walk(record.beginning, found, _writers(record))
    for step in steps(record):
        walk.take(step)
        progress(step.after.number - 1, record.journal.turns)
    return Review(
        record=record,
        evaluation=EXACT if found.exact else player,
        unit=found.unit,
        foreign_options=() if found.exact else untrained_options(record.journal.position.game),
        turns=tuple(walk.turns),
        sides=_sides(record, walk),
        players=tuple(_players(record, walk, found.unit)),
    )


def _sides(record: Record, walk: Walk) -> tuple[ReviewedSide, ...]:
    """The totals of x and o, or of the sheets."""
    ended = record.journal.position.turn is None
    sides = []
    for side, (start, now, result) in enumerate(zip(walk.starts, walk.now, _results(record), strict=True)):
        expected = result if ended and result is not None else now
        own = [turn for turn in walk.turns if turn.side == side]
        against = [turn for turn in walk.turns if turn.side != side] if walk.shared else []
        luck = fsum([*(turn.luck for turn in own), *(-turn.luck for turn in against)])
        loss = fsum([*(turn.loss for turn in own), *(-turn.loss for turn in against)])
        sides.append(
            ReviewedSide(
                players=players_of_sheet(record.game.options, side) if isinstance(record.game, Yamm) else (side,),
                start=start,
                expected=expected,
                result=result,
                luck=fsum(turn.luck for turn in own),
                loss=fsum(turn.loss for turn in own),
                adjusted=expected - luck,
                residual=fsum((expected, -start, -luck, loss)),
            )
        )
    return tuple(sides)


def _results(record: Record) -> tuple[float | None, ...]:
    """What each side got: points, or 1, a half or 0; after a resignation and the like as the tags tell it."""
    position = record.journal.position
    if isinstance(position, yamm.Position):
        return tuple(float(sheet.total) if position.turn is None else None for sheet in position.sheets)
    if position.outcome is None:
        return _RESULTS.get(record.tags.get("Result", "").partition(" ")[0], (None, None))
    winner = position.outcome.winner
    return tuple(0.5 if winner is None else float(winner is side) for side in Side)


def _players(record: Record, walk: Walk, unit: Unit) -> Iterator[ReviewedPlayer]:
    """The totals of the players, in the order of play."""
    game = record.game
    decisions = [decision for turn in walk.turns for decision in turn.decisions]
    for number in range(game.options.players if isinstance(game, Yamm) else len(Side)):
        own = [decision for decision in decisions if decision.player == number]
        found = mean_loss([decision.loss for decision in own if decision.counts])
        yield ReviewedPlayer(
            name=record.tags.get(f"P{number + 1}" if isinstance(game, Yamm) else str(Side(number)).upper()),
            side=number % len(walk.starts),
            luck=fsum(turn.luck for turn in walk.turns if turn.player == number),
            losses={kind: fsum(decision.losses.get(kind, 0.0) for decision in own) for kind in Kind},
            decisions=found,
            grade=grade(found, unit) if is_graded(game) else None,
            grades=grades(found, unit) if is_graded(game) else (),
        )


def _writers(record: Record) -> Writers:
    """Who writes for a pair."""
    named = record.tags.get("Writer")
    return writers_from_text(record.game.options, named) if named and isinstance(record.game, Yamm) else ()
