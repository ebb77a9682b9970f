"""The analysis of a decision: everything that may be done, what it is worth and what it loses, best first, and why.

>>> from dicecup import games
>>> from dicecup.analysis.decisions import analyse
>>> from dicecup.analysis.evaluation import by_tables
>>> position = games.position("yam-master", "5/5/5/5/5 x 3:11111 12-12 1")
>>> found = analyse(position, by_tables(position.game))
>>> str(found.best.action), found.best.loss
('c3', 0.0)
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, NamedTuple, TypeAlias, cast

from dicecup import yam_master, yamm
from dicecup.analysis.cells import CellReasons, cell_reasons
from dicecup.analysis.endings import Ending, Endings
from dicecup.analysis.evaluation import Evaluation, Unit, in_the_air, to_decide
from dicecup.analysis.grade import SAME, SENSIBLE
from dicecup.analysis.sample import Shares, shares
from dicecup.analysis.squares import SquareReasons, square_reasons
from dicecup.core.dice import ROLLS, Roll
from dicecup.core.errors import TurnCode
from dicecup.core.game import Action, Position
from dicecup.engine.errors import EngineError
from dicecup.players.levels import untrained_options
from dicecup.yam_master.figures import FIGURES
from dicecup.yamm.rows import UPPER, Row, value

SHOWN: Final = 3
"""Choices that are worth a look, at least: the sensible ones, and more to compare with."""
MOST_SHOWN: Final = 6


class KeepReasons(NamedTuple):
    """How the turn ends after a keep: each way with its chance, the likeliest first. In Yamm `gain`: the points that the sheet gains
    in this turn on average; `later`: those that are still expected then, None where the sheet plays for the win."""

    endings: Mapping[Action, Ending]
    gain: float | None = None
    later: float | None = None


Reasons: TypeAlias = KeepReasons | CellReasons | SquareReasons


class Choice(NamedTuple):
    """An action, what it is worth and what it loses against the best. `points`: in Yamm the total that the sheet on turn is expected to end
    with, if it was asked for. `reasons`: unless they were not wanted. `shares`: win, draw and loss, if games were played on to see."""

    action: Action
    value: float
    loss: float
    points: float | None = None
    reasons: Reasons | None = None
    shares: Shares | None = None


@dataclass(frozen=True, slots=True)
class Analysis:
    """Of a position in which somebody is to decide. `choices`: all of them, best first. `foreign`: options that the evaluation was
    not trained for."""

    position: Position
    unit: Unit
    exact: bool
    foreign: tuple[str, ...]
    choices: tuple[Choice, ...]

    @property
    def best(self) -> Choice:
        """The first of the best."""
        return self.choices[0]

    @property
    def sensible(self) -> tuple[Choice, ...]:
        """Those that lose no more than `SENSIBLE`."""
        return tuple(choice for choice in self.choices if choice.loss <= SENSIBLE[self.unit])

    @property
    def forced(self) -> bool:
        """Whether there is one sensible choice only, equally good ones aside."""
        return all(choice.loss <= SAME for choice in self.sensible)

    @property
    def groups(self) -> tuple[tuple[Choice, ...], ...]:
        """All choices, best first, equally good ones together."""
        found: list[list[Choice]] = []
        for choice in self.choices:
            if found and choice.loss - found[-1][0].loss <= SAME:
                found[-1].append(choice)
            else:
                found.append([choice])
        return tuple(map(tuple, found))

    @property
    def shown(self) -> tuple[tuple[Choice, ...], ...]:
        """The groups that are worth a look: the sensible ones, `SHOWN` at least and `MOST_SHOWN` at most."""
        groups = self.groups
        sensible = sum(group[0].loss <= SENSIBLE[self.unit] for group in groups)
        return groups[: max(SHOWN, min(sensible, MOST_SHOWN))]


@dataclass(frozen=True, slots=True)
class Outlook:
    """Of a position with dice in the air: its value, and what it becomes with each roll that can fall, the best first, with its
    probability."""

    position: Position
    unit: Unit
    exact: bool
    foreign: tuple[str, ...]
    value: float
    rolls: tuple[tuple[Roll, float, float], ...]

    @property
    def figures(self) -> dict[str, float]:
        """How likely this throw brings each figure or row, by its ASCII name, where it can; rows 1 to 6 three times or more."""
        holds = _HOLDS[isinstance(self.position, yamm.Position)]
        chances = {name: sum(chance for shown, chance, _ in self.rolls if shown in rolls) for name, rolls in holds.items()}
        return {name: chance for name, chance in chances.items() if chance}


_HOLDS: Final = (
    {figure.ascii: {shown for shown in ROLLS if figure in FIGURES[shown]} for figure in yam_master.Figure},
    {str(row): {shown for shown in ROLLS if shown.counts[at] >= 3} for at, row in enumerate(UPPER)}
    | {str(row): {shown for shown in ROLLS if value(row, shown)} for row in (Row.FULL_HOUSE, Row.STRAIGHT, Row.YAMM)},
)
"""Yam Master and Yamm: the rolls that hold each figure or row."""


def analyse(
    position: Position, evaluation: Evaluation, *, points: Evaluation | None = None, explain: bool = True, games: int = 0
) -> Analysis:
    """Everything that may be done in a position. `points`: what Yamm's sheet on turn is expected to end with, where `evaluation`
    looks at the chance to win; without it cells have no reasons then. `explain`: with reasons. `games`: of Yam Master, played on by the expert from each of those that are shown,
    for the share of draws.

    Raises `EngineError` (`not-a-decision`, `game-over`), and as `Evaluation.values`."""
    running(position)
    to_decide(position)
    values = dict(evaluation.values(position))
    totals = values if evaluation.unit is Unit.POINTS else {} if points is None else dict(points.values(position))
    best = max(values.values())
    choices = [
        Choice(action, values[action], best - values[action], totals.get(action)) for action in ranking(position, values)
    ]
    if explain:
        choices = _explained(position, evaluation, choices)
    foreign = () if evaluation.exact else untrained_options(position.game)
    found = Analysis(position, evaluation.unit, evaluation.exact, foreign, tuple(choices))
    return _sampled(found, games) if explain and games else found


def outlook(position: Position, evaluation: Evaluation) -> Outlook:
    """What a position is worth while dice are in the air. Raises `EngineError` (`no-dice-in-the-air`, `game-over`), and as
    `Evaluation.values`."""
    running(position)
    in_the_air(position)
    values = evaluation.after_throw(position)
    total = sum(weight for _, weight in position.chances)
    rolls = [(shown, weight / total, values[shown]) for shown, weight in position.chances]
    foreign = () if evaluation.exact else untrained_options(position.game)
    ranked = tuple(sorted(rolls, key=lambda roll: -roll[2]))
    return Outlook(position, evaluation.unit, evaluation.exact, foreign, evaluation.before_throw(position), ranked)


def running(position: Position) -> None:
    """Raises `EngineError` (`game-over`) for a finished game."""
    if position.turn is None:
        raise EngineError(TurnCode.GAME_OVER, position=position)


def ranking(position: Position, values: Mapping[Action, float]) -> list[Action]:
    """The actions, best first; of equally good ones first what the players prefer: in Yam Master to end the turn."""
    if isinstance(position, yamm.Position):
        return sorted(values, key=lambda action: -values[action])
    return sorted(values, key=lambda action: (-values[action], isinstance(action, yam_master.KeepDice)))


def _explained(position: Position, evaluation: Evaluation, choices: Sequence[Choice]) -> list[Choice]:
    """The choices with their reasons."""
    endings = Endings(position, evaluation)
    of_cells: dict[yamm.Cell, CellReasons] = {}
    if isinstance(position, yamm.Position):
        totals = {choice.action: choice.points for choice in choices if choice.points is not None}
        cells = {action.cell: total for action, total in totals.items() if isinstance(action, yamm.Write)}
        of_cells = cell_reasons(position, cells) if cells else {}
    return [choice._replace(reasons=_reasons(position, choice, endings, of_cells)) for choice in choices]


def _reasons(position: Position, choice: Choice, endings: Endings, of_cells: Mapping[yamm.Cell, CellReasons]) -> Reasons | None:
    match choice.action:
        case yam_master.KeepDice() as kept:
            return KeepReasons(endings.after(position, kept))
        case yamm.KeepDice() as kept:
            ways = endings.after(position, kept)
            gain = sum(way.probability * way.gain for way in ways.values())
            total = _total(cast(yamm.Position, position))
            return KeepReasons(ways, gain, choice.value - total - gain if endings.unit is Unit.POINTS else None)
        case yamm.Write(cell):
            return of_cells.get(cell)
        case yam_master.Place() | yam_master.Remove() | yam_master.Pass() as action:
            return square_reasons(cast(yam_master.Position, position), action)
        case yamm.Correct():
            return None  # no action of a decision


def _total(position: yamm.Position) -> int:
    """What the sheet on turn has."""
    return position.written[cast(int, position.sheet)].total


def _sampled(found: Analysis, games: int) -> Analysis:
    """In Yam Master the choices that are worth a look with win, draw and loss, of equally good ones the first."""
    if not isinstance(found.position, yam_master.Position):
        return found
    asked: Any = {group[0].action: _ends(group[0]) for group in found.shown}
    values: Any = {choice.action: choice.value for choice in found.choices}
    seen: Mapping[Any, Shares] = shares(found.position, asked, values, games)
    return replace(found, choices=tuple(choice._replace(shares=seen.get(choice.action)) for choice in found.choices))


def _ends(choice: Choice) -> dict[Action, float]:
    """How the turn may end after a choice: with itself, or each way with its chance."""
    if isinstance(choice.reasons, KeepReasons):
        return {action: way.probability for action, way in choice.reasons.endings.items()}
    return {choice.action: 1.0}
