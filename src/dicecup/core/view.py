"""A lazy view of the allowed actions of a position."""

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from typing import Any, Final, Generic, TypeVar, overload

_Action = TypeVar("_Action", covariant=True)


class View(Generic[_Action]):
    """The allowed actions of one position in their pinned order.

    Iterating calls `listed` once. `in` calls `allowed` with an action or its text and lists
    nothing; an unreadable text is in no view. A view is registered as a `Sequence` and does not
    inherit from it, because `Sequence[Action]` would not admit texts.
    """

    def __init__(self, listed: Callable[[], Iterator[_Action]], allowed: Callable[[object], bool]) -> None:
        self._listed = listed
        self._allowed = allowed

    @cached_property
    def _actions(self) -> tuple[_Action, ...]:
        return tuple(self._listed())

    def __contains__(self, action: object) -> bool:
        return self._allowed(action)

    def __iter__(self) -> Iterator[_Action]:
        return iter(self._actions)

    def __len__(self) -> int:
        return len(self._actions)

    @overload
    def __getitem__(self, index: int) -> _Action: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[_Action, ...]: ...
    def __getitem__(self, index: int | slice) -> _Action | tuple[_Action, ...]:
        return self._actions[index]

    def __reversed__(self) -> Iterator[_Action]:
        return reversed(self._actions)

    def index(self, action: object) -> int:
        """Return the place of an action. Raises `ValueError` for an action that is not allowed."""
        return self._actions.index(action)

    def count(self, action: object) -> int:
        """Return 1 for an allowed action, else 0."""
        return self._actions.count(action)

    def __repr__(self) -> str:
        return f"<{len(self)} actions: {' '.join(map(str, self))}>"


Sequence.register(View)

NO_ACTIONS: Final[View[Any]] = View(lambda: iter(()), lambda _: False)
"""The view of a position without any action."""
