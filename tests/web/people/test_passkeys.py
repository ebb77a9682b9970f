"""Accounts over HTTP: passkeys, recovery codes, and signing in on another device."""

from pathlib import Path

import httpx
import pytest

from dicecup.client import Client
from dicecup.hosting.people.passkeys import MOST_PASSKEYS
from tests.hosting.guests import settings
from tests.web import serving as served
from tests.web.authenticator import Authenticator
from tests.web.people.accounts import account, authenticator, code, options, register
from tests.web.serving import TWO, Browser, Json, serving

ALONE: Json = {"game": "yamm(players=1)", "seats": [{}], "dice": "table"}


async def sign_in(browser: Browser, passkey: Authenticator) -> httpx.Response:
    credential = passkey.get(await options(browser, "/api/sign-in/challenge"))
    return await browser.http.post("/api/sign-in/passkey", json={"credential": credential})


async def test_an_account_has_what_the_identity_had_and_a_second_device_sees_it(anna: Browser, ben: Browser) -> None:
    table = (await anna.make(TWO))["table"]
    passkey = authenticator(anna)
    made = await register(anna, passkey)
    assert made.status_code == 201
    codes = made.json()["codes"]
    assert len(set(codes)) == 10
    own = await account(anna)
    assert own is not None
    assert (own["handle"], own["public"], own["codes"], len(own["passkeys"])) == ("Anna", False, 10, 1)
    assert (await sign_in(ben, passkey)).status_code == 204
    assert [each["table"] for each in (await ben.http.get("/api/tables")).json()["tables"]] == [table]
    assert len((await ben.http.get("/api/devices")).json()["devices"]) == 2
    signed_in = await account(ben)
    assert signed_in is not None
    assert signed_in["passkeys"][0]["used"] is not None


async def test_signing_out_leaves_a_new_device(anna: Browser, ben: Browser) -> None:
    passkey = authenticator(anna)
    await register(anna, passkey)
    await sign_in(ben, passkey)
    (device,) = [each["id"] for each in (await ben.http.get("/api/devices")).json()["devices"] if each["current"]]
    assert (await ben.http.delete(f"/api/devices/{device}")).status_code == 204
    assert await account(ben) is None
    assert await account(anna) is not None


async def test_a_recovery_code_works_once(anna: Browser, ben: Browser) -> None:
    codes = (await register(anna, authenticator(anna))).json()["codes"]
    typed = codes[3].lower().replace("-", " ").replace("0", "o").replace("1", "l")
    assert (await ben.http.post("/api/sign-in/code", json={"code": typed})).status_code == 204
    signed_in = await account(ben)
    assert signed_in is not None
    assert signed_in["codes"] == 9
    async with Browser(ben.url) as thief:
        assert code(await thief.http.post("/api/sign-in/code", json={"code": codes[3]})) == (404, "not-a-recovery-code")
        assert code(await thief.http.post("/api/sign-in/code", json={"code": "?"})) == (404, "not-a-recovery-code")
        assert await account(thief) is None


async def test_new_recovery_codes_replace_the_old_ones_and_tokens_do_not_touch_them(anna: Browser, ben: Browser) -> None:
    old = (await register(anna, authenticator(anna))).json()["codes"]
    new = (await anna.http.post("/api/account/codes")).json()["codes"]
    assert code(await ben.http.post("/api/sign-in/code", json={"code": old[0]})) == (404, "not-a-recovery-code")
    await anna.http.delete("/api/tokens")
    assert (await ben.http.post("/api/sign-in/code", json={"code": new[0]})).status_code == 204


