"""What a writer carries out in one transaction."""

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from sqlalchemy import Connection

Work: TypeAlias = Callable[[Connection], Any]
"""Function that runs in a transaction."""
Statement: TypeAlias = tuple[str, Sequence[tuple[Any, ...]]]
"""An SQL text and one tuple of values for each of its executions."""
Task: TypeAlias = Work | Sequence[Statement]
OnWritten: TypeAlias = Callable[[BaseException | None, Any], object]
"""Callback that receives the error of a write, or its result."""
