"""The rules of Yam Master: the game with its options, and its positions.

`YamMaster` makes positions and a `Position` names its game, so both are defined in this module.
`Position.play` and `Position.roll` check their arguments; the methods ending in `_unchecked` do
not.
"""

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, ClassVar, Final, Self, cast

from dicecup.core.dice import DICE, FIRST_ROLL, Keep, Roll, roll
from dicecup.core.errors import ActionError, PositionError, TextError, TurnCode
from dicecup.core.game import LEVELS, FirstPlayer, Option, Rules, Scoring
from dicecup.core.ids import id_text, list_options, options_from_id
from dicecup.core.turn import BEGIN, Turn
from dicecup.core.view import NO_ACTIONS, View
from dicecup.yam_master.actions import (
    DEFI_ACTIONS,
    KEEP_ACTIONS,
    PASS,
    PLACES,
    REMOVALS,
    Action,
    KeepDice,
    Pass,
    Place,
    Remove,
    action_from_text,
)
from dicecup.yam_master.board import BOARD, Board, Side, Squares
from dicecup.yam_master.codes import ActionCode, PositionCode
from dicecup.yam_master.figures import BIG_ROLLS, YAMS, Figure
from dicecup.yam_master.held import FIRST_THROW, LATER_THROW, UNDER_DEFI, HeldSquares, held_squares
from dicecup.yam_master.options import DEFAULTS, Captured, End, FailedDefi, Options
from dicecup.yam_master.text import Draft, board_rows, position_text, read_draft

_RESULT: Final = re.compile(r"(?:[xo]|draw) (?:0|[1-9][0-9]*)-(?:0|[1-9][0-9]*)", re.ASCII)


class Ending(StrEnum):
    """What ended the game."""

    LINE = "line"
    TOKENS = "tokens"


@dataclass(frozen=True, slots=True)
class Outcome:
    """The end of a game. `winner`: `None` for a draw. `points`: the points of x and o. A line wins
    regardless of the points.
    """

    end: Ending
    winner: Side | None
    points: tuple[int, int]

    @property
    def winners(self) -> tuple[int, ...]:
        """Return the side that wins; empty for a draw."""
        return () if self.winner is None else (int(self.winner),)


