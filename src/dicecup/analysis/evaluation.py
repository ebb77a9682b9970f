"""What positions are worth to somebody: by the tables that the players play with, or solved exactly.

>>> from dicecup import games
>>> from dicecup.analysis.evaluation import by_tables
>>> position = games.position("yam-master", "5/5/5/5/5 x 1:12345 12-12 1")
>>> values = by_tables(position.game).values(position)
>>> str(max(values, key=values.get)) in position.actions
True
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from enum import StrEnum
from typing import TYPE_CHECKING, Final

from dicecup.core.dice import Roll
from dicecup.core.errors import GameError, TextCode, TurnCode
from dicecup.core.game import Action, Position, Rules
from dicecup.core.turn import Turn
from dicecup.engine.errors import EngineCode, EngineError
from dicecup.engine.progress import Progress, unwatched
from dicecup.engine.turn.value import TurnValues
from dicecup.yam_master import Position as BoardPosition
from dicecup.yamm import Yamm

if TYPE_CHECKING:
    from dicecup.engine.sheets.solver import SolvedSheet
    from dicecup.engine.yam_master.exact.solve import Solution

PLAYERS: Final = ("expert", "master")
"""Whose evaluations there are."""
MOST_STATES: Final = 200_000
"""States of a position that are solved while somebody waits: about ten seconds."""


class Unit(StrEnum):
    """What values count in."""

    POINTS = "points"
    """Yamm: the total that the sheet on turn will end with, points already written included; before a turn's first throw its last
    result counts as it stands."""
    CHANCE = "chance"
    """The chance to win, of the side to move or the sheet on turn; a draw counts half. In Yamm 1e-7 for each point of the expected
    total comes on top, so that a decided game is still played for points."""


class Evaluation(ABC):
    """What positions are worth to the side to move, in Yamm to the sheet on turn. All values of one turn belong together: what a
    throw is worth before it falls is the exact mean of what it is worth after it, played on with the best values."""

    unit: Unit
    exact: bool = False
    """Whether the values are those of perfect play."""

    @abstractmethod
    def values(self, position: Position) -> Mapping[Action, float]:
        """What each of `position.actions` is worth, in their order.

        Raises `EngineError` (`not-a-decision` where nobody is to decide, `not-solvable` for what was not solved), `TablesError`."""

    @abstractmethod
    def turn(self, position: Position) -> TurnValues:
        """The whole turn of a running game, whatever its dice are by now. Raises as `values`."""

    def before_throw(self, position: Position) -> float:
        """What a position with dice in the air is worth: the mean over all that can fall.

        Raises `EngineError` (`no-dice-in-the-air` where none are), and as `values`."""
        turn = in_the_air(position)
        solved = self.turn(position)
        return float(
            solved.value if not turn.throws else solved.keep_value(turn.throws, turn.kept, declared=declared(position))
        )

    def after_throw(self, position: Position) -> dict[Roll, float]:
        """The same for each roll that can fall: what its best action is worth. Raises as `before_throw`."""
        in_the_air(position)
        solved = self.turn(position)
        found = {}
        for shown, _ in position.chances:
            after = position.roll_unchecked(shown).turn
            assert after is not None
            best = solved.best(after.throws, shown, locked=after.locked, declared=declared(position))
            found[shown] = float(best.value)
        return found


def by_tables(
    game: Rules, player: str = "expert", *, alone: bool = False, work: int | None = None, seconds: float | None = None
) -> Evaluation:
    """What `expert` or `master` thinks: each of its decisions is the best of these values. `alone`: Yamm for the most points
    although there are opponents. `work`, `seconds`: what the master may spend on a turn (`dicecup.players`).

    Raises `GameError` (`option-value`) for another player, `TablesError` for a board or a sheet that nobody was trained for."""
    if player not in PLAYERS:
        raise GameError(TextCode.OPTION_VALUE, option="player", value=player)
    if isinstance(game, Yamm):
        from dicecup.analysis.of_yamm import by_table

        return by_table(game, player, alone=alone, work=work, seconds=seconds)
    from dicecup.analysis.of_yam_master import by_model

    return by_model(game, player, work=work, seconds=seconds)


def exact(solved: "Solution | SolvedSheet") -> Evaluation:
    """What perfect play thinks of a solved board or late position of Yam Master, or of a solved sheet of Yamm that is played alone."""
    from dicecup.engine.sheets.solver import SolvedSheet

    if isinstance(solved, SolvedSheet):
        from dicecup.analysis.of_yamm import OfSolvedSheet

        return OfSolvedSheet(solved)
    from dicecup.analysis.of_yam_master import by_solution

    return by_solution(solved)


def solve(position: Position, progress: Progress = unwatched) -> Evaluation:
    """What perfect play thinks of a late position of Yam Master, or of any on a small board, and of all that can follow it soon.

    Raises `EngineError` (`not-solvable` for Yamm and for a game that is over, `too-many-states` where it would take minutes)."""
    from dicecup.engine.yam_master.exact.solve import CHANGE, solve_position

    if not isinstance(position, BoardPosition):
        raise EngineError(EngineCode.NOT_SOLVABLE, name=position)
    solved = solve_position(position, progress=progress, limit=MOST_STATES)
    if solved.last_change >= CHANGE:  # another capture would still have mattered
        raise EngineError(EngineCode.TOO_MANY_STATES, states=solved.states, limit=MOST_STATES)
    return exact(solved)


def to_decide(position: Position) -> tuple[Turn, Roll]:
    """The turn and its dice where somebody is to decide. Raises `EngineError` (`not-a-decision`)."""
    if position.turn is None or position.waiting:
        raise EngineError(EngineCode.NOT_A_DECISION, position=position)
    return position.turn, Roll(position.turn.dice)


def in_the_air(position: Position) -> Turn:
    """The turn where dice are in the air. Raises `EngineError` (`no-dice-in-the-air`)."""
    if position.turn is None or not position.waiting:
        raise EngineError(TurnCode.NO_DICE_IN_THE_AIR, position=position)
    return position.turn


def declared(position: Position) -> bool:
    """Whether a Défi was declared in this turn."""
    return isinstance(position, BoardPosition) and position.defi
