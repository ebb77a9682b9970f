"""Devices that are signed in: the list, signing out, and the end of open connections."""

import asyncio
import hmac
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack

import pytest

from dicecup.hosting.host_key import derived_key
from dicecup.web.agents import agent_name
from dicecup.web.identity import Signer
from tests.hosting.guests import KEY
from tests.web.serving import TWO, Browser, Json, Socket, serving

PHONE = "Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36"
LAPTOP = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"
SIGNED_OUT = 4401


@pytest.fixture
async def workers(database: str) -> AsyncIterator[tuple[str, str]]:
    """Return the URLs of two workers on one PostgreSQL database, or twice that of one on SQLite."""
    async with AsyncExitStack() as stack:
        first = await stack.enter_async_context(serving(database))
        shared = database.startswith("postgresql")
        yield first, await stack.enter_async_context(serving(database)) if shared else first


async def second_device(first: Browser, url: str, agent: str = PHONE) -> Browser:
    """Return a device that redeemed a transfer link of the first."""
    secret = (await first.http.post("/api/transfers")).json()["secret"]
    other = Browser(url, {"User-Agent": agent})
    assert (await other.http.post("/api/transfers/redeem", json={"secret": secret})).status_code == 204
    return other


async def listed(browser: Browser) -> list[Json]:
    found: list[Json] = (await browser.http.get("/api/devices")).json()["devices"]
    return found


async def is_seated(browser: Browser, table: str) -> bool:
    return (await browser.http.get(f"/api/tables/{table}")).status_code == 200


async def ended(socket: Socket) -> None:
    """Wait until the connection is closed by the end of its credential."""
    async with asyncio.timeout(280):
        refused = await socket.receive("refused")
        assert refused["error"]["code"] == "signed-out"
        assert await socket.closed() == SIGNED_OUT


# --- Signing out ----------------------------------------------------------------------------------


async def test_signing_a_device_out_ends_its_connections_in_all_workers(workers: tuple[str, str]) -> None:
    async with Browser(workers[0], {"User-Agent": LAPTOP}) as laptop:
        table = (await laptop.make(TWO))["table"]
        async with await second_device(laptop, workers[1]) as phone:
            assert await is_seated(phone, table)
            async with laptop.socket(table) as kept, phone.socket(table) as lost:
                await kept.receive("update")
                await lost.receive("update")
                devices = await listed(laptop)
                assert [device["current"] for device in devices] == [device["agent"] == "Firefox, Linux" for device in devices]
                (other,) = [device["id"] for device in devices if not device["current"]]
                assert (await laptop.http.delete(f"/api/devices/{other}")).status_code == 204
                await ended(lost)
                await kept.send({"type": "ping"})
                assert (await kept.receive("pong"))["type"] == "pong"
            assert [device["agent"] for device in await listed(laptop)] == ["Firefox, Linux"]
            assert not await is_seated(phone, table)
            assert (await phone.http.get("/api/tables")).json()["tables"] == []
            assert (await laptop.http.delete(f"/api/devices/{other}")).json()["error"]["code"] == "no-such-device"


async def test_a_revoked_token_ends_its_connections_in_all_workers(workers: tuple[str, str]) -> None:
    async with Browser(workers[0]) as anna:
        table = (await anna.make(TWO))["table"]
        tokens = [(await anna.http.post("/api/tokens")).json() for _ in range(2)]
        headers = [{"Authorization": f"Bearer {token['token']}"} for token in tokens]
        async with (
            Browser(workers[1]) as elsewhere,
            elsewhere.socket(table, None, **headers[0]) as first,
            elsewhere.socket(table, None, **headers[1]) as second,
            anna.socket(table) as own,
        ):
            for socket in (first, second, own):
                await socket.receive("update")
            assert (await anna.http.delete(f"/api/tokens/{tokens[0]['id']}")).status_code == 204
            await ended(first)
            await second.send({"type": "ping"})
            await second.receive("pong")
            assert (await anna.http.delete("/api/tokens")).status_code == 204
            await ended(second)
            await own.send({"type": "ping"})
            await own.receive("pong")


async def test_a_token_that_is_revoked_before_the_hello_does_not_see_the_table(anna: Browser) -> None:
    table = (await anna.make(TWO))["table"]
    token = (await anna.http.post("/api/tokens")).json()
    async with Browser(anna.url) as program, program.socket(table, {}, Authorization=f"Bearer {token['token']}") as socket:
        await anna.http.delete("/api/tokens")
        await socket.send({"type": "hello"})
        assert (await socket.receive())["error"]["code"] == "signed-out"
        assert await socket.closed() == SIGNED_OUT


async def test_all_other_devices_are_signed_out_at_once(anna: Browser) -> None:
    table = (await anna.make(TWO))["table"]
    old = {"Cookie": earlier_cookie(anna)}
    link = (await anna.http.post("/api/transfers")).json()["secret"]
    async with await second_device(anna, anna.url) as phone, Browser(anna.url, old) as forgotten:
        assert await is_seated(phone, table)
        assert await is_seated(forgotten, table)
        assert sorted(device["id"] == "earlier" for device in await listed(anna)) == [False, False, True]
        assert (await anna.http.delete("/api/devices")).status_code == 204
        assert [device["current"] for device in await listed(anna)] == [True]
        assert [await is_seated(each, table) for each in (anna, phone, forgotten)] == [True, False, False]
        late = await phone.http.post("/api/transfers/redeem", json={"secret": link})
        assert late.json()["error"]["code"] == "not-a-transfer"


