"""A table on a server with `dicecup play --join` as the client: joining, playing, leaving and
returning.
"""

import asyncio
import codecs
import os
import re
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from dicecup.client import Client
from dicecup.table import consequences, permissions
from dicecup.table.events import ClockHeld, Created, Stored
from dicecup.table.setup import DiceOf, SeatSetup, Setup
from dicecup.table.state import TableState
from dicecup.terminal.online import OnlineSession
from dicecup.terminal.session import Notice
from tests.web.serving import SEED_HASH, Browser, Json, serving

PASS = "--"
PATIENCE = 60
"""The longest time in seconds for more output on a slow machine."""


class Keyboard:
    """The process of `dicecup play --join` with its input and output."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process
        self._decoder = codecs.getincrementaldecoder("utf-8")()  # a read may end inside a character
        self.text = ""

    async def until(self, wanted: str) -> str:
        """Return the output up to the end of the first match of a pattern."""
        assert self._process.stdout is not None
        while (found := re.search(wanted, self.text)) is None:
            try:
                more = await asyncio.wait_for(self._process.stdout.read(4096), PATIENCE)
            except TimeoutError:
                raise AssertionError(f"no {wanted!r} in {self.text!r}") from None
            assert more, f"exit code {await self._process.wait()} after {self.text!r}"
            self.text += self._decoder.decode(more)
        before, self.text = self.text[: found.end()], self.text[found.end() :]
        return before

    def type(self, line: str) -> None:
        """Enter a line."""
        assert self._process.stdin is not None
        self._process.stdin.write(f"{line}\n".encode())

    async def end(self) -> tuple[int, str]:
        """End the input. Return the exit code and the remaining output."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        assert self._process.stdout is not None
        rest = self._decoder.decode(await self._process.stdout.read(), final=True)
        return await self._process.wait(), self.text + rest


