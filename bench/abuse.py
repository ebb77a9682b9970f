"""What one hostile address costs an innocent table that acts ten times a second.

Each attack runs from another address of this machine (127.0.0.2) in a process of its own, against a
server with its default limits. Attacks send at a bounded rate and only while a core is idle, so
that on two cores the server's work is measured and not the attacker's. The quiet server is measured
before each attack, and its 99th percentile is that of all these measurements. If nginx is
installed, every attack runs again through it, with the configuration of docs/examples. The goals:
the 99th percentile of the innocent table is at most twice that of a quiet server, none of its
actions fails, and the server's memory returns to within a fifth. Linux only.
"""

import asyncio
import json
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from pathlib import Path
from statistics import quantiles
from typing import Final

import httpx
from websockets.asyncio.client import ClientConnection, connect

from bench._games import played
from bench._server import ServerProcess, served
from bench.table_latency import act, new_table

SECONDS = 30.0
"""Seconds of each attack."""
QUIET_SECONDS = 10.0
"""Seconds without an attack before each."""
SETTLE = 5.0
"""Seconds after an attack before the memory is measured."""
INTERVAL = 0.1
"""Seconds between two actions of the innocent table."""
ANSWER_WITHIN = 5.0
"""Seconds after which an action without an answer has failed."""
MAX_P99, MAX_MEMORY = 2.0, 1.2
"""Goals: the 99th percentile and the memory, as multiples of those of the quiet server."""

ATTACKER: Final = "127.0.0.2"
BYTES = 1_000_000
"""Bytes a second of the floods."""
LARGE_GAME: Final = "yamm(players=16)"
RECORD_BYTES: Final = 58_000
EXAMPLE: Final = Path(__file__).parent.parent / "docs" / "examples" / "nginx.conf"
DEFAULTS: Final = (
    "DICECUP_CONNECTIONS",
    "DICECUP_CONNECTIONS_PER_ADDRESS",
    "DICECUP_MESSAGES_PER_ADDRESS",
    "DICECUP_REQUESTS_PER_SECOND",
    "DICECUP_TABLES_PER_IDENTITY",
    "DICECUP_TABLES_PER_DAY",
    "DICECUP_IDENTITIES_PER_DAY",
    "DICECUP_MEGABYTES_PER_DAY",
)
"""Settings that `bench._server` raises and that have their defaults here."""


# --- Attacks --------------------------------------------------------------------------------------


def frame(opcode: int, data: bytes = b"", *, last: bool = True) -> bytes:
    """Return a frame of a client with at most 125 bytes and the mask 0."""
    return bytes([(128 if last else 0) + opcode, 128 + len(data)]) + bytes(4) + data


def http(url: str) -> httpx.AsyncClient:
    """Return a client at the address of the attacker."""
    return httpx.AsyncClient(base_url=url, timeout=60, transport=httpx.AsyncHTTPTransport(local_address=ATTACKER))


async def own_table(url: str) -> tuple[str, dict[str, str]]:
    """Make a table for two people and return its WebSocket's address with the headers."""
    async with http(url) as client:
        token = (await client.post("/api/tokens")).json()["token"]
        header = {"Authorization": f"Bearer {token}"}
        setup = {"game": "yam-master", "seats": [{}, {}]}
        made = (await client.post("/api/tables", json={"setup": setup, "name": "Mallory"}, headers=header)).json()
    return f"{url.replace('http', 'ws')}/ws/tables/{made['table']}", header


@asynccontextmanager
async def attacking_socket(address: str, header: dict[str, str]) -> AsyncIterator[ClientConnection]:
    """Open a WebSocket of the attacker to the table of `own_table`."""
    async with connect(
        address, additional_headers=header, compression=None, ping_interval=None, local_addr=(ATTACKER, 0)
    ) as one:
        await one.send('{"type": "hello"}')
        yield one


