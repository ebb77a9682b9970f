"""The analysis of a position: the value of every action with reasons, or of every roll that can
fall.

>>> from dicecup import games
>>> from dicecup.analysis.decisions import analyse
>>> from dicecup.analysis.registry import by_tables
>>> position = games.position("yam-master", "5/5/5/5/5 x 3:11111 12-12 1")
>>> found = analyse(position, by_tables(position.game))
>>> str(found.best.action), found.best.loss
('c3', 0.0)
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, NamedTuple

from dicecup.analysis.endings import KeepReasons, TurnEndFinder
from dicecup.analysis.evaluation import Evaluation, Unit, turn_to_decide, turn_to_throw
from dicecup.analysis.game_analysis import Reasons, Shares
from dicecup.analysis.grade import SAME, SENSIBLE
from dicecup.analysis.registry import EXACT, analysis_of, by_tables, solve
from dicecup.core.dice import Roll
from dicecup.core.errors import TurnCode
from dicecup.core.game import Action, Position
from dicecup.engine.errors import EngineError
from dicecup.engine.progress import Progress, unwatched
from dicecup.players.levels import untrained_options

SHOWN: Final = 3
"""The least number of groups in `DecisionAnalysis.shown`."""
MOST_SHOWN: Final = 6
"""The most groups in `DecisionAnalysis.shown`."""


class ActionAnalysis(NamedTuple):
    """The value of an action and its loss against the best action.

    `points`: in Yamm the expected total of the sheet on turn, where it is known. `reasons`: `None`
    where no reasons were asked for. `shares`: win, draw and loss, where games were played on.
    """

    action: Action
    value: float
    loss: float
    points: float | None = None
    reasons: Reasons | None = None
    shares: Shares | None = None


@dataclass(frozen=True, slots=True)
class DecisionAnalysis:
    """The analysis of a position in which a decision is due.

    `choices`: all actions, the best first. `foreign`: the options for which the evaluation was not
    trained.
    """

    position: Position
    unit: Unit
    exact: bool
    foreign: tuple[str, ...]
    choices: tuple[ActionAnalysis, ...]

    @property
    def best(self) -> ActionAnalysis:
        """Return the first of the best choices."""
        return self.choices[0]

    @property
    def sensible(self) -> tuple[ActionAnalysis, ...]:
        """Return the choices that lose no more than `SENSIBLE`."""
        return tuple(choice for choice in self.choices if choice.loss <= SENSIBLE[self.unit])

    @property
    def forced(self) -> bool:
        """Return whether all sensible choices are equally good."""
        return all(choice.loss <= SAME for choice in self.sensible)

    @property
    def groups(self) -> tuple[tuple[ActionAnalysis, ...], ...]:
        """Return all choices, the best first, in groups of equally good ones."""
        found: list[list[ActionAnalysis]] = []
        for choice in self.choices:
            if found and choice.loss - found[-1][0].loss <= SAME:
                found[-1].append(choice)
            else:
                found.append([choice])
        return tuple(map(tuple, found))

    @property
    def shown(self) -> tuple[tuple[ActionAnalysis, ...], ...]:
        """Return the groups of sensible choices, at least `SHOWN` and at most `MOST_SHOWN`
        groups."""
        groups = self.groups
        sensible = sum(group[0].loss <= SENSIBLE[self.unit] for group in groups)
        return groups[: max(SHOWN, min(sensible, MOST_SHOWN))]


@dataclass(frozen=True, slots=True)
class ThrowAnalysis:
    """The analysis of a position with dice in the air.

    `rolls`: every roll that can fall with its probability and the value after it, the best first.
    """

    position: Position
    unit: Unit
    exact: bool
    foreign: tuple[str, ...]
    value: float
    rolls: tuple[tuple[Roll, float, float], ...]

    @property
    def figures(self) -> dict[str, float]:
        """Return the probability that the throw shows each figure or row, by its ASCII name, where
        it is not 0."""
        figures = analysis_of(self.position.game).figures
        chances = {name: sum(chance for shown, chance, _ in self.rolls if shown in rolls) for name, rolls in figures.items()}
        return {name: chance for name, chance in chances.items() if chance}


def analyse(
    position: Position, evaluation: Evaluation, *, points: Evaluation | None = None, explain: bool = True, games: int = 0
) -> DecisionAnalysis:
    """Return the analysis of a decision.

    `points`: an evaluation in points for Yamm, where `evaluation` counts in probability to win;
    without it cells have no reasons then. `explain`: whether choices have reasons. `games`: the
    number of games of Yam Master that are played on from each shown choice, for the share of draws.

    Raises `EngineError` (`game-over`, `not-a-decision`), and as `Evaluation.values`."""
    require_running(position)
    turn_to_decide(position)
    values = dict(evaluation.values(position))
    totals = values if evaluation.unit is Unit.POINTS else {} if points is None else dict(points.values(position))
    best = max(values.values())
    choices = [
        ActionAnalysis(action, values[action], best - values[action], totals.get(action))
        for action in ranking(position, values)
    ]
    if explain:
        choices = _explained(position, evaluation, choices)
    foreign = () if evaluation.exact else untrained_options(position.game)
    found = DecisionAnalysis(position, evaluation.unit, evaluation.exact, foreign, tuple(choices))
    return _with_shares(found, games) if explain and games else found


def analyse_throw(position: Position, evaluation: Evaluation) -> ThrowAnalysis:
    """Return the analysis of a position with dice in the air.

    Raises `EngineError` (`game-over`, `no-dice-in-the-air`), and as `Evaluation.values`."""
    require_running(position)
    turn_to_throw(position)
    values = evaluation.after_throw(position)
    total = sum(weight for _, weight in position.chances)
    rolls = [(shown, weight / total, values[shown]) for shown, weight in position.chances]
    foreign = () if evaluation.exact else untrained_options(position.game)
    ranked = tuple(sorted(rolls, key=lambda roll: -roll[2]))
    return ThrowAnalysis(position, evaluation.unit, evaluation.exact, foreign, evaluation.before_throw(position), ranked)


def analyse_position(
    position: Position,
    player: str = "expert",
    *,
    alone: bool = False,
    seconds: float | None = None,
    games: int = 0,
    progress: Progress = unwatched,
) -> DecisionAnalysis | ThrowAnalysis:
    """Return the analysis of a decision or of a throw, by the evaluation of a player or of perfect
    play.

    `player`: `expert`, `master` or `exact`. `alone`, `seconds`: as in `by_tables`. `games`: as in
    `analyse`. `progress`: the progress of solving. Where values are probabilities to win and the
    game has points, the decision is analysed in points, too.

    Raises `EngineError` (`game-over`), and as `by_tables`, `solve` and `analyse`."""
    require_running(position)
    game = position.game
    exact = player == EXACT
    evaluation = solve(position, progress) if exact else by_tables(game, player, alone=alone, seconds=seconds)
    if position.waiting:
        return analyse_throw(position, evaluation)
    has_points = evaluation.unit is not analysis_of(game).unit
    points = by_tables(game, player, alone=True, seconds=seconds) if has_points else None
    return analyse(position, evaluation, points=points, games=games)


def require_running(position: Position) -> None:
    """Raise `EngineError` (`game-over`) for a finished game."""
    if position.turn is None:
        raise EngineError(TurnCode.GAME_OVER, position=position)


def ranking(position: Position, values: Mapping[Action, float]) -> list[Action]:
    """Return the actions, the best first; of equal ones first the one that players choose."""
    return analysis_of(position.game).ranked(values)


def _explained(position: Position, evaluation: Evaluation, choices: Sequence[ActionAnalysis]) -> list[ActionAnalysis]:
    """Return the choices with their reasons."""
    analysis = analysis_of(position.game)
    finder = TurnEndFinder(position, evaluation, analysis)
    totals = {choice.action: choice.points for choice in choices if choice.points is not None}
    unstopped = analysis.unstopped(position, evaluation)
    reasons = analysis.reasons(position, totals, unstopped)
    written = analysis.written_points(position)

    def reasons_for(choice: ActionAnalysis) -> Reasons | None:
        """Return the reasons for a choice: the ends of the turn for a keep, else the reasons of the
        game. The points of a keep are given only in games with sheets."""
        if choice.action.kept is None:
            return reasons.get(choice.action)
        ends = finder.after(position, choice.action)
        if written is None:
            return KeepReasons(ends, unstopped=unstopped)
        gain = sum(end.probability * end.gain for end in ends.values())
        return KeepReasons(ends, gain, choice.value - written - gain if evaluation.unit is Unit.POINTS else None)

    return [choice._replace(reasons=reasons_for(choice)) for choice in choices]


def _with_shares(found: DecisionAnalysis, games: int) -> DecisionAnalysis:
    """Return the analysis with win, draw and loss of the first choice of each shown group."""
    ends = {group[0].action: _end_probabilities(group[0]) for group in found.shown}
    values = {choice.action: choice.value for choice in found.choices}
    shares = analysis_of(found.position.game).shares(found.position, ends, values, games)
    return replace(found, choices=tuple(choice._replace(shares=shares.get(choice.action)) for choice in found.choices))


def _end_probabilities(choice: ActionAnalysis) -> dict[Action, float]:
    """Return the actions that may end the turn after a choice, with their probabilities."""
    if isinstance(choice.reasons, KeepReasons):
        return {action: end.probability for action, end in choice.reasons.endings.items()}
    return {choice.action: 1.0}
