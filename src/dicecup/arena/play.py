"""One game between players, whatever they are, and what its dice gave."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias, cast

from dicecup import yam_master, yamm
from dicecup.core.dice import Keep, Roll
from dicecup.core.game import Position
from dicecup.core.source import SeededSource
from dicecup.core.turn import THROWS, Turn
from dicecup.engine.turn.value import TurnValues
from dicecup.players import Corrects, Player
from dicecup.yamm.seats import last_turn, player_of_turn

Dice: TypeAlias = Callable[[Position], Roll]
"""The throw that is due in a position."""
Evaluate: TypeAlias = Callable[[Position], TurnValues]
"""What the turn that begins in a position is worth to the player to move: in Yamm points still to come, in Yam Master the expected
result (1 won, -1 lost); each up to a constant."""


CAP: Final = "cap"
"""The ending of a game that was stopped."""


@dataclass(frozen=True, slots=True)
class Played:
    """A game that was played: the last `position`, and by seat what the dice gave, if something evaluated them."""

    position: Position
    luck: tuple[float, ...] | None

    @property
    def turns(self) -> int:
        """Turns that were played."""
        return self.position.number - 1

    @property
    def ending(self) -> str:
        """How the game ended: `line`, `tokens`, `full`, or `cap`."""
        return CAP if self.position.outcome is None else str(self.position.outcome.end)


def seeded(seed: str) -> Dice:
    """Dice that follow from the seed, the turn and the throw alone; dice that are kept take the first faces. So the games on one seed stay
    comparable to their end, whatever is done in them."""

    def dice(position: Position) -> Roll:
        turn = cast(Turn, position.turn)
        throw = SeededSource(seed, thrown=THROWS * (position.number - 1) + turn.throws).throw(Keep(turn.dice))
        assert throw is not None
        return throw.roll

    return dice


def play_game(start: Position, players: Sequence[Player], dice: Dice, cap: int, evaluate: Evaluate | None = None) -> Played:
    """Plays from `start`, the beginning of a turn, to the end or to the end of turn `cap`. `players`: one a seat."""
    position = start
    luck: list[Any] = [0] * len(players)
    while position.turn is not None and position.number <= cap:
        seat = seat_to_move(position)
        position = corrected(position, players)
        values = None if evaluate is None else evaluate(position)
        position, gained = play_turn(position, players[seat], dice, values)
        luck[seat] += gained
    return Played(position, None if evaluate is None else tuple(luck))


def play_turn(position: Position, player: Player, dice: Dice, values: TurnValues | None) -> tuple[Position, Any]:
    """The position after this turn and the luck of its throws: for each throw what the turn was worth after it, less what it
    was worth before. Its mean is zero whatever is chosen, since both come from the same exact turn."""
    number = position.number
    before = 0 if values is None else values.value
    luck = 0
    while position.number == number:
        if position.waiting:
            position = position.roll(dice(position))
            luck += _worth(position, values) - before
        else:
            action: Any = player.choose(position)
            position = position.play(action)
            if position.waiting and position.number == number:
                before = _worth(position, values)
    return position, luck


def corrected(position: Position, players: Sequence[Player]) -> Position:
    """Before a sheet's next turn whoever wrote its last result may move it; alone there is nothing new to be seen."""
    if not isinstance(position, yamm.Position) or len(position.sheets) == 1:
        return position
    sheet = cast(int, position.sheet)
    turn = last_turn(position.game.options, sheet, position.number)
    if turn is None:
        return position
    player = players[player_of_turn(position.game.options, turn)]
    action = player.correct(position, sheet) if isinstance(player, Corrects) else None
    return position if action is None else position.play(action)


def _worth(position: Position, values: TurnValues | None) -> Any:
    """What the turn is worth in the middle of it, to one who goes on with it as well as the values know."""
    if values is None:
        return 0
    turn = cast(Turn, position.turn)
    declared = isinstance(position, yam_master.Position) and position.defi
    if turn.waiting:
        return values.keep_value(turn.throws, Keep(turn.dice), declared=declared)
    return values.best(turn.throws, Roll(turn.dice), locked=turn.locked, declared=declared).value


def seat_to_move(position: Position) -> int:
    """Whose turn it is: 0 is x or P1."""
    return cast(int, position.player) if isinstance(position, yamm.Position) else int(position.to_move)
