"""The built client over HTTP: its page, the caching of its files, and their encodings."""

import gzip
from pathlib import Path

import pytest

from dicecup.web import app_files
from tests.web.serving import Browser

SCRIPT = "export const faces = [1, 2, 3, 4, 5, 6];"


@pytest.fixture
def built(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "app"
    (folder / "assets").mkdir(parents=True)
    (folder / "index.html").write_text("<title>Dicecup</title>", "utf-8")
    for name in app_files.FILES:
        (folder / name).write_text(name, "utf-8")
    script = folder / "assets" / "index-Ab_3.js"
    script.write_text(SCRIPT, "utf-8")
    script.with_name("index-Ab_3.js.gz").write_bytes(gzip.compress(SCRIPT.encode(), mtime=0))
    script.with_name("index-Ab_3.js.br").write_bytes(b"not opened here")
    script.with_name("key.pem").write_text("nothing for anybody", "utf-8")
    monkeypatch.setattr(app_files, "BUILT", folder)
    return folder


@pytest.mark.usefixtures("built")
@pytest.mark.parametrize(
    "place", ["/", "/tables/0123456789abcdef0123", "/rules/yamm", "/transfer", "/review/0123456789abcdef0123"]
)
async def test_every_address_of_the_client_is_the_page(place: str, anna: Browser) -> None:
    answer = await anna.http.get(place)
    assert (answer.status_code, answer.text) == (200, "<title>Dicecup</title>")
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    assert answer.headers["cache-control"] == "no-cache"
    assert "script-src 'self'" in answer.headers["content-security-policy"]
    assert "camera=(self)" in answer.headers["permissions-policy"]
    assert (await anna.http.head(place)).status_code == 200


@pytest.mark.usefixtures("built")
@pytest.mark.parametrize(
    "accepted, encoding", [("br, gzip", "br"), ("gzip;q=1.0, deflate", "gzip"), ("", None), ("identity", None)]
)
async def test_a_file_has_an_accepted_encoding(accepted: str, encoding: str | None, anna: Browser) -> None:
    request = anna.http.build_request("GET", "/assets/index-Ab_3.js", headers={"Accept-Encoding": accepted})
    answer = await anna.http.send(request, stream=True)
    body = b"".join([part async for part in answer.aiter_raw()])
    assert answer.headers.get("content-encoding") == encoding
    assert body == {"br": b"not opened here", "gzip": gzip.compress(SCRIPT.encode(), mtime=0), None: SCRIPT.encode()}[encoding]
    assert answer.headers["content-type"] == "text/javascript; charset=utf-8"
    assert answer.headers["vary"] == "Accept-Encoding"
    assert "immutable" in answer.headers["cache-control"]


@pytest.mark.usefixtures("built")
@pytest.mark.parametrize("name", app_files.FILES)
async def test_files_with_fixed_names_are_revalidated(name: str, anna: Browser) -> None:
    answer = await anna.http.get(f"/{name}")
    assert (answer.status_code, answer.text, answer.headers["cache-control"]) == (200, name, "no-cache")
    assert answer.headers["content-type"].partition(";")[0] == app_files.KINDS[Path(name).suffix]


@pytest.mark.usefixtures("built")
@pytest.mark.parametrize(
    "place", ["/assets/gone-123.js", "/assets/key.pem", "/assets/index-Ab_3.js.gz", "/assets/..%2findex.html"]
)
async def test_other_files_are_not_there(place: str, anna: Browser) -> None:
    answer = await anna.http.get(place)
    assert (answer.status_code, answer.json()["error"]["code"]) == (404, "no-such-page")


@pytest.mark.usefixtures("built")
async def test_a_browser_gets_a_page_for_an_unknown_address(anna: Browser) -> None:
    answer = await anna.http.get("/tabels/0123456789abcdef0123", headers={"Accept": "text/html,application/xhtml+xml"})
    assert (answer.status_code, answer.text) == (404, "<title>Dicecup</title>")
    answer = await anna.http.get("/api/tabels", headers={"Accept": "application/json"})
    assert (answer.status_code, answer.json()["error"]["code"]) == (404, "no-such-page")


async def test_a_client_that_was_never_built(anna: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(app_files, "BUILT", tmp_path)
    for place in ("/", "/nothing"):
        answer = await anna.http.get(place, headers={"Accept": "text/html"})
        assert (answer.status_code, answer.json()["error"]["code"]) == (404, "no-such-page")
