"""Time from a command until the other seat receives its event, at 500 tables of two people.

Every table plays one action per second. The server is one process with SQLite and
`synchronous=FULL`; the clients are this process, on the same machine. Half of the tables play Yam
Master, half Yamm. The goals are a p50 of at most 10 ms and a p99 of at most 100 ms.
"""

import asyncio
import re
import resource
import sys
import tempfile
from collections.abc import Mapping
from functools import partial
from http.cookiejar import DefaultCookiePolicy
from pathlib import Path
from random import Random
from statistics import quantiles
from time import perf_counter
from typing import Any, cast

import httpx
import orjson
from websockets.client import ClientProtocol
from websockets.frames import Frame, Opcode
from websockets.uri import WebSocketURI, parse_uri

from bench._server import ServerProcess, served
from dicecup.client import SeatAgent
from dicecup.table.commands import command_to_json

TABLES = 500
SECONDS = 20
MAX_P50, MAX_P99 = 0.010, 0.100
"""Goals for the latency, in seconds."""

RANDOM = Random(1)
NUMBER = re.compile(rb'"number":(\d+)')


class Seat(asyncio.Protocol):
    """The connection of one person: the newest update, and the times at which updates came.

    An update is parsed only when its view is needed, because parsing takes CPU time from the
    server on the same machine. So do the tasks of `websockets`, whose input and output is not used.
    """

    def __init__(self, uri: WebSocketURI, headers: Mapping[str, str]) -> None:
        self.text = b""
        self.number = 0
        self.agent = SeatAgent()
        self.acted = 0
        """Version of the table at this seat's last command."""
        self.received_at: dict[int, float] = {}
        """Time of the first update with each version of the table."""
        self._changed = asyncio.Event()
        self._failure = ""
        """Why no more updates come, as text."""
        self._headers = headers
        self._protocol = ClientProtocol(uri, max_size=None)
        self._transport: asyncio.WriteTransport

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Begin the handshake."""
        self._transport = cast(asyncio.WriteTransport, transport)
        request = self._protocol.connect()
        request.headers.update(self._headers)
        self._protocol.send_request(request)
        self._write()

    def data_received(self, data: bytes) -> None:
        """Handle messages, and answer the handshake with a hello."""
        now = perf_counter()
        self._protocol.receive_data(data)
        for event in self._protocol.events_received():
            if isinstance(event, Frame):
                if event.opcode is Opcode.TEXT:
                    self._handle(bytes(event.data), now)
            elif self._protocol.handshake_exc is None:
                self.send({"type": "hello"})
            else:
                self._fail(str(self._protocol.handshake_exc))
        self._write()  # the answers to pings

    def connection_lost(self, error: Exception | None) -> None:
        """Note that no more updates come."""
        self._fail(f"the connection is closed: {error}")

    def send(self, message: Mapping[str, Any]) -> None:
        """Send a message."""
        self._protocol.send_text(orjson.dumps(message))
        self._write()

    def close(self) -> None:
        """Close the connection."""
        self._transport.close()

    def _write(self) -> None:
        if output := b"".join(self._protocol.data_to_send()):
            self._transport.write(output)

    def _handle(self, text: bytes, now: float) -> None:
        """Store an update. Any other message but `done` is a failure.

        A command that is outdated is dropped: on a machine that stood still the server first gives
        the time back to the table.
        """
        if text.startswith(b'{"type":"update"'):
            found = NUMBER.search(text)
            assert found is not None
            self.text, self.number = text, int(found[1])
            self.received_at.setdefault(self.number, now)
            self._changed.set()
        elif not text.startswith(b'{"type":"done"') and b'"stale-version"' not in text:
            self._fail(text.decode())

    def _fail(self, failure: str) -> None:
        self._failure = self._failure or failure
        self._changed.set()

    @property
    def view(self) -> Mapping[str, Any]:
        """The view in the newest update."""
        view: Mapping[str, Any] = orjson.loads(self.text)["view"]
        return view

    async def up_to(self, number: int) -> None:
        """Wait until the newest update has at least this version. Raises `SystemExit` if it will
        not come."""
        while self.number < number:
            if self._failure:
                raise SystemExit(self._failure)
            self._changed.clear()
            await self._changed.wait()


async def act(seats: list[Seat]) -> float | None:
    """Send one command of a seat that has to act.

    Returns the seconds until the other seat received the event, or None if the game is over.
    """
    for at, seat in sorted(enumerate(seats), key=lambda found: -found[1].acted):
        command = seat.agent.command(seat.view, random_action)
        if command is None:
            continue
        seat.acted = seat.number
        other, number = seats[1 - at], seat.number
        message = {"type": "command", "id": f"{at}-{number}", "version": number, "command": command_to_json(command)}
        begin = perf_counter()
        seat.send(message)
        for each in seats:
            await each.up_to(number + 1)
        return min(time for version, time in other.received_at.items() if version > number) - begin
    return None


def random_action(view: Mapping[str, Any]) -> str:
    """Return a random legal action."""
    action: str = RANDOM.choice(view["actions"])["action"]
    return action


async def new_table(url: str, http: httpx.AsyncClient, number: int, other: str | None = None) -> list[Seat]:
    """Create a table with two connected people who have committed and revealed their seeds.

    The second person connects to the server at `other`, by default to the same one. `http` stores
    no cookies from now on: with the cookie of an earlier person the next one would be the same.
    """
    http.cookies.jar.set_policy(DefaultCookiePolicy(allowed_domains=()))
    setup: dict[str, Any] = {"game": ("yam-master", "yamm")[number % 2], "seats": [{}, {}]}
    tokens = [(await http.post(f"{url}/api/tokens")).raise_for_status().json()["token"] for _ in range(2)]
    headers = [{"Authorization": f"Bearer {token}"} for token in tokens]
    answer = await http.post(f"{url}/api/tables", json={"setup": setup, "name": "Anna"}, headers=headers[0])
    created = answer.raise_for_status().json()
    sit = {"id": "sit", "version": 2, "command": {"type": "sit", "name": "Ben"}}
    path = f"{url}/api/tables/{created['table']}/commands"
    (await http.post(path, json=sit, headers=headers[1] | {"Dicecup-Key": created["join_key"]})).raise_for_status()
    seats = []
    for header, of_seat in zip(headers, (url, other or url), strict=True):
        uri = parse_uri(f"{of_seat.replace('http', 'ws')}/ws/tables/{created['table']}")
        _, seat = await asyncio.get_running_loop().create_connection(partial(Seat, uri, header), uri.host, uri.port)
        seats.append(seat)
    await asyncio.gather(*(seat.up_to(1) for seat in seats))
    for _ in range(4):
        await act(seats)
    return seats


async def play(seats: list[Seat], begin: float, times: list[float], late: list[float]) -> None:
    """Play one action per second.

    Appends the latency of each action to `times`, and to `late` how much later than planned the
    action began; both in seconds.
    """
    for second in range(SECONDS):
        due = begin + second
        await asyncio.sleep(max(0.0, due - perf_counter()))
        late.append(max(0.0, perf_counter() - due))
        seconds = await act(seats)
        if seconds is None:
            return
        times.append(seconds)


async def measure(server: ServerProcess) -> tuple[list[float], list[float], float, float]:
    """Play at all tables.

    Returns the sorted latencies and delays of `play`, and two shares of the elapsed time: in which
    the server used a core, and in which its main thread waited for a core.
    """
    async with httpx.AsyncClient(base_url=server.url, timeout=60) as http:
        creations = asyncio.Semaphore(16)

        async def create(number: int) -> list[Seat]:
            async with creations:
                return await new_table(server.url, http, number)

        tables = await asyncio.gather(*(create(number) for number in range(TABLES)))
    times: list[float] = []
    late: list[float] = []
    begin, used, waited = perf_counter() + 0.5, server.cpu_seconds(), server.waited_seconds()
    await asyncio.gather(*(play(seats, begin + at / TABLES, times, late) for at, seats in enumerate(tables)))
    took = perf_counter() - begin
    cores, waiting = (server.cpu_seconds() - used) / took, (server.waited_seconds() - waited) / took
    for seats in tables:
        for seat in seats:
            seat.close()
    return sorted(times), sorted(late), cores, waiting


def main() -> int:
    """Print the latencies; return 0 if they reach the goals and 1 otherwise."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, 65_536), hard))
    with tempfile.TemporaryDirectory() as folder, served(Path(folder), DICECUP_SOCKETS_PER_ADDRESS="100000") as server:
        times, late, cores, waiting = asyncio.run(measure(server))
    percent = quantiles(times, n=100)
    print(
        f"{len(times)} actions at {TABLES} tables, one per second each: command to the other seat's event p50 "
        f"{1000 * percent[49]:.1f} ms, p99 {1000 * percent[98]:.1f} ms, worst {1000 * times[-1]:.0f} ms "
        f"(goal: p50 {1000 * MAX_P50:.0f}, p99 {1000 * MAX_P99:.0f})"
    )
    print(f"the server used {100 * cores:.0f} % of one core and waited for a core {100 * waiting:.0f} % of the time")
    print(f"99 of 100 actions began at most {1000 * quantiles(late, n=100)[98]:.0f} ms late, because this program waited")
    return 0 if percent[49] <= MAX_P50 and percent[98] <= MAX_P99 else 1


if __name__ == "__main__":
    sys.exit(main())
