"""Administration over HTTP: for administrators alone, with the same changes and the same audit log
as `dicecup admin`."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack
from time import time
from typing import Any

import httpx
import pytest
from sqlalchemy import func, select

from dicecup.hosting.ban_list import shown_time
from dicecup.hosting.store import Store
from dicecup.hosting.store.engines import database_url
from dicecup.hosting.store.models import EVENTS, SAID
from dicecup.web.app_files import is_built
from tests.web.administrators import identity_of, make_admin
from tests.web.serving import TWO, Browser, Json, handshake, serving

SOON = time() + 86_400
EVIL = "<img src=x onerror=alert(1)>"


class Server:
    """Workers on one database, with an administrator at the first."""

    def __init__(self, urls: tuple[str, str], admin: Browser, identity: str) -> None:
        self.urls = urls
        self.admin = admin
        self.identity = identity

    async def get(self, path: str, **query: Any) -> Json:
        answer = await self.admin.http.get(f"/api/admin{path}", params=query)
        assert answer.status_code == 200, answer.text
        found: Json = answer.json()
        return found

    async def post(self, path: str, **sent: object) -> httpx.Response:
        return (
            await self.admin.http.post(f"/api/admin{path}", json=sent)
            if sent
            else await self.admin.http.post(f"/api/admin{path}")
        )

    async def audit(self) -> list[tuple[str, str, str, str]]:
        entries = (await self.get("/audit"))["entries"]
        return [(each["command"], each["subject"], each["operator"], each["outcome"]) for each in reversed(entries)]


@pytest.fixture
async def server(database: str) -> AsyncIterator[Server]:
    """Two workers on PostgreSQL, or one on SQLite."""
    async with AsyncExitStack() as stack:
        first = await stack.enter_async_context(serving(database))
        shared = database.startswith("postgresql")
        second = await stack.enter_async_context(serving(database)) if shared else first
        admin = await stack.enter_async_context(Browser(first))
        yield Server((first, second), admin, await make_admin(admin, database))


async def until(browser: Browser, path: str, holds: Callable[[httpx.Response], bool]) -> None:
    """Ask again until the answer of another worker is as it should be."""
    for _ in range(5000):
        if holds(await browser.http.get(path)):
            return
        await asyncio.sleep(0.05)
    raise AssertionError(path)


# --- Who may --------------------------------------------------------------------------------------


async def test_to_everybody_else_there_is_no_such_page(server: Server) -> None:
    openapi = (await server.admin.http.get("/openapi.json")).json()["paths"]
    paths = {(method, path) for path, methods in openapi.items() if path.startswith("/api/admin") for method in methods}
    assert len(paths) > 15
    async with Browser(server.urls[1]) as ben, Browser(server.urls[1]) as nobody:
        await ben.http.get("/api/me")
        for browser in (ben, nobody):
            unknown = (await browser.http.get("/api/admim")).json()
            for method, path in paths:
                refused = await browser.http.request(method, path, json={})
                assert (refused.status_code, refused.json()["error"]["code"]) == (404, unknown["error"]["code"]), path
            for place in ("/admin", "/admin/people"):
                assert (await browser.http.get(place)).status_code == 404
    assert (await server.get(""))["you"] == server.identity
    page = await server.admin.http.get("/admin", headers={"Accept": "text/html"})
    assert page.status_code == (200 if is_built() else 404)


async def test_another_site_cannot_act_for_an_administrator(server: Server) -> None:
    made = await server.admin.make(TWO)
    path = f"/api/admin/tables/{made['table']}/close"
    foreign = await server.admin.http.post(path, headers={"Origin": "https://evil.example"})
    assert (foreign.status_code, foreign.json()["error"]["code"]) == (403, "wrong-origin")
    form = await server.admin.http.post(
        "/api/admin/bans/lift", content=b'{"person": "x"}', headers={"Content-Type": "text/plain"}
    )
    assert (form.status_code, form.json()["error"]["code"]) == (400, "not-a-message")
    assert await server.audit() == [("grant", server.identity, "host", "done")]


# --- Tables ---------------------------------------------------------------------------------------


async def test_tables_are_found_and_changed(server: Server) -> None:
    async with Browser(server.urls[1]) as ben:
        await ben.http.get("/api/me")
        made = await server.admin.make(TWO, EVIL)
        table = made["table"]
        async with ben.socket(table, {"key": made["join_key"]}) as socket:
            await socket.receive("update")
            await socket.do({"type": "sit", "name": "Ben"})
            created = (await server.get("/tables"))["tables"][0]["created"]
            queries: list[Json] = [
                {"text": table[:5]},
                {"text": "YAM-m"},
                {"text": "ben"},
                {"text": EVIL},
                {"person": identity_of(ben)},
            ]
            for query in queries:
                (found,) = (await server.get("/tables", state="open", **query))["tables"]
                assert [seat["name"] for seat in found["seats"]] == [EVIL, "Ben"]
                assert [seat["identity"] for seat in found["seats"]] == [server.identity, identity_of(ben)]
            queries = [{"text": "yamm"}, {"state": "over"}, {"person": "x"}, {"before": created}, {"text": "%"}]
            for query in queries:
                assert await server.get("/tables", **query) == {"tables": [], "more": False}
            links = (await server.post(f"/tables/{table}/watch")).json()
            assert links["watch_key"] == made["watch_key"]
            assert (await server.post(f"/tables/{table}/shut")).json() == {"changed": True}
            await socket.up_to(socket.updates[-1]["number"] + 1)
            assert socket.view["admits"] is False
            assert (await server.post(f"/tables/{table}/shut")).json() == {"changed": False}
            assert [each["admits"] for each in (await server.get("/tables"))["tables"]] == [False]
            assert (await server.post(f"/tables/{table}/admit")).json() == {"changed": True}
            assert [each["admits"] for each in (await server.get("/tables"))["tables"]] == [True]
            rotated = (await server.post(f"/tables/{table}/rotate")).json()
            assert rotated["join_key"] != made["join_key"]
            freed = (await server.post(f"/tables/{table}/free", seat=1)).json()
            assert freed["join_key"] not in (made["join_key"], rotated["join_key"])
            assert await socket.closed() == 4404
        assert (await server.post(f"/tables/{table}/free", seat=1)).json()["error"]["code"] == "seat-kept"
        assert (await server.post(f"/tables/{table}/close")).json() == {"changed": True}
        assert (await server.post(f"/tables/{'0' * 20}/close")).json()["error"]["code"] == "no-such-table"
        assert (await server.admin.http.get(f"/api/tables/{table}")).json()["view"]["result"]["end"] == "abandoned"
    assert [(command, about, outcome) for command, about, _, outcome in (await server.audit())[1:]] == [
        ("watch", table, "done"),
        ("shut", table, "done"),
        ("shut", table, "unchanged"),
        ("admit", table, "done"),
        ("rotate", table, "done"),
        ("free", f"{table} 2", "done"),
        ("free", f"{table} 2", "seat-kept"),
        ("close", table, "done"),
        ("close", "0" * 20, "no-such-table"),
    ]
    assert {operator for _, _, operator, _ in (await server.audit())[1:]} == {server.identity}


async def test_the_numbers_of_the_last_days_are_counted(server: Server) -> None:
    made = await server.admin.make(TWO)
    await server.post(f"/tables/{made['table']}/close")
    found = await server.get("/numbers")
    assert len(found["tables"]) == 30
    assert found["first"] + 29 == int(time() // 86_400)
    assert [sum(found[name]) for name in ("tables", "games", "people", "accounts", "messages")] == [1, 1, 1, 0, 0]
    assert (found["tables"][-1], found["games"][-1]) == (1, 1)
    await server.admin.make(TWO)
    assert await server.get("/numbers") == found  # counted at most every five minutes


async def test_what_people_say_is_counted_by_day(server: Server, database: str) -> None:
    made = await server.admin.make(TWO)
    async with Browser(server.urls[0]) as ben:
        await ben.http.get("/api/me")
        async with ben.socket(made["table"], {"key": made["join_key"]}) as socket, server.admin.socket(made["table"]) as own:
            await socket.receive("update")
            await own.up_to((await socket.do({"type": "sit", "name": "Ben"}))["number"])
            allowed = await own.do({"type": "allow-texts", "allowed": True})
            await own.up_to(allowed["number"])
            said = await socket.do({"type": "allow-texts", "allowed": True}, version=own.updates[-1]["number"])
            said = await socket.do({"type": "write", "text": 'x","type":"said"}'}, version=said["number"])
            said = await socket.do({"type": "say", "phrase": "hello"}, version=said["number"])
            assert said["type"] == "done", said
    assert (await server.get("/numbers"))["messages"][-2:] == [0, 2]
    if database.startswith("sqlite"):
        store = await Store.open(database_url(database))
        plan = select(func.count()).select_from(EVENTS).where(EVENTS.c.time >= 1.0).where(SAID)
        async with store.engines.readers.connect() as connection:
            text = f"EXPLAIN QUERY PLAN {plan.compile(compile_kwargs={'literal_binds': True})}"
            assert "events_said" in str((await connection.exec_driver_sql(text)).all())
        await store.close()


# --- People ---------------------------------------------------------------------------------------


async def test_a_ban_ends_what_a_person_does_at_all_workers(server: Server) -> None:
    async with Browser(server.urls[1]) as ben:
        await ben.http.get("/api/me")
        made = await server.admin.make(TWO, "Anna")
        table, token = made["table"], (await ben.http.post("/api/tokens")).json()["token"]
        bearer = {"Authorization": f"Bearer {token}"}
        async with (
            ben.socket(table, {"key": made["join_key"]}) as socket,
            Browser(server.urls[1]) as program,
            program.socket(table, {"key": made["join_key"]}, **bearer) as other,
            server.admin.socket(table) as own,
        ):
            await socket.receive("update")
            await own.receive("update")
            await socket.do({"type": "sit", "name": "Ben"})
            await other.receive("update")
            (person,) = (await server.get("/people", text="ben"))["people"]
            assert (person["identity"], person["names"], person["ban"]) == (identity_of(ben), ["Ben"], None)
            given = {"person": person["identity"], "until": SOON, "reason": EVIL}
            assert (await server.post("/bans", **given)).status_code == 204
            for each in (socket, other):
                async with asyncio.timeout(280):
                    refused = (await each.receive("refused"))["error"]
                    assert (refused["code"], refused["details"]["reason"]) == ("banned", EVIL)
                    assert "UTC" in refused["details"]["until"]
                    assert await each.closed() == 4403
            for path in ("/api/me", "/api/tables", f"/api/tables/{table}"):
                answer = await ben.http.get(path, headers={"Accept-Language": "fr"})
                assert (answer.status_code, answer.json()["error"]["code"]) == (403, "banned")
                assert "exclu" in answer.json()["error"]["message"]
            assert (await program.http.get("/api/me", headers=bearer)).status_code == 403
            number = (await server.admin.http.get(f"/api/tables/{table}")).json()["number"]
            claim = {"id": "x", "version": 3, "command": {"type": "claim", "what": "win"}}
            for sender, given in ((ben, {}), (program, bearer)):
                answer = await sender.http.post(f"/api/tables/{table}/commands", json=claim, headers=given)
                assert (answer.status_code, answer.json()["error"]["code"]) == (403, "banned")
            assert (await server.admin.http.get(f"/api/tables/{table}")).json()["number"] == number
            socket_url = f"{server.urls[1].replace('http', 'ws')}/ws/tables/{table}"
            assert (await handshake(socket_url, Cookie=ben.cookie))[0] == 403
            assert (await ben.http.get("/api/games")).status_code == 200
            (banned,) = (await server.get("/people"))["people"]
            assert banned["ban"]["reason"] == EVIL
            await own.send({"type": "ping"})
            assert await own.receive("pong")
        lifted = await server.post("/bans/lift", person=person["identity"])
        assert lifted.status_code == 204
        await until(ben, "/api/me", lambda answer: answer.status_code == 200)
    assert (await server.post("/bans", person="nobody", until=SOON, reason="x")).json()["error"]["code"] == "no-such-person"
    own_ban = await server.post("/bans", person=server.identity, until=SOON, reason="x")
    assert own_ban.json()["error"]["code"] == "is-admin"
    late = await server.post("/bans", person=person["identity"], until=1.0, reason="x")
    assert late.json()["error"]["code"] == "not-a-time"
    assert [(command, outcome) for command, _, _, outcome in (await server.audit())[1:]] == [
        ("ban", "done"),
        ("unban", "done"),
        ("ban", "no-such-person"),
        ("ban", "is-admin"),
        ("ban", "not-a-time"),
    ]


async def test_addresses_are_blocked_and_admitted(server: Server) -> None:
    assert (await server.post("/blocks", network="203.0.113.7")).status_code == 204
    assert (await server.post("/blocks", network="2001:db8::/48", until=SOON)).status_code == 204
    assert (await server.post("/blocks", network="x")).json()["error"]["code"] == "not-a-network"
    found = await server.get("/blocks")
    assert [block["network"] for block in found["blocks"]] == ["2001:db8::/48", "203.0.113.7/32"]
    assert (await server.post("/blocks/lift", network="203.0.113.7")).status_code == 204
    assert len((await server.get("/blocks"))["blocks"]) == 1


# --- Reports --------------------------------------------------------------------------------------


async def test_a_report_has_its_context_and_is_resolved(server: Server) -> None:
    async with Browser(server.urls[1]) as ben, Browser(server.urls[1]) as carla:
        await ben.http.get("/api/me")
        made = await server.admin.make(TWO, EVIL)
        table = made["table"]
        sent: Json = {"table": table, "seat": 0, "reason": "insult"}
        assert (await carla.http.post("/api/reports", json=sent)).json()["error"]["code"] == "no-identity"
        await carla.http.get("/api/me")
        assert (await carla.http.post("/api/reports", json=sent)).json()["error"]["code"] == "no-such-table"
        watching = {"Dicecup-Key": made["watch_key"]}
        for remark in (" He said\r\nit twice. ", ""):  # the same report counts once
            given = sent | {"remark": remark}
            assert (await ben.http.post("/api/reports", json=given, headers=watching)).status_code == 204
        for changed, code in (
            ({"seat": 1}, "nobody-sits-there"),
            ({"seat": 9}, "no-such-seat"),
            ({"reason": EVIL}, "not-a-message"),
            ({"note": "x"}, "not-a-message"),
            ({"remark": "x" * 501}, "not-a-message"),
            ({"remark": "a\u202eb"}, "hidden-in-text"),
        ):
            refused = await ben.http.post("/api/reports", json=sent | changed, headers=watching)
            assert refused.json()["error"]["code"] == code
        own = await server.admin.http.post("/api/reports", json=sent)
        assert (own.status_code, own.json()["error"]["code"]) == (409, "not-yourself")
        (found,) = (await server.get("/reports"))["reports"]
        assert (found["reporter"], found["reported"], found["reason"]) == (identity_of(ben), server.identity, "insult")
        assert (found["context"]["seat"], found["context"]["names"][0]) == (0, EVIL)
        assert found["remark"] == "He said\nit twice."
        about = await server.get("")
        assert about["open_reports"] == 1
        assert abs(about["now"] - time()) < 60
        record = (await ben.http.get(f"/api/tables/{table}/record", headers=watching)).text
        assert "insult" not in record
        assert (await server.post(f"/reports/{found['number']}/resolve", note="talked to them")).status_code == 204
        again = await server.post(f"/reports/{found['number']}/resolve", note="x")
        assert again.json()["error"]["code"] == "no-such-report"
        assert await server.get("/reports") == {"reports": []}
        for answer in (
            await server.post(f"/reports/{10**20}/resolve", note="x"),
            await server.admin.http.get("/api/admin/audit", params={"before": 10**20}),
        ):
            assert answer.json()["error"]["code"] == "not-a-message"
        (resolved,) = (await server.get("/reports", resolved=True))["reports"]
        assert resolved["note"] == "talked to them"


async def test_what_a_person_said_is_reported_with_the_talk_up_to_it(server: Server) -> None:
    async with Browser(server.urls[1]) as ben:
        await ben.http.get("/api/me")
        made = await server.admin.make(TWO, "Anna")
        table = made["table"]
        async with ben.socket(table, {"key": made["join_key"]}) as his, server.admin.socket(table) as hers:
            await his.receive("update")
            await his.do({"type": "sit", "name": "Ben"})
            said = (await his.do({"type": "say", "phrase": "hello"}))["number"]
            await hers.up_to(said)
            answered = await hers.do({"type": "say", "phrase": "bad-luck"})
            freed = await server.post(f"/tables/{table}/free", seat=1)
            assert freed.status_code == 200
        sent: Json = {"table": table, "reason": "insult"}
        assert (await server.admin.http.post("/api/reports", json=sent | {"event": said})).status_code == 204
        for event, code in ((1, "nothing-said"), (999, "nothing-said"), (answered["number"], "not-yourself")):
            refused = await server.admin.http.post("/api/reports", json=sent | {"event": event})
            assert refused.json()["error"]["code"] == code
        assert (await server.admin.http.post("/api/reports", json=sent)).json()["error"]["code"] == "no-such-seat"
        (found,) = (await server.get("/reports"))["reports"]
        assert (found["event"], found["reported"]) == (said, identity_of(ben))  # who sat there then
        assert [(line["number"], line["name"], line["phrase"]) for line in found["context"]["talk"]] == [(said, "Ben", "hello")]


async def test_reports_are_limited_by_day(server: Server) -> None:
    async with Browser(server.urls[1]) as ben:
        await ben.http.get("/api/me")
        sent = {"table": "0" * 20, "seat": 0, "reason": "other"}
        codes = [(await ben.http.post("/api/reports", json=sent)).json()["error"]["code"] for _ in range(22)]
    assert codes == ["no-such-table"] * 20 + ["too-much-today"] * 2


# --- The message to everybody ---------------------------------------------------------------------


@pytest.mark.slow
async def test_a_message_reaches_everybody_at_all_workers(server: Server) -> None:
    async with Browser(server.urls[1]) as ben:
        made = await ben.make(TWO)
        assert "dicecup-announcement" not in (await ben.http.get("/api/games")).headers
        async with ben.socket(made["table"]) as socket:
            await socket.receive("update")
            texts = {"en": EVIL, "de": "Wir starten neu" + 2 * ".\nBis bald" + " " + "x" * 240}
            assert (await server.post("/announcement", until=SOON, texts=texts)).status_code == 204
            async with asyncio.timeout(280):
                told = await socket.receive("announcement")
            shown = (await ben.http.get("/api/announcement")).json()["announcement"]
            assert (shown["number"], shown["texts"]) == (told["number"], texts)
            (subject,) = [each[1] for each in await server.audit() if each[0] == "announce"]
            assert subject.split("\n", 1) == [shown_time(SOON), f"de: {texts['de']}\nen: {EVIL}"]
            assert (await ben.http.get("/api/games")).headers["dicecup-announcement"] == str(told["number"])
            for bad in ({}, {"xx": "x"}, {"en": ""}, {"en": "  "}, {"en": "x" * 301}):
                refused = await server.post("/announcement", until=SOON, texts=bad)
                assert refused.json()["error"]["code"] == "not-a-message"
            assert (await server.post("/announcement", until=1.0, texts=texts)).json()["error"]["code"] == "not-a-time"
            assert (await server.admin.http.delete("/api/admin/announcement")).status_code == 204
            await until(ben, "/api/announcement", lambda answer: answer.json()["announcement"] is None)
            assert (await server.post("/announcement", until=SOON, texts={"fr": "Bonjour"})).status_code == 204
            async with asyncio.timeout(280):
                assert (await socket.receive("announcement"))["number"] > told["number"]
