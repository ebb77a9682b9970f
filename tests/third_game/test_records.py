"""Records of a game in a distribution of its own: written, read, replayed."""

import json
import random
from pathlib import Path

import pytest
from one_column import OneColumn, Options, Order

from dicecup.cli import main
from dicecup.core.source import Throw
from dicecup.record import Journal, Record, concluded, read, save
from tests import strategies

GAME = OneColumn(Options(players=3, order=Order.DOWN))


@pytest.fixture
def record(tmp_path: Path) -> Path:
    journal = Journal.start(GAME)
    for step, _ in strategies.steps(GAME, random.Random(1)):
        if step is not None:
            journal = journal.throw(step) if isinstance(step, Throw) else journal.play(step)
    file = tmp_path / "game.dicecup"
    save(file, concluded(Record({"Game": GAME.id, "Dice": "seed:1"}, journal)))
    return file


def test_a_record_reads_back(record: Path) -> None:
    found = read(record.read_text())
    assert found.to_text() == record.read_text()
    assert (found.game, found.tags["End"]) == (GAME, "full")


def test_replay_prints_the_state_as_json(record: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", "--json", str(record)]) == 0
    state = json.loads(capsys.readouterr().out)
    assert (state["game"], state["turns"], state["outcome"]["end"]) == (GAME.id, GAME.turns, "full")
    assert [sum(sheet.values()) for sheet in state["sheets"]] == state["scores"]


def test_a_false_action_is_refused_with_its_line(record: Path, capsys: pytest.CaptureFixture[str]) -> None:
    record.write_text(record.read_text().replace("w2", "w7", 1))
    assert main(["replay", str(record)]) == 1
    assert "w7" in capsys.readouterr().err
