"""A blocked address: requests and handshakes are refused, open connections end."""

import asyncio
from pathlib import Path

import httpx

from dicecup.hosting.store import Store
from dicecup.hosting.store.blocks import Block, delete_block, save_block
from dicecup.hosting.store.engines import database_url
from tests.hosting.guests import entry
from tests.web.raw_clients import raw, text_until_end
from tests.web.serving import Browser, handshake, serving

STRANGER = "203.0.113.9"


async def test_a_blocked_network_is_refused_and_its_connections_end(tmp_path: Path) -> None:
    store = None
    async with serving(tmp_path, proxies="127.0.0.1") as url, Browser(url) as anna, httpx.AsyncClient(base_url=url) as client:
        stranger = {"X-Forwarded-For": STRANGER}
        made = await anna.make({"game": "yam-master", "seats": [{}, {}]})
        socket_url = f"{url.replace('http', 'ws')}/ws/tables/{made['table']}"
        assert (await client.get("/api/games", headers=stranger)).status_code == 200
        try:
            store = await Store.open(database_url(f"sqlite:///{tmp_path / 'tables.sqlite'}"))
            async with (
                anna.socket(made["table"]) as own,
                anna.socket(made["table"], {"key": made["watch_key"]}, **stranger) as watching,
            ):
                for socket in (own, watching):
                    await socket.receive("update")
                await save_block(store, Block("203.0.113.0/24", None), entry(0.0))
                assert await watching.closed() == 4403
                refused = await client.get("/api/games", headers=stranger | {"Accept-Language": "de"})
                assert (refused.status_code, refused.json()["error"]["code"]) == (403, "address-blocked")
                assert "ausgesperrt" in refused.json()["error"]["message"]
                assert (await client.get("/", headers=stranger)).status_code == 403
                status, error = await handshake(socket_url, **stranger)
                assert (status, error["code"]) == (403, "address-blocked")
                assert (await client.get("/api/games")).status_code == 200
                assert (await own.do({"type": "rotate-links"}))["type"] == "done"
                await delete_block(store, "203.0.113.0/24", entry(0.0))
                while (await client.get("/api/games", headers=stranger)).status_code != 200:  # noqa: ASYNC110 as the client asks
                    await asyncio.sleep(0.05)
            metrics = (await client.get("/metrics")).text
            assert 'dicecup_limits_total{limit="blocked"} ' in metrics
        finally:
            if store is not None:
                await store.close()


async def test_a_blocked_client_gets_one_answer_on_a_connection(tmp_path: Path) -> None:
    await blocked(tmp_path, STRANGER)
    asked = f"GET /api/games HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Forwarded-For: {STRANGER}\r\n\r\n".encode()
    async with serving(tmp_path, proxies="127.0.0.1") as url, raw(url, asked * 50) as (reader, _):
        answers = (await text_until_end(reader)).lower()
    assert answers.count("http/1.1 403 ") == answers.count("connection: close\r\n") == 1
    assert answers.count("http/1.1 ") == 1


async def test_a_blocked_address_is_refused_before_it_sends_a_request(tmp_path: Path) -> None:
    await blocked(tmp_path, "127.0.0.1")
    async with serving(tmp_path, proxies="192.0.2.1") as url, raw(url) as (reader, _):
        async with asyncio.timeout(280):
            answer = await text_until_end(reader)
    assert (answer[9:12], "address-blocked" in answer) == ("403", True)


async def test_the_address_of_a_proxy_does_not_stand_for_its_clients(tmp_path: Path) -> None:
    await blocked(tmp_path, "127.0.0.1")
    async with serving(tmp_path, proxies="127.0.0.1") as url, Browser(url, {"X-Forwarded-For": STRANGER}) as stranger:
        assert (await stranger.http.get("/api/games")).status_code == 200
        own = await stranger.http.get("/api/games", headers={"X-Forwarded-For": "127.0.0.1"})
        assert own.status_code == 403


async def blocked(folder: Path, network: str) -> None:
    """Block a network before the server starts."""
    store = await Store.open(database_url(f"sqlite:///{folder / 'tables.sqlite'}"))
    await save_block(store, Block(network, None), entry(0.0))
    await store.close()
