"""How a turn will end when these dice are kept and the best is done with all that may fall: exactly, way by way."""

from collections.abc import Hashable, Mapping
from typing import NamedTuple, TypeAlias, cast

from dicecup import yam_master, yamm
from dicecup.analysis.evaluation import Evaluation, declared
from dicecup.core.dice import Roll
from dicecup.core.game import Action, Position
from dicecup.core.turn import THROWS, Turn
from dicecup.engine.turn.value import TurnValues

Keeping: TypeAlias = yam_master.KeepDice | yamm.KeepDice


class Ending(NamedTuple):
    """How likely the turn ends with an action, and the points that it adds to the sheet then, on average (Yamm)."""

    probability: float
    gain: float


class Endings:
    """The endings of one turn, as somebody plays it. What was found is remembered."""

    def __init__(self, position: Position, evaluation: Evaluation) -> None:
        self.unit = evaluation.unit
        self._evaluation = evaluation
        self._turn: TurnValues = evaluation.turn(position)
        self._worth: dict[Hashable, float] = {}
        self._found: dict[tuple[int, str, bool], Mapping[Action, Ending]] = {}
        self._ended: dict[tuple[str, bool], Mapping[Action, Ending]] = {}

    def after(self, position: Position, kept: Keeping) -> Mapping[Action, Ending]:
        """How the turn ends after this action: the likeliest first. Raises as `Evaluation.values`."""
        ways = self._ways(position.play_unchecked(kept))  # type: ignore[arg-type]
        return dict(sorted(ways.items(), key=lambda way: -way[1].probability))

    def _ways(self, waiting: Position) -> Mapping[Action, Ending]:
        turn = cast(Turn, waiting.turn)
        key = turn.throws, turn.dice.text, declared(waiting)
        if key not in self._found:
            ways: dict[Action, Ending] = {}
            total = sum(weight for _, weight in waiting.chances)
            for shown, weight in waiting.chances:
                for action, (probability, gain) in self._of(waiting.roll_unchecked(shown)).items():
                    before = ways.get(action, Ending(0.0, 0.0))
                    share = probability * weight / total
                    ways[action] = Ending(before.probability + share, before.gain + share * gain)
            self._found[key] = {action: Ending(share, gain / share) for action, (share, gain) in ways.items()}
        return self._found[key]

    def _of(self, position: Position) -> Mapping[Action, Ending]:
        """The same where dice lie: the best keep is kept, or the turn ends."""
        turn, defi = cast(Turn, position.turn), declared(position)
        if turn.throws < THROWS:
            best = self._turn.best(turn.throws, Roll(turn.dice), locked=turn.locked, declared=defi)
            if best.keep is not None:
                return self._ways(position.play_unchecked(_keep(position, best.keep)))  # type: ignore[arg-type]
        key = turn.dice.text, defi  # a later throw: which, makes no difference
        if key not in self._ended:
            action = self._best_end(position)
            self._ended[key] = {action: Ending(1.0, _gain(position, action))}
        return self._ended[key]

    def _best_end(self, position: Position) -> Action:
        """The best way to end the turn now. What an ending is worth depends on what it leaves alone."""
        ends = [action for action in position.actions if not isinstance(action, Keeping)]
        keys = [_left(position, action) for action in ends]
        if any(key not in self._worth for key in keys):
            values = self._evaluation.values(position)
            self._worth.update((key, values[action]) for key, action in zip(keys, ends, strict=True) if action in values)
        worth = [self._worth.get(key, float("-inf")) for key in keys]
        return ends[worth.index(max(worth))]


def _keep(position: Position, kept: object) -> Action:
    kind = yamm.KeepDice if isinstance(position, yamm.Position) else yam_master.KeepDice
    return kind(kept)  # type: ignore[arg-type]


def _left(position: Position, action: Action) -> Hashable:
    """What an ending leaves: in Yamm the cell with what is written there, in Yam Master what is done with a token. Only after a
    later throw: a first one may be a first-throw Yamm."""
    if isinstance(position, yamm.Position):
        return action, position.preview(cast(yamm.Write, action))
    return action


def _gain(position: Position, action: Action) -> float:
    """The points that the sheet on turn gains, bonuses included; none in Yam Master."""
    if not isinstance(position, yamm.Position):
        return 0.0
    assert position.sheet is not None
    sheet = position.sheets[position.sheet]
    return sheet.write(cast(yamm.Write, action).cell, Roll(cast(Turn, position.turn).dice)).total - sheet.total