async def test_passkeys_are_added_named_and_removed(anna: Browser, ben: Browser) -> None:
    first, second = authenticator(anna), authenticator(anna)
    await register(anna, first, name="Laptop")
    asked = await options(anna)
    assert [each["id"] for each in asked["excludeCredentials"]] == [first.get(asked)["id"]]
    sent = {"name": "Phone", "credential": second.create(asked)}
    assert (await anna.http.post("/api/account/passkeys", json=sent)).status_code == 204
    own = await account(anna)
    assert own is not None
    assert [each["name"] for each in own["passkeys"]] == ["Laptop", "Phone"]
    third = {"name": "Phone", "credential": authenticator(anna).create(await options(anna))}
    assert (await anna.http.post("/api/account/passkeys", json=third)).status_code == 204
    own = await account(anna)
    assert own is not None
    assert [each["name"] for each in own["passkeys"]] == ["Laptop", "Phone", "Phone 2"]
    laptop, phone, other_phone = (each["id"] for each in own["passkeys"])
    assert (await anna.http.delete(f"/api/account/passkeys/{other_phone}")).status_code == 204
    assert (await anna.http.put(f"/api/account/passkeys/{phone}", json={"name": "Tablet"})).status_code == 204
    refused = await anna.http.put(f"/api/account/passkeys/{phone}", json={"name": "a\u202eb"})
    assert code(refused) == (422, "hidden-in-name")
    assert (await anna.http.delete(f"/api/account/passkeys/{laptop}")).status_code == 204
    assert code(await sign_in(ben, first)) == (404, "no-such-passkey")
    assert (await sign_in(ben, second)).status_code == 204
    assert code(await anna.http.delete(f"/api/account/passkeys/{laptop}")) == (404, "no-such-passkey")
    assert code(await anna.http.delete(f"/api/account/passkeys/{phone}")) == (409, "last-passkey")
    assert await account(anna) is not None


async def test_an_account_has_a_limited_number_of_passkeys(anna: Browser, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dicecup.hosting.people.passkeys.MOST_PASSKEYS", 1)
    assert MOST_PASSKEYS == 20
    await register(anna, authenticator(anna))
    sent = {"credential": authenticator(anna).create(await options(anna))}
    assert code(await anna.http.post("/api/account/passkeys", json=sent)) == (409, "too-many-passkeys")


async def test_the_handle_can_be_changed_but_not_to_another_ones(anna: Browser, ben: Browser) -> None:
    await register(anna, authenticator(anna))
    await register(ben, authenticator(ben), "Ben")
    assert (await anna.http.put("/api/account", json={"handle": "Berta", "public": True})).status_code == 204
    own = await account(anna)
    assert own is not None
    assert (own["handle"], own["public"]) == ("Berta", True)
    assert code(await anna.http.put("/api/account", json={"handle": "BEN", "public": True})) == (409, "handle-taken")
    async with Browser(anna.url) as new:
        assert code(await new.http.post("/api/account/challenge", json={"handle": "berta"})) == (409, "handle-taken")
        assert code(await new.http.post("/api/account/challenge", json={"handle": "a b"})) == (422, "not-a-handle")


async def test_a_page_of_another_account_changes_nothing(anna: Browser) -> None:
    await register(anna, authenticator(anna))
    before = await account(anna)
    assert before is not None
    for method, place, sent in (
        ("PUT", "/api/account", {"handle": "Ben", "public": True}),
        ("DELETE", "/api/account", None),
        ("POST", "/api/account/codes", None),
        ("PUT", f"/api/account/passkeys/{before['passkeys'][0]['id']}", {"name": "x"}),
        ("DELETE", f"/api/account/passkeys/{before['passkeys'][0]['id']}", None),
    ):
        found = await anna.http.request(method, place, params={"handle": "Berta"}, json=sent)
        assert code(found) == (409, "other-account")
    assert await account(anna) == before
    assert (await anna.http.post("/api/account/codes", params={"handle": "Anna"})).status_code == 201


async def test_who_has_no_account_changes_none(anna: Browser) -> None:
    for method, place, sent in (
        ("PUT", "/api/account", {"handle": "A", "public": False}),
        ("POST", "/api/account/codes", None),
        ("DELETE", "/api/account/passkeys/x", None),
    ):
        assert code(await anna.http.request(method, place, json=sent)) == (404, "no-account")


# --- Bad input ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "origin, host",
    [("https://other.example", "localhost"), (None, "other.example"), ("https://other.example", "other.example")],
)
async def test_a_passkey_of_another_site_is_refused(anna: Browser, ben: Browser, origin: str | None, host: str) -> None:
    foreign = Authenticator(origin or anna.url, host)
    assert code(await register(anna, foreign)) == (422, "not-a-passkey")
    assert await account(anna) is None
    passkey = authenticator(anna)
    assert (await register(anna, passkey)).status_code == 201
    passkey.origin, passkey.site = foreign.origin, foreign.site
    assert code(await sign_in(ben, passkey)) == (422, "not-a-passkey")
    assert await account(ben) is None


