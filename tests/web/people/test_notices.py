"""How people choose what they are told, over HTTP, and what reaches them."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from ipaddress import ip_network
from pathlib import Path
from typing import Any

import pytest

from dicecup.hosting.people import notifier
from dicecup.web.people.mail import MailLinks
from dicecup.web.people.telling import Telling
from tests.hosting.guests import KEY as HOST_KEY
from tests.web.people.receivers import Mailbox, PushService, Receiver, mail_server, push_service
from tests.web.serving import TWO, Browser, Json, serving

KEY = bytes(range(1, 33))
PUBLIC = "http://dice.example.org"
HERE = (ip_network("127.0.0.0/8"),)


@asynccontextmanager
async def telling(folder: Path, **changed: Any) -> AsyncIterator[Browser]:
    """Run a server that tells people something, and yield a browser."""
    given = {
        "push_key": KEY,
        "push_contact": "mailto:host@example.org",
        "push_networks": HERE,
        "mail_from": "dice@example.org",
        "smtp": "smtp://127.0.0.1:1",
    } | changed
    async with (
        serving(folder, public_url=PUBLIC, telling=Telling(**given)) as url,
        Browser(url, {"Host": "dice.example.org", "Accept-Language": "fr"}) as browser,
    ):
        yield browser


@pytest.fixture
async def service(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[PushService]:
    monkeypatch.setattr(notifier, "INTERVAL", 0.05)
    async with push_service(tmp_path) as running:
        monkeypatch.setenv("SSL_CERT_FILE", str(running.authority))
        yield running


async def refused(browser: Browser, method: str, path: str, body: Any = None) -> tuple[int, str]:
    answer = await browser.http.request(method, path, json=body)
    return answer.status_code, answer.json()["error"]["code"]


async def told(browser: Browser) -> Json:
    found: Json = (await browser.http.get("/api/notices")).json()
    return found


async def subscribed(browser: Browser) -> int:
    """Return the number of the person's push subscriptions."""
    return len((await told(browser))["pushes"])


async def test_without_secrets_nothing_is_offered(anna: Browser) -> None:
    assert await told(anna) == {"push_key": "", "mail_offered": False, "pushes": [], "mails": [], "quiet": None}
    subscription = Receiver("https://push.example/x").subscription
    assert await refused(anna, "POST", "/api/notices/push", subscription) == (422, "not-offered")
    assert await refused(anna, "PUT", "/api/notices/mail", {"address": "anna@example.org"}) == (422, "not-offered")
    assert await refused(anna, "POST", "/api/notices/mail/stop?token=x") == (404, "not-a-mail-link")


async def test_a_browser_subscribes_and_ends_that(tmp_path: Path, service: PushService) -> None:
    async with telling(tmp_path) as browser:
        assert len((await told(browser))["push_key"]) == 87
        receiver = service.browser("anna")
        made = await browser.http.post("/api/notices/push", json=receiver.subscription)
        assert made.status_code == 201
        again = await browser.http.post("/api/notices/push", json=receiver.subscription)
        assert again.json()["id"] == made.json()["id"]
        assert [each["id"] for each in (await told(browser))["pushes"]] == [made.json()["id"]]
        path = f"/api/notices/push/{made.json()['id']}"
        async with Browser(browser.url, {"Host": "dice.example.org"}) as other:
            assert await refused(other, "DELETE", path) == (404, "no-such-channel")
            moved = await other.http.post("/api/notices/push", json=receiver.subscription)  # the browser is another person now
            assert (await told(browser))["pushes"] == []
            assert (await other.http.delete(f"/api/notices/push/{moved.json()['id']}")).status_code == 204
        assert await refused(browser, "DELETE", path) == (404, "no-such-channel")


