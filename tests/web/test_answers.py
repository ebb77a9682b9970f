"""HEAD requests, `Retry-After`, and mistakes of clients that are not logged as errors."""

import json
from pathlib import Path

import pytest

from dicecup.web.refusals import RETRY_AFTER, STATUS
from tests.web.serving import Browser, Program, handshake, serving


@pytest.mark.parametrize("path", ["/health", "/metrics", "/docs", "/openapi.json", "/verify", "/api/me"])
async def test_a_head_has_the_headers_of_get(anna: Browser, path: str) -> None:
    whole, head = await anna.http.get(path), await anna.http.head(path)
    assert (head.status_code, head.content) == (200, b"")
    assert set(head.headers) - {"set-cookie"} == set(whole.headers) - {"set-cookie"}
    assert head.headers["content-type"] == whole.headers["content-type"]


async def test_a_head_of_a_missing_page_is_refused(anna: Browser) -> None:
    for path, status in (("/nothing", 404), (f"/api/tables/{'0' * 20}", 404), ("/api/transfers", 405)):
        answer = await anna.http.head(path)
        assert (answer.status_code, answer.content) == (status, b"")
    assert (await anna.http.get("/health")).json() == {"status": "ok"}


async def test_too_many_requests_get_a_time_to_retry(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dicecup.web.context.monotonic", lambda: 0.0)  # the limit does not recover
    async with serving(tmp_path, requests_per_second=1) as url, Browser(url) as browser:
        answers = [await browser.http.get("/api/tables") for _ in range(40)]
    assert {answer.headers.get("retry-after") for answer in answers if answer.status_code == 200} == {None}
    assert {answer.headers.get("retry-after") for answer in answers if answer.status_code == 429} == {"1"}


def test_every_status_429_has_a_time_to_retry() -> None:
    assert set(RETRY_AFTER) == {code for code, status in STATUS.items() if status == 429} | {"busy", "provider-down"}


@pytest.mark.slow
async def test_mistakes_of_clients_are_not_logged_as_errors(tmp_path: Path) -> None:
    async with Program(tmp_path) as program, Browser(program.url) as anna:
        made = await anna.make()
        place = f"{program.url.replace('http', 'ws')}/ws/tables/"
        assert (await handshake(f"{place}{made['table']}", Authorization="Bearer x"))[0] == 401
        assert (await handshake(f"{place}{made['table']}", Origin="https://elsewhere.example"))[0] == 403
        assert (await handshake(f"{place}nowhere"))[0] == 404
        for wrong in (b"\xff\xfe", [b"\xc3", b"\xff"]):
            async with anna.socket(made["table"]) as socket:
                await socket.connection.send(wrong, text=True)
                assert await socket.closed() == 1007
        async with anna.socket(made["table"]) as socket:
            await socket.receive("update")
            await socket.connection.send([b'{"type":"pi', b'ng"}'], text=True)
            assert (await socket.receive())["type"] == "pong"
        await program.end()
    lines = [json.loads(line) for line in program.log.splitlines()]
    assert [line for line in lines if line["level"] not in ("info", "debug")] == []
