"""A rated pair of duels and a table of four whose server is killed between any two of their
steps."""

import asyncio
import signal
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from itertools import count
from pathlib import Path
from typing import Any, TypeAlias

import httpx
import pytest

from dicecup.table.event_file import EventFile, check_event, event_file_from_text
from tests.web.serving import Program

TURNS = 3
"""Turns played before a resignation. A shorter game would not be rated."""
Kill: TypeAlias = Callable[[], Awaitable[None]]


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


async def play(table: str, people: list[Person], kill: Kill) -> None:
    """Play some turns, in the first of which the server is killed, and let the first person
    resign."""
    await people[0].go_on(table)
    await kill()
    while max([await person.go_on(table) for person in people]) <= TURNS:
        pass
    number = (await people[0].get(f"/api/tables/{table}"))["number"]
    await people[0].send(table, number, {"type": "resign"})


@asynccontextmanager
async def killed(folder: Path, *names: str) -> AsyncIterator[tuple[list[Person], Kill]]:
    """Run a server and yield its people, and what kills the server and starts it again."""
    async with Program(folder, DICECUP_REQUESTS_PER_SECOND="10000", DICECUP_RATED="everyone") as server:

        async def kill() -> None:
            await server.end(signal.SIGKILL)
            await server.start()

        people = [Person(server, name) for name in names]
        yield people, kill
        for person in people:
            await person.http.aclose()


async def enter(kind: str, people: list[Person], kill: Kill) -> str:
    """Let the first person make an event and all others enter it, and return its path."""
    for person in people:
        await person.get("/api/me")
    new = {"kind": kind, "game": "yam-master", "rated": True, "name": people[0].name}
    made = (await people[0].ask("POST", "/api/events", new)).json()
    path = f"/api/events/{made['event']['event']}"
    for person in people[1:]:
        await kill()
        assert (await person.ask("POST", f"{path}/entries", {"name": person.name, "key": made["key"]})).is_success
    await kill()
    return path


async def rated(path: str, people: list[Person], kill: Kill) -> tuple[Any, list[Any], EventFile]:
    """Wait until the event is settled and rated. Return its page, the ratings of its people and the
    file with its games."""
    for person in people:
        for table in (await person.wait(path, lambda page: page["event"]["over"]))["tables"]:
            await person.wait(f"/api/tables/{table}/ratings", lambda found: found["state"] == "counted")
    await kill()
    mine = [(await person.get("/api/ratings/mine"))["ratings"] for person in people]
    file = event_file_from_text((await people[0].ask("GET", f"{path}/file")).text)
    return await people[0].get(path), mine, file


@pytest.mark.slow
async def test_a_pair_is_played_settled_and_rated_once_whenever_its_server_is_killed(tmp_path: Path) -> None:
    async with killed(tmp_path, "Anna", "Ben") as (people, kill):
        path = await enter("pair", people, kill)
        for number in (1, 2):
            page = await people[0].wait(path, lambda page, games=number: len(page["tables"]) == games)  # type: ignore[misc]
            await kill()
            await play(page["tables"][-1], people, kill)
            await kill()
        page, mine, file = await rated(path, people, kill)
    assert [side["wins"] for side in page["sums"]] == [0, 2], "Anna resigned twice"
    (rating,) = mine[0]
    assert (rating["pool"]["pool"], rating["games"]) == ("yam-master:duplicate:duel:slow", 1)
    assert rating["rating"]["rating"] == pytest.approx(1337.69, abs=0.01)
    report = check_event(file)
    assert (report.games, report.fault) == (2, None)


@pytest.mark.slow
async def test_a_table_of_four_is_rated_once_whenever_its_server_is_killed(tmp_path: Path) -> None:
    async with killed(tmp_path, "Anna", "Asha", "Ben", "Bo") as (people, kill):
        path = await enter("four", people, kill)
        anna, asha, ben, bo = people
        for pair in ([anna, ben], [asha, bo]):
            (table,) = (await pair[0].wait(path, lambda page: page["tables"]))["tables"]
            await kill()
            await play(table, pair, kill)
            await kill()
        page, mine, file = await rated(path, people, kill)
    assert [side["wins"] for side in page["sums"]] == [0, 2], "Anna and Asha resigned"
    assert [(rating["pool"]["pool"], rating["games"]) for (rating,) in mine] == [("yam-master:duplicate:pairs:slow", 1)] * 4
    ratings = [rating["rating"]["rating"] for (rating,) in mine]
    assert ratings[0] == ratings[1] < 1500 < ratings[2] == ratings[3]
    report = check_event(file)
    assert (report.games, report.fault) == (2, None)