async def test_the_end_of_a_device_ends_its_subscription(tmp_path: Path, service: PushService) -> None:
    async with telling(tmp_path) as laptop:
        phone, tablet, club = [Browser(laptop.url, {"Host": "dice.example.org"}) for _ in range(3)]
        async with phone, tablet, club:
            mine = (await laptop.http.post("/api/notices/push", json=service.browser("laptop").subscription)).json()["id"]
            for number, other in enumerate((phone, tablet, club)):
                secret = (await laptop.http.post("/api/transfers")).json()["secret"]
                assert (await other.http.post("/api/transfers/redeem", json={"secret": secret})).status_code == 204
                made = await other.http.post("/api/notices/push", json=service.browser(f"other{number}").subscription)
                assert made.status_code == 201
            assert await subscribed(laptop) == 4
            own = next(each["id"] for each in (await phone.http.get("/api/devices")).json()["devices"] if each["current"])
            assert (await laptop.http.delete(f"/api/devices/{own}")).status_code == 204
            assert await subscribed(laptop) == 3
            own = next(each["id"] for each in (await tablet.http.get("/api/devices")).json()["devices"] if each["current"])
            assert (await tablet.http.delete(f"/api/devices/{own}")).status_code == 204  # by itself
            assert await subscribed(laptop) == 2
            assert (await laptop.http.delete("/api/devices")).status_code == 204
            assert [each["id"] for each in (await told(laptop))["pushes"]] == [mine]


async def test_a_browser_that_becomes_another_person_is_told_nothing_of_the_first(tmp_path: Path, service: PushService) -> None:
    async with telling(tmp_path) as anna, Browser(anna.url, {"Host": "dice.example.org"}) as ben:
        token = (await ben.http.post("/api/tokens")).json()["token"]
        assert (await ben.http.post("/api/notices/push", json=service.browser("ben").subscription)).status_code == 201
        secret = (await anna.http.post("/api/transfers")).json()["secret"]
        assert (await ben.http.post("/api/transfers/redeem", json={"secret": secret})).status_code == 204
        known = await anna.http.get("/api/notices", headers={"Authorization": f"Bearer {token}", "Cookie": ""})
        assert known.json()["pushes"] == []


async def test_a_subscription_of_an_unknown_device_ends_with_all_others(tmp_path: Path, service: PushService) -> None:
    async with telling(tmp_path) as anna:
        token = (await anna.http.post("/api/tokens")).json()["token"]
        async with Browser(anna.url, {"Host": "dice.example.org", "Authorization": f"Bearer {token}"}) as program:
            made = await program.http.post("/api/notices/push", json=service.browser("program").subscription)
            assert made.status_code == 201
        assert await subscribed(anna) == 1
        assert (await anna.http.delete("/api/devices")).status_code == 204
        assert await subscribed(anna) == 0


@pytest.mark.parametrize("endpoint", ["https://127.0.0.1/x", "https://localhost/x", "https://[::1]/x", "http://push.example/x"])
async def test_an_internal_push_service_is_refused(tmp_path: Path, endpoint: str) -> None:
    async with telling(tmp_path, push_networks=()) as browser:
        subscription = Receiver(endpoint).subscription
        assert await refused(browser, "POST", "/api/notices/push", subscription) == (422, "not-an-endpoint")


async def test_the_number_of_subscriptions_is_limited(tmp_path: Path, service: PushService) -> None:
    async with telling(tmp_path) as browser:
        for number in range(20):
            sent = await browser.http.post("/api/notices/push", json=service.browser(f"b{number}").subscription)
            assert sent.status_code == 201
        assert await refused(browser, "POST", "/api/notices/push", service.browser("b20").subscription) == (
            409,
            "too-many-channels",
        )


async def test_a_mail_address_is_confirmed_and_the_mails_end_with_one_click(tmp_path: Path) -> None:
    with mail_server() as (mailbox, url):
        async with telling(tmp_path, smtp=url) as browser:
            assert await refused(browser, "PUT", "/api/notices/mail", {"address": "a@x.org\r\nBcc: b@x.org"}) == (
                422,
                "not-an-address",
            )
            made = await browser.http.put("/api/notices/mail", json={"address": "anna@example.org", "daily": True})
            assert (made.status_code, made.json()["confirmed"]) == (202, False)
            mail = await arrived(mailbox)
            assert mail["Subject"] == "Confirme ton adresse"
            link = next(line for line in mail.get_content().splitlines() if "#confirm=" in line)
            token = link.partition("=")[2]
            async with Browser(browser.url, {"Host": "dice.example.org"}) as reader:  # in any browser
                confirmed = await reader.http.post("/api/notices/mail/confirm", json={"token": token})
                assert confirmed.json()["confirmed"]
            (known,) = (await told(browser))["mails"]
            assert (known["address"], known["daily"], known["confirmed"]) == ("anna@example.org", True, True)
            stop = token.partition(".")[0]
            assert await refused(browser, "POST", f"/api/notices/mail/stop?token={token}") == (404, "not-a-mail-link")
            path = MailLinks(HOST_KEY, PUBLIC).one_click(stop).removeprefix(PUBLIC)
            for _ in range(2):
                ended = await browser.http.post(path, data={"List-Unsubscribe": "One-Click"})
                assert ended.status_code == 204
            assert (await told(browser))["mails"] == []