async def test_a_cookie_that_was_never_sent_back_is_signed_out_too(anna: Browser) -> None:
    """A thief redeems a link with a stolen cookie and keeps the new cookie for later."""
    table = (await anna.make(TWO))["table"]
    async with await second_device(anna, anna.url) as kept:
        assert sorted(device["agent"] for device in await listed(anna)) == ["", "Chrome, Android"]
        assert (await anna.http.delete("/api/devices")).status_code == 204
        assert not await is_seated(kept, table)


async def test_a_cookie_that_replaced_one_without_a_device_is_signed_out_too(anna: Browser) -> None:
    table = (await anna.make(TWO))["table"]
    old = {"Cookie": earlier_cookie(anna)}
    async with Browser(anna.url, old) as browser:
        answer = await browser.http.get("/api/me")
    kept = {"Cookie": answer.headers["set-cookie"].partition(";")[0]}
    assert (await anna.http.delete("/api/devices")).status_code == 204
    async with Browser(anna.url, kept) as thief:
        assert not await is_seated(thief, table)
    async with Browser(anna.url, old) as thief:
        assert not await is_seated(thief, table)


async def test_a_device_signs_itself_out(anna: Browser) -> None:
    table = (await anna.make(TWO))["table"]
    copied = anna.cookie
    (own,) = await listed(anna)
    async with anna.socket(table) as socket:
        await socket.receive("update")
        assert (await anna.http.delete(f"/api/devices/{own['id']}")).status_code == 204
        await ended(socket)
    assert not anna.http.cookies
    async with Browser(anna.url, {"Cookie": copied}) as thief:
        assert not await is_seated(thief, table)
        assert "set-cookie" in (await thief.http.get("/api/me")).headers
        assert await listed(thief) == []


async def test_a_device_signs_out_others_of_its_own_identity_only(anna: Browser, ben: Browser) -> None:
    await anna.make(TWO)
    (device,) = await listed(anna)
    refused = await ben.http.delete(f"/api/devices/{device['id']}")
    assert (refused.status_code, refused.json()["error"]["code"]) == (404, "no-such-device")
    assert (await ben.http.delete("/api/devices")).status_code == 204
    assert [each["id"] for each in await listed(anna)] == [device["id"]]
    async with Browser(anna.url) as nobody:
        assert await listed(nobody) == []
        assert (await nobody.http.delete("/api/devices")).status_code == 204
        assert (await nobody.http.delete("/api/devices/x")).status_code == 404


# --- Cookies --------------------------------------------------------------------------------------


def earlier_cookie(browser: Browser) -> str:
    """Return the cookie of this person that version 0.1.0 would have made."""
    identity, _ = Signer(KEY, secure=False).read(browser.cookie) or ("", "")
    assert identity
    signature = hmac.digest(derived_key(KEY, "cookies"), identity.encode(), "sha256").hex()
    return f"{Signer(KEY, secure=False).name}={identity}.{signature}"


async def test_a_cookie_without_a_device_is_replaced_by_one_with_it(anna: Browser) -> None:
    table = (await anna.make(TWO))["table"]
    async with Browser(anna.url) as old:
        name, _, value = earlier_cookie(anna).partition("=")
        old.http.cookies.set(name, value, domain="127.0.0.1")
        assert await is_seated(old, table)
        answer = await old.http.get("/api/me")
        identity, device = Signer(KEY, secure=False).read(answer.headers["set-cookie"].partition(";")[0]) or ("", "")
        assert identity == value.partition(".")[0]
        assert device not in ("", "earlier")
        await anna.http.delete("/api/devices/earlier")
        assert await is_seated(anna, table)
        assert await is_seated(old, table)


async def test_a_device_keeps_its_id(anna: Browser) -> None:
    await anna.make(TWO)
    before = anna.cookie
    await anna.http.get("/api/me")
    assert anna.cookie == before
    secret = (await anna.http.post("/api/transfers")).json()["secret"]
    await anna.http.post("/api/transfers/redeem", json={"secret": secret})
    assert anna.cookie == before
    assert len(await listed(anna)) == 1


async def test_a_device_that_takes_another_identity_leaves_its_own(anna: Browser, ben: Browser) -> None:
    own = ben.cookie
    secret = (await anna.http.post("/api/transfers")).json()["secret"]
    await ben.http.post("/api/transfers/redeem", json={"secret": secret})
    async with Browser(anna.url, {"Cookie": own}) as before:
        assert await listed(before) == []


# --- Names of browsers ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "header, name",
    [
        (PHONE, "Chrome, Android"),
        (LAPTOP, "Firefox, Linux"),
        ("Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/140.0 Safari/537.36 Edg/140.0", "Edge, Windows"),
        ("Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/18.0 Safari/605.1.15", "Safari, macOS"),
        (
            "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 CriOS/140.0 Mobile Safari/604.1",
            "Chrome, iOS",
        ),
        ("Mozilla/5.0 (iPad; CPU OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Version/18.0 Safari/604.1", "Safari, iPadOS"),
        (
            "Mozilla/5.0 (Linux; Android 14; SM-S921B) SamsungBrowser/27.0 Chrome/125.0 Mobile Safari/537.36",
            "Samsung Internet, Android",
        ),
        ("python-httpx/0.28", ""),
        ("<script>Linux", "Linux"),
        ("", ""),
    ],
)
def test_a_browser_is_named_in_short(header: str, name: str) -> None:
    assert agent_name(header) == name
