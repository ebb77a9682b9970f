"""One test in many windows, languages, themes or games: `make test` runs the first case only."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import pytest


def sweep(
    names: str, values: Iterable[Any], ids: Sequence[str] | Callable[[Any], object] | None = None
) -> pytest.MarkDecorator:
    """Parametrize a test like `pytest.mark.parametrize`, with all cases but the first marked
    slow."""
    several = "," in names
    first, *others = values
    slow = (pytest.param(*(value if several else [value]), marks=pytest.mark.slow) for value in others)
    return pytest.mark.parametrize(names, [first, *slow], ids=ids)
