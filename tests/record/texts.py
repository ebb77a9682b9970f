"""Short records as text, and the faults of a text."""

import pytest

from dicecup import record
from dicecup.record import Record, RecordError

LINE_OF_X = """\
1. 11166 a1
2. 13466 --
3. 33344 b1
4. 13466 --
5. 44466 d1
6. 13466 --
7. 55666 e1
8. 13466 --
9. 12346 !k1234 12345 c1
"""
"""Five turns of x fill the top row: the points are 0-0, and the line wins."""


def text_of(turns: str, *, game: str = "yam-master", **tags: str) -> str:
    """Return the text of a record with these tags in their order."""
    head = "".join(f'[{name} "{value}"]\n' for name, value in {"Game": game, **tags}.items())
    return f"{head}\n{turns}"


def read(turns: str, *, game: str = "yam-master", **tags: str) -> Record:
    """Return the record of a text, which must read back to the same text."""
    text = text_of(turns, game=game, **tags)
    found = record.read(text)
    assert found.to_text() == text
    return found


def faults(text: str) -> list[tuple[int, str]]:
    """Return line and code of every fault of a text."""
    with pytest.raises(RecordError) as refusal:
        record.read(text)
    error = refusal.value
    assert error.code == error.faults[0].code
    found = [(fault.line, str(fault.code)) for fault in error.faults]
    assert str(error) == "; ".join(f"line {line}: {code}" for line, code in found)
    return found