async def test_a_signature_of_another_key_is_refused(anna: Browser, ben: Browser) -> None:
    passkey, forged = authenticator(anna), authenticator(anna)
    await register(anna, passkey)
    forged.id = passkey.id
    assert code(await sign_in(ben, forged)) == (422, "not-a-passkey")


async def test_a_replayed_answer_is_refused(anna: Browser, ben: Browser) -> None:
    passkey = authenticator(anna)
    made = passkey.create(await options(anna, handle="Anna"))
    sent = {"handle": "Anna", "credential": made}
    assert (await anna.http.post("/api/account", json=sent)).status_code == 201
    assert code(await anna.http.post("/api/account/passkeys", json={"credential": made})) == (410, "challenge-over")
    answered = {"credential": passkey.get(await options(ben, "/api/sign-in/challenge"))}
    assert (await ben.http.post("/api/sign-in/passkey", json=answered)).status_code == 204
    async with Browser(ben.url) as thief:
        assert code(await thief.http.post("/api/sign-in/passkey", json=answered)) == (410, "challenge-over")


async def test_an_answer_to_the_challenge_of_another_person_is_refused(anna: Browser, ben: Browser) -> None:
    credential = authenticator(anna).create(await options(anna, handle="Anna"))
    sent = {"handle": "Anna", "credential": credential}
    assert code(await ben.http.post("/api/account", json=sent)) == (410, "challenge-over")
    signed = authenticator(anna).create(await options(anna, "/api/sign-in/challenge"))
    assert code(await anna.http.post("/api/account", json={"handle": "Anna", "credential": signed})) == (410, "challenge-over")


@pytest.mark.parametrize("credential", [{}, {"response": {}}, {"response": {"clientDataJSON": "?"}}, {"response": None}])
async def test_what_is_no_answer_is_refused(anna: Browser, credential: Json) -> None:
    sent = {"credential": credential}
    assert code(await anna.http.post("/api/sign-in/passkey", json=sent)) == (422, "not-a-passkey")
    assert code(await anna.http.post("/api/account", json=sent | {"handle": "Anna"})) == (422, "not-a-passkey")


async def test_a_network_makes_a_limited_number_of_accounts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(served, "settings", lambda *given, **changed: settings(*given, accounts_per_day=1, **changed))
    async with serving(tmp_path) as url, Browser(url.replace("127.0.0.1", "localhost")) as anna, Browser(anna.url) as ben:
        assert (await register(anna, authenticator(anna))).status_code == 201
        assert code(await register(ben, authenticator(ben), "Ben")) == (429, "too-much-today")


async def test_a_server_can_require_accounts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(served, "settings", lambda *given, **changed: settings(*given, accounts="required", **changed))
    async with serving(tmp_path) as url, Browser(url.replace("127.0.0.1", "localhost")) as anna, Browser(anna.url) as ben:
        sent = {"setup": TWO, "name": "Anna"}
        assert (await anna.http.get("/api/account")).json()["accounts"] == "required"
        assert code(await anna.http.post("/api/tables", json=sent)) == (403, "account-needed")
        assert (await register(anna, authenticator(anna))).status_code == 201
        made = await anna.make(TWO)
        await ben.http.post("/api/tokens")
        sitting = {"id": "x", "version": 2, "command": {"type": "sit", "name": "Ben"}}
        place, key = f"/api/tables/{made['table']}/commands", {"Dicecup-Key": made["join_key"]}
        assert code(await ben.http.post(place, json=sitting, headers=key)) == (403, "account-needed")
        assert (await register(ben, authenticator(ben), "Ben")).status_code == 201
        assert (await ben.http.post(place, json=sitting, headers=key)).status_code == 200


