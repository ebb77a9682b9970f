"""Hints with the best choice first, where they are allowed, and corrections by the computer."""

from pathlib import Path

import pytest

from dicecup import games, yamm
from dicecup.analysis.registry import by_tables
from dicecup.locale import Messages
from dicecup.players.levels import TrainedPlayer
from dicecup.table.commands import EnterDice
from dicecup.table.events import Acted, Thrown
from dicecup.terminal.console import Console
from dicecup.terminal.errors import TerminalError
from dicecup.terminal.hints import SHOWN, show_hints
from dicecup.terminal.local import LocalSession, open_new
from dicecup.terminal.local_record import new_record
from dicecup.terminal.seats import Seat
from dicecup.terminal.session import Step

ANNA, BEN = Seat("Anna"), Seat("Ben")


def real(path: Path, game: str, *seats: Seat) -> LocalSession:
    """Return a new game with real dice."""
    return open_new(path / "game.dicecup", new_record(games.from_id(game), seats, "table", (), None))


def printed(capsys: pytest.CaptureFixture[str], table: LocalSession, language: str = "en") -> list[str]:
    """Return the lines of the hints for the current position."""
    show_hints(Console(Messages(language), colour=False), table.snapshot())
    return capsys.readouterr().out.splitlines()


def test_hints_for_one_player_are_in_points_best_first(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table = real(tmp_path, "yamm(players=1)", ANNA)
    assert printed(capsys, table) == ["Odds are available after a throw."]
    table.send(EnterDice("66666"))
    lines = printed(capsys, table)
    assert lines[0].startswith("The expert expects ")
    assert len(lines) == 1 + SHOWN
    assert lines[1].endswith(": the best")
    # equal columns are equally good
    assert all(line.endswith((": the best", " points less")) for line in lines[2:])
    best = max(
        worth := by_tables(table.snapshot().position.game).values(table.snapshot().position), key=lambda action: worth[action]
    )
    assert lines[1].strip().startswith(str(best))


def test_hints_against_the_computer_are_chances(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table = real(tmp_path, "yam-master(captured=out)", ANNA, Seat("Robo", "random"))
    table.send(EnterDice("11112"))
    lines = printed(capsys, table, "de")
    assert lines[0].startswith("Der Experte sieht ")
    assert lines[1].endswith(": die beste Wahl")
    assert lines[-1].endswith("weniger gut.")  # trained for the default of `captured`


def test_hints_between_people_are_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table = real(tmp_path, "yam-master", ANNA, BEN)
    table.send(EnterDice("11112"))
    with pytest.raises(TerminalError) as refused:
        printed(capsys, table)
    assert refused.value.code == "no-hints"


def test_the_computer_corrects_before_the_throw_that_is_final(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seats = (Seat("Robo", "expert"), Seat("Random", "random"))
    table = open_new(tmp_path / "game.dicecup", new_record(games.from_id("yamm"), seats, "seed:1", (), None))
    asked: list[int] = []

    def better(_: TrainedPlayer, position: yamm.Position, sheet: int) -> yamm.Correct | None:
        """Return the correction of every last result to `f3.1`."""
        asked.append(position.number)
        result = position.wet[sheet]
        last = position.number - 2
        if result is None or result.cell == "f3.1":
            return None
        return yamm.Correct(last, yamm.Cell("f3.1"))

    monkeypatch.setattr(TrainedPlayer, "correct", better)
    events = []
    while table.snapshot().position.number < 5:
        news = table.next()
        assert isinstance(news, Step)
        events.append(news.event)
    moved = [event for event in events if isinstance(event, Acted) and ">" in event.action]
    assert [event.action for event in moved] == [f"{asked[0] - 2}. > f3.1"]
    assert isinstance(events[events.index(moved[0]) + 1], Thrown)