async def flood(url: str, begin: bytes, piece: bytes, *, reads: bool = True) -> None:
    """Send `begin` once and then `piece` at `BYTES` a second, as far as the server takes it. Open a
    new connection whenever the server closes one."""
    address, header = await own_table(url)
    while True:
        with suppress(Exception):
            async with attacking_socket(address, header) as connection:
                transport = connection.transport
                if not reads:
                    transport.pause_reading()
                transport.write(begin)
                while not transport.is_closing():
                    if transport.get_write_buffer_size() < BYTES // 10:
                        transport.write(piece * (BYTES // 50 // len(piece)))
                    await asyncio.sleep(1 / 50)
        await asyncio.sleep(0.1)


async def pings(url: str) -> None:
    """Empty pings."""
    await flood(url, b"", frame(9))


async def continuations(url: str) -> None:
    """Empty parts of a message that never ends."""
    await flood(url, frame(1, last=False), frame(0, last=False))


async def unread_pongs(url: str) -> None:
    """Large pings from a client that reads no answers."""
    await flood(url, b"", frame(9, b"x" * 125), reads=False)


async def half_requests(url: str) -> None:
    """A thousand connections with half a request, a byte every second."""
    _, _, place = url.partition("//")
    host, _, port = place.partition(":")

    async def hold() -> None:
        while True:
            with suppress(OSError):
                _, writer = await asyncio.open_connection(host, int(port), local_addr=(ATTACKER, 0))
                writer.write(b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX: ")
                while not writer.transport.is_closing():
                    writer.write(b"x")
                    await writer.drain()
                    await asyncio.sleep(1)
            await asyncio.sleep(1)

    await asyncio.gather(*(hold() for _ in range(1000)))


async def messages(url: str) -> None:
    """256 WebSockets with 50 messages a second each, all of them outdated commands."""
    command = {"type": "command", "id": "1", "version": 1, "command": {"type": "throw"}}
    text = json.dumps(command).encode()
    sent = bytes([129, 254]) + struct.pack("!H", len(text)) + bytes(4) + text if len(text) > 125 else frame(1, text)

    address, header = await own_table(url)

    async def hold(at: int) -> None:
        await asyncio.sleep(at / 256)
        while True:
            with suppress(Exception):
                async with attacking_socket(address, header) as connection:
                    transport = connection.transport
                    while not transport.is_closing():
                        if transport.get_write_buffer_size() < 10_000:
                            transport.write(sent * 5)
                        await asyncio.sleep(0.1)
            await asyncio.sleep(1)

    await asyncio.gather(*(hold(at) for at in range(256)))


def large_record() -> str:
    """Return a record of an unfinished game of almost `RECORD_BYTES`."""
    text = played(LARGE_GAME, "abuse", turns=10_000).to_text()
    return text[: text.rfind("\n", 0, RECORD_BYTES) + 1]


async def requests(url: str, rate: float, asks: list[tuple[str, str, object]], waiting: int = 64) -> None:
    """Send requests in turn, `rate` a second, at most `waiting` at once."""
    places = asyncio.Semaphore(waiting)

    async with http(url) as client:
        token = (await client.post("/api/tokens")).json()["token"]

        async def ask(method: str, path: str, body: object) -> None:
            with suppress(httpx.HTTPError):
                await client.request(method, path, json=body, headers={"Authorization": f"Bearer {token}"})
            places.release()

        asking = set()
        begun = time.perf_counter()
        for at in range(10**9):
            await asyncio.sleep(max(0.0, begun + at / rate - time.perf_counter()))
            await places.acquire()
            task = asyncio.create_task(ask(*asks[at % len(asks)]))
            asking.add(task)
            task.add_done_callback(asking.discard)


async def starts(url: str) -> None:
    """Tables that begin with a large record."""
    setup = {"game": LARGE_GAME, "seats": [{}] * 16, "start": large_record()}
    await requests(url, 20, [("POST", "/api/tables", {"setup": setup, "name": "Mallory"})])


async def reviews(url: str) -> None:
    """Reviews of a large record."""
    await requests(url, 20, [("POST", "/api/review", {"record": large_record()})])


async def documents(url: str) -> None:
    """Documents, health and metrics, 300 a second."""
    paths = ("/docs", "/schema.json", "/openapi.json", "/metrics", "/health", "/")
    await requests(url, 300, [("GET", path, None) for path in paths])


async def handshakes(url: str) -> None:
    """Connections that end after an unknown table, 200 a second."""

    async def once() -> None:
        with suppress(Exception):
            async with connect(f"{url.replace('http', 'ws')}/ws/tables/x", local_addr=(ATTACKER, 0)):
                pass

    running = set()
    while True:
        for _ in range(4):
            task = asyncio.create_task(once())
            running.add(task)
            task.add_done_callback(running.discard)
        await asyncio.sleep(1 / 50)


ATTACKS: Final[dict[str, Callable[[str], Awaitable[None]]]] = {
    "pings, 1 MB/s": pings,
    "empty continuations, 1 MB/s": continuations,
    "pings whose pongs are not read, 1 MB/s": unread_pongs,
    "1 000 half requests": half_requests,
    "256 sockets × 50 messages/s": messages,
    "tables from a record of 58 kB, 20/s": starts,
    "reviews of a record of 58 kB, 20/s": reviews,
    "documents, 300/s": documents,
    "refused handshakes, 200/s": handshakes,
}


@contextmanager
def attacked(name: str, url: str) -> Iterator[None]:
    """Run an attack in a process of its own until the end of the block. The process runs only while
    a core is idle."""
    attack = ["chrt", "--idle", "0", sys.executable, "-m", "bench.abuse", name, url]
    process = subprocess.Popen(attack, stderr=subprocess.DEVNULL)
    try:
        yield
    finally:
        process.kill()
        process.wait()


# --- The innocent table ---------------------------------------------------------------------------


async def measure_bystander(url: str, seconds: float) -> tuple[list[float], int]:
    """Act every `INTERVAL` seconds at one table. Return the latencies and the number of actions
    that failed."""
    times: list[float] = []
    failed = 0
    async with httpx.AsyncClient(base_url=url, timeout=60) as client:
        seats = await new_table(url, client, 1)
        begun = time.perf_counter()
        for at in range(int(seconds / INTERVAL)):
            await asyncio.sleep(max(0.0, begun + at * INTERVAL - time.perf_counter()))
            if time.perf_counter() > begun + seconds:
                break
            try:
                async with asyncio.timeout(ANSWER_WITHIN):
                    took = await act(seats)
            except (Exception, SystemExit):  # noqa: BLE001 whatever failed, the action did not arrive
                failed += 1
                took = None
            if took is not None:
                times.append(took)
                continue
            for seat in seats:
                seat.close()
            seats = await new_table(url, client, at)
        for seat in seats:
            seat.close()
    return times, failed


# --- nginx ----------------------------------------------------------------------------------------


@contextmanager
def proxied(folder: Path, url: str) -> Iterator[str]:
    """Run nginx with the example's configuration, without https, and yield its URL."""
    example = EXAMPLE.read_text("utf-8")
    server = url.removeprefix("http://")
    example = re.sub(r"listen 443 ssl;\s+server_name \S+;", "listen 127.0.0.1:8431;", example).replace("127.0.0.1:8421", server)
    temporary = "".join(f"{kind}_temp_path {folder}/{kind};\n" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
    (folder / "nginx.conf").write_text(
        f"daemon off;\npid {folder}/pid;\nerror_log {folder}/error.log;\nworker_rlimit_nofile 8192;\n"
        f"events {{ worker_connections 4096; }}\nhttp {{\naccess_log off;\n{temporary}{example}}}\n",
        "utf-8",
    )
    process = subprocess.Popen(
        [shutil.which("nginx") or "nginx", "-e", folder / "error.log", "-c", folder / "nginx.conf", "-p", folder]
    )
    try:
        for _ in range(100):
            with suppress(httpx.HTTPError):
                httpx.get("http://127.0.0.1:8431/health")
                break
            time.sleep(0.1)
        yield "http://127.0.0.1:8431"
    finally:
        process.terminate()
        process.wait()


# --- The table ------------------------------------------------------------------------------------


def line(name: str, times: list[float], failed: int, core: float, before: int, after: int) -> str:
    """Return a row of the table. `core` is the share of a core that the server used."""
    percent = quantiles(times, n=100) if len(times) > 1 else [float("inf")] * 99
    return (
        f"| {name} | {1000 * percent[49]:.0f} | {1000 * percent[98]:.0f} | {failed} of {len(times) + failed} "
        f"| {100 * core:.0f} | {before / 2**20:.0f} | {after / 2**20:.0f} |"
    )


def measure(server: ServerProcess, url: str, names: list[str]) -> bool:
    """Print a row for each attack and one for the quiet server. Return whether all goals are
    reached."""

    def sample(seconds: float) -> tuple[list[float], int, float]:
        """Return latencies, the number of failed actions, and the CPU seconds of the server."""
        used = server.cpu_seconds()
        times, failed = asyncio.run(measure_bystander(url, seconds))
        return times, failed, server.cpu_seconds() - used

    sample(2.0)
    at_first = server.resident()
    quiet: list[float] = []
    quiet_cpu = 0.0
    slowest = 0.0
    reached = True
    for name in names:
        times, failed, cpu = sample(QUIET_SECONDS)
        quiet += times
        quiet_cpu += cpu
        reached &= not failed
        before = server.resident()
        with attacked(name, url):
            times, failed, cpu = sample(SECONDS)
        time.sleep(SETTLE)
        after = server.resident()
        print(line(name, times, failed, cpu / SECONDS, before, after), flush=True)
        slowest = max(slowest, quantiles(times, n=100)[98] if len(times) > 1 else float("inf"))
        reached &= not failed and after <= MAX_MEMORY * before
    core = quiet_cpu / (QUIET_SECONDS * len(names))
    print(line("none", quiet, 0, core, at_first, server.resident()), flush=True)
    return reached and slowest <= MAX_P99 * quantiles(quiet, n=100)[98]


def main(names: list[str]) -> int:
    """Print the table of the named attacks, or of all. Return 0 if all goals are reached and 1
    otherwise."""
    reached = True
    print("| attack | p50, ms | p99, ms | failed actions | server's core, % | memory before, MiB | after, MiB |")
    print("|---|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder, served(Path(folder), **dict.fromkeys(DEFAULTS, "")) as server:
        reached &= measure(server, server.url, names or list(ATTACKS))
        if shutil.which("nginx"):
            print("| **through nginx** | | | | | | |")
            with proxied(Path(folder), server.url) as url:
                reached &= measure(server, url, names or list(ATTACKS))
    print(
        f"(goal: p99 at most {MAX_P99:.0f} times that without an attack, no failed action, memory at most {MAX_MEMORY} times)"
    )
    return 0 if reached else 1


if __name__ == "__main__":
    if len(sys.argv) == 3 and sys.argv[1] in ATTACKS:
        asyncio.run(ATTACKS[sys.argv[1]](sys.argv[2]))  # type: ignore[arg-type]
    else:
        sys.exit(main(sys.argv[1:]))
