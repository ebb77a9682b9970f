"""Many games of a game in a distribution of its own, played by `random`."""

import json

import pytest

from dicecup.cli import main


@pytest.mark.parametrize("game", ["one-column", "one-column(players=1)", "one-column(players=4,order=down)"])
def test_simulate_plays_games(capsys: pytest.CaptureFixture[str], game: str) -> None:
    assert main(["simulate", game, "--player", "random", "--games", "8", "--workers", "1", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["games"] == 8


def test_a_match_counts_wins(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["match", "one-column", "--players", "random", "random", "--games", "8", "--workers", "1", "--json"]
    assert main(arguments) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["wins"] + found["draws"] + found["losses"] == found["games"] == 8


def test_the_result_does_not_depend_on_the_workers(capsys: pytest.CaptureFixture[str]) -> None:
    found = []
    for workers in ("1", "2"):
        assert main(["simulate", "one-column", "--player", "random", "--games", "6", "--workers", workers, "--json"]) == 0
        state = json.loads(capsys.readouterr().out)
        found.append({name: value for name, value in state.items() if "cpu" not in name})
    assert found[0] == found[1]