@dataclass(frozen=True, slots=True, repr=False)
class Position:
    """A position of Yam Master.

    `x`, `o`: the squares with tokens. `turn`: the state of the turn, `None` when the game is over.
    `defi`: whether a Défi is declared in this turn. `supplies`: the tokens left of x and o.
    `number`: the number of the turn, from 1.
    """

    game: "YamMaster"
    x: Squares
    o: Squares
    to_move: Side
    turn: Turn | None
    defi: bool
    supplies: tuple[int, int]
    number: int

    # State

    @property
    def waiting(self) -> bool:
        """Return whether dice are in the air, so that a throw is due and no action."""
        return self.turn is not None and self.turn.waiting

    @property
    def chances(self) -> tuple[tuple[Roll, int], ...]:
        """Return every roll that can fall now, ascending. The integer weights add up to 6 **
        (number of dice thrown).
        """
        return self.turn.dice.outcomes if self.turn is not None and self.turn.waiting else ()

    @property
    def free(self) -> Squares:
        """Return the squares without a token."""
        return Squares(~(self.x | self.o) & ((1 << len(self.game.board.names)) - 1))

    @property
    def points(self) -> tuple[int, int]:
        """Return the points of x and o for the tokens on the board."""
        return self.game.board.points(self.x), self.game.board.points(self.o)

    @property
    def scores(self) -> tuple[int, ...]:
        """Return `points`."""
        return self.points

    @property
    def player(self) -> int | None:
        """Return the side to move, `None` when the game is over."""
        return None if self.turn is None else int(self.to_move)

    @property
    def outcome(self) -> Outcome | None:
        """Return how the game ended, `None` while it runs."""
        if self.turn is not None:
            return None
        points = self.points
        last = self.to_move.other
        if self.game.board.has_line((self.x, self.o)[last]):
            return Outcome(Ending.LINE, last, points)
        winner = None if points[0] == points[1] else Side.X if points[0] > points[1] else Side.O
        return Outcome(Ending.TOKENS, winner, points)

    @property
    def placeable(self) -> Squares:
        """Return the squares where a token can be placed: free squares whose figure the
        dice hold."""
        turn = self.turn
        return Squares(0) if turn is None or turn.waiting else Squares(self._held() & self.free)

    @property
    def removable(self) -> Squares:
        """Return the squares whose opposing token the Predator can remove now."""
        turn = self.turn
        if turn is None or turn.dice not in YAMS:
            return Squares(0)
        return self.o if self.to_move is Side.X else self.x

    @property
    def defi_lost(self) -> bool:
        """Return whether the declared Défi has failed: the dice show no big figure, and nothing can
        be placed.
        """
        turn = self.turn
        if turn is None or turn.waiting or not self.defi:
            return False
        return turn.dice not in BIG_ROLLS and not self.placeable

    # Actions

    @property
    def actions(self) -> View[Action]:
        """Return the allowed actions: keeps (fewest dice first), keeps with a Défi, squares,
        removals, pass.
        """
        return View(self._list, self.allows)

    @property
    def corrections(self) -> View[Action]:
        """Return no action: actions of Yam Master cannot be corrected."""
        return NO_ACTIONS

    @property
    def finalized_turn(self) -> None:
        """Return `None`: every action is final at once."""
        return None

    def allows(self, action: object) -> bool:
        """Return whether `play` accepts an action or its text."""
        if isinstance(action, str):
            try:
                action = action_from_text(action)
            except TextError:
                return False
        return isinstance(action, KeepDice | Place | Remove | Pass) and self._refusal(action) is None

    def _held(self) -> Squares:
        """Return the squares whose figure the dice hold, free or not. The turn must not wait for
        dice.
        """
        turn = cast(Turn, self.turn)
        stage = UNDER_DEFI if self.defi else FIRST_THROW if turn.throws == 1 else LATER_THROW
        return self.game.held[stage][turn.dice.index - FIRST_ROLL]

    def _list(self) -> Iterator[Action]:
        """Yield the allowed actions in their pinned order."""
        turn = self.turn
        if turn is None or turn.waiting:
            return
        keeps = turn.keeps
        yield from (KEEP_ACTIONS[kept.index] for kept in keeps)
        if turn.throws == 1:
            yield from (DEFI_ACTIONS[kept.index] for kept in keeps)
        names = self.game.board.names
        placeable, removable = self.placeable, self.removable
        yield from (PLACES[name] for place, name in enumerate(names) if placeable >> place & 1)
        yield from (REMOVALS[name] for place, name in enumerate(names) if removable >> place & 1)
        yield PASS

    def _refusal(self, action: Action) -> StrEnum | None:
        """Return why an action is not allowed, `None` for an allowed action."""
        turn = self.turn
        if turn is None:
            return TurnCode.GAME_OVER
        if turn.dice.count < DICE:
            return TurnCode.DICE_IN_THE_AIR
        if isinstance(action, KeepDice):
            return self._keep_refusal(turn, action)
        if isinstance(action, Pass):
            return None
        place = self.game.board.index.get(action.square)
        if place is None:
            return ActionCode.NO_SUCH_SQUARE
        if isinstance(action, Place):
            return self._place_refusal(turn, place)
        return self._remove_refusal(turn, place)

    def _keep_refusal(self, turn: Turn, action: KeepDice) -> StrEnum | None:
        refusal = turn.keep_refusal(action.kept)
        if refusal is None and action.defi and turn.throws > 1:
            return ActionCode.DEFI_TWICE if self.defi else ActionCode.DEFI_TOO_LATE
        return refusal

    def _place_refusal(self, turn: Turn, place: int) -> ActionCode | None:
        """Return why a token cannot be placed, `None` if it can.

        `place` is the index of the square.
        """
        if (self.x | self.o) >> place & 1:
            return ActionCode.SQUARE_TAKEN
        if self._held() >> place & 1:
            return None
        big = turn.dice in BIG_ROLLS
        if self.defi and not big and self.game.options.failed_defi is FailedDefi.TURN_LOST:
            return ActionCode.DEFI_NEEDS_BIG_FIGURE
        figure = self.game.board.figures[place]
        if big and figure is Figure.SEC:
            return ActionCode.SEC_AFTER_FIRST_THROW
        if big and figure is Figure.DEFI:
            return ActionCode.NO_DEFI_DECLARED
        return ActionCode.FIGURE_NOT_HELD

    def _remove_refusal(self, turn: Turn, place: int) -> ActionCode | None:
        """Return why a token cannot be removed, `None` if it can.

        `place` is the index of the square.
        """
        if turn.dice not in YAMS:
            return ActionCode.NO_FIVE_EQUAL
        opposing = self.o if self.to_move is Side.X else self.x
        if not opposing:
            return ActionCode.NO_OPPOSING_TOKEN
        return None if opposing >> place & 1 else ActionCode.NOT_AN_OPPOSING_TOKEN

    # Steps

    def play(self, action: Action | str) -> "Position":
        """Return the position after an action or its text.

        Raises `ActionError` for an action that is not allowed and `TextError` for an unreadable
        text.
        """
        given = action_from_text(action) if isinstance(action, str) else action
        refusal = self._refusal(given)
        if refusal is not None:
            raise ActionError(refusal, position=self, action=given)
        return self.play_unchecked(given)

    def play_unchecked(self, action: Action) -> "Position":
        """Return the position after an action that is known to be allowed."""
        if isinstance(action, KeepDice):
            turn = cast(Turn, self.turn).keeping(action.kept)
            defi = self.defi or action.defi
            return Position(self.game, self.x, self.o, self.to_move, turn, defi, self.supplies, self.number)
        if isinstance(action, Pass):
            return self._next_turn(self.x, self.o, self.supplies, None)
        place = self.game.board.index[action.square]
        if isinstance(action, Place):
            return self._placed(place)
        return self._removed(place)

    def _placed(self, place: int) -> "Position":
        """Return the position after the side to move placed a token.

        `place` is the index of the square.
        """
        left = list(self.supplies)
        left[self.to_move] -= 1
        bit = 1 << place
        if self.to_move is Side.X:
            return self._next_turn(Squares(self.x | bit), self.o, (left[0], left[1]), place)
        return self._next_turn(self.x, Squares(self.o | bit), (left[0], left[1]), place)

    def _removed(self, place: int) -> "Position":
        left = list(self.supplies)
        if self.game.options.captured is Captured.RETURNED:
            left[self.to_move.other] += 1
        rest = ~(1 << place)
        return self._next_turn(Squares(self.x & rest), Squares(self.o & rest), (left[0], left[1]), None)

    def _next_turn(self, x: Squares, o: Squares, supplies: tuple[int, int], placed: int | None) -> "Position":
        """Return the position after the end of a turn. `placed`: the index of the square where the
        turn placed a token.
        """
        over = self._ended(supplies)
        if placed is not None and not over:
            own = o if self.to_move else x
            over = any(own & win == win for win in self.game.board.wins[placed])
        turn = None if over else BEGIN
        return Position(self.game, x, o, self.to_move.other, turn, False, supplies, self.number + 1)

    def _ended(self, supplies: tuple[int, int]) -> bool:
        """Return whether an empty supply ends the game after this turn.

        Under `end=full_round` o has one more turn after x's last token. The game ends then, even if
        that turn returns a token to x.
        """
        if self.game.options.end is End.AT_ONCE:
            return not supplies[self.to_move]
        return self.to_move is Side.O and (not supplies[1] or not self.supplies[0])

    def roll(self, shown: Roll | str, *, table: bool = False, locked: Keep | None = None) -> "Position":
        """Return the position after a throw that shows these five dice.

        The dice must contain the kept dice unless `table` is true, because a real die may be
        knocked over. Under `kept_dice=locked` the second throw of real dice must name the `locked`
        dice if they differ from the kept dice. Raises `ActionError` (`game-over`,
        `no-dice-in-the-air`, `kept-die-lost`, `wrong-locked-dice`), and `DiceError` for an
        unreadable text.
        """
        fallen = roll(shown) if isinstance(shown, str) else shown
        refusal: StrEnum | None = TurnCode.GAME_OVER
        if self.turn is not None:
            refusal = self.turn.throw_refusal(fallen, self.game.options.kept_dice, table=table, locked=locked)
        if refusal is not None:
            raise ActionError(refusal, position=self, action=fallen)
        return self.roll_unchecked(fallen, locked)

    def roll_unchecked(self, shown: Roll, locked: Keep | None = None) -> "Position":
        """Return the position after a throw that is known to be possible."""
        turn = cast(Turn, self.turn).landing(shown, self.game.options.kept_dice, locked)
        return Position(self.game, self.x, self.o, self.to_move, turn, self.defi, self.supplies, self.number)

    # Text

    def to_text(self) -> str:
        """Return the canonical text (docs/notation.md, Positions), which `YamMaster.position`
        reads.
        """
        draft = Draft(self.x, self.o, self.to_move, self.turn, self.defi, self.supplies, self.number)
        return position_text(self.game.board, draft)

    def __str__(self) -> str:
        return self.to_text()

    def __repr__(self) -> str:
        return f"position({self.game.id!r}, {self.to_text()!r})"


