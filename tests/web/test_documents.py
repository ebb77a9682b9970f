"""Documents of the server are those of its models, and not sent again to those who have them."""

import pytest

from dicecup.web import documents
from dicecup.web.service_pages import PROTOCOL
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


def test_the_documents_are_those_of_the_models() -> None:
    """A server that made them itself would delay its tables by a second."""
    written = {path.name: path.read_text("utf-8") for path in PROTOCOL.iterdir()}
    assert written == documents.made(), "make protocol"


@pytest.mark.slow
@pytest.mark.parametrize("language", ["de", "en", "fr"])
async def test_each_language_has_a_page(language: str, anna: Browser) -> None:
    page = await anna.http.get("/docs", headers={"Accept-Language": language})
    assert page.headers["content-language"] == language
    assert f'lang="{language}"' in page.text


async def test_a_long_path_is_cut_in_the_log(anna: Browser, capsys: pytest.CaptureFixture[str]) -> None:
    await anna.http.get("/" + "x" * 30_000)
    assert 200 < len(capsys.readouterr().out.strip()) < 500
