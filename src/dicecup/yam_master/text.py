"""Positions of Yam Master as text, and back: first a draft of what is written, then a position if
nothing is wrong with it.
"""

import re
from dataclasses import dataclass
from typing import Final

from dicecup.core.dice import NO_DICE
from dicecup.core.errors import TextCode, TextError
from dicecup.core.turn import KeptDice, Turn, turn_from_text
from dicecup.yam_master.board import Board, Side, Squares
from dicecup.yam_master.codes import Fault
from dicecup.yam_master.options import Captured, End, Options

OVER: Final = "-"
"""The turn state of a game that is over."""

_POSITION: Final = re.compile(
    r"(?P<board>[xo1-9/]+) (?P<side>[xo]) (?P<turn>\S+) (?P<x>0|[1-9][0-9]?)-(?P<o>0|[1-9][0-9]?) (?P<number>[1-9][0-9]{0,8})",
    re.ASCII,
)


def board_rows(board: Board, x: Squares, o: Squares) -> tuple[str, ...]:
    """Return one text for each row of the board, with `x`, `o` and `.` for the squares."""
    squares = "".join("x" if x >> place & 1 else "o" if o >> place & 1 else "." for place in range(len(board.names)))
    return tuple(squares[start : start + board.columns] for start in range(0, len(squares), board.columns))


def _rows_text(board: Board, x: Squares, o: Squares) -> str:
    return re.sub(r"\.+", lambda run: str(len(run[0])), "/".join(board_rows(board, x, o)))


@dataclass(frozen=True, slots=True)
class Draft:
    """The fields of a position as read from a text. `faults` checks whether a game can reach it."""

    x: Squares
    o: Squares
    to_move: Side
    turn: Turn | None
    defi: bool
    supplies: tuple[int, int]
    number: int

    def faults(self, board: Board, options: Options) -> Fault:
        """Return every fault of the draft."""
        found = Fault(0)
        turns = self.number // 2, (self.number - 1) // 2
        on_board = self.x.bit_count(), self.o.bit_count()
        lost = tuple(board.tokens - self.supplies[side] - on_board[side] for side in Side)
        if self.to_move != (self.number - 1) % 2:
            found |= Fault.SIDE_AND_NUMBER
        if min(lost) < 0 or (max(lost) and options.captured is Captured.RETURNED):
            found |= Fault.SUPPLY
        elif any(on_board[side] + lost[side] + lost[side.other] > turns[side] for side in Side):
            found |= Fault.TOO_FEW_TURNS
        if self.turn is not None:
            if self.turn.locked is not NO_DICE and options.kept_dice is KeptDice.FREE:
                found |= Fault.LOCKED_BAR
            if self.defi and (self.turn.throws == 0 or (self.turn.throws == 1 and not self.turn.waiting)):
                found |= Fault.DEFI_MARK
        return found | self._ending_faults(board, options)

    def _ending_faults(self, board: Board, options: Options) -> Fault:
        """Return the faults of a draft that is over, or that should be over."""
        last, own, opposing = self.to_move.other, (self.x, self.o)[self.to_move.other], (self.x, self.o)[self.to_move]
        found = Fault(0)
        line, opposing_line = board.has_line(own), board.has_line(opposing)
        if line and opposing_line:
            return Fault.TWO_LINES
        last_turn_of_o = options.end is End.FULL_ROUND and self.to_move is Side.O
        if self.turn is not None:
            if line or opposing_line:
                found |= Fault.LINE_IN_PLAY
            if not self.supplies[1] or (not self.supplies[0] and not last_turn_of_o):
                found |= Fault.EMPTY_SUPPLY_IN_PLAY
            return found
        if opposing_line:
            found |= Fault.LINE_OF_SIDE_TO_MOVE
        if not line and not self._out_of_tokens(options, last):
            found |= Fault.NOT_OVER
        return found

    def _out_of_tokens(self, options: Options, last: Side) -> bool:
        """Return whether the turn of `last`, the previous turn, can have emptied a supply and ended
        the game.
        """
        if options.end is End.AT_ONCE:
            return not self.supplies[last]
        returned = self.supplies[0] == 1 and options.captured is Captured.RETURNED
        return last is Side.O and (not min(self.supplies) or returned)


def position_text(board: Board, draft: Draft) -> str:
    """Return the canonical text of a position.

    Its words are the rows, the side to move, the turn state, the supplies and the turn number."""
    turn = OVER if draft.turn is None else draft.turn.text("!" if draft.defi else "")
    rows = _rows_text(board, draft.x, draft.o)
    return f"{rows} {draft.to_move} {turn} {draft.supplies[0]}-{draft.supplies[1]} {draft.number}"


def read_draft(board: Board, text: str) -> Draft:
    """Return the draft of a text. Raises `TextError` (`not-a-position`, `not-a-turn-state`)."""
    match = _POSITION.fullmatch(text)
    if match is None:
        raise TextError(TextCode.NOT_A_POSITION, text=text)
    squares = re.sub(r"[1-9]", lambda run: "." * int(run[0]), match["board"])
    rows = squares.split("/")
    x = Squares(sum(1 << place for place, token in enumerate("".join(rows)) if token == "x"))
    o = Squares(sum(1 << place for place, token in enumerate("".join(rows)) if token == "o"))
    sizes = [len(row) for row in rows]
    if sizes != [board.columns] * board.rows or _rows_text(board, x, o) != match["board"]:
        raise TextError(TextCode.NOT_A_POSITION, text=text, board=match["board"])
    turn, defi = (None, False) if match["turn"] == OVER else turn_from_text(match["turn"])
    side = Side("xo".index(match["side"]))
    return Draft(x, o, side, turn, defi, (int(match["x"]), int(match["o"])), int(match["number"]))
