"""Pages and documents of the server are made once, and not sent again to those who have them."""

import asyncio
import threading
from typing import Any

import pytest

from dicecup.web import schemas, service_pages
from tests.web.serving import Browser

DOCUMENTS = ("/docs", "/openapi.json", "/schema.json", "/asyncapi.json", "/api/games", "/verify", "/static/page.css")


@pytest.mark.parametrize("place", DOCUMENTS)
async def test_a_client_that_has_a_document_gets_no_body(place: str, anna: Browser) -> None:
    first = await anna.http.get(place)
    assert first.status_code == 200
    again = await anna.http.get(place, headers={"If-None-Match": f"W/{first.headers['etag']}"})
    assert (again.status_code, again.content, again.headers["etag"]) == (304, b"", first.headers["etag"])
    assert "content-security-policy" in again.headers
    other = await anna.http.get(place, headers={"If-None-Match": '"other"'})
    assert other.content == first.content


@pytest.mark.parametrize("place", ["/", "/rules/yamm"])
async def test_the_page_is_sent_once(place: str, anna: Browser) -> None:
    first = await anna.http.get(place)
    if first.status_code == 404:
        pytest.skip("the client was not built")
    assert (await anna.http.get(place, headers={"If-None-Match": first.headers["etag"]})).status_code == 304


async def test_documents_are_made_once(anna: Browser, monkeypatch: pytest.MonkeyPatch) -> None:
    before = [(await anna.http.get(place)).content for place in DOCUMENTS]

    def made_again(*_: object) -> None:
        raise AssertionError

    for module, name in ((schemas, "openapi"), (schemas, "json_schema"), (schemas, "asyncapi"), (service_pages, "_docs")):
        monkeypatch.setattr(module, name, made_again)
    assert [(await anna.http.get(place)).content for place in DOCUMENTS] == before


async def test_the_server_answers_while_documents_are_made(anna: Browser, monkeypatch: pytest.MonkeyPatch) -> None:
    begun, go_on = threading.Event(), threading.Event()
    make = schemas.openapi

    def slow(*given: Any) -> schemas.Document:
        begun.set()
        assert go_on.wait(280)
        return make(*given)

    monkeypatch.setattr(schemas, "openapi", slow)
    asked = [asyncio.create_task(anna.http.get(place)) for place in ("/openapi.json", "/docs")]
    assert await asyncio.to_thread(begun.wait, 60)
    assert (await anna.http.get("/health")).status_code == 200
    go_on.set()
    assert [(await each).status_code for each in asked] == [200, 200]


@pytest.mark.slow
@pytest.mark.parametrize("language", ["de", "en", "fr"])
async def test_each_language_has_a_page(language: str, anna: Browser) -> None:
    page = await anna.http.get("/docs", headers={"Accept-Language": language})
    assert page.headers["content-language"] == language
    assert f'lang="{language}"' in page.text


async def test_a_long_path_is_cut_in_the_log(anna: Browser, capsys: pytest.CaptureFixture[str]) -> None:
    await anna.http.get("/" + "x" * 30_000)
    assert 200 < len(capsys.readouterr().out.strip()) < 500
