"""The training of Yamm, from the command to the table."""

from pathlib import Path

import pytest

from dicecup.arena import train_yamm
from dicecup.engine.yamm.evaluation.table import load_table
from dicecup.engine.yamm.training import checkpoint
from dicecup.engine.yamm.training.train import ROUND, Training
from dicecup.players.yamm import TABLE


@pytest.fixture(autouse=True)
def _short(monkeypatch: pytest.MonkeyPatch) -> None:
    """Train and measure with few games, and take the endgame table from the shipped file."""
    endgame = load_table(TABLE).evaluation.endgame.values
    monkeypatch.setattr(train_yamm, "VARIANCE_GAMES", ROUND)
    monkeypatch.setattr(train_yamm, "MEASURED_GAMES", 64)
    monkeypatch.setattr(train_yamm, "EVERY", 1)
    monkeypatch.setattr(train_yamm, "solve_endgame", lambda: endgame)


def train(out: Path, games: int | None = 3 * ROUND, minutes: float | None = None) -> list[int]:
    """Train, and return the numbers of games that were reported."""
    reported: list[int] = []

    def report(done: float, games: int, error: float) -> None:
        assert 0 <= done <= 1
        assert error > 0
        reported.append(games)

    train_yamm.train(games=games, minutes=minutes, seed=3, out=out, command="some command", commit="abc", report=report)
    return reported


@pytest.mark.slow
def test_the_same_command_gives_the_same_file_bit_for_bit(tmp_path: Path) -> None:
    assert train(tmp_path / "one") == [ROUND, 2 * ROUND, 3 * ROUND, 3 * ROUND]
    train(tmp_path / "two")
    files = [tmp_path / folder / train_yamm.FILE for folder in ("one", "two")]
    assert files[0].read_bytes() == files[1].read_bytes()
    origin = load_table(files[0]).origin
    assert (origin["command"], origin["seed"], origin["games"], origin["commit"]) == ("some command", 3, 3 * ROUND, "abc")
    assert origin["ci95"][0] < origin["mean"] < origin["ci95"][1]
    assert list((tmp_path / "one").iterdir()) == [files[0]]


@pytest.mark.slow
def test_an_interrupted_training_continues(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    train(tmp_path / "through")
    interrupted = tmp_path / "interrupted"
    save = checkpoint.save

    def saved_then_stopped(path: Path, training: Training, goal: str) -> None:
        save(path, training, goal)
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(checkpoint, "save", saved_then_stopped)
        with pytest.raises(KeyboardInterrupt):
            train(interrupted)
    assert train(interrupted) == [2 * ROUND, 3 * ROUND, 3 * ROUND]
    assert (interrupted / train_yamm.FILE).read_bytes() == (tmp_path / "through" / train_yamm.FILE).read_bytes()


def test_a_time_limit_ends_the_training(tmp_path: Path) -> None:
    reported = train(tmp_path, None, 0.001)
    assert load_table(tmp_path / train_yamm.FILE).origin["games"] == reported[-1] > 0


def test_the_command_prints_the_origin_of_the_table(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from dicecup.cli import main

    assert main(["train", "yamm", "--games", str(ROUND), "--seed", "2", "--out", str(tmp_path)]) == 0
    assert f"dicecup train yamm --games {ROUND} --seed 2 --out" in capsys.readouterr().out
    assert (tmp_path / train_yamm.FILE).exists()
