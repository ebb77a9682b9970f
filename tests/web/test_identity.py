"""Identities of requests: cookies, bearer tokens, transfer links and origins."""

import hmac
import re

import pytest

from dicecup.hosting.host_key import derived_key
from dicecup.hosting.store.devices import EARLIER
from dicecup.web.identity import Signer
from tests.web.serving import TWO, Browser, handshake

KEY = bytes(32)
COOKIE = Signer(KEY, secure=False).name
ODD_COOKIES = (
    'prefs={"a":1}',
    "my cookie=1",
    "sprache=größe",
    "naïve=1",
    'text="no end',
    'text="a;b"',
    "list=a,b",
    "path=C:\\users",
    "name[0]=1",
    "mail=anna@example.org",
    "=no name",
    "no value",
    "tab=\ta",
    ";;",
    f"{COOKIE}=forged.{'0' * 64}",
)
"""Cookies of other applications on the same host or on its parent domain."""


def pair(signer: Signer, identity: str = "person-1", device: str = "device-1") -> str:
    """Return the cookie of a device as browsers send it."""
    return signer.cookie(identity, device).partition(";")[0]


def earlier(identity: str) -> str:
    """Return a cookie of version 0.1.0, which named no device."""
    return f"{COOKIE}={identity}.{hmac.digest(derived_key(KEY, 'cookies'), identity.encode(), 'sha256').hex()}"


def test_a_cookie_is_read_back() -> None:
    signer = Signer(KEY, secure=False)
    assert signer.read(pair(signer)) == ("person-1", "device-1")


def test_a_cookie_without_a_device_is_still_read() -> None:
    signer = Signer(KEY, secure=False)
    assert signer.read(earlier("person-1")) == ("person-1", EARLIER)
    assert signer.read(earlier("person.1")) == ("person.1", EARLIER)  # no device of another person


@pytest.mark.parametrize(
    "cookie",
    [
        "",
        COOKIE,
        f"{COOKIE}=",
        f"{COOKIE}=person-1",
        f"{COOKIE}=person-1.",
        f"{COOKIE}=.{'0' * 64}",
        f"{COOKIE}=person-1.{'0' * 64}",
        f"{COOKIE}=person-1.é",
        f"{COOKIE}=a.b.c",
        f"{COOKIE}=a.b.{'0' * 64}",
        f"{COOKIE}=..{'0' * 64}",
        "other=1",
        "\x00=;;=,",
    ],
)
def test_a_forged_cookie_has_no_identity(cookie: str) -> None:
    assert Signer(KEY, secure=False).read(cookie) is None


def test_a_cookie_of_another_server_has_no_identity() -> None:
    cookie = pair(Signer(bytes(31) + b"\1", secure=False))
    assert Signer(KEY, secure=False).read(cookie) is None


@pytest.mark.parametrize("odd", ODD_COOKIES)
def test_cookies_of_other_applications_hide_no_identity(odd: str) -> None:
    signer = Signer(KEY, secure=False)
    own = pair(signer)
    for cookies in (f"{odd}; {own}", f"{own}; {odd}", f"{odd};{own};{odd}"):
        assert signer.read(cookies) == ("person-1", "device-1")


@pytest.mark.parametrize("odd", ODD_COOKIES)
async def test_a_person_with_odd_cookies_keeps_the_identity_and_the_table(odd: str, anna: Browser) -> None:
    made = await anna.make()
    header = f"{odd}; {anna.cookie}".encode()
    anna.http.cookies.clear()
    answer = await anna.http.get(f"/api/tables/{made['table']}", headers=[(b"Cookie", header)])
    assert answer.status_code == 200
    assert answer.json()["view"]["you"] == [0]
    assert "set-cookie" not in answer.headers


def test_two_servers_on_one_machine_use_different_cookies() -> None:
    """Use one cookie jar for two servers, as browsers do for all ports of a machine."""
    signers = [Signer(bytes(31) + bytes([last]), secure=False) for last in (0, 1)]
    both = "; ".join(pair(signer, name) for signer, name in zip(signers, ("anna", "ben"), strict=True))
    assert [signer.read(both) for signer in signers] == [("anna", "device-1"), ("ben", "device-1")]
    assert all(re.fullmatch(r"dicecup-[0-9a-f]{8}", signer.name) for signer in signers)
    assert signers[0].name == Signer(bytes(32), secure=True).name


async def test_the_documents_name_the_cookie(anna: Browser) -> None:
    await anna.http.get("/api/me")
    document = (await anna.http.get("/openapi.json")).json()
    assert [document["components"]["securitySchemes"]["cookie"]["name"]] == list(anna.http.cookies)


def test_a_cookie_is_out_of_reach_of_scripts_and_other_sites() -> None:
    attributes = Signer(KEY, secure=True).cookie("x", "y").split("; ")[1:]
    assert {"HttpOnly", "SameSite=Lax", "Secure", "Path=/"} <= set(attributes)
    assert "Secure" not in Signer(KEY, secure=False).cookie("x", "y")


