"""One game between players, with the luck of its dice."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias, cast

from dicecup.arena.ends import CAP, FORFEIT
from dicecup.arena.game_arena import Evaluate
from dicecup.arena.registry import arena_of
from dicecup.core.dice import Keep, Roll
from dicecup.core.game import Position
from dicecup.core.source import SeededSource
from dicecup.core.turn import THROWS, Turn
from dicecup.engine.turn.value import TurnValues
from dicecup.line_protocol import LineProtocolError
from dicecup.players import Corrects, Player

ThrowDice: TypeAlias = Callable[[Position], Roll]
"""A function that returns the throw that is due in a position."""


@dataclass(frozen=True, slots=True)
class PlayedGame:
    """A played game: its last position, and the luck of each seat, `None` without an evaluation.

    `failed` is the seat whose engine failed, with the `error`; the position is then that before the
    last action.
    """

    position: Position
    luck: tuple[float, ...] | None
    failed: int | None = None
    error: LineProtocolError | None = None

    @property
    def turns(self) -> int:
        """Return the number of turns."""
        return self.position.number - 1

    @property
    def ending(self) -> str:
        """Return the end of the game: `cap` if it was stopped, `forfeit` if an engine failed."""
        if self.failed is not None:
            return FORFEIT
        return CAP if self.position.outcome is None else str(self.position.outcome.end)


def seeded(seed: str) -> ThrowDice:
    """Return dice that follow from the seed, the turn and the throw alone.

    Kept dice take the place of the first faces, so games on one seed stay comparable to their end.
    """

    def dice(position: Position) -> Roll:
        turn = cast(Turn, position.turn)
        throw = SeededSource(seed, thrown=THROWS * (position.number - 1) + turn.throws).throw(Keep(turn.dice))
        assert throw is not None
        return throw.roll

    return dice


class PlayerFailedError(Exception):
    """An engine that failed in a turn. This module catches the error.

    `position` and `luck` are those of the turn so far.
    """

    def __init__(self, position: Position, luck: Any, error: LineProtocolError) -> None:
        self.position = position
        self.luck = luck
        self.error = error
        super().__init__(error)


def play_game(
    start: Position, players: Sequence[Player], dice: ThrowDice, cap: int, evaluate: Evaluate | None = None
) -> PlayedGame:
    """Play from the beginning of a turn to the end of the game, or to the end of turn `cap`.

    `players`: one for each seat. The game also ends when an engine fails."""
    position = start
    luck: list[Any] = [0] * len(players)

    def played(failed: int | None = None, error: LineProtocolError | None = None) -> PlayedGame:
        return PlayedGame(position, None if evaluate is None else tuple(luck), failed, error)

    while position.turn is not None and position.number <= cap:
        seat = cast(int, position.player)
        try:
            position = corrected(position, players)
        except LineProtocolError as error:
            return played(position.game.player_of_turn(cast(int, position.finalized_turn)), error)
        values = None if evaluate is None else evaluate(position)
        try:
            position, gained = play_turn(position, players[seat], dice, values)
        except PlayerFailedError as failure:
            position = failure.position
            luck[seat] += failure.luck
            return played(seat, failure.error)
        luck[seat] += gained
    return played()


def play_turn(position: Position, player: Player, dice: ThrowDice, values: TurnValues | None) -> tuple[Position, Any]:
    """Return the position after this turn, and the luck of its throws.

    The luck of a throw is the value of the turn after it less the value before it. Its mean is 0
    for every way to play, because both values come from the same exact turn. Raises
    `PlayerFailedError`.
    """
    number = position.number
    before = 0 if values is None else values.value
    luck = 0
    while position.number == number:
        if position.waiting:
            position = position.roll(dice(position))
            luck += _value(position, values) - before
        else:
            try:
                action = player.choose(position)
            except LineProtocolError as error:
                raise PlayerFailedError(position, luck, error) from None
            position = position.play(action)
            if position.waiting and position.number == number:
                before = _value(position, values)
    return position, luck


def corrected(position: Position, players: Sequence[Player]) -> Position:
    """Return the position after a correction of the result that the next throw makes final.

    The player who threw in that turn may correct it. With one side nothing has changed since then.
    """
    turn = position.finalized_turn
    if turn is None or position.game.sides == 1:
        return position
    thrower = position.game.player_of_turn(turn)
    player, side = players[thrower], position.game.side_of_player(thrower)
    action = player.correct(position, side) if isinstance(player, Corrects) else None
    return position if action is None else position.play(action)


def _value(position: Position, values: TurnValues | None) -> Any:
    """Return the value of a position of the turn when the rest of the turn is played best; 0
    without values."""
    if values is None:
        return 0
    turn = cast(Turn, position.turn)
    declared = arena_of(position.game).declared(position)
    if turn.waiting:
        return values.keep_value(turn.throws, Keep(turn.dice), declared=declared)
    return values.best(turn.throws, Roll(turn.dice), locked=turn.locked, declared=declared).value
