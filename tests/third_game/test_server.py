"""A game in a distribution of its own on a server: two clients play it with fair dice, and the
record is verified."""

import asyncio
from pathlib import Path
from typing import Any

import httpx

from dicecup.cli import main
from dicecup.client import Client, RemoteTable, SeatAgent, ServerRefusal, TableLinks
from dicecup.record import read
from dicecup.table import verify
from dicecup.table.commands import Command, Sit
from dicecup.table.setup import Occupant, SeatSetup, Setup
from tests.web.serving import serving

GAME = "one-column(order=down)"


async def play(client: Client, made: TableLinks, *, join: bool = False) -> None:
    """Play at a table until the game is over. `join`: take the second seat first."""
    agent = SeatAgent()
    async with client.table(made.table, key=made.join_key) as table:
        async for update in table:
            if join and update.view and not update.view["you"]:
                await send(table, Sit("Ben"), update.number)
                continue
            if update.view and update.view["result"]:
                return
            command = agent.command(update.view, lambda view: view["actions"][-1]["action"])
            if command and update.number == table.number:
                await send(table, command, update.number)


async def send(table: RemoteTable, command: Command, version: int) -> None:
    """Send a command. The server refuses it if the other client was first; the update of that event
    follows."""
    try:
        await table.send(command, version=version)
    except ServerRefusal as refusal:
        if refusal.code != "stale-version":
            raise


async def test_two_clients_play_with_fair_dice(tmp_path: Path) -> None:
    async with serving(tmp_path) as url, Client(url) as anna, Client(url) as ben:
        made = await anna.create(Setup(GAME, (SeatSetup(), SeatSetup())), name="Anna")
        await asyncio.gather(play(anna, made), play(ben, made, join=True))
        text = await anna.record(made.table)
    record = read(text)
    assert (record.game.id, record.tags["End"]) == (GAME, "full")
    assert record.tags["Dice"].startswith("committed:")
    assert verify.check(record).fault is None
    file = tmp_path / "game.dicecup"
    file.write_text(text)
    assert main(["verify", str(file)]) == 0


async def test_a_computer_plays_against_a_client(tmp_path: Path) -> None:
    async with serving(tmp_path) as url, Client(url) as anna:
        made = await anna.create(Setup(GAME, (SeatSetup(), SeatSetup(Occupant.LEVEL, "random"))), name="Anna")
        await play(anna, made)
        assert read(await anna.record(made.table)).tags["End"] == "full"


async def test_the_server_lists_the_game_with_its_options(tmp_path: Path) -> None:
    async with serving(tmp_path) as url, httpx.AsyncClient(base_url=url) as http:
        listed: list[dict[str, Any]] = (await http.get("/api/games")).json()["games"]
    (found,) = [game for game in listed if game["id"] == "one-column"]
    assert [option["name"] for option in found["options"]] == ["players", "order"]
