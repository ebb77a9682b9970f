"""The interface of the modules that show one game each: what a seat sees of a position, as JSON."""

from collections.abc import Hashable, Iterator, Mapping, Sequence
from typing import Any, Protocol, TypeAlias

from dicecup.core.game import Action

View: TypeAlias = dict[str, Any]
"""A JSON object. Views share their parts with each other, so nobody may change them."""


class GameView(Protocol):
    """What the table shows of the positions of one game.

    The modules of this package implement it.
    """

    def drawing(self, position: Any, order: Sequence[int]) -> View:
        """Return the part of a view that draws the position: the board or the sheets.

        `order`: the seats in the order of play.
        """

    def drawing_key(self, position: Any, order: Sequence[int]) -> Hashable:
        """Return all that `drawing` depends on: equal keys stand for equal views."""

    def has_defi(self, position: Any) -> bool:
        """Return whether a Défi was declared in the turn."""

    def effects(self, position: Any) -> Iterator[tuple[Action, View]]:
        """Return every allowed action with its effect, in the order of `position.actions`."""

    def open_results(self, position: Any) -> Mapping[int, Hashable]:
        """Return each result that can still be corrected, by its turn.

        `corrections` reads the values.
        """

    def corrections(self, turn: int, result: Any) -> Sequence[View]:
        """Return the corrections of an open result, each as `{"action": text, "effect":
        effect}`."""

    def is_begun(self, position: Any) -> bool:
        """Return whether anything lies on the board or stands on a sheet."""

    def overlaps(self, here: Any, asked: Any) -> bool:
        """Return whether an analysis of `asked` helps a player in `here`, whatever the dice."""
