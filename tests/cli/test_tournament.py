"""`dicecup tournament` at a real server: a club tournament from its creation to its standings."""

import asyncio
import json
import re
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from dicecup.cli import main
from dicecup.client import ClientError, TournamentLink
from tests.web.serving import serving

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
        ended = await asyncio.to_thread(main, ["tournament", *words, "--lang", language])
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


async def test_others_enter_themselves(url: str, run: Terminal, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    link = re.findall(r"http\S+", await run("create", url, "Club", "--game", "yamm"))[0]
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "other"))
    assert await run("enter", link, "Ben") == "Ben has entered.\n"
    assert "not-a-tournament" in await run("create", url, "Club", "--rounds", "99", code=1)
    assert "entered-twice" in await run("enter", link, "Ben", code=1)
    assert "not-the-organiser" in await run("start", link, code=1)


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
