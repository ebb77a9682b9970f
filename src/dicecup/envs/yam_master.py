"""Yam Master for agents: its action index and its observation.

The index holds the keeps, the keeps that declare a Défi, the squares, the removals, and the pass.
The tokens, the supplies and the side are read from the packed state of the engine.
"""

from functools import lru_cache
from typing import Any, Final, cast

from dicecup.core.game import Action
from dicecup.engine.errors import EngineCode, EngineError
from dicecup.engine.yam_master.rules.state import (
    ALL_SQUARES,
    MOST_SQUARES,
    MOST_TOKENS,
    O_SHIFT,
    O_SUPPLY,
    X_SUPPLY,
    action_of,
    move_of,
    pack,
)
from dicecup.envs.encoding import (
    COUNT_FIELDS,
    KEEP_COUNT,
    TURN_FIELDS,
    Encoding,
    Field,
    keep_texts,
    number_bytes,
    turn_bytes,
)
from dicecup.envs.process import Situation
from dicecup.yam_master import KeepDice, Position, YamMaster, board_rows
from dicecup.yam_master.actions import DEFI_ACTIONS, KEEP_ACTIONS

FIRST_MOVE: Final = 2 * KEEP_COUNT
"""The index of the first action that ends a turn; the moves of the engine follow in their order."""


class YamMasterEncoding(Encoding):
    """The encoding of Yam Master on a board of at most 25 squares and 15 tokens.

    Raises `EngineError` (`not-a-shape`) for a larger board.
    """

    game: YamMaster

    def __init__(self, game: YamMaster) -> None:
        self.squares = len(game.board.names)
        tokens = game.board.tokens
        if self.squares > MOST_SQUARES or tokens > MOST_TOKENS:
            raise EngineError(EngineCode.NOT_A_SHAPE, squares=self.squares, tokens=tokens)
        moves = [str(action_of(game, move)) for move in range(2 * self.squares + 1)]
        fields = (
            Field("own_tokens", self.squares, 1, "squares with a token of the observer, in the order a1 b1 … e5"),
            Field("other_tokens", self.squares, 1, "squares with a token of the opponent"),
            Field("own_supply", 1, tokens, "tokens left to the observer"),
            Field("other_supply", 1, tokens, "tokens left to the opponent"),
            Field("own_turn", 1, 1, "whether it is the observer's turn"),
            Field("plays_x", 1, 1, "whether the observer is x, who began"),
            Field("defi", 1, 1, "whether a Défi is declared in this turn"),
            *TURN_FIELDS,
            *COUNT_FIELDS,
        )
        super().__init__(game, [*keep_texts(), *keep_texts("!"), *moves], fields)

    def legal(self, situation: Situation) -> list[int]:
        """Return the indexes of all allowed actions, ascending; empty where nobody decides."""
        position = cast(Position, situation.position)
        turn = position.turn
        if turn is None or turn.waiting:
            return []
        keeps = [kept.index for kept in turn.keeps]
        found = keeps + [KEEP_COUNT + kept for kept in keeps] if turn.throws == 1 else keeps
        ends = position.placeable | position.removable << self.squares | 1 << 2 * self.squares
        return found + [FIRST_MOVE + move for move in range(2 * self.squares + 1) if ends >> move & 1]

    def action(self, situation: Situation, index: int) -> Action:  # noqa: ARG002 (the index alone names the action)
        """Return the action of an index, allowed or not."""
        if index < FIRST_MOVE:
            return (KEEP_ACTIONS if index < KEEP_COUNT else DEFI_ACTIONS)[index % KEEP_COUNT]
        return action_of(self.game, index - FIRST_MOVE)

    def index(self, action: Any) -> int:
        """Return the index of an action."""
        if isinstance(action, KeepDice):
            return KEEP_COUNT * action.defi + action.kept.index
        return FIRST_MOVE + move_of(self.game, action)

    def observe(self, situation: Situation, player: int) -> bytes:
        """Return the observation of a player, 0 for x and 1 for o."""
        position = cast(Position, situation.position)
        state = pack(position)
        tokens = (state & ALL_SQUARES, state >> O_SHIFT & ALL_SQUARES)
        supplies = (state >> X_SUPPLY & 15, state >> O_SUPPLY & 15)
        flags = bytes((supplies[player], supplies[1 - player], position.player == player, player == 0, position.defi))
        return b"".join(
            (
                _bits(tokens[player], self.squares),
                _bits(tokens[1 - player], self.squares),
                flags,
                turn_bytes(position.turn),
                number_bytes(position.number - 1),
            )
        )

    def render(self, situation: Situation) -> str:
        """Return the rows of the board and the text of the position."""
        position = cast(Position, situation.position)
        rows = board_rows(self.game.board, position.x, position.o)
        return "\n".join((*(" ".join(row) for row in rows), str(position)))


@lru_cache(maxsize=4096)
def _bits(squares: int, count: int) -> bytes:
    """Return a set of squares as one byte for each square."""
    return bytes(squares >> at & 1 for at in range(count))
