"""One test in many windows, languages, themes or games."""

from collections.abc import Callable, Iterable, Sequence
from itertools import cycle, islice
from typing import Any

import pytest


def sweep(
    names: str, values: Iterable[Any], ids: Sequence[str] | Callable[[Any], object] | None = None
) -> pytest.MarkDecorator:
    """Parametrize a test like `pytest.mark.parametrize`, with all cases but the first marked slow:
    `make test` runs the first only."""
    several = "," in names
    first, *others = values
    slow = (pytest.param(*(value if several else [value]), marks=pytest.mark.slow) for value in others)
    return pytest.mark.parametrize(names, [first, *slow], ids=ids)


def in_step(*, indirect: Sequence[str] = (), **values: Sequence[Any]) -> pytest.MarkDecorator:
    """Parametrize a test with the first values of all lists, then with the second ones, and so on.
    Shorter lists begin again: each value occurs, but not each combination. `indirect`: the names
    that are fixtures."""
    count = max(map(len, values.values()))
    cases = zip(*(islice(cycle(each), count) for each in values.values()), strict=True)
    return pytest.mark.parametrize(list(values), list(cases), indirect=indirect)
