"""Local games for tests: sessions, seats and commands."""

import os
from pathlib import Path

import pytest

from dicecup import games
from dicecup.table.commands import Command, EnterDice
from dicecup.terminal.local import LocalSession, open_new
from dicecup.terminal.local_record import Match, new_record
from dicecup.terminal.seats import Seat

ANNA, BEN, CARL, DORA = (Seat(name) for name in ("Anna", "Ben", "Carl", "Dora"))

ROBO = Seat("Robo", "random")

PAIRS = "yamm(players=4,pairs=yes)"


def new_session(
    path: Path, game: str, *seats: Seat, dice: str = "seed:7", writers: tuple[str, ...] = (), match: Match | None = None
) -> LocalSession:
    """Return a session for a new game."""
    return open_new(path, new_record(games.from_id(game), seats, dice, writers, match))


def session_with_real_dice(path: Path, game: str, *seats: Seat, match: Match | None = None) -> LocalSession:
    """Return a session for a new game with real dice."""
    return new_session(path, game, *seats, dice="table", match=match)


def dice(text: str) -> EnterDice:
    """Return the command that enters a throw."""
    return EnterDice(text)


def send(at: LocalSession, command: Command) -> None:
    """Send a command and take all events that follow from it."""
    at.send(command)
    run(at)


def run(at: LocalSession) -> None:
    """Take events until the table waits for a person."""
    while at.next() is not None:
        pass


@pytest.fixture(autouse=True)
def no_fsync(monkeypatch: pytest.MonkeyPatch) -> None:
    """Skip `fsync`: no test turns off the machine."""
    monkeypatch.setattr(os, "fsync", lambda _: None)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Return the path of the saved game."""
    return tmp_path / "game.dicecup"
