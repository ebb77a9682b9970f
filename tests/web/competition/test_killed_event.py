"""A rated pair of duels whose server is killed between any two of its steps."""

import asyncio
import signal
from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import Any

import httpx
import pytest

from dicecup.table.event_file import check_event, event_file_from_text
from tests.web.serving import Program

TURNS = 3
"""Turns played before a resignation. A shorter game would not be rated."""


class Person:
    """A person whose requests are sent again while there is no server."""

    def __init__(self, server: Program, name: str) -> None:
        self.name = name
        self._server = server
        self.http = httpx.AsyncClient(timeout=120)
        self._ids = count()

    async def ask(self, method: str, path: str, body: Any = None) -> httpx.Response:
        while True:
            try:
                answer = await self.http.request(method, self._server.url + path, json=body)
            except httpx.HTTPError:
                await asyncio.sleep(0.05)
                continue
            if answer.status_code != 503:
                return answer

    async def get(self, path: str) -> Any:
        answer = await self.ask("GET", path)
        assert answer.is_success, answer.text
        return answer.json()

    async def wait(self, path: str, holds: Callable[[Any], bool]) -> Any:
        """Return an answer once it is as wished."""
        while True:
            found = await self.get(path)
            if holds(found):
                return found
            await asyncio.sleep(0.05)

    async def send(self, table: str, number: int, command: Any) -> None:
        body = {"id": f"{self.name}-{next(self._ids)}", "version": number, "command": command}
        answer = await self.ask("POST", f"/api/tables/{table}/commands", body)
        assert answer.is_success, answer.text

    async def go_on(self, table: str) -> int:
        """Do what the table waits for from this person, if anything. Return the turn."""
        seen = await self.get(f"/api/tables/{table}")
        view = seen["view"]
        if set(view["you"]) & set(view["demand"]["seats"]):
            throws = view["demand"]["what"] == "throw"
            command = {"type": "throw"} if throws else {"type": "act", "action": view["actions"][0]["action"]}
            await self.send(table, seen["number"], command)
        return int(view["turn"]["number"])


async def play(table: str, people: list[Person], kill: Callable[[], Any]) -> None:
    """Play some turns, in the first of which the server is killed, and let the first person
    resign."""
    await people[0].go_on(table)
    await kill()
    while max([await person.go_on(table) for person in people]) <= TURNS:
        pass
    number = (await people[0].get(f"/api/tables/{table}"))["number"]
    await people[0].send(table, number, {"type": "resign"})


@pytest.mark.slow
async def test_a_pair_is_played_settled_and_rated_once_whenever_its_server_is_killed(tmp_path: Path) -> None:
    async with Program(tmp_path, DICECUP_REQUESTS_PER_SECOND="10000", DICECUP_RATED="everyone") as server:

        async def kill() -> None:
            await server.end(signal.SIGKILL)
            await server.start()

        people = [Person(server, name) for name in ("Anna", "Ben")]
        anna, ben = people
        await anna.get("/api/me")
        new = {"kind": "pair", "game": "yam-master", "rated": True, "name": "Anna"}
        made = (await anna.ask("POST", "/api/events", new)).json()
        path = f"/api/events/{made['event']['event']}"
        await kill()
        await ben.get("/api/me")
        assert (await ben.ask("POST", f"{path}/entries", {"name": "Ben", "key": made["key"]})).is_success
        await kill()
        for number in (1, 2):
            page = await anna.wait(path, lambda page, games=number: len(page["tables"]) == games)  # type: ignore[misc]
            await kill()
            await play(page["tables"][-1], people, kill)
            await kill()
        tables = (await anna.wait(path, lambda page: page["event"]["over"]))["tables"]
        await kill()
        for table in tables:
            await anna.wait(f"/api/tables/{table}/ratings", lambda found: found["state"] == "counted")
        await kill()
        page, mine = await anna.get(path), await anna.get("/api/ratings/mine")
        file = event_file_from_text((await anna.ask("GET", f"{path}/file")).text)
        for person in people:
            await person.http.aclose()
    assert page["tables"] == tables
    assert [side["wins"] for side in page["sums"]] == [0, 2], "Anna resigned twice"
    (rating,) = mine["ratings"]
    assert (rating["pool"]["pool"], rating["games"]) == ("yam-master:duplicate:duel:slow", 1)
    assert rating["rating"]["rating"] == pytest.approx(1337.69, abs=0.01)
    report = check_event(file)
    assert (report.games, report.fault) == (2, None)