async def test_a_seat_needs_its_own_identity(anna: Browser, ben: Browser) -> None:
    made = await anna.make(TWO)
    command = {"id": "x", "version": 2, "command": {"type": "stand-up", "seat": 0}}
    path = f"/api/tables/{made['table']}/commands"
    refused = await ben.http.post(path, json=command)
    assert (refused.status_code, refused.json()["error"]["code"]) == (403, "not-your-seat")
    forged = anna.cookie[:-1] + ("0" if anna.cookie[-1] != "0" else "1")
    refused = await ben.http.post(path, json=command, headers={"Cookie": forged})
    assert refused.json()["error"]["code"] == "no-identity"
    token = (await ben.http.post("/api/tokens")).json()["token"]
    refused = await anna.http.post(path, json=command, headers={"Authorization": f"Bearer {token}"})
    assert refused.json()["error"]["code"] == "not-your-seat"
    assert (await anna.http.post(path, json=command)).status_code == 200


async def test_a_token_has_its_identity_until_it_is_revoked(anna: Browser) -> None:
    made = await anna.make(TWO)
    first, second = [(await anna.http.post("/api/tokens")).json() for _ in range(2)]
    assert (await anna.http.get("/api/tokens")).json() == {"tokens": sorted([first["id"], second["id"]])}
    async with Browser(anna.url, {"Authorization": f"Bearer {first['token']}"}) as program:
        seen = await program.http.get(f"/api/tables/{made['table']}")
        assert seen.json()["view"]["you"] == [0]
        assert not program.http.cookies
        assert (await anna.http.delete(f"/api/tokens/{first['id']}")).status_code == 204
        refused = await program.http.get(f"/api/tables/{made['table']}")
        assert (refused.status_code, refused.json()["error"]["code"]) == (401, "not-a-token")
        assert (await anna.http.delete(f"/api/tokens/{first['id']}")).status_code == 404
        status, error = await handshake(
            f"{anna.url.replace('http', 'ws')}/ws/tables/{made['table']}", Authorization=f"Bearer {first['token']}"
        )
        assert (status, error["code"]) == (401, "not-a-token")
    assert (await anna.http.delete("/api/tokens")).status_code == 204
    assert (await anna.http.get("/api/tokens")).json() == {"tokens": []}


async def test_a_token_of_another_identity_cannot_be_revoked(anna: Browser, ben: Browser) -> None:
    token = (await anna.http.post("/api/tokens")).json()
    assert (await ben.http.delete(f"/api/tokens/{token['id']}")).status_code == 404
    assert (await ben.http.delete("/api/tokens/%25%25%25%25%25%25%25%25%25%25%25%25%25%25%25%25")).status_code == 404
    assert (await anna.http.get("/api/tokens")).json() == {"tokens": [token["id"]]}


async def test_a_transfer_link_joins_a_second_device_once(anna: Browser, ben: Browser) -> None:
    made = await anna.make(TWO)
    link = (await anna.http.post("/api/transfers")).json()
    secret = re.fullmatch(r"http://[^/]+/transfer#(.+)", link["link"])
    assert secret is not None
    assert secret[1] == link["secret"]
    assert link["reach"] == "this-device"
    redeemed = await ben.http.post("/api/transfers/redeem", json={"secret": link["secret"]})
    assert redeemed.status_code == 204
    assert (await ben.http.get(f"/api/tables/{made['table']}")).json()["view"]["you"] == [0]
    assert [table["table"] for table in (await ben.http.get("/api/tables")).json()["tables"]] == [made["table"]]
    again = await ben.http.post("/api/transfers/redeem", json={"secret": link["secret"]})
    assert (again.status_code, again.json()["error"]["code"]) == (404, "not-a-transfer")


async def test_a_transfer_secret_is_no_token(anna: Browser) -> None:
    secret = (await anna.http.post("/api/transfers")).json()["secret"]
    refused = await anna.http.get("/api/me", headers={"Authorization": f"Bearer {secret}"})
    assert refused.status_code == 401


@pytest.mark.parametrize("origin", ["https://evil.example", "null", "http://127.0.0.1:1", "http://127.0.0.1"])
async def test_requests_from_other_sites_are_refused(anna: Browser, origin: str) -> None:
    made = await anna.make(TWO)
    refused = await anna.http.post("/api/tokens", headers={"Origin": origin})
    assert (refused.status_code, refused.json()["error"]["code"]) == (403, "wrong-origin")
    status, error = await handshake(
        f"{anna.url.replace('http', 'ws')}/ws/tables/{made['table']}", Origin=origin, Cookie=anna.cookie
    )
    assert (status, error["code"]) == (403, "wrong-origin")


async def test_requests_from_our_own_pages_are_accepted(anna: Browser) -> None:
    made = await anna.make(TWO)
    assert (await anna.http.post("/api/tokens", headers={"Origin": anna.url})).status_code == 201
    async with anna.socket(made["table"], Origin=anna.url) as socket:
        assert (await socket.receive())["type"] == "update"


async def test_a_form_cannot_send_a_message(anna: Browser) -> None:
    sent = b'{"secret": "x"}'
    for content in ("text/plain", "application/x-www-form-urlencoded", ""):
        refused = await anna.http.post("/api/transfers/redeem", content=sent, headers={"Content-Type": content})
        assert (refused.status_code, refused.json()["error"]["code"]) == (400, "not-a-message")
