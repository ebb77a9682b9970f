"""A lazy view of what may be done in a position."""

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from typing import Generic, TypeVar, overload

_Action = TypeVar("_Action", covariant=True)


class View(Generic[_Action]):
    """The allowed actions of one position in their pinned order. Iterating lists them; `in` only asks the position.

    `in` takes an action or its text; an unreadable text is in no view. A view is a `Sequence` in all but its static type, to which
    a text could never belong.
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
        """The place of an action. Raises `ValueError` for one that is not allowed."""
        return self._actions.index(action)

    def count(self, action: object) -> int:
        """1 for an allowed action, else 0."""
        return self._actions.count(action)

    def __repr__(self) -> str:
        return f"<{len(self)} actions: {' '.join(map(str, self))}>"


Sequence.register(View)
