"""The files with which the page plays without a server: sizes, hashes, media types, the policy."""

import gzip
import hashlib
import io
import json
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Final

import pytest

from dicecup.players.yam_master import TABLES
from dicecup.web import app_files, python_files
from dicecup.web.guard import CONTENT_POLICY
from tests.web.serving import Browser

needs_client = pytest.mark.skipif(not (python_files.PACKED / "index.json").is_file(), reason="the client is not built: make ui")


@needs_client
async def test_every_listed_file_is_served_as_listed(anna: Browser) -> None:
    listed = (await anna.http.get("/python/index.json")).json()
    for file in listed["files"]:
        answer = await anna.http.get(f"/python/{file['path']}")
        assert hashlib.sha256(answer.content).hexdigest() == file["sha256"]
        assert len(answer.content) == file["bytes"]
        assert "immutable" in answer.headers["cache-control"]
        assert answer.headers["content-type"].partition(";")[0] == python_files.KINDS[Path(file["path"]).suffix]
    assert sum(file["sent"] for file in listed["files"] if not file["path"].endswith(".tables")) < 7_200_000


async def test_a_table_is_sent_compressed_as_players_have_it(anna: Browser) -> None:
    content = (TABLES / "yam-master.tables").read_bytes()
    path = f"/python/yam-master-{hashlib.sha256(content).hexdigest()[:16]}.tables"
    answer = await anna.http.get(path)
    assert (answer.content, answer.headers["content-encoding"]) == (content, "gzip")
    assert int(answer.headers["content-length"]) < len(content)
    assert "immutable" in answer.headers["cache-control"]
    assert (await anna.http.get(path, headers={"Accept-Encoding": "identity"})).status_code == 406


@pytest.mark.parametrize(
    "accepted, status",
    [("gzip", 200), ("br, gzip;q=0.5", 200), ("*", 200), ("identity", 406), ("gzip;q=0", 406), ("*;q=0", 406), ("xgzip", 406)],
)
async def test_a_file_that_is_stored_compressed_is_never_unpacked_for_a_client(
    anna: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, accepted: str, status: int
) -> None:
    (tmp_path / "a.wasm.gz").write_bytes(gzip.compress(b"x" * 1000))
    monkeypatch.setattr(python_files, "PACKED", tmp_path)
    answer = await anna.http.get("/python/a.wasm", headers={"Accept-Encoding": accepted, "Accept-Language": "en"})
    assert answer.status_code == status
    if status == 200:
        assert (answer.content, answer.headers["content-encoding"]) == (b"x" * 1000, "gzip")
    else:
        assert answer.json()["error"]["code"] == "needs-gzip"
        assert "immutable" not in answer.headers["cache-control"]


OTHER: Final = f"yam-master-{0:016}.tables"
"""The name of a table of another version."""
ABSENT: Final = f"nothing-{0:016}.tables"


OTHERS: Final = ("nothing", "index.html", "..%2Fverify.html", "pyodide-1/nothing.mjs", "a/b/c.zip")


@pytest.mark.parametrize("path", [*OTHERS, OTHER, ABSENT])
async def test_nothing_else_is_served(anna: Browser, path: str) -> None:
    assert (await anna.http.get(f"/python/{path}")).status_code == 404


async def test_two_workers_alone_may_compile_webassembly(
    anna: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    workers = "pythonWorker-1.js", "diceWorker-1.js"
    (tmp_path / "assets").mkdir()
    for name in (*workers, "index-1.js"):
        (tmp_path / "assets" / name).write_text("0")
    monkeypatch.setattr(app_files, "BUILT", tmp_path)
    for name in workers:
        policy = (await anna.http.get(f"/assets/{name}")).headers["content-security-policy"]
        assert policy == CONTENT_POLICY.replace("script-src 'self'", "script-src 'self' 'wasm-unsafe-eval'")
    assert (await anna.http.get("/assets/index-1.js")).headers["content-security-policy"] == CONTENT_POLICY


@needs_client
def test_the_archive_holds_the_rooms_and_nothing_that_needs_more() -> None:
    """The page has the standard library and these rooms alone."""
    (program,) = (file["path"] for file in _listed() if file["path"].endswith(".zip") and "/" not in file["path"])
    with zipfile.ZipFile(io.BytesIO((python_files.PACKED / program).read_bytes())) as archive:
        names = archive.namelist()
    assert "dicecup/offline/room.py" in names
    assert any(name.endswith("entry_points.txt") for name in names)
    assert not [name for name in names if name.startswith(("dicecup/web/", "dicecup/hosting/", "dicecup/terminal/"))]
    assert not [name for name in names if name.endswith(".tables")]


PROGRAM: Final = """
import asyncio, json, sys
sys.path.insert(0, sys.argv[1])
from dicecup.offline.page import open_room


class BrowserStore:
    events = {}

    async def append(self, text):
        for each in json.loads(text):
            self.events.setdefault(each["table"], []).extend(each["rows"])
        return "true"

    async def rows(self, table, after):
        return json.dumps([row for row in self.events.get(table, []) if row[0] > after])

    async def lines(self):
        return "[]"


async def play():
    room = open_room(BrowserStore(), "00" * 32, lambda size: "ab" * size, lambda *sent: print(*sent), print)
    setup = {"game": "yamm(players=1)", "seats": [{}]}
    made = json.loads(await room.request("POST", "/api/tables", json.dumps({"setup": setup, "name": "Anna"}), "de"))
    room.open(1, made["json"]["table"], "de")
    await room.receive(1, '{"type": "hello"}')
    print(await room.request("POST", "/api/odds", '{"dice": "11346", "throws_left": 2}', "fr"))
    print(await room.request("POST", "/api/tables", "{}", "de"))


asyncio.run(play())
"""


@needs_client
def test_the_archive_plays_without_any_other_package(tmp_path: Path) -> None:
    (program,) = (file["path"] for file in _listed() if file["path"].endswith(".zip") and "/" not in file["path"])
    with zipfile.ZipFile(python_files.PACKED / program) as archive:
        archive.extractall(tmp_path)
    ran = subprocess.run([sys.executable, "-I", "-S", "-c", PROGRAM, tmp_path], capture_output=True, text=True, check=True)
    update, odds, refused = ran.stdout.splitlines()
    assert json.loads(update.partition(" ")[2])["view"]["may"] == ["commit-seed", "rotate-links", "set-admission"]
    assert json.loads(odds)["status"] == 200
    assert json.loads(refused)["json"]["error"]["message"].startswith("Diese Nachricht")


def _listed() -> list[dict[str, str]]:
    listed: list[dict[str, str]] = json.loads((python_files.PACKED / "index.json").read_text("utf-8"))["files"]
    return listed