async def test_the_mails_to_an_address_change_before_it_is_confirmed(tmp_path: Path) -> None:
    with mail_server() as (mailbox, url):
        async with telling(tmp_path, smtp=url) as browser:
            assert await refused(browser, "PATCH", "/api/notices/mail", {"daily": True}) == (404, "no-such-channel")
            await browser.http.put("/api/notices/mail", json={"address": "anna@example.org"})
            mail = await arrived(mailbox)
            changed = await browser.http.patch("/api/notices/mail", json={"daily": True, "language": "de"})
            assert changed.status_code == 204
            token = mail.get_content().partition("#confirm=")[2].split()[0]
            assert (await browser.http.post("/api/notices/mail/confirm", json={"token": token})).json()["daily"]
            await browser.http.delete("/api/notices/mail")
            assert await refused(browser, "PATCH", "/api/notices/mail", {"daily": False}) == (404, "no-such-channel")
            assert len(mailbox.received) == 1


async def test_an_earlier_stop_link_ends_all_mails_to_its_address(tmp_path: Path) -> None:
    links = MailLinks(HOST_KEY, PUBLIC)
    async with telling(tmp_path) as anna, Browser(anna.url, {"Host": "dice.example.org"}) as ben:
        other = (await ben.http.put("/api/notices/mail", json={"address": "ben@example.org"})).json()["id"]
        earlier = (await anna.http.put("/api/notices/mail", json={"address": "anna@example.org"})).json()["id"]
        assert (await anna.http.delete("/api/notices/mail")).status_code == 204
        again = (await anna.http.put("/api/notices/mail", json={"address": "Anna@example.org"})).json()["id"]
        for channel in (other, again):
            sent = {"token": links.token("confirm", channel)}
            assert (await anna.http.post("/api/notices/mail/confirm", json=sent)).is_success
        asked = await anna.http.get(links.one_click(earlier).removeprefix(PUBLIC), follow_redirects=False)
        assert (asked.status_code, asked.headers["location"]) == (303, links.stop(earlier).removeprefix(PUBLIC))
        assert len((await told(anna))["mails"]) == 1
        assert (await anna.http.post(links.one_click(earlier).removeprefix(PUBLIC))).status_code == 204
        assert (await told(anna))["mails"] == []
        assert len((await told(ben))["mails"]) == 1


async def test_confirmations_are_limited(tmp_path: Path) -> None:
    async with telling(tmp_path) as browser:
        for number in range(20):
            sent = await browser.http.put("/api/notices/mail", json={"address": f"a{number}@example.org"})
            assert sent.status_code == 202
        assert len((await told(browser))["mails"]) == 1
        assert await refused(browser, "PUT", "/api/notices/mail", {"address": "b@example.org"}) == (429, "too-much-today")
        assert (await browser.http.delete("/api/notices/mail")).status_code == 204
        assert (await told(browser))["mails"] == []


async def test_quiet_hours_and_muted_tables_are_kept(tmp_path: Path) -> None:
    async with telling(tmp_path) as browser:
        quiet = {"zone": "Europe/Zurich", "begins": 1320, "ends": 420}
        assert (await browser.http.put("/api/notices/quiet-hours", json=quiet)).status_code == 204
        assert (await told(browser))["quiet"] == quiet
        assert await refused(browser, "PUT", "/api/notices/quiet-hours", quiet | {"zone": "Moon"}) == (422, "not-a-zone")
        table = (await browser.make(TWO))["table"]
        path = f"/api/tables/{table}/mute"
        assert (await browser.http.get(path)).json() == {"muted": False}
        assert (await browser.http.put(path)).status_code == 204
        assert (await browser.http.get(path)).json() == {"muted": True}
        async with Browser(browser.url, {"Host": "dice.example.org"}) as other:
            assert await refused(other, "PUT", path) == (404, "no-such-table")
        assert (await browser.http.delete(path)).status_code == 204
        assert (await browser.http.get(path)).json() == {"muted": False}


async def arrived(mailbox: Mailbox) -> Any:
    """Return the first mail when it has arrived."""
    while not mailbox.received:  # noqa: ASYNC110 another thread receives it
        await asyncio.sleep(0.02)
    return mailbox.received[0]
