"""Analyses that would help in a running game against people (docs/decisions/0009)."""

from dicecup.core.game import Position
from dicecup.table.game_views import game_view
from dicecup.table.state import TableState


def helps(state: TableState, asked: Position, *, sits: bool) -> bool:
    """Return whether an analysis of a position would help in this table's game.

    A person who `sits` at the table is helped by every position with the same board or sheet,
    whatever the dice, the turn or the options, unless nothing lies on it yet. Other people are
    refused only the very position of the game.
    """
    if state.end is not None or len(state.people) < 2:
        return False
    here = state.position
    shown = game_view(here.game)
    if here == asked:
        return sits or shown.is_begun(here)
    return sits and here.game.name == asked.game.name and shown.overlaps(here, asked)


def helps_any(state: TableState, asked: frozenset[Position], *, sits: bool) -> bool:
    """Return whether an analysis of any of these positions would help in this table's game."""
    if not sits:
        return state.position in asked and helps(state, state.position, sits=False)
    return any(helps(state, position, sits=True) for position in asked)
