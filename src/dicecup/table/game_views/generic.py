"""The view of a game without a module of its own: actions without effects, and no drawing."""

from collections.abc import Hashable, Iterator, Sequence

from dicecup.core.game import Action, Position
from dicecup.table.game_views.interface import View


def drawing(position: Position, order: Sequence[int]) -> View:  # noqa: ARG001 the interface hands them in
    """Return nothing: the text of the position is in every view."""
    return {}


def drawing_key(position: Position, order: Sequence[int]) -> Hashable:  # noqa: ARG001 the interface hands them in
    """Return one key for all positions."""
    return None


def has_defi(position: Position) -> bool:  # noqa: ARG001 the interface hands it in
    """Return `False`."""
    return False


def effects(position: Position) -> Iterator[tuple[Action, View]]:
    """Return every allowed action with an empty effect."""
    return ((action, {}) for action in position.actions)


def open_results(position: Position) -> dict[int, tuple[Action, ...]]:
    """Return by turn the allowed corrections of its result."""
    found: dict[int, tuple[Action, ...]] = {}
    for action in position.corrections:
        if action.corrects is not None:
            found[action.corrects] = (*found.get(action.corrects, ()), action)
    return found


def corrections(turn: int, result: Sequence[Action]) -> Sequence[View]:  # noqa: ARG001 the actions name their turn
    """Return the corrections with empty effects."""
    return [{"action": str(action), "effect": {}} for action in result]


def is_begun(position: Position) -> bool:
    """Return whether the position is another than the first of its game."""
    return str(position) != str(position.game.start())


def overlaps(here: Position, asked: Position) -> bool:
    """Return whether both are the same position."""
    return here == asked
