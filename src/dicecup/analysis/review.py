"""The review of a game: the loss of every decision, the luck of every throw, and the result without
luck.

The loss of a decision is the best value less the value of the chosen action. The luck of a throw is
the value after it less the value before it. So the result is the value of the start plus luck less
losses. Where values are exact this holds up to rounding. Elsewhere the difference is the
`residual`, which measures the error of the evaluation.

Yam Master counts in probability to win: the gain of one side is the loss of the other. Yamm counts
in the points of each sheet, as if there were no opponents.
"""

from collections.abc import Iterator
from math import fsum

from dicecup.analysis.evaluation import Evaluation, Unit
from dicecup.analysis.grade import grade, grades, mean_loss
from dicecup.analysis.registry import EXACT, analysis_of, by_tables
from dicecup.analysis.reviewed import LossKind, Review, ReviewedPlayer, ReviewedSide
from dicecup.analysis.steps import steps
from dicecup.analysis.walk import Walk
from dicecup.core.errors import GameError, TextCode
from dicecup.engine.progress import Progress, unwatched
from dicecup.players.levels import untrained_options
from dicecup.record import Record


def review(
    record: Record, player: str = "expert", *, evaluation: Evaluation | None = None, progress: Progress = unwatched
) -> Review:
    """Return the review of a game from the beginning of its record to its end.

    `player`: `expert` or `master`. `evaluation`: another evaluation, in the unit of the game's
    reviews. `progress`: called with the number of turns done and of all turns.

    Raises `GameError` (`option-value`) for another player or unit, `AnalysisError`
    (`no-evaluation`), `TablesError`, and what the evaluation raises."""
    analysis = analysis_of(record.game)
    found = by_tables(record.game, player, alone=True) if evaluation is None else evaluation
    if found.unit is not analysis.unit:
        raise GameError(TextCode.OPTION_VALUE, option="unit", value=found.unit)
    walk = Walk(record.beginning, found, analysis.named_writers(record.tags))
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
    """Return the totals of the sides."""
    game, analysis = record.game, analysis_of(record.game)
    ended = record.journal.position.turn is None
    sides = []
    for side, (start, now, result) in enumerate(zip(walk.starts, walk.now, analysis.results(record), strict=True)):
        expected = result if ended and result is not None else now
        own = [turn for turn in walk.turns if turn.side == side]
        against = [turn for turn in walk.turns if turn.side != side] if analysis.shared_win else []
        luck = fsum([*(turn.luck for turn in own), *(-turn.luck for turn in against)])
        loss = fsum([*(turn.loss for turn in own), *(-turn.loss for turn in against)])
        sides.append(
            ReviewedSide(
                players=tuple(player for player in range(game.players) if game.side_of_player(player) == side),
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


def _players(record: Record, walk: Walk, unit: Unit) -> Iterator[ReviewedPlayer]:
    """Yield the totals of the players in the order of play."""
    game = record.game
    graded = analysis_of(game).is_graded(game)
    decisions = [decision for turn in walk.turns for decision in turn.decisions]
    for player in range(game.players):
        own = [decision for decision in decisions if decision.player == player]
        found = mean_loss([decision.loss for decision in own if decision.counts])
        yield ReviewedPlayer(
            name=record.tags.get(game.player_tags[player]),
            side=game.side_of_player(player),
            luck=fsum(turn.luck for turn in walk.turns if turn.player == player),
            losses={kind: fsum(decision.losses.get(kind, 0.0) for decision in own) for kind in LossKind},
            decisions=found,
            grade=grade(found, unit) if graded else None,
            grades=grades(found, unit) if graded else (),
        )
