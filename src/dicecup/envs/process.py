"""A game as chance nodes, decisions and corrections: the core that all interfaces stand on.

The rules allow a correction whenever its result is not final yet. A learning agent needs one place
for it. That place is before the throw that makes a result final: the player who threw the result
moves it to another cell, or lets it stand. The arena plays in the same way
(`dicecup.arena.play.corrected`). Where one side plays alone, nothing has changed since the result
was written, so no correction is asked for.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from typing import Any, cast

from dicecup.core.dice import Roll
from dicecup.core.errors import ActionError, TurnCode
from dicecup.core.game import Action, Position, Rules
from dicecup.envs.errors import EnvsCode


class Kind(Enum):
    """What a situation waits for."""

    CHANCE = "chance"
    DECISION = "decision"
    CORRECTION = "correction"
    OVER = "over"


@dataclass(frozen=True, slots=True)
class Situation:
    """A position, and whether the player whose result becomes final is asked for a correction.

    `None` in the place of an action lets the result stand.
    """

    position: Position
    asks: bool = False

    @property
    def kind(self) -> Kind:
        """Return what the situation waits for."""
        if self.asks:
            return Kind.CORRECTION
        if self.position.turn is None:
            return Kind.OVER
        return Kind.CHANCE if self.position.turn.waiting else Kind.DECISION

    @property
    def player(self) -> int | None:
        """Return the player who decides now, `None` while a throw is due and after the end.

        A correction is decided by the player who threw the result.
        """
        position = self.position
        if self.asks:
            return position.game.player_of_turn(cast(int, position.finalized_turn))
        return None if position.waiting else position.player

    @property
    def chances(self) -> tuple[tuple[Roll, int], ...]:
        """Return every roll that can fall now with its integer weight, as `Position.chances`."""
        return () if self.asks else self.position.chances

    @property
    def actions(self) -> Iterator[Action | None]:
        """Yield what the player who decides may do, in the pinned order; `None` comes last."""
        if self.asks:
            yield from corrections(self.position)
            yield None
        else:
            yield from self.position.actions

    def play(self, action: Action | None) -> "Situation":
        """Return the situation after an action. Raises `ActionError` for one that is not
        allowed."""
        position = self.position
        correcting = action is None or action.corrects is not None
        if not self.asks:
            if correcting:
                raise ActionError(EnvsCode.NO_CORRECTION_DUE, position=position, action=action or "stand")
            return situation_of(position.play(action))
        if action is None:
            return Situation(position)
        if not correcting or action.corrects != position.finalized_turn:
            raise ActionError(TurnCode.DICE_IN_THE_AIR, position=position, action=action)
        return Situation(position.play(action))

    def play_unchecked(self, action: Action | None) -> "Situation":
        """Return the situation after an action that is known to be allowed."""
        if not self.asks:
            return situation_of(self.position.play_unchecked(action))
        return Situation(self.position if action is None else self.position.play_unchecked(action))

    def roll(self, shown: Roll) -> "Situation":
        """Return the situation after a throw. Raises `ActionError` where no throw is due, or for a
        roll that cannot fall."""
        if self.asks:
            raise ActionError(TurnCode.NO_DICE_IN_THE_AIR, position=self.position, action=shown)
        return Situation(self.position.roll(shown))

    def roll_unchecked(self, shown: Roll) -> "Situation":
        """Return the situation after a throw that is known to be possible."""
        return Situation(self.position.roll_unchecked(shown))

    def __deepcopy__(self, memo: object) -> "Situation":
        return self


def start(game: Rules) -> Situation:
    """Return the situation before the first throw of a game."""
    return Situation(game.start())


def situation_of(position: Position) -> Situation:
    """Return the situation of a position that was just reached by an action."""
    if position.finalized_turn is None or position.game.sides == 1:
        return Situation(position)
    return Situation(position, any(True for _ in corrections(position)))


def corrections(position: Position) -> Iterator[Action]:
    """Yield the corrections of the result that the throw that is due makes final."""
    turn = position.finalized_turn
    return (action for action in position.corrections if action.corrects == turn)


def throw_at(chances: tuple[tuple[Roll, int], ...], place: int) -> Roll:
    """Return the roll at a place among all ordered throws: roll n takes as many places as its
    weight.

    A place drawn evenly from the sum of the weights therefore gives each roll its exact
    probability.
    """
    for shown, weight in chances:
        place -= weight
        if place < 0:
            return shown
    raise IndexError(place)


def ordered_throws(position: Any) -> int:
    """Return the number of ordered throws that can fall: the sum of the weights of
    `Position.chances`."""
    return int(6 ** (5 - position.turn.dice.count))