@asynccontextmanager
async def keyboard(link: str, home: Path, name: str | None, *options: str) -> AsyncIterator[Keyboard]:
    """Run `dicecup play --join` and stop it at the end of the block."""
    program = Path(sys.executable).with_name("dicecup")
    named = () if name is None else ("--seat", name)
    process = await asyncio.create_subprocess_exec(
        *(str(program), "play", "--join", link, "--lang", "en", *named, *options),
        env=os.environ | {"HOME": str(home), "XDG_DATA_HOME": str(home), "PYTHONUNBUFFERED": "1"},
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    try:
        yield Keyboard(process)
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()


@pytest.fixture
async def url(tmp_path: Path) -> AsyncIterator[str]:
    """Return the address of a running server."""
    async with serving(tmp_path) as served:
        yield served


async def link_to(url: str, game: str = "yam-master", seats: int = 2, **agreed: object) -> str:
    """Return the link for joining a new table."""
    async with Client(url) as client:
        return (await client.create(Setup(game, (SeatSetup(),) * seats, **agreed))).join  # type: ignore[arg-type]


async def test_two_programs_play_at_one_table(url: str, tmp_path: Path) -> None:
    link = await link_to(url, first=0)
    async with keyboard(link, tmp_path / "a", "Anna") as anna:
        assert "Waiting for the others" in await anna.until("Waiting for the others …")
        async with keyboard(link, tmp_path / "b", "Ben") as ben:
            await anna.until("Ben takes a seat")
            shown = await anna.until(r"Anna \(x\)> ")
            assert "Throw 1:" in shown
            anna.type(PASS)
            seen = await ben.until(r"Ben \(o\)> ")
            assert "No token." in seen
            ben.type("hint")
            await ben.until("no-hints")
            ben.type(PASS)
            await anna.until(r"Anna \(x\)> ")
            anna.type("draw")
            await anna.until(r"Anna \(x\)> ")
            await ben.until(r"Do you agree\? y/n")
            ben.type("n")
            await ben.until("declines the draw")
            await anna.until("declines the draw")  # no entry was made here meanwhile
            await anna.until(r"Anna \(x\)> ")
            anna.type("resign")
            await anna.until("y/n")
            anna.type("y")
            assert "Ben" in await ben.until(r"Another game\? y/n")
            await anna.until(r"Another game\? y/n")
            anna.type("y")
            ben.type("y")
            await anna.until(r"Yam Master")
            await ben.until(r"Yam Master")


@pytest.mark.slow
async def test_a_person_who_quits_comes_back_to_the_same_seat(url: str, tmp_path: Path) -> None:
    link = await link_to(url, "yam-master", first=0)
    async with keyboard(link, tmp_path / "b", "Ben") as ben:
        await ben.until("Waiting for the others …")
        async with keyboard(link, tmp_path / "a", "Anna") as anna:
            await ben.until(r"Ben \(x\)> ")
            ben.type(PASS)
            await anna.until(r"Anna \(o\)> ")
            anna.type("quit")
            code, printed = await anna.end()
            assert code == 0
            assert "The same link takes you back." in printed
        async with keyboard(link, tmp_path / "a", None) as anna:
            shown = await anna.until(r"Anna \(o\)> ")
            assert "takes a seat" not in shown
            assert (tmp_path / "a" / "dicecup" / "servers.json").stat().st_mode & 0o077 == 0
            anna.type(PASS)
            await ben.until(r"Ben \(x\)> ")


@pytest.mark.slow
async def test_a_person_whose_seed_is_lost_stays_at_the_table(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The table continues with the empty seed when the program that committed to a seed has ended.

    The deadline for seeds passes when Ben has revealed his seed, so the test does not wait for a
    clock.
    """

    def due_after_ben(state: TableState) -> float | None:
        return None if state.started or state.seats[0].seed is None else state.time

    monkeypatch.setattr(consequences, "seeds_due_at", due_after_ben)
    async with Browser(url) as ben, Client(url) as host:
        made = await host.create(Setup("yam-master", (SeatSetup(), SeatSetup()), first=1))
        await ben.http.get("/api/me")  # sets the cookie
        async with ben.socket(made.table, {"key": made.join_key}) as socket:
            await socket.receive("update")
            assert (await socket.do({"type": "sit", "name": "Ben"}))["type"] == "done"
            async with keyboard(made.join, tmp_path, "Anna"):
                while socket.updates[-1]["view"]["fairness"]["seats"][1]["hash"] is None:
                    await socket.receive("update")
            async with keyboard(made.join, tmp_path, None) as anna:
                await anna.until("Waiting for .* Ben")
                assert (await socket.do({"type": "commit-seed", "hash": SEED_HASH, "seat": 0}))["type"] == "done"
                revealed = {"type": "reveal-seed", "seed": "00" * 16, "seat": 0}
                assert (await socket.do(revealed))["type"] == "done"
                await anna.until(r"Anna \(x\)> ")


@pytest.mark.slow
async def test_real_dice_are_typed_at_their_own_keyboards(url: str, tmp_path: Path) -> None:
    link = await link_to(url, "yamm", dice=DiceOf.TABLE)
    async with keyboard(link, tmp_path / "a", "Anna", "--short") as anna:
        await anna.until("Waiting for the others …")
        async with keyboard(link, tmp_path / "b", "Ben", "--short") as ben:
            await anna.until("Anna.*> ")
            anna.type("3")
            await ben.until("Ben.*> ")
            ben.type("6")
            await anna.until("First to play: Ben")
            await ben.until("Ben.*> ")
            ben.type("5 5 5 5 5")
            await ben.until("Ben.*> ")
            ben.type("f1 Y")
            assert "65" in await anna.until("Anna.*> ")


async def test_a_link_to_watch_shows_the_game(url: str, tmp_path: Path) -> None:
    setup = {"game": "yam-master", "seats": [{}, {}], "dice": "table", "first": 0}
    async with Browser(url) as browser:
        made: Json = await browser.make(setup)
        async with keyboard(made["watch"], tmp_path, None) as watcher, browser.socket(made["table"]) as socket:
            await watcher.until("Free seats: 1")
            await socket.receive("update")
            assert (await socket.do({"type": "seat-computer", "level": "random"}))["type"] == "done"
            await watcher.until("The computer plays on this seat now")
            assert (await socket.do({"type": "enter-dice", "dice": "11346"}, (await look(browser, made["table"]))["number"]))[
                "type"
            ] == "done"
            await watcher.until("Throw 1: 1 1 3 4 6")
            assert (await socket.do({"type": "resign"}, (await look(browser, made["table"]))["number"]))["type"] == "done"
            assert "Winner: random" in await watcher.until(r"Winner.*\n")
            assert (await watcher.end())[0] == 0


async def look(browser: Browser, table: str) -> Json:
    """Return the table as a browser sees it."""
    found: Json = (await browser.http.get(f"/api/tables/{table}")).json()
    return found


@pytest.mark.parametrize("link", ["x", "http://127.0.0.1:9/tables/0123456789abcdef0123#join=ab"])
async def test_a_link_without_a_table_is_refused(link: str, tmp_path: Path) -> None:
    async with keyboard(link, tmp_path, "Anna") as player:
        code, printed = await player.end()
        assert code == 1
        assert re.search("not-a-link|unreachable", printed)


async def test_join_refuses_options_of_a_new_game(tmp_path: Path) -> None:
    async with keyboard("x", tmp_path, "Anna", "yamm") as player:
        code, printed = await player.end()
        assert (code, "join-alone" in printed) == (1, True)


async def test_a_rated_game_needs_the_lobby(tmp_path: Path) -> None:
    async with keyboard("x", tmp_path, "Anna", "--rated") as player:
        code, printed = await player.end()
        assert (code, "rated-needs-lobby" in printed) == (1, True)


@pytest.mark.parametrize("seat", ["Robo=greedy", "greedy"])
async def test_join_refuses_a_computer(seat: str, tmp_path: Path) -> None:
    async with keyboard("x", tmp_path, seat) as player:
        code, printed = await player.end()
        assert (code, "join-alone" in printed) == (1, True)


@pytest.mark.slow
async def test_a_watcher_follows_the_next_game_of_a_match(url: str, tmp_path: Path) -> None:
    setup = {"game": "yam-master", "seats": [{}, {"kind": "level", "level": "random"}], "dice": "table", "games": 2}
    async with Browser(url) as browser:
        made: Json = await browser.make(setup | {"first": 0})
        async with keyboard(made["watch"], tmp_path, None) as watcher, browser.socket(made["table"]) as socket:
            await watcher.until("Yam Master")
            await socket.receive("update")
            assert (await socket.do({"type": "resign"}))["type"] == "done"
            printed = await watcher.until(r"The next game[^#]*/tables/[0-9a-f]{20}#watch=\w+")
            following = (await look(browser, made["table"]))["view"]["next"]
            assert f"/tables/{following}#watch=" in printed
            async with browser.socket(following) as second:
                await second.receive("update")
                assert (await second.do({"type": "resign"}))["type"] == "done"
                await watcher.until("Winner: random")
        assert f"/tables/{following}" in printed


@pytest.mark.slow
async def test_a_watcher_reads_that_seeds_are_pending(url: str, tmp_path: Path) -> None:
    async with Browser(url) as browser:
        made: Json = await browser.make({"game": "yam-master", "seats": [{}, {"kind": "level", "level": "random"}]})
        async with keyboard(made["watch"], tmp_path, None) as watcher:
            await watcher.until("Waiting for .*: Anna")


async def test_a_watcher_follows_a_rematch_agreed_after_the_end(url: str, tmp_path: Path) -> None:
    setup = {"game": "yam-master", "seats": [{}, {"kind": "level", "level": "random"}], "dice": "table", "first": 0}
    async with Browser(url) as browser:
        made: Json = await browser.make(setup)
        async with keyboard(made["watch"], tmp_path, None) as watcher, browser.socket(made["table"]) as socket:
            await watcher.until("Yam Master")
            await socket.receive("update")
            assert (await socket.do({"type": "resign"}))["type"] == "done"
            await watcher.until("Waiting for another game")
            number = (await look(browser, made["table"]))["number"]
            assert (await socket.do({"type": "rematch"}, number))["type"] == "done"
            await watcher.until(r"The next game[^#]*/tables/[0-9a-f]{20}#watch=\w+")
            await watcher.until("Yam Master")


async def test_a_clock_that_was_held_is_announced() -> None:
    setup = Setup("yam-master", (SeatSetup(), SeatSetup()), first=0, dice=DiceOf.TABLE)
    state = TableState.from_events([Stored(1, 0.0, Created("t", setup, ""))])
    session = object.__new__(OnlineSession)
    session.table = state
    assert session._news_of(state, ClockHeld(12.4)) == Notice("online_clock_held", {"seconds": 12})


@pytest.mark.slow
async def test_a_slow_player_is_warned_and_the_other_asked(url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(permissions, "PATIENCE", 3.0)
    link = await link_to(url, first=0)
    async with keyboard(link, tmp_path / "a", "Anna") as anna:
        await anna.until("Waiting for")
        async with keyboard(link, tmp_path / "b", "Ben") as ben:
            await anna.until("You have been on this turn for a while. In 1 min the others may")
            await ben.until("Anna has been on this turn for a while.")
            await ben.until("Anna is taking very long over this turn")
            ben.type("1")
            await ben.until("Winner: Ben")
