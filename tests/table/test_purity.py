"""What import-linter cannot check: no call that reads a clock or a file, and no change of a frozen
value."""

import ast
from pathlib import Path
from typing import Final

import pytest

import dicecup.table

ROOM: Final = Path(dicecup.table.__file__).parent
FORBIDDEN: Final = {"now", "today", "utcnow", "open", "read_text", "write_text", "input", "print", "__setattr__"}


@pytest.mark.parametrize("path", sorted(ROOM.rglob("*.py")), ids=lambda path: str(path.relative_to(ROOM)))
def test_the_room_reads_no_clock_and_changes_no_value(path: Path) -> None:
    calls = [node.func for node in ast.walk(ast.parse(path.read_text("utf-8"))) if isinstance(node, ast.Call)]
    names = {
        func.id if isinstance(func, ast.Name) else func.attr for func in calls if isinstance(func, ast.Name | ast.Attribute)
    }
    assert not names & FORBIDDEN
