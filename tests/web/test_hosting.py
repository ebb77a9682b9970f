"""The examples of docs/hosting.md: the systemd unit and the reverse proxy."""

import asyncio
import os
import re
import shutil
import socket
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import httpx
import pytest

from tests.web.serving import SEED_HASH, Browser, Program, handshake, serving

DOCS = Path(__file__).parents[2] / "docs"
UNIT = DOCS / "examples" / "dicecup.service"
NGINX = DOCS / "examples" / "nginx.conf"
ARCHIVE = DOCS / "examples" / "postgresql-archive.conf"
RECOVERY = DOCS / "examples" / "postgresql-recovery.conf"


@pytest.mark.parametrize("example, language", [(UNIT, "ini"), (NGINX, "nginx"), (ARCHIVE, "conf"), (RECOVERY, "conf")])
def test_the_page_shows_the_examples(example: Path, language: str) -> None:
    page = (DOCS / "hosting.md").read_text("utf-8")
    assert example.read_text("utf-8") in re.findall(rf"```{language}\n(.*?)```", page, re.DOTALL)


def test_every_variable_is_explained() -> None:
    from dicecup.cli.serve import VARIABLES
    from dicecup.hosting import host_key as hostkey
    from dicecup.hosting import settings
    from dicecup.web import config
    from dicecup.web.people import provider_settings, telling

    documented = {name for names, _ in VARIABLES for name in names.split(", ")}
    rooms = (config, settings, hostkey, telling, provider_settings)
    known = {value for room in rooms for value in vars(room).values() if str(value).startswith("DICECUP_")}
    assert documented == known


def test_systemd_accepts_the_unit(tmp_path: Path) -> None:
    if shutil.which("systemd-analyze") is None:
        pytest.skip("no systemd-analyze: apt-get install systemd")
    program = Path(sys.executable).with_name("dicecup")
    unit = tmp_path / "dicecup.service"
    unit.write_text(UNIT.read_text("utf-8").replace("/opt/dicecup/bin/dicecup", str(program)), "utf-8")
    verified = subprocess.run(["systemd-analyze", "verify", unit], capture_output=True, text=True, check=False)
    assert (verified.returncode, verified.stderr) == (0, "")


@asynccontextmanager
async def nginx(folder: Path, server: str) -> AsyncIterator[str]:
    """Run nginx with the example, without https, in front of a server and yield its URL."""
    program = shutil.which("nginx", path=f"{os.defpath}:/usr/sbin")
    if program is None:
        pytest.skip("no nginx: apt-get install nginx")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    example = NGINX.read_text("utf-8").replace("listen 443 ssl", f"listen 127.0.0.1:{port}")
    example = example.replace("http://127.0.0.1:8421", server)
    temporary = "".join(f"{kind}_temp_path {folder}/{kind};\n" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
    configuration = folder / "nginx.conf"
    configuration.write_text(
        f"daemon off;\nmaster_process off;\npid {folder}/pid;\nerror_log {folder}/error.log;\nevents {{}}\n"
        f"http {{\naccess_log off;\n{temporary}{example}}}\n",
        "utf-8",
    )
    process = await asyncio.create_subprocess_exec(
        program, "-p", str(folder), "-c", str(configuration), "-e", f"{folder}/error.log"
    )
    try:
        async with httpx.AsyncClient() as client:
            while True:
                try:
                    await client.get(f"http://127.0.0.1:{port}/health")
                    break
                except httpx.ConnectError:
                    assert process.returncode is None, (folder / "error.log").read_text("utf-8")
                    await asyncio.sleep(0.05)
        yield f"http://127.0.0.1:{port}"
    finally:
        if process.returncode is None:
            process.terminate()
        await process.wait()


async def test_everything_goes_through_the_proxy(tmp_path: Path) -> None:
    public = "https://dice.example.org"
    async with (
        serving(tmp_path, public_url=public, sockets_per_address=1) as server,
        nginx(tmp_path, server) as url,
        Browser(url, {"Origin": public}) as anna,
    ):
        cookie = (await anna.http.get("/api/me")).headers["set-cookie"]
        assert "; Secure" in cookie
        secret = cookie.partition(";")[0]
        anna.http.headers["Cookie"] = secret
        made = await anna.make()
        assert made["join"].startswith(f"{public}/tables/")
        assert made["reach"] == "everywhere"
        assert (await anna.http.get("/metrics")).status_code == 403
        too_large = await anna.http.post("/api/review", content=b"x" * 200_000)
        assert too_large.status_code == 413
        async with anna.socket(made["table"], None, Origin=public, Cookie=secret) as socket:
            await socket.receive("update")
            assert (await socket.do({"type": "commit-seed", "hash": SEED_HASH}))["type"] == "done"
            # nginx sends the client's address, which has reached its limit
            status, error = await handshake(f"{url.replace('http', 'ws')}/ws/tables/{made['table']}", Cookie=secret)
            assert (status, error["code"]) == (429, "too-many-sockets")


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="needs /proc")
async def test_pool_processes_start_without_a_request(tmp_path: Path) -> None:
    async with Program(tmp_path) as program:
        for _ in range(2800):
            if program.computing == 2:
                return
            await asyncio.sleep(0.1)
        pytest.fail(f"{program.computing} processes compute")


SPARING = """
import asyncio, gc, sys, weakref
from dicecup.web import server
server.FREEZE_INTERVAL, server.FREEZES, server.MOST_MORE = 0.05, int(sys.argv[1]), 20_000

class Cycle:
    def __init__(self):
        self.self = self

async def main():
    sparing = asyncio.create_task(server.avoid_collector_pauses())
    while not gc.get_freeze_count():
        await asyncio.sleep(0.01)
    frozen = gc.get_freeze_count()
    cycle = Cycle()
    while any(found is cycle for found in gc.get_objects()):
        await asyncio.sleep(0.01)
    deleted = asyncio.Event()
    weakref.finalize(cycle, deleted.set)
    del cycle
    while not deleted.is_set():
        for _ in range(int(sys.argv[2])):  # so few that they are frozen before the youngest are collected
            Cycle()
        await asyncio.sleep(0.1)
    print(frozen)
    sparing.cancel()

asyncio.run(main())
"""


@pytest.mark.slow
@pytest.mark.parametrize("freezes, garbage", [("4", "0"), ("1000000", "3000")], ids=["some-time-later", "once-they-are-many"])
def test_frozen_objects_are_still_collected(freezes: str, garbage: str) -> None:
    command = [sys.executable, "-c", SPARING, freezes, garbage]
    shown = subprocess.run(command, capture_output=True, text=True, check=True, timeout=300).stdout
    assert int(shown) > 50_000
