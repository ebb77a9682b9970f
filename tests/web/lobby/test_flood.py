"""A flood of requests for an opponent from one address: refused before anything is read or
written."""

import json
from collections import Counter
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest
from starlette.types import Message

from dicecup.hosting.store.devices import Credential
from dicecup.hosting.table_host import TableHost
from dicecup.web.base_url import base_url
from dicecup.web.config import Config
from dicecup.web.context import SEEK_BURST, AppContext
from dicecup.web.limits import RateLimit
from dicecup.web.lobby.sockets import LobbyConnection
from tests.hosting.guests import settings

FLOOD = 100_000
A_MINUTE = 30
A_DAY = 40


class Flood:
    """A client that sends requests for an opponent as fast as they are read, and counts the
    answers by code; a state of the seek has the code "". `pause` passes before each request. All
    have the id `request`, if one is given."""

    def __init__(self, pause: float = 0.0, requests: int = FLOOD, request: str = "") -> None:
        self.now = 0.0
        self.answers: Counter[str] = Counter()
        self._pause = pause
        self._requests = requests
        self._id = request
        self._sent = 0

    def clock(self) -> float:
        return self.now

    async def receive(self) -> Message:
        self._sent += 1
        if self._sent == 1:
            return {"type": "websocket.receive", "text": '{"type": "hello"}'}
        if self._sent > self._requests + 1:
            return {"type": "websocket.disconnect"}
        self.now += self._pause
        text = f'{{"type": "seek", "id": "{self._id or self._sent}", "game": "yamm", "name": "Eve"}}'
        return {"type": "websocket.receive", "text": text}

    async def send(self, message: Message) -> None:
        answer = json.loads(message["text"])
        if answer["type"] == "refused":
            self.answers[answer["error"]["code"]] += 1


@pytest.fixture
async def tables(tmp_path: Path) -> AsyncIterator[TableHost]:
    opened = await TableHost.open(settings(f"sqlite:///{tmp_path}/tables.sqlite", tables_per_day=A_DAY))
    yield opened
    await opened.close()


async def flooded(tables: TableHost, flood: Flood) -> tuple[Counter[str], int]:
    """Serve a flood. Return the codes of the refusals, and how many requests reached the queue."""
    config = Config()
    context = AppContext.of(tables, config, base_url(config, 80))
    context = replace(context, seeks=RateLimit(A_MINUTE / 60, SEEK_BURST, flood.clock))
    placed = 0
    serve = tables.lobby._seeks.serve

    async def counting(*given: object) -> object:
        nonlocal placed
        placed += 1
        return await serve(*given)  # type: ignore[arg-type]

    tables.lobby._seeks.serve = counting  # type: ignore[method-assign, assignment]
    scope = {"type": "websocket", "client": ("192.0.2.7", 4000), "headers": ()}
    await LobbyConnection(context, scope, Credential("eve", "d"), flood.receive, flood.send).run()
    return flood.answers, placed


@pytest.mark.slow
async def test_100_000_requests_at_once_get_too_many_requests(tables: TableHost) -> None:
    refused, placed = await flooded(tables, Flood())
    assert refused == {"too-many-requests": FLOOD - SEEK_BURST}
    assert placed == SEEK_BURST
    assert len(await tables.lobby._seeks.of(["eve"])) == 1


@pytest.mark.slow
async def test_100_000_patient_requests_get_too_much_today(tables: TableHost) -> None:
    refused, placed = await flooded(tables, Flood(pause=60 / A_MINUTE))
    assert refused == {"too-much-today": FLOOD - A_DAY}
    assert placed == A_DAY


async def test_a_request_that_comes_again_takes_no_further_table(tables: TableHost) -> None:
    refused, placed = await flooded(tables, Flood(60 / A_MINUTE, requests=2 * A_DAY, request="same"))
    assert (refused, placed) == ({}, 2 * A_DAY)
