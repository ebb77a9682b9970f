"""The view of a position by itself, without a table."""

from dicecup.core.game import Position
from dicecup.record import Record, position_after
from dicecup.table.errors import TableCode, TableError
from dicecup.table.game_views import View, game_view, turn_view


def shown(position: Position) -> View:
    """Return the board or the sheets of a position, its turn, and its legal actions with their
    effects. Seats are numbered in the order of play."""
    view, order = game_view(position.game), range(position.game.players)
    drawing = view.drawing(position, order)
    decides = position.turn is not None and not position.waiting
    return {
        "game": position.game.id,
        "position": str(position),
        "turn": turn_view(position, order, position.player),
        "board": drawing.get("board"),
        "sheets": drawing.get("sheets"),
        "actions": [{"action": str(action), "effect": effect} for action, effect in view.effects(position)] if decides else [],
    }


def shown_after(played: Record, turn: int) -> View:
    """Return the view of a game at the end of a turn. Raises `TableError` (`no-such-turn`)."""
    position = position_after(played, turn)
    if position is None:
        raise TableError(TableCode.NO_SUCH_TURN, text=turn)
    return shown(position)
