"""Evaluations of Yam Master, as chances to win: whoever says what the actions of a decision are worth says what a turn is."""

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Final, TypeAlias, cast

from dicecup.analysis.evaluation import Evaluation, Unit, to_decide
from dicecup.core.dice import ROLLS, roll
from dicecup.core.game import Action as AnyAction
from dicecup.core.game import Position as AnyPosition
from dicecup.core.turn import Turn
from dicecup.engine.turn import batch
from dicecup.engine.turn.value import TurnValues
from dicecup.players.yam_master import YamMasterExpert, YamMasterMaster, evaluation
from dicecup.yam_master import FIRST_THROW, LATER_THROW, UNDER_DEFI, Action, Pass, Place, Position, Remove, YamMaster
from dicecup.yam_master.figures import YAMS

if TYPE_CHECKING:
    from dicecup.engine.yam_master.exact.solve import Solution

Source: TypeAlias = Callable[[Position], Mapping[Action, float]]
"""What each action of a decision is worth, a chance to win."""
TURNS_KEPT: Final = 64
"""Turns that are remembered: a review comes back to each for every throw and decision."""
SHOWING: Final = (*((1, False, face * 5) for face in "123456"), (1, False, "12345"), (2, True, "11111"))
"""Throws made, Défi declared, dice: one of these allows every way there is to end a turn."""


class OfBoard(Evaluation):
    """What a source says of decisions, and the turns that follow from it."""

    unit = Unit.CHANCE

    def __init__(self, source: Source, *, exact: bool = False) -> None:
        self.exact = exact
        self._source = source
        self._solved = lru_cache(TURNS_KEPT)(self._solve)

    def values(self, position: AnyPosition) -> Mapping[AnyAction, float]:
        to_decide(position)
        return dict(self._source(cast(Position, position)).items())

    def turn(self, position: AnyPosition) -> TurnValues:
        assert isinstance(position, Position)
        return self._solved(_showing(position, 1, defi=False, shown="11111"))

    def _solve(self, position: Position) -> TurnValues:
        """The turn of a position, whatever it shows."""
        worth: dict[Action, float] = {}
        for throws, defi, shown in SHOWING:
            worth.update(self._source(_showing(position, throws, defi=defi, shown=shown)))
        ends = [_ends(position, worth, stage) for stage in (FIRST_THROW, LATER_THROW, UNDER_DEFI)]
        return batch.turn_values(
            (ends[FIRST_THROW], ends[LATER_THROW], ends[LATER_THROW]),
            (ends[UNDER_DEFI], ends[UNDER_DEFI]),
            kept_dice=position.game.options.kept_dice,
        )


def _showing(position: Position, throws: int, *, defi: bool, shown: str) -> Position:
    """The same turn after so many throws, with these dice."""
    turn = Turn(throws, roll(shown))
    return Position(position.game, position.x, position.o, position.to_move, turn, defi, position.supplies, position.number)


def _ends(position: Position, worth: Mapping[Action, float], stage: int) -> list[float]:
    """What ending the turn with each of the 252 rolls is worth at this stage."""
    index = position.game.board.index
    places = {index[action.square]: value for action, value in worth.items() if isinstance(action, Place)}
    taking = max((value for action, value in worth.items() if isinstance(action, Remove)), default=0.0)
    passing = worth[Pass()]
    best: dict[int, float] = {}
    ends = []
    for shown, held in zip(ROLLS, position.game.held[stage], strict=True):
        if held not in best:
            best[held] = max([passing, *(value for place, value in places.items() if held >> place & 1)])
        ends.append(max(best[held], taking) if shown in YAMS else best[held])
    return ends


def by_model(game: YamMaster, player: str, *, work: int | None, seconds: float | None) -> Evaluation:
    """What this player thinks. Raises `TablesError`."""
    evaluation(game)
    playing = YamMasterExpert() if player == "expert" else YamMasterMaster(work, seconds)
    return OfBoard(playing.values)


def by_solution(solved: "Solution") -> Evaluation:
    """What perfect play thinks; captures that lead out of the closure of a late position are not looked at."""

    def source(position: Position) -> Mapping[Action, float]:
        return {action: (1 + value) / 2 for action, value in solved.decision(position).values.items()}

    return OfBoard(source, exact=True)
