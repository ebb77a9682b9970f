"""The reasons for the value of a square of Yam Master: lines made and stopped, and threats."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from dicecup.engine.turn import batch
from dicecup.yam_master import FIRST_THROW, LATER_THROW, UNDER_DEFI, Action, Pass, Position, Remove, Side, Squares

FEWEST: Final = 2
"""The number of tokens from which on a winning line is listed."""


class Line(NamedTuple):
    """A winning line on which only one side has tokens: its squares, and the number of tokens."""

    squares: tuple[str, ...]
    tokens: int

    def to_json(self) -> dict[str, Any]:
        """Return the line as plain values."""
        return {"squares": list(self.squares), "tokens": self.tokens}


class Threat(NamedTuple):
    """The exact probabilities to complete a line, and to score, in a turn played for that alone."""

    line: float
    points: float


@dataclass(frozen=True, slots=True)
class SquareReasons:
    """The reasons for the value of an action that ends the turn.

    `wins`: the action completes a line. `over`: the action ends the game. `points`: the points that
    a token scores, or that a removal takes from the opponent. `denied`: the points that the
    opponent would have scored on the square; `denied_line`: the opponent would have completed a
    line there. `made`: own open winning lines through the square, the fullest first. `stopped`:
    winning lines of the opponent that are closed or lose a token. `threat`: of the opponent in the
    next turn. `chance`: of the own side in the turn after it, if the board stays the same. Both are
    `None` where the game is over. `unstopped`: the value of the best choice of the same decision if
    the turn cannot stop a line that the opponent threatens to complete, `None` without such a line.
    """

    wins: bool
    over: bool
    points: int
    denied: int
    denied_line: bool
    made: tuple[Line, ...]
    stopped: tuple[Line, ...]
    threat: Threat | None
    chance: Threat | None
    unstopped: float | None = None

    def to_json(self) -> dict[str, Any]:
        """Return the reasons as plain values (docs/analysis.md)."""
        return {
            "wins": self.wins,
            "over": self.over,
            "points": self.points,
            "denied": self.denied,
            "denied_line": self.denied_line,
            "made": [line.to_json() for line in self.made],
            "stopped": [line.to_json() for line in self.stopped],
            "threat": self.threat and self.threat._asdict(),
            "chance": self.chance and self.chance._asdict(),
            "unstopped": self.unstopped,
        }


def square_reasons(position: Position, action: Action) -> SquareReasons:
    """Return the reasons for a token placed or removed, or a pass. A decision is due in
    `position`."""
    board, side = position.game.board, position.to_move
    after = position.play_unchecked(action)
    over = after.turn is None
    own, opposing = _tokens(position, side), _tokens(position, side.other)
    threats = (None, None) if over else (threat(after, side.other), threat(after, side))
    if isinstance(action, Pass):
        return SquareReasons(False, over, 0, 0, False, (), (), *threats)
    place = board.index[action.square]  # type: ignore[union-attr]
    bit = 1 << place
    if isinstance(action, Remove):
        points = board.points(opposing) - board.points(_tokens(after, side.other))
        stopped = tuple(_lines(position, place, opposing, own))
        return SquareReasons(False, over, points, 0, False, (), stopped, *threats)
    placed = Squares(own | bit)
    denied = board.points(Squares(opposing | bit)) - board.points(opposing)
    wins = any(placed & win == win for win in board.wins[place])
    return SquareReasons(
        wins=wins,
        over=over,
        points=board.points(placed) - board.points(own),
        denied=denied,
        denied_line=any((opposing | bit) & win == win for win in board.wins[place]),
        made=tuple(_lines(position, place, placed, opposing)),
        stopped=tuple(_lines(position, place, opposing, own)),
        threat=threats[0],
        chance=threats[1],
    )


def _tokens(position: Position, side: Side) -> Squares:
    return (position.x, position.o)[side]


def _lines(position: Position, place: int, tokens: Squares, others: Squares) -> Iterator[Line]:
    """Yield the winning lines through a square that hold some of these tokens and none of the
    others.

    The fullest lines come first."""
    board = position.game.board
    found = [(win & tokens).bit_count() for win in board.wins[place]]
    for count, win in sorted(zip(found, board.wins[place], strict=True), reverse=True):
        if count >= FEWEST and not win & others:
            names = tuple(name for at, name in enumerate(board.names) if win >> at & 1)
            yield Line(names, count)


def threat(position: Position, side: Side) -> Threat:
    """Return the threat of a side in a turn of its own on this board."""
    board, tokens = position.game.board, _tokens(position, side)
    free = [place for place in range(len(board.names)) if position.free >> place & 1]
    points = board.points(tokens)
    lines = Squares(sum(1 << place for place in free if any((tokens | 1 << place) & win == win for win in board.wins[place])))
    scores = Squares(sum(1 << place for place in free if board.points(Squares(tokens | 1 << place)) > points))
    return Threat(_chance(position, lines), _chance(position, scores))


def _chance(position: Position, squares: Squares) -> float:
    """Return the probability to place a token on one of these squares, in a turn played for that
    alone."""
    if not squares:
        return 0.0
    game = position.game
    first, later, under_defi = (
        [float(bool(held & squares)) for held in game.held[stage]] for stage in (FIRST_THROW, LATER_THROW, UNDER_DEFI)
    )
    return float(batch.turn_values((first, later, later), (under_defi, under_defi), kept_dice=game.options.kept_dice).value)
