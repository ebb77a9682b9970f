"""The lazy view of a position's actions."""

from collections.abc import Iterator

import pytest

from dicecup.core.view import View


class Counted:
    """A list of three actions that counts how often it was made."""

    def __init__(self) -> None:
        self.listed = 0
        self.view = View(self._list, lambda action: str(action) in {"a", "b", "c"})

    def _list(self) -> Iterator[str]:
        self.listed += 1
        yield from "abc"


def test_it_is_a_sequence_in_the_listed_order() -> None:
    view = Counted().view
    assert list(view) == ["a", "b", "c"]
    assert len(view) == 3
    assert (view[0], view[-1], view[1:]) == ("a", "c", ("b", "c"))
    assert list(reversed(view)) == ["c", "b", "a"]
    assert view.index("b") == 1
    with pytest.raises(IndexError):
        view[3]


def test_membership_does_not_make_the_list() -> None:
    counted = Counted()
    assert counted.listed == 0
    assert "a" in counted.view
    assert "d" not in counted.view
    assert counted.listed == 0


def test_the_list_is_made_once() -> None:
    counted = Counted()
    assert (len(counted.view), list(counted.view), counted.view[0]) == (3, ["a", "b", "c"], "a")
    assert counted.listed == 1


def test_the_repr_shows_the_actions() -> None:
    assert repr(Counted().view) == "<3 actions: a b c>"


def test_an_action_counts_once_or_not_at_all() -> None:
    view = Counted().view
    assert (view.count("b"), view.count("d")) == (1, 0)
