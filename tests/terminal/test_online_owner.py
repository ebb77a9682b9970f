"""The owner of a table on a server at the keyboard: links, newcomers and seats, before the game and
in it.
"""

import re
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from dicecup.locale import Messages
from dicecup.table import permissions
from dicecup.terminal import owner
from dicecup.terminal.console import Console
from tests.terminal.test_online import PASS, Keyboard, keyboard, link_to
from tests.web.serving import serving

LINK = r"New people join here:\s+(?P<link>\S+#join=\w+)\s"


@pytest.fixture
async def url(tmp_path: Path) -> AsyncIterator[str]:
    """Return the address of a running server."""
    async with serving(tmp_path) as served:
        yield served


async def new_link(keys: Keyboard) -> str:
    """Wait for the new link of the table and return it."""
    found = re.search(LINK, await keys.until(LINK))
    assert found is not None
    return found["link"]


@pytest.mark.slow
async def test_before_the_game_the_owner_replaces_links_and_closes_the_table(url: str, tmp_path: Path) -> None:
    old = await link_to(url, first=0)
    async with keyboard(old, tmp_path / "a", "Anna") as anna:
        await anna.until("This table is yours")
        anna.type("?")
        shown = await anna.until("the same link takes you back")
        assert "replace: replace the links" in shown
        assert "unseat" not in shown
        anna.type("k33")
        await anna.until("not-an-entry")
        anna.type("unseat")
        await anna.until("seat-kept")
        anna.type("close")
        await anna.until("The table is closed to newcomers.")
        anna.type("close")
        await anna.until("table-is-closed")
        anna.type("replace")
        link = await new_link(anna)
        async with keyboard(link, tmp_path / "b", "Ben") as ben:
            assert "table-closed" in (await ben.end())[1]
        anna.type("open")
        await anna.until("The table is open to newcomers again.")
        anna.type("open")
        await anna.until("table-is-open")
        async with keyboard(old, tmp_path / "b", "Ben") as ben:
            assert "no-such-table" in (await ben.end())[1]
        async with keyboard(link, tmp_path / "b", "Ben") as ben:
            await anna.until(r"Anna \(x\)> ")
            anna.type("save")
            assert link in await anna.until(r"Table:\s+\S+\n")
            anna.type(PASS)
            await ben.until(r"Ben \(o\)> ")
            ben.type("?")
            assert "replace:" not in await ben.until("quit: .*")
            await ben.until(r"Ben \(o\)> ")
            ben.type("replace")
            await ben.until("not-the-owner")


@pytest.mark.slow
async def test_before_the_game_the_owner_frees_a_seat_after_a_question(url: str, tmp_path: Path) -> None:
    link = await link_to(url, "yamm(players=3)", seats=3)
    async with keyboard(link, tmp_path / "a", "Anna") as anna:
        await anna.until("This table is yours")
        async with keyboard(link, tmp_path / "b", "Ben") as ben:
            await anna.until("Ben takes a seat")
            await anna.until("Waiting for the others")
            anna.type("?")
            await anna.until("unseat Ben")
            anna.type("unseat Carl")
            await anna.until("not-a-choice")
            anna.type("unseat Anna")
            await anna.until("seat-kept")
            anna.type("unseat ben")
            await anna.until(r"Ben loses the seat.*\s+.*y/n \[n\]:")
            anna.type("")
            await anna.until("Nothing was done.")
            anna.type("unseat")
            await anna.until(r"y/n \[n\]:")
            anna.type("y")
            await anna.until("The seat of Ben is free again")
            assert await new_link(anna) != link
            assert "no-such-table" in (await ben.end())[1]


@pytest.mark.slow
async def test_an_owner_who_quits_before_the_game_comes_back(url: str, tmp_path: Path) -> None:
    link = await link_to(url)
    for name in ("Anna", None):
        async with keyboard(link, tmp_path, name) as anna:
            await anna.until("This table is yours")
            anna.type("quit")
            code, printed = await anna.end()
            assert (code, "The same link takes you back." in printed) == (0, True)


@pytest.mark.slow
async def test_the_owner_frees_the_seat_of_a_slow_player(url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(permissions, "PATIENCE", 0.5)
    link = await link_to(url, first=1)
    async with keyboard(link, tmp_path / "a", "Anna") as anna:
        await anna.until("Waiting for")
        async with keyboard(link, tmp_path / "b", "Ben"):
            await anna.until(r"Ben is taking very long over this turn.*4 free the\s+seat")
            await anna.until("keep waiting:")
            anna.type("4")
            await anna.until("The seat of Ben is free again")
            link = await new_link(anna)
            await anna.until("A seat is free")
        async with keyboard(link, tmp_path / "c", "Carl") as carl:
            await anna.until("Carl takes a seat")
            await carl.until(r"Carl \(x\)> ")


@pytest.mark.parametrize("may, shown", [([], ""), (["resign", "free-seat 1"], "unseat Ben"), (["rotate-links"], "replace:")])
def test_help_lists_what_the_table_offers(may: list[str], shown: str, capsys: pytest.CaptureFixture[str]) -> None:
    owner.show_help(Console(Messages("en"), colour=False), may)
    printed = capsys.readouterr().out
    assert printed.startswith(shown)
    assert bool(printed) == bool(shown)