@dataclass(frozen=True)
class YamMaster(Rules):
    """Yam Master with these options. A game id always means the maker's board; smaller boards serve
    tests of the engine.
    """

    options: Options = DEFAULTS
    board: Board = BOARD
    held: HeldSquares = field(init=False, repr=False, compare=False)
    """The squares whose figure a roll holds: `held[stage][roll.index - FIRST_ROLL]`, see
    `held_squares`.
    """

    name: ClassVar[str] = "yam-master"
    option_list: ClassVar[tuple[Option, ...]] = list_options(Options)
    levels: ClassVar[tuple[str, ...]] = LEVELS
    ends: ClassVar[tuple[str, ...]] = tuple(Ending)
    first_player: ClassVar[FirstPlayer] = FirstPlayer.LOT
    scoring: ClassVar[Scoring] = Scoring.WINS
    players: ClassVar[int] = 2
    sides: ClassVar[int] = 2
    turns: ClassVar[None] = None
    player_tags: ClassVar[tuple[str, ...]] = ("X", "O")

    def __post_init__(self) -> None:
        object.__setattr__(self, "held", held_squares(self.board, self.options.failed_defi))

    @property
    def id(self) -> str:
        """Return the canonical game id. It holds the options and not the board."""
        return id_text(self.name, self.options)

    @classmethod
    def from_id(cls, text: str) -> Self:
        """Return the rules of a canonical game id, on the maker's board. Raises `GameError`."""
        return cls(options_from_id(cls.name, Options, text))

    def start(self) -> Position:
        """Return the first position: an empty board, x to move."""
        tokens = self.board.tokens
        return Position(self, Squares(0), Squares(0), Side.X, BEGIN, False, (tokens, tokens), 1)

    def position(self, text: str) -> Position:
        """Return the position of a canonical text.

        Raises `TextError` for an unreadable text and `PositionError` with every fault for a
        position that no game can reach.
        """
        draft = read_draft(self.board, text)
        faults = draft.faults(self.board, self.options)
        if faults:
            raise PositionError(PositionCode.UNREACHABLE, faults=faults, text=text)
        return Position(self, draft.x, draft.o, draft.to_move, draft.turn, draft.defi, draft.supplies, draft.number)

    def action(self, text: str) -> Action:
        """Return the action of a canonical text, allowed or not. Raises `TextError`."""
        return action_from_text(text)

    def winners_without(self, position: Position, player: int) -> tuple[int, ...]:  # noqa: ARG002 the position decides nothing
        """Return the other side."""
        return (1 - player,)

    def result(self, position: Position, winners: Collection[int]) -> str:
        """Return the tag `Result`: `x 5-3`, or `draw 2-2` unless exactly one side wins."""
        winner = "xo"[next(iter(winners))] if len(winners) == 1 else "draw"
        return f"{winner} {position.points[0]}-{position.points[1]}"

    def is_result(self, text: str) -> bool:
        """Return whether a text has the form `x 5-3`."""
        return _RESULT.fullmatch(text) is not None

    def state(self, position: Position) -> dict[str, Any]:
        """Return board, supplies, points, outcome and actions in the form of docs/notation.md."""
        outcome = position.outcome
        winner = None if outcome is None or outcome.winner is None else str(outcome.winner)
        return {
            "board": list(board_rows(self.board, position.x, position.o)),
            "supplies": list(position.supplies),
            "points": list(position.points),
            "outcome": None if outcome is None else {"end": str(outcome.end), "winner": winner},
            "actions": list(map(str, position.actions)),
        }
