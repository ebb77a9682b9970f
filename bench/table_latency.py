"""500 tables of two people at one action a second each, one process, SQLite with synchronous=FULL:
how long from a command until the other seat is told of it. p50 under 10 ms and p99 under 100 ms are
wanted. The people are a program of their own on the same machine; half of the tables play Yam
Master, half Yamm.
"""

import asyncio
import json
import re
import resource
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from random import Random
from statistics import quantiles
from time import perf_counter
from typing import Any

import httpx
from websockets.asyncio.client import ClientConnection, connect

from bench._server import Served, served
from dicecup.client import SeatAgent
from dicecup.table.commands import command_to_json

TABLES = 500
SECONDS = 20
WANTED = (0.010, 0.100)
"""Seconds: half of the times, and 99 of 100."""


CHANCE = Random(1)
NUMBER = re.compile(r'"number":(\d+)')


class Seat:
    """One person's connection: the newest update, and when which number was told. What is not
    needed is not read: the program that measures has a core to itself at best."""

    def __init__(self, connection: ClientConnection) -> None:
        self.connection = connection
        self.text = ""
        self.number = 0
        self.agent = SeatAgent()
        self.acted = 0
        self.told: dict[int, float] = {}
        self.changed = asyncio.Event()
        self.hearing = asyncio.create_task(self.hear())

    async def hear(self) -> None:
        async for text in self.connection:
            now = perf_counter()
            assert isinstance(text, str)
            if text.startswith('{"type":"update"'):
                found = NUMBER.search(text)
                assert found is not None
                self.text, self.number = text, int(found[1])
                self.told.setdefault(self.number, now)
                self.changed.set()
            elif not text.startswith('{"type":"done"'):
                raise SystemExit(text)

    @property
    def view(self) -> Mapping[str, Any]:
        view: Mapping[str, Any] = json.loads(self.text)["view"]
        return view

    async def up_to(self, number: int) -> None:
        while self.number < number:
            self.changed.clear()
            await self.changed.wait()


async def act(seats: list[Seat]) -> float | None:
    """One action of whoever is to act; seconds until another seat was told of it, None where the
    game is over."""
    for at, seat in sorted(enumerate(seats), key=lambda found: -found[1].acted):
        command = seat.agent.command(seat.view, anything)
        if command is None:
            continue
        seat.acted = seat.number
        other, number = seats[1 - at], seat.number
        message = {"type": "command", "id": f"{at}-{number}", "version": number, "command": command_to_json(command)}
        begin = perf_counter()
        await seat.connection.send(json.dumps(message))
        await asyncio.gather(*(each.up_to(number + 1) for each in seats))
        return min(time for told, time in other.told.items() if told > number) - begin
    return None


def anything(view: Mapping[str, Any]) -> str:
    """Some action of the list, so that games come along as games do."""
    action: str = CHANCE.choice(view["actions"])["action"]
    return action


async def table(url: str, http: httpx.AsyncClient, number: int) -> list[Seat]:
    """Two people who have exchanged their seeds."""
    setup: dict[str, Any] = {"game": ("yam-master", "yamm")[number % 2], "seats": [{}, {}]}
    tokens = [(await http.post("/api/tokens")).json()["token"] for _ in range(2)]
    headers = [{"Authorization": f"Bearer {token}"} for token in tokens]
    made = (await http.post("/api/tables", json={"setup": setup, "name": "Anna"}, headers=headers[0])).json()
    sit = {"id": "sit", "version": 2, "command": {"type": "sit", "name": "Ben"}}
    path = f"/api/tables/{made['table']}/commands"
    (await http.post(path, json=sit, headers=headers[1] | {"Dicecup-Key": made["join_key"]})).raise_for_status()
    seats = []
    for header in headers:
        address = f"{url.replace('http', 'ws')}/ws/tables/{made['table']}"
        connection = await connect(address, additional_headers=header, compression=None, ping_interval=None, max_size=None)
        await connection.send('{"type": "hello"}')
        seats.append(Seat(connection))
    await asyncio.gather(*(seat.up_to(1) for seat in seats))
    for _ in range(4):
        await act(seats)
    return seats


async def play(seats: list[Seat], begin: float, times: list[float], late: list[float]) -> None:
    """An action a second, for a while."""
    for second in range(SECONDS):
        due = begin + second
        await asyncio.sleep(max(0.0, due - perf_counter()))
        late.append(max(0.0, perf_counter() - due))
        seconds = await act(seats)
        if seconds is None:
            return
        times.append(seconds)


async def measure(server: Served) -> tuple[list[float], list[float], float, float]:
    """Seconds from command to event, how late commands were sent, and of the time the share in
    which the server ran, and in which it waited for a core."""
    async with httpx.AsyncClient(base_url=server.url, timeout=60) as http:
        few = asyncio.Semaphore(16)

        async def begun(number: int) -> list[Seat]:
            async with few:
                return await table(server.url, http, number)

        tables = await asyncio.gather(*(begun(number) for number in range(TABLES)))
    times: list[float] = []
    late: list[float] = []
    begin, used, waited = perf_counter() + 0.5, server.cpu_seconds(), server.waited_seconds()
    await asyncio.gather(*(play(seats, begin + at / TABLES, times, late) for at, seats in enumerate(tables)))
    took = perf_counter() - begin
    cores, waiting = (server.cpu_seconds() - used) / took, (server.waited_seconds() - waited) / took
    for seats in tables:
        for seat in seats:
            seat.hearing.cancel()
            await seat.connection.close()
    return sorted(times), sorted(late), cores, waiting


def main() -> int:
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, 65_536), hard))
    with tempfile.TemporaryDirectory() as folder, served(Path(folder), DICECUP_SOCKETS_PER_ADDRESS="100000") as server:
        times, late, cores, waiting = asyncio.run(measure(server))
    percent = quantiles(times, n=100)
    print(
        f"{len(times)} actions at {TABLES} tables, one a second each: command to the other seat's event p50 "
        f"{1000 * percent[49]:.1f} ms, p99 {1000 * percent[98]:.1f} ms, worst {1000 * times[-1]:.0f} ms "
        f"(p50 {1000 * WANTED[0]:.0f} and p99 {1000 * WANTED[1]:.0f} wanted)"
    )
    print(f"the server ran {100 * cores:.0f} % of the time on one core and waited for one in {100 * waiting:.0f} %")
    print(f"99 of 100 commands were sent at most {1000 * quantiles(late, n=100)[98]:.0f} ms late: what this program waited for")
    return 0 if percent[49] <= WANTED[0] and percent[98] <= WANTED[1] else 1


if __name__ == "__main__":
    sys.exit(main())
