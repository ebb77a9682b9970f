"""Printed pages over HTTP: empty sheets, rules of thumb, and the game of a table."""

import pytest

from dicecup.locale import LANGUAGES, Messages
from tests.sheets.papers import opened, pages
from tests.web.serving import TWO, Browser, Json


async def test_empty_sheets_have_names_and_language(anna: Browser) -> None:
    for language in LANGUAGES:
        asked = {"lang": language, "players": "2", "name": ["Änni", "אנה"]}
        answer = await anna.http.get("/api/sheet.pdf", params=asked)
        assert (answer.status_code, answer.headers["content-type"]) == (200, "application/pdf"), answer.text
        assert answer.headers["content-disposition"] == 'attachment; filename="yamm.pdf"'
        assert answer.headers["cache-control"] == "no-store"
        first, _ = pages(answer.content)
        assert "Änni" in first
        assert Messages(language)("print_grand_total") in first
    assert not anna.http.cookies  # no identity is needed


async def test_the_rules_of_thumb_are_printed_in_the_requested_language(anna: Browser) -> None:
    answer = await anna.http.get("/api/rules-of-thumb.pdf", params={"lang": "de"})
    assert (answer.status_code, answer.headers["content-type"]) == (200, "application/pdf"), answer.text
    assert answer.headers["content-disposition"] == 'attachment; filename="rules-of-thumb.pdf"'
    assert Messages("de")("guide_worth") in pages(answer.content)[0]


@pytest.mark.parametrize("accepted, language", [("fr-CH, fr;q=0.9, en;q=0.8", "fr"), ("it", "en"), ("de", "de")])
async def test_a_requested_language_comes_before_the_browsers(anna: Browser, accepted: str, language: str) -> None:
    answer = await anna.http.get("/api/sheet.pdf", headers={"Accept-Language": accepted})
    metadata = opened(answer.content).metadata
    assert metadata is not None
    assert metadata.title == Messages(language)("print_empty_title")


@pytest.mark.parametrize(
    "asked, status, code",
    [
        ({"lang": "it"}, 400, "not-a-message"),
        ({"players": "0"}, 400, "not-a-message"),
        ({"players": "17"}, 400, "not-a-message"),
        ({"players": "two"}, 400, "not-a-message"),
        ({"name": "x" * 41}, 400, "not-a-message"),
        ({"name": ["x"] * 17}, 400, "not-a-message"),
        ({"players": "3", "pairs": "true"}, 422, "pairs-need-even-players"),
        ({"players": "1", "name": ["a", "b"]}, 422, "too-many-names"),
    ],
)
async def test_invalid_requests_are_refused(anna: Browser, asked: Json, status: int, code: str) -> None:
    refused = await anna.http.get("/api/sheet.pdf", params=asked)
    assert (refused.status_code, refused.json()["error"]["code"]) == (status, code)


@pytest.mark.parametrize("game", ["yamm", "yam-master"])
async def test_a_sheet_of_a_table_needs_the_right_to_see_it(anna: Browser, ben: Browser, game: str) -> None:
    made = await anna.make(TWO | {"game": game})
    path = f"/api/tables/{made['table']}/sheet.pdf"
    answer = await anna.http.get(path, params={"lang": "de"})
    assert answer.status_code == 200, answer.text
    assert made["table"] in answer.headers["content-disposition"]
    printed = pages(answer.content)
    assert len(printed) == (2 if game == "yamm" else 1)
    assert "Anna" in printed[0]
    assert "Zwischenstand" in printed[0]
    for key in ({}, {"Dicecup-Key": "x"}):
        refused = await ben.http.get(path, headers=key)
        assert (refused.status_code, refused.json()["error"]["code"]) == (404, "no-such-table")
    for link in ("join_key", "watch_key"):
        assert (await ben.http.get(path, headers={"Dicecup-Key": made[link]})).status_code == 200
        # no secret in an address
        assert (await ben.http.get(path, params={"key": made[link]})).status_code == 404
    assert (await anna.http.get("/api/tables/nowhere/sheet.pdf")).status_code == 404


async def test_the_documents_describe_the_sheets(anna: Browser) -> None:
    paths = (await anna.http.get("/openapi.json")).json()["paths"]
    for path in ("/api/sheet.pdf", "/api/rules-of-thumb.pdf", "/api/tables/{table}/sheet.pdf"):
        assert list(paths[path]["get"]["responses"]["200"]["content"]) == ["application/pdf"]