async def test_a_program_signs_in_with_a_recovery_code(anna: Browser) -> None:
    codes = (await register(anna, authenticator(anna))).json()["codes"]
    async with Client(anna.url) as client:
        assert await client.account() is None
        await client.sign_in(codes[0])
        own = await client.account()
        assert own is not None
        assert (own["handle"], own["codes"]) == ("Anna", 9)


async def test_a_deleted_account_is_gone_and_its_device_is_new(anna: Browser, ben: Browser) -> None:
    passkey = authenticator(anna)
    codes = (await register(anna, passkey)).json()["codes"]
    token = (await anna.http.post("/api/tokens")).json()["token"]
    await anna.make(TWO)
    assert (await anna.http.delete("/api/account")).status_code == 204
    assert not anna.http.cookies
    assert (await anna.http.get("/api/tables")).json()["tables"] == []
    assert code(await sign_in(ben, passkey)) == (404, "no-such-passkey")
    assert code(await ben.http.post("/api/sign-in/code", json={"code": codes[0]})) == (404, "not-a-recovery-code")
    async with Browser(anna.url, {"Authorization": f"Bearer {token}"}) as program:
        assert code(await program.http.get("/api/tables")) == (401, "not-a-token")
    assert code(await anna.http.delete("/api/account")) == (404, "no-account")
    assert (await register(ben, authenticator(ben))).status_code == 201


@pytest.mark.slow
async def test_a_public_profile_and_the_own_archive(anna: Browser, ben: Browser) -> None:
    await register(anna, authenticator(anna), "Zoë", public=True)
    made = await anna.make(ALONE)
    sent = {"id": "x", "version": 3, "command": {"type": "resign", "seat": 0}}
    assert (await anna.http.post(f"/api/tables/{made['table']}/commands", json=sent)).status_code == 200
    shown = await ben.http.get("/api/people/ZOË")
    solo = {"game": "yamm", "games": 1, "won": 0, "drawn": 0, "lost": 0, "loss": None, "decisions": 0, "unit": None}
    assert shown.json() == {"handle": "Zoë", "created": shown.json()["created"], "games": [solo], "recent": []}
    (game,) = (await anna.http.get("/api/archive", params={"game": "yamm"})).json()["games"]
    assert (game["table"], game["you"]) == (made["table"], [0])
    assert (await ben.http.get("/api/archive")).json() == {"games": [], "next": None}
    assert code(await ben.http.get("/api/archive", params={"after": "x"})) == (400, "not-a-message")
    computer = await anna.make({"game": "yam-master", "seats": [{}, {"kind": "level", "level": "club"}], "dice": "table"})
    number = (await anna.http.get(f"/api/tables/{computer['table']}")).json()["number"]
    resigned = await anna.http.post(f"/api/tables/{computer['table']}/commands", json=sent | {"version": number})
    assert resigned.status_code == 200
    for text, tables in {"klub": [computer["table"]], "CLUB": [computer["table"]], "meister": []}.items():
        listed = (await anna.http.get("/api/archive", params={"opponent": text})).json()["games"]
        assert [each["table"] for each in listed] == tables
    exported = await anna.http.get("/api/archive/export")
    assert exported.content.startswith(b"PK")
    async with Browser(anna.url) as new:
        assert code(await new.http.get("/api/archive/export")) == (401, "no-identity")
    token = (await anna.http.post("/api/tokens")).json()["token"]
    async with Client(anna.url, token=token) as client:
        assert [game["table"] async for game in client.archive(outcome="")] == [computer["table"], made["table"]]
        assert (await client.profile("Zoë"))["handle"] == "Zoë"
    await anna.http.put("/api/account", json={"handle": "Zoë", "public": False})
    assert code(await ben.http.get("/api/people/Zo%C3%AB")) == (404, "no-such-profile")
