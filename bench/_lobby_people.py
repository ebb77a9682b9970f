"""People who look for opponents in the lobby: one process for many connections.

They would use other machines. Here their process shares the cores with the servers, so it has to
need as little of them as it can. It reads all connections every few milliseconds, with `websockets`
without its input and output, because a task for each connection needs several times the time. And
it runs only while a core is idle (`SCHED_IDLE`; the lowest `nice` value would still delay a server
that wakes up beside it).
"""

import heapq
import json
import os
import selectors
import socket
from collections.abc import Callable, Sequence
from math import sqrt
from multiprocessing.connection import Connection
from random import Random
from secrets import token_hex
from time import perf_counter, sleep
from typing import Any, Final
from urllib.parse import urlsplit

from websockets.client import ClientProtocol
from websockets.frames import Frame, Opcode
from websockets.uri import parse_uri

from bench._load import allow_files

NAP: Final = 0.020
"""Seconds after which the people read their messages again. The times of the pairs contain it."""
PAUSE: Final = 20.0
"""Mean seconds between two games of a person."""
MOST_READ: Final = 65_536
"""Bytes."""

RANDOM: Final = Random(1)


class Person:
    """A person in the lobby of the server at `url`. `asked` and `found` hold the times of each
    request and of its table, by table, `waits_since` the time of a request without a table.

    Raises `SystemExit` if the server refuses something or closes the connection.
    """

    def __init__(self, url: str, token: str, number: int) -> None:
        self.name = f"p{number}"
        self._visit = token_hex(4)  # a request with a known id is not a new one
        self._requests = 0
        self._asked_at = 0.0
        self.asked: dict[str, float] = {}
        self.found: dict[str, float] = {}
        self.waits_since: float | None = None
        where = urlsplit(url)
        assert where.hostname is not None
        self.socket = socket.create_connection((where.hostname, where.port or 80))
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._protocol = ClientProtocol(parse_uri(f"ws://{where.netloc}/ws/lobby"))
        handshake = self._protocol.connect()
        handshake.headers["Authorization"] = f"Bearer {token}"
        self._protocol.send_request(handshake)
        self._flush()
        self.read()
        if self._protocol.handshake_exc is not None:
            raise SystemExit(f"person {self.name} of the lobby at {url}: {self._protocol.handshake_exc}")
        self._send({"type": "hello"})
        self.socket.setblocking(False)

    def seek(self) -> None:
        """Look for an opponent."""
        self._requests += 1
        self.waits_since = self._asked_at = perf_counter()
        request = {"type": "seek", "id": f"{self._visit}-{self._requests}", "game": "yam-master", "clock": None}
        self._send(request | {"name": self.name})

    def read(self) -> bool:
        """Handle what has come, and go to the table of a pair. Return whether a pause begins."""
        try:
            data = self.socket.recv(MOST_READ)
        except OSError:
            data = b""
        if not data:
            raise SystemExit(f"person {self.name} of the lobby: the server has closed the connection")
        self._protocol.receive_data(data)
        frames = [event for event in self._protocol.events_received() if isinstance(event, Frame)]
        is_over = [self._handle(json.loads(bytes(frame.data))) for frame in frames if frame.opcode is Opcode.TEXT]
        self._flush()  # the answers to pings
        return any(is_over)

    def _handle(self, message: Any) -> bool:
        """Handle a message. Return whether it ends a request."""
        if message["type"] == "refused":
            raise SystemExit(f"person {self.name} of the lobby: {message}")
        if message["type"] != "seek":
            return False
        seek = message["seek"]
        if seek is not None and seek["table"] and seek["table"] not in self.found:
            table, self.waits_since = seek["table"], None
            self.asked[table], self.found[table] = self._asked_at, perf_counter()
            self._send({"type": "arrive", "table": table})
        return seek is None

    def _send(self, message: Any) -> None:
        self._protocol.send_text(json.dumps(message).encode())
        self._flush()

    def _flush(self) -> None:
        if output := b"".join(self._protocol.data_to_send()):
            self.socket.sendall(output)


class Crowd:
    """People in the lobby, each at one of the servers."""

    def __init__(self, urls: Sequence[str], tokens: Sequence[str]) -> None:
        self._selector = selectors.DefaultSelector()
        self.people = [Person(urls[number % len(urls)], token, number) for number, token in enumerate(tokens)]
        for number, person in enumerate(self.people):
            self._selector.register(person.socket, selectors.EVENT_READ, number)
        self._due: list[tuple[float, int]] = []
        """The times of the next requests, and the numbers of their people."""

    def begin(self) -> None:
        """Let everybody look for an opponent after the rest of a pause that began before."""
        now = perf_counter()
        self._due = [(now + 2 * PAUSE * (1 - sqrt(RANDOM.random())), number) for number in range(len(self.people))]
        heapq.heapify(self._due)

    def live(self, is_over: Callable[[], bool]) -> None:
        """Read messages and look for opponents, again and again. Raises as `Person`."""
        while not is_over():
            sleep(NAP)
            for key, _ in self._selector.select(0):
                if self.people[key.data].read():
                    heapq.heappush(self._due, (perf_counter() + RANDOM.uniform(0, 2 * PAUSE), key.data))
            while self._due and self._due[0][0] <= perf_counter():
                self.people[heapq.heappop(self._due)[1]].seek()


def run(pipe: Connection, urls: list[str], tokens: list[str], longest: float) -> None:
    """Connect a person for each token and let all look for opponents, from one message of the pipe
    to the next. Send through it the sorted seconds of the pairs, and how many people have waited
    for longer than the `longest` seconds."""
    allow_files()
    os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
    crowd = Crowd(urls, tokens)
    pipe.send(None)
    crowd.live(pipe.poll)
    pipe.recv()
    crowd.begin()
    crowd.live(pipe.poll)
    late = perf_counter() - longest
    waiting = sum(each.waits_since is not None and each.waits_since < late for each in crowd.people)
    pairs: dict[str, list[tuple[float, float]]] = {}
    for one in crowd.people:
        for table, time in one.found.items():
            pairs.setdefault(table, []).append((one.asked[table], time))
    times = [max(time for _, time in pair) - max(asked for asked, _ in pair) for pair in pairs.values() if len(pair) == 2]
    pipe.send((sorted(times), waiting))
