"""A game in a distribution of its own is played in the terminal, and the saved record is
replayed."""

from pathlib import Path

import pytest

from dicecup.record import load
from tests.terminal.program import dicecup, saved


@pytest.mark.parametrize("language", ["de", "en", "fr"])
def test_computers_play_a_game_in_the_terminal(tmp_path: Path, language: str) -> None:
    seats = ["--seat", "Robo=random", "--seat", "Bobo=random"]
    ran = dicecup(tmp_path, "play", "one-column", *seats, "--seed", "1", "--lang", language, "--no-color")
    assert (ran.returncode, ran.stderr) == (0, "")
    (file,) = saved(tmp_path)
    record = load(file)
    assert (record.game.id, record.tags["End"]) == ("one-column", "full")
    assert str(record.journal.position.scores[0]) in ran.stdout


def test_a_person_plays_by_the_texts_of_actions(tmp_path: Path) -> None:
    rows = "".join(f"w{row}\n" for row in "123456AS")
    ran = dicecup(tmp_path, "play", "one-column(players=1)", "--seat", "Anna", "--seed", "1", "--no-color", typed=rows)
    assert (ran.returncode, ran.stderr) == (0, "")
    (file,) = saved(tmp_path)
    assert load(file).tags["End"] == "full"
