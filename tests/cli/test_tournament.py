"""`dicecup tournament` at a real server: a club tournament from its creation to its standings."""

import asyncio
import json
import re
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from dicecup.cli import main
from dicecup.cli.times import time_of
from dicecup.cli.tournament_setup import clock_of
from dicecup.client import ClientError, TournamentLink
from dicecup.hosting.errors import HostingError
from dicecup.table.errors import TableError
from dicecup.table.setup import Clock, ClockKind
from tests.web.serving import Browser, serving

LOGGED = re.compile(r"^\d{4}-\d\d-\d\d .*\n", re.MULTILINE)
"""A line of the server's log. The server runs in the process of the test."""
LINK = TournamentLink("http://h:1", "0123456789abcdef0123")


@pytest.fixture
async def url(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[str]:
    """The address of a server. Tokens are kept in a folder of the test."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    async with serving(tmp_path) as served:
        yield served


class Terminal:
    """Runs `dicecup tournament` and returns what it prints."""

    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self._capsys = capsys

    async def __call__(self, *words: str, code: int = 0, language: str = "en") -> str:
        return await self.command("tournament", *words, code=code, language=language)

    async def command(self, *words: str, code: int = 0, language: str = "en") -> str:
        """Run any command."""
        ended = await asyncio.to_thread(main, [*words, "--lang", language])
        output = self._capsys.readouterr()
        assert ended == code, output.err
        return output.err if code else LOGGED.sub("", output.out)


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Terminal:
    return Terminal(capsys)


async def test_a_club_tournament_is_led_from_the_terminal(url: str, run: Terminal, tmp_path: Path) -> None:
    made = await run("create", f"{url}/", "Club", "--format", "round-robin")
    link = re.findall(r"http\S+", made)[0]
    assert await run("enter", link, "Anna", "Ben", "Zoë") == "Anna has entered.\nBen has entered.\nZoë has entered.\n"
    assert await run("list", url, language="de") == (
        f"Club: Jeder gegen jeden, yam-master, Noch nicht begonnen; angemeldet: 3. {link}\n"
    )
    started = await run("start", link)
    assert started.startswith("Round 1\n1: ")
    assert started.endswith(": bye\n")
    first = re.findall(r"^1: (\S+) –", started, re.MULTILINE)[0]
    assert await run("result", link, "1", "1-0") == "Pairing 1: 1–0\n"
    assert "results-contradict" in await run("result", link, "1", "0-1", code=1)
    assert await run("result", link, "1", "=", "--reason", "typed wrongly", language="fr") == "Rencontre 1\u00a0: ½–½\n"
    shown = await run("show", link)
    assert "Club: Running\nRound 1\n" in shown
    assert f"{first}: ½\n" in shown
    assert json.loads(await run("show", link, "--json"))["pairings"][0]["result"] == "drawn"
    await run("print", link, "standings", "-o", str(tmp_path / "standings.pdf"))
    assert (tmp_path / "standings.pdf").read_bytes().startswith(b"%PDF")
    assert "cannot-save" in await run("print", link, "standings", "-o", str(tmp_path / "no" / "where.pdf"), code=1)
    assert (await run("finish", link)).startswith("Club: Over\n")
    assert "tournament-over" in await run("start", link, code=1)


@pytest.mark.slow
async def test_everything_that_an_organiser_does_can_be_done_from_the_terminal(
    url: str, run: Terminal, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    link = re.findall(r"http\S+", await run("create", url, "Club", "--rounds", "3", "--minutes", "90", "--public"))[0]
    await run("enter", link, "Anna", "Ben", "--strength", "1500")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "other"))
    assert await run("enter", link, "Zoë") == "Zoë has entered.\n"
    assert "entered-twice" in await run("enter", link, "Zoë", code=1)
    assert "not-the-organiser" in await run("start", link, code=1)
    assert "not-a-tournament" in await run("create", url, "Club", "--rounds", "99", code=1)
    assert await run("withdraw", link) == "Zoë withdrew.\n"
    assert "not-the-organiser" in await run("withdraw", link, "Ben", code=1)
    assert await run("return", link, language="de") == "Zoë spielt wieder mit.\n"
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    assert await run("schedule", link, "2027-01-31T19:30") == "The next round begins: 2027-01-31 19:30.\n"
    assert "2027-01-31 19:30" in await run("show", link)
    assert await run("schedule", link, "by-hand") == "The next round is started by hand.\n"
    assert "not-a-time" in await run("schedule", link, "soon", code=1)
    await run("start", link)
    assert "round-running" in await run("start", link, code=1)
    assert await run("delete-round", link, "--reason", "Dan came") == "Round 1 was deleted. Reason: Dan came\n"
    await run("enter", link, "Dan")
    assert re.findall(r"^(\d+): ", await run("start", link), re.MULTILINE) == ["2", "3"]
    assert await run("forfeit", link, "2", "1-0") == "Pairing 2: 1–0\n"
    await run("result", link, "3", "=")
    assert "round-has-results" in await run("delete-round", link, "--reason", "no", code=1)
    await run("enter", link, "Late")
    assert await run("withdraw", link, "Dan") == "Dan withdrew.\n"
    assert "no-such-entrant" in await run("withdraw", link, "Eve", code=1)
    assert "no-such-person" in await run("organiser", link, "nobody", code=1)
    assert re.fullmatch(r"(\d\. \S+: [½\d]+( \(\S+ [½\d…]+\))?\n){5}", await run("crosstable", link))
    events = [json.loads(line)["event"]["type"] for line in (await run("log", link)).splitlines()]
    assert {"scheduled", "round-deleted", "forfeited", "withdrawn", "returned"} < set(events)
    assert json.loads(await run("show", link, "--round", "1", "--json"))["round"] == 1
    assert "Round 1\n" in await run("show", link, "--round", "1")
    await run("print", link, "pairings", "--round", "1", "-o", str(tmp_path / "round.pdf"))
    assert "no-such-round" in await run("show", link, "--round", "2", code=1)
    assert (await run("cancel", link)).startswith("Club: Over\n")


async def test_a_keyboard_and_a_browser_are_one_organiser(
    url: str, run: Terminal, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    created = await run("create", url, "Club")
    link = re.findall(r"http\S+", created)[0]
    browser = Browser(url)
    await browser.http.get("/api/me")
    secret = (await run.command("link", url)).strip().rpartition("/transfer#")[2]
    assert (await browser.http.post("/api/transfers/redeem", json={"secret": secret})).is_success
    tournament = f"/api/tournaments/{link.rpartition('/')[2]}"
    assert (await browser.http.get(tournament)).json()["you"]["organiser"], "the browser leads the keyboard's tournament"
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "other"))
    assert "not-the-organiser" in await run("cancel", link, code=1)
    there = f"{url}/transfer#{(await browser.http.post('/api/transfers')).json()['secret']}"
    assert await run.command("link", there) == f"At {url} this keyboard is now the person of the link or token.\n"
    assert (await run("enter", link, "Anna", "Ben")).count("\n") == 2
    assert "not-a-transfer" in await run.command("link", there, code=1)
    assert "not-a-link" in await run.command("link", f"{url}/transfer#", code=1)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "third"))
    token = tmp_path / "token"
    token.write_text((await browser.http.post("/api/tokens")).json()["token"] + "\n")
    await run.command("link", url, "--token", str(token), language="de")
    assert (await run("cancel", link)).startswith("Club: Over\n")
    token.write_text("0" * 43)
    assert "not-a-token" in await run.command("link", url, "--token", str(token), code=1)
    assert "cannot-read" in await run.command("link", url, "--token", str(tmp_path), code=1)
    (tmp_path / "file").touch()
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "file"))
    there = f"{url}/transfer#{(await browser.http.post('/api/transfers')).json()['secret']}"
    assert "cannot-save" in await run.command("link", there, code=1)
    await browser.http.aclose()


async def test_a_tournament_at_tables_has_a_clock_the_same_dice_and_a_table_for_everybody(url: str, run: Terminal) -> None:
    options = "--format round-robin --cycles 2 --dice server --clock 5+3 --duplicate --best-of 3 --bye 0.5 --closed --most 8"
    made = await run("create", url, "Club", "--game", "yamm", *options.split(), "--pause", "5", "--tie-break", "wins")
    link = re.findall(r"http\S+", made)[0]
    setup = json.loads(await run("show", link, "--json"))["setup"]
    assert setup["clock"] == {"kind": "game", "seconds": 300, "increment": 3}
    chosen = ("cycles", "duplicate", "best_of", "bye", "entries", "most", "pause", "tie_breaks", "listed", "rated")
    assert [setup[name] for name in chosen] == [2, True, 3, 1, "organiser", 8, 300, ["wins"], False, False]


def test_a_clock_is_typed_shortly() -> None:
    day = 86_400
    clocks = {"60": ("turn", 60, 0), "10+5": ("game", 600, 5), "3d": ("days", 3 * day, 0)}
    for text, (kind, seconds, increment) in clocks.items():
        assert clock_of(text) == Clock(ClockKind(kind), seconds, increment)
    assert clock_of("none") is None
    for text in ("", "5", "10+", "-60", "10+999", "99d", "1:30"):
        with pytest.raises(TableError, match="not-a-clock"):
            clock_of(text)


def test_a_time_alone_is_the_next_such_time() -> None:
    at = datetime.fromtimestamp(time_of("19:30"), UTC)
    assert (at.astimezone().hour, at.astimezone().minute) == (19, 30)
    assert timedelta() < at - datetime.now(UTC) <= timedelta(days=1)
    for text in ("24:30", "19:3", "2020-01-31T18:00", "soon"):
        with pytest.raises(HostingError, match="not-a-time"):
            time_of(text)


@pytest.mark.parametrize(
    "words",
    [
        ["create", "http://h:1"],
        ["enter", str(LINK)],
        ["start", str(LINK), "now"],
        ["result", str(LINK), "1", "2-0"],
        ["result", str(LINK), "one", "1-0"],
        ["print", str(LINK), "standings"],
        ["print", str(LINK), "winners", "-o", "x.pdf"],
        ["forfeit", str(LINK), "1"],
        ["withdraw", str(LINK), "Anna", "Ben"],
        ["delete-round", str(LINK)],
        ["schedule", str(LINK)],
    ],
)
async def test_a_wrong_command_line_is_refused_before_the_server_is_asked(run: Terminal, words: list[str]) -> None:
    assert "bad-command-line" in await run(*words, code=2)


async def test_an_address_that_is_no_tournament_is_refused(run: Terminal) -> None:
    assert "not-a-link" in await run("start", "http://h:1/tables/0123456789abcdef0123", code=1)


def test_a_link_may_have_a_path_and_a_part() -> None:
    assert TournamentLink.read("https://h.example/dice/tournaments/0123456789abcdef0123/organise") == TournamentLink(
        "https://h.example/dice", "0123456789abcdef0123"
    )
    assert TournamentLink.read(str(LINK)) == LINK
    with pytest.raises(ClientError, match="not-a-link"):
        TournamentLink.read("http://h:1/tournaments/12")
