"""Given records: accepted ones with the state at their end, and refused ones with the line of the
fault.
"""

import json
from pathlib import Path
from typing import Any

import pytest

from dicecup import record
from dicecup.record import RecordError

VECTORS = Path(__file__).parents[1] / "vectors"


def vectors(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (VECTORS / name).read_text("utf-8").splitlines()]


@pytest.mark.parametrize("vector", vectors("replay.jsonl"), ids=lambda vector: vector["state"]["position"][-40:])
def test_a_record_ends_in_its_state(vector: dict[str, Any]) -> None:
    read = record.read(vector["record"])
    assert read.to_text() == vector["record"]
    # the order of the keys counts
    assert json.dumps(record.state(read)) == json.dumps(vector["state"])


@pytest.mark.parametrize("vector", vectors("refused.jsonl"), ids=lambda vector: vector["why"])
def test_a_record_is_refused_on_its_line(vector: dict[str, Any]) -> None:
    with pytest.raises(RecordError) as refusal:
        record.read(vector["record"])
    assert [fault.line for fault in refusal.value.faults] == [vector["line"]]


def test_there_are_as_many_vectors_as_were_given() -> None:
    assert (len(vectors("replay.jsonl")), len(vectors("refused.jsonl"))) == (33, 36)
