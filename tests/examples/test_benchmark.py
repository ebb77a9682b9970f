"""The benchmark measures what it says, resumes, and its table is the one in the documentation."""

import json
import sys
from pathlib import Path
from random import Random

import pytest

from dicecup.engine.sheets.columns import yamm_sheet
from dicecup.engine.sheets.solver import solve
from dicecup.engine.yamm.stepping.games import sheet_of
from dicecup.envs.gymnasium import YammEnv
from dicecup.envs.options import small_yam_master, yamm_encoding
from examples import benchmark
from examples.benchmark import (
    FILE,
    PAGE,
    PLAYERS,
    POINTS,
    RESULTS,
    TASKS,
    Perfect,
    Searching,
    by_tables,
    found,
    page,
    played,
    result,
    solved,
    without_luck,
)


def test_the_table_is_that_of_the_measured_cells() -> None:
    text = PAGE.read_text("utf-8")
    assert page(text, json.loads(FILE.read_text("utf-8"))) == text
    assert "<!-- benchmark -->" in text


def test_every_cell_is_measured_or_says_why_not() -> None:
    cells = json.loads(FILE.read_text("utf-8"))
    assert set(cells) == set(TASKS)
    assert all(set(measured) <= set(PLAYERS) for measured in cells.values())


def test_perfect_play_on_both_sides_has_the_exact_value() -> None:
    game, perfect = small_yam_master("2x2"), Perfect(solved("2x2"))
    mean, half, _ = found([result(played(game, (perfect, perfect), Random(f"1|{number}")), 0) for number in range(400)])
    assert half is not None
    assert abs(mean - solved("2x2").value) < 2.5 * half


def test_the_expert_is_perfect_in_a_column_and_others_are_not() -> None:
    sheet, optimum = sheet_of(yamm_encoding("d1", players=1).game), solve(yamm_sheet("d1")).value
    assert found(by_tables(sheet, "expert", 320)).mean == pytest.approx(optimum, abs=0.001)
    assert found(by_tables(sheet, "club", 320)).mean < optimum - 10


def test_a_run_measures_what_is_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "page.md").write_text("<!-- benchmark -->\n<!-- end -->\n", "utf-8")
    monkeypatch.setattr(benchmark, "FILE", tmp_path / "cells.json")
    monkeypatch.setattr(benchmark, "PAGE", tmp_path / "page.md")
    monkeypatch.setattr(benchmark, "GAMES", {"random": 4, "greedy": 4})
    asked = ["--task", "2x2", "--player", "random", "--player", "exact", "--player", "expert"]
    benchmark.main(asked)
    cells = json.loads((tmp_path / "cells.json").read_text("utf-8"))
    assert set(cells["2x2"]) == {"random", "exact"}
    assert cells["2x2"]["random"]["games"] == 4
    assert "no tables" in (tmp_path / "page.md").read_text("utf-8")
    capsys.readouterr()
    benchmark.main(asked)
    assert capsys.readouterr().out == ""
    assert json.loads((tmp_path / "cells.json").read_text("utf-8")) == cells


@pytest.mark.skipif(sys.version_info >= (3, 14), reason="OpenSpiel has no wheel for Python 3.14")
def test_openspiels_bot_plays_games_whose_luck_is_subtracted() -> None:
    bot = Searching("dicecup_yamm(columns=d1,players=1)", POINTS, simulations=2)
    env = YammEnv("d1", reward="luck-adjusted")
    (value,) = without_luck(env, bot, 1)
    assert env.position.turn is None
    assert value != env.position.scores[0]
    small = Searching("dicecup_yam_master_2x2", RESULTS, simulations=2)
    position = small.game.start().roll("12345")
    assert small.choose(position) in position.actions


def test_two_runs_keep_the_cells_of_each_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The first one saves while the second one measures."""
    (tmp_path / "page.md").write_text("<!-- benchmark -->\n<!-- end -->\n", "utf-8")
    monkeypatch.setattr(benchmark, "FILE", tmp_path / "cells.json")
    monkeypatch.setattr(benchmark, "PAGE", tmp_path / "page.md")
    saved: benchmark.Cell = {"mean": 1.0, "half": 0.5, "games": 2, "seed": 1, "seconds": 0.0}

    def measured(*_: str) -> benchmark.Cell:
        monkeypatch.setattr(benchmark, "cell", lambda *_: saved)
        benchmark.main(["--task", "3x3", "--player", "greedy"])
        return {**saved, "mean": 2.0}

    monkeypatch.setattr(benchmark, "cell", measured)
    benchmark.main(["--task", "2x2", "--player", "random"])
    cells = json.loads((tmp_path / "cells.json").read_text("utf-8"))
    assert (cells["3x3"]["greedy"]["mean"], cells["2x2"]["random"]["mean"]) == (1.0, 2.0)
    assert (tmp_path / "page.md").read_text("utf-8").count("±") == 2
