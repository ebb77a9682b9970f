"""`dicecup export` and `import`, on databases in a folder."""

import asyncio
import json
from pathlib import Path

import pytest

from dicecup.cli import main
from dicecup.hosting.store.identities import issue_token
from dicecup.hosting.store.tokens import tokens_of
from tests.cli.served_tables import exported, here, listed, tables, with_store

__all__ = ["here", "tables"]


def test_tables_move_to_another_server(
    tables: list[str], here: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["export", "all.jsonl"]) == 0
    before = listed(capsys)
    monkeypatch.setenv("DICECUP_DATA", str(here / "there"))
    assert main(["import", "all.jsonl"]) == 0
    assert capsys.readouterr().out == "Tables new: 2, continued: 0, already here: 0, refused: 0\n"
    assert listed(capsys) == before
    assert (here / "here" / "host.key").read_text() != (here / "there" / "host.key").read_text()
    assert "commitment-begun" in exported(capsys, tables[0])


@pytest.mark.usefixtures("tables")
def test_tokens_move_with_their_tables(here: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    asyncio.run(with_store(lambda store: issue_token(store, "anna")))
    assert main(["export", "all.jsonl"]) == 0
    monkeypatch.setenv("DICECUP_DATA", str(here / "there"))
    capsys.readouterr()
    output = "Tables new: {}, continued: 0, already here: {}, refused: 0\n"
    assert main(["import", "all.jsonl"]) == 0
    assert capsys.readouterr().out == "New access tokens of programs: 1\n" + output.format(2, 0)
    assert main(["import", "all.jsonl"]) == 0
    assert capsys.readouterr().out == output.format(0, 2)
    assert len(asyncio.run(with_store(lambda store: tokens_of(store, "anna")))) == 1


def test_import_names_refused_lines_and_reads_the_others(
    tables: list[str], here: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["export", "all.jsonl"]) == 0
    good = sorted((here / "all.jsonl").read_text(encoding="utf-8").splitlines(), key=len, reverse=True)
    longest = 2 * len(good[0])
    late, forged = json.loads(good[0]), json.loads(good[0])
    late["events"][0]["time"] = 10**400
    thrown = next(event["event"] for event in forged["events"] if event["event"]["type"] == "thrown")
    thrown["dice"] = "11111" if thrown["dice"] != "11111" else "22222"
    texts = ["nonsense", json.dumps(late), json.dumps(forged), "x" * (longest + 1), good[0], '{"tokens":0}', good[1]]
    monkeypatch.setattr("dicecup.hosting.table_export.LONGEST_LINE", longest)
    (here / "some.jsonl").write_text("\n".join(texts) + "\n", encoding="utf-8")
    capsys.readouterr()
    assert main(["import", "some.jsonl", "--database", f"sqlite:///{here / 'new.sqlite'}"]) == 1
    shown = capsys.readouterr()
    assert shown.out == "Tables new: 2, continued: 0, already here: 0, refused: 5\n"
    assert [line.split(": ")[:2] for line in shown.err.splitlines()] == [
        ["some.jsonl:1", "not-an-export"],
        ["some.jsonl:2", "not-an-export"],
        ["some.jsonl:3", "throw-mismatch"],
        ["some.jsonl:4", "not-an-export"],
        ["some.jsonl:6", "not-an-export"],
    ]
    assert len(tables) == 2


def test_export_keeps_existing_files_and_leaves_no_partial_one(
    tables: list[str], here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (here / "there.jsonl").write_text("mine")
    assert main(["export", "there.jsonl"]) == 1
    assert (here / "there.jsonl").read_text() == "mine"
    assert main(["export", "new.jsonl", "--table", tables[0], "--table", "nowhere"]) == 1
    assert not (here / "new.jsonl").exists()
    assert "no-such-table" in capsys.readouterr().err
