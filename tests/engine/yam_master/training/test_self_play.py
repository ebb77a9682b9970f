"""Training: repetition, resumption, refusal of not-a-number, and learning."""

from pathlib import Path

import numpy as np
import pytest

from dicecup.engine.errors import EngineCode, EngineError
from dicecup.engine.tables_file import TablesError, load
from dicecup.engine.yam_master.evaluation.match import Contestant, by_greed, by_model, play_games
from dicecup.engine.yam_master.evaluation.model import learned, new_model
from dicecup.engine.yam_master.evaluation.tables import FILES, KIND
from dicecup.engine.yam_master.training import train
from dicecup.engine.yam_master.training.self_play import SelfPlay, for_sides
from dicecup.yam_master import YamMaster
from tests.strategies import BOARD_3

GAMES = 400


class StoppedError(Exception):
    pass


def trained(out: Path, stop: float = 2.0) -> list[dict[str, np.ndarray]]:
    def report(done: float, _games: int, _error: float) -> None:
        if done >= stop:
            raise StoppedError

    train.train(games=GAMES, seed=3, out=out, command="it", commit="c0ffee", report=report, measured_games=10)
    return [dict(load(out / file, KIND).arrays) for file in FILES.values()]


@pytest.mark.slow
def test_training_repeats_and_resumes_bit_for_bit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    straight = trained(tmp_path / "straight")
    monkeypatch.setattr(train, "BETWEEN_CHECKPOINTS", 0.0)
    for stop in (0.3, 0.9):
        with pytest.raises(StoppedError):
            trained(tmp_path / "halting", stop)
    halting = trained(tmp_path / "halting")
    for one, other in zip(straight, halting, strict=True):
        assert one.keys() == other.keys()
        assert all((one[name] == other[name]).all() for name in one)
    assert sorted(path.name for path in (tmp_path / "halting").iterdir()) == sorted(FILES.values())
    origin = load(tmp_path / "straight" / "yam-master.tables", KIND).origin
    assert (origin["command"], origin["commit"], origin["seed"], origin["measured_games"]) == ("it", "c0ffee", 3, 10)
    assert origin["games"] >= GAMES * 2 / 3


@pytest.mark.slow
def test_a_checkpoint_of_another_training_is_not_resumed(tmp_path: Path) -> None:
    with pytest.raises(StoppedError):
        trained(tmp_path, 0.0)
    play = SelfPlay(YamMaster(), new_model(YamMaster().board, 9), 9)
    play.step(0.0)
    play.save(tmp_path / "yam-master.tables.checkpoint", {"games": GAMES, "seconds": 1.0})
    kept = trained(tmp_path)
    again = trained(tmp_path / "again")
    assert all((kept[0][name] == again[0][name]).all() for name in kept[0])


def test_a_damaged_checkpoint_is_refused(tmp_path: Path) -> None:
    (tmp_path / "yam-master.tables.checkpoint").write_bytes(b"dicecup-tables 1 0\n")
    with pytest.raises(TablesError):
        trained(tmp_path)


def test_training_stops_at_not_a_number() -> None:
    play = SelfPlay(YamMaster(), new_model(YamMaster().board), 1)
    play.step(0.0)
    before = {name: array.copy() for name, array in learned(play.model).items()}
    play.model.rows[play.model.shape_first[0]] = np.nan
    with pytest.raises(EngineError) as error:
        play.step(0.0)
    assert error.value.code is EngineCode.NOT_FINITE
    assert error.value.details["games"] == play.done
    assert all((learned(play.model)[name] == before[name]).all() for name in before if name != "rows")


def test_minutes_are_kept(tmp_path: Path) -> None:
    train.train(minutes=0.0, seed=1, out=tmp_path, measured_games=10)
    assert load(tmp_path / "yam-master.tables", KIND).origin["games"] == 0


def test_both_sides_begin_with_the_same_weights() -> None:
    model = for_sides(new_model(BOARD_3, 4))
    supplies = model.rows[model.supplies_first : model.points_first]
    assert (supplies[: len(supplies) // 2] == supplies[len(supplies) // 2 :]).all()


@pytest.mark.slow
def test_a_small_board_is_learned() -> None:
    """Board 3 × 3: the value of the first turn is learned, and greedy is beaten."""
    game = YamMaster(board=BOARD_3)
    play = SelfPlay(game, new_model(BOARD_3, 1), 1)
    for step in range(1500):
        play.step(step / 1500)
    assert play.squared**0.5 < 0.1
    games = play_games(game, Contestant(by_model(play.model)), Contestant(by_greed), games=2000, seed=1)
    score, half_width = games.score()
    assert score - half_width > 0.5
