"""Undo against the computer, before it throws: at a local table and at one on a server."""

import re
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from dicecup import games
from dicecup.client import Client
from dicecup.hosting import scheduler
from dicecup.record import Record
from dicecup.table.commands import TakeBack, Throw
from dicecup.table.setup import Occupant, SeatSetup, Setup
from dicecup.table.state import TableState
from dicecup.terminal.local import LocalSession, open_new, open_saved
from dicecup.terminal.local_record import new_record
from dicecup.terminal.seats import Seat
from dicecup.terminal.session import Demand
from tests.sweep import sweep
from tests.terminal.program import dicecup, lines
from tests.terminal.test_online import keyboard
from tests.web.serving import serving

ANNA, BEN, ROBO = Seat("Anna"), Seat("Ben"), Seat("Robo", "random")


def table(path: Path, game: str, *seats: Seat, dice: str = "seed:7") -> LocalSession:
    """Return a session for a new game at which the first person has to act."""
    session = open_new(path, new_record(games.from_id(game), seats, dice))
    run(session)
    return session


def run(session: LocalSession) -> Record:
    """Take the news until the table waits for a person and return the record."""
    while session.next() is not None:
        pass
    return session.record()


def test_an_action_is_taken_back_with_the_same_dice(tmp_path: Path) -> None:
    session = table(tmp_path / "game", "yam-master", ANNA, ROBO)
    assert session.can_hold()
    session.holds = True
    position, before = session.table.position, (tmp_path / "game").read_bytes()
    session.act("--")
    run(session)
    assert session.snapshot().demand is Demand.HELD
    session.send(TakeBack())
    run(session)
    assert (session.table.position, session.snapshot().demand) == (position, Demand.ACTION)
    assert (tmp_path / "game").read_bytes() == before


def test_the_computer_throws_the_dice_that_it_would_have_thrown_without_waiting(tmp_path: Path) -> None:
    at_once, held = (table(tmp_path / name, "yam-master", ANNA, ROBO) for name in ("at once", "held"))
    held.holds = True
    at_once.act("--")
    held.act("--")
    held.send(TakeBack())
    held.act("--")
    held.send(Throw())
    assert run(held).journal == run(at_once).journal
    assert held.snapshot().demand is Demand.ACTION
    with pytest.raises(Exception, match="nothing-to-take-back"):
        held.send(TakeBack())


def test_a_resumed_game_goes_on_with_the_throw_of_the_computer(tmp_path: Path) -> None:
    session = table(tmp_path / "game", "yam-master", ANNA, ROBO)
    session.holds = True
    session.act("--")
    resumed = open_saved(tmp_path / "game")
    assert run(resumed).journal.turns > 1
    assert resumed.snapshot().demand is Demand.ACTION


@pytest.mark.parametrize(
    "game, seats, dice",
    [
        ("yam-master", (ANNA, BEN), "seed:7"),
        ("yam-master", (ROBO, Seat("Rita", "greedy")), "table"),
        ("yam-master", (ANNA, ROBO), "table"),
        ("yamm", (ANNA, ROBO), "seed:7"),
        ("yamm(players=1)", (ANNA,), "seed:7"),
    ],
)
def test_nothing_is_held_between_people_with_real_dice_or_where_results_can_be_moved(
    tmp_path: Path, game: str, seats: tuple[Seat, ...], dice: str
) -> None:
    assert not table(tmp_path / "game", game, *seats, dice=dice).can_hold()


@sweep(
    "language, undo, waits, taken",
    [
        ("de", "zurück", "Ab jetzt wartet er", "Zurückgenommen: --"),
        ("en", "undo", "From now on it waits for Enter", "Taken back: --"),
        ("fr", "annule", "À partir de maintenant, il attend", "Repris"),
    ],
)
def test_the_first_undo_lets_the_computer_wait(tmp_path: Path, language: str, undo: str, waits: str, taken: str) -> None:
    new = ("play", "yam-master", "--seat", "Anna", "--seat", "Robo=random", "--seed", "3", "--lang", language)
    shown = dicecup(tmp_path, *new, typed=lines(undo, "--", undo, undo, "--", "", "quit")).stdout
    assert waits in " ".join(shown.split())
    assert taken in shown
    assert shown.count("[nothing-to-take-back]") == 1
    thrown = [part for part in re.split(r"Robo \(.\), En\w+ ", shown)[1:] if "Robo" in part]
    assert len(thrown) == 2  # the prompt came twice, and the computer played after the second one


@pytest.fixture
async def url(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[str]:
    """Return the address of a server whose computers wait until they are let throw."""

    def wait(state: TableState, _now: float) -> float:
        return 0.0 if state.last_entry is None else 3600.0

    monkeypatch.setattr(scheduler, "seconds_to_wait", wait)
    async with serving(tmp_path) as served:
        yield served


async def test_an_action_is_taken_back_at_a_table_on_a_server(url: str, tmp_path: Path) -> None:
    seats = (SeatSetup(), SeatSetup(Occupant.LEVEL, "random"))
    async with Client(url) as client:
        link = (await client.create(Setup("yam-master", seats, first=0))).join
    async with keyboard(link, tmp_path, "Anna") as anna:
        dice = dice_in(await anna.until(r"Anna \(x\)> "))
        anna.type("undo")
        await anna.until("From now on it waits for")
        await anna.until(r"Anna \(x\)> ")
        anna.type("--")
        await anna.until(r"random \(o\), Enter throws, undo takes -- back> ")
        anna.type("undo")
        shown = await anna.until(r"Anna \(x\)> ")
        assert "Taken back: --" in shown
        assert dice_in(shown) == dice
        anna.type("--")
        await anna.until(r"undo takes -- back> ")
        anna.type("")
        assert "Throw 1" in await anna.until(r"Anna \(x\)> ")
        anna.type("undo")
        await anna.until("nothing-to-take-back")


def dice_in(shown: str) -> str:
    """Return the dice that were printed last."""
    return str(re.findall(r"Throw \d: ([\d ]+)\.", shown)[-1])
