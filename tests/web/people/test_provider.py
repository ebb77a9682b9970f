"""Signing in with an OpenID Connect provider that the test starts."""

import json
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx
import pytest
from joserfc.jwk import OctKey, RSAKey
from webauthn.helpers import bytes_to_base64url

from dicecup.hosting.errors import HostingCode, HostingError
from dicecup.hosting.people import challenges
from dicecup.web.people import provider as at_provider
from dicecup.web.people.provider_settings import ProviderSettings
from tests.hosting.guests import settings
from tests.web import serving as served
from tests.web.people.accounts import account, authenticator, code, register
from tests.web.people.identity_provider import SECRET, IdentityProvider, identity_provider
from tests.web.serving import TWO, Browser, Json, serving

FOREIGN = "https://evil.example"


@pytest.fixture
def club() -> Iterator[IdentityProvider]:
    with identity_provider() as provider:
        yield provider


@pytest.fixture
async def url(tmp_path: Path, club: IdentityProvider) -> AsyncIterator[str]:
    async with serving(tmp_path, provider=club.settings) as address:
        yield address.replace("127.0.0.1", "localhost")  # where browsers may have passkeys


async def begin(browser: Browser) -> Json:
    begun = await browser.http.post("/api/provider/begin")
    assert begun.status_code == 200, begun.text
    found: Json = begun.json()
    return found


async def finish(browser: Browser, club: IdentityProvider, **changed: Any) -> httpx.Response:
    """Sign in at the provider and come back."""
    begun = await begin(browser)
    back = club.sign_in(begun["url"])
    return await browser.http.post("/api/provider/finish", json=back | {"page": begun["page"]} | changed)


async def ticket(browser: Browser, club: IdentityProvider) -> Json:
    """Return the ticket for a login that was proved, and the secret of its page."""
    begun = await begin(browser)
    back = club.sign_in(begun["url"])
    done = await browser.http.post("/api/provider/finish", json=back | {"page": begun["page"]})
    assert done.status_code == 200, done.text
    return {"ticket": done.json()["ticket"], "page": begun["page"]}


async def create(browser: Browser, club: IdentityProvider, handle: str = "Anna") -> httpx.Response:
    sent = await ticket(browser, club)
    return await browser.http.post("/api/provider/account", json=sent | {"handle": handle})


async def sign_in(browser: Browser, club: IdentityProvider) -> httpx.Response:
    return await browser.http.post("/api/sign-in/provider", json=await ticket(browser, club))


async def test_a_new_person_chooses_a_handle_and_keeps_what_the_device_had(
    anna: Browser, ben: Browser, club: IdentityProvider
) -> None:
    table = (await anna.make(TWO))["table"]
    assert (await anna.http.get("/api/account")).json()["provider"] == "Club"
    proved = (await finish(anna, club)).json()
    assert (proved["account"], proved["handle"]) == (None, "anna")
    made = await create(anna, club, "Zoë")
    assert made.status_code == 201, made.text
    assert len(set(made.json()["codes"])) == 10
    own = await account(anna)
    assert own is not None
    assert (own["handle"], own["provider"], own["passkeys"], own["codes"]) == ("Zoë", True, [], 10)
    assert (await finish(ben, club)).json()["account"] == "Zoë"
    assert (await sign_in(ben, club)).status_code == 204
    assert [each["table"] for each in (await ben.http.get("/api/tables")).json()["tables"]] == [table]


async def test_the_address_at_the_provider_has_what_openid_connect_demands(anna: Browser, club: IdentityProvider) -> None:
    begun, other = await begin(anna), await begin(anna)
    asked = {name: values[0] for name, values in parse_qs(urlsplit(begun["url"]).query).items()}
    assert begun["url"].startswith(f"{club.url}/authorize?")
    assert asked["redirect_uri"] == f"{anna.url}/sign-in"
    assert (asked["response_type"], asked["scope"], asked["client_id"]) == ("code", "openid profile", "dicecup")
    again = {name: values[0] for name, values in parse_qs(urlsplit(other["url"]).query).items()}
    for name in ("state", "nonce", "code_challenge"):
        assert asked[name] != again[name]
    assert begun["page"] not in begun["url"]


async def test_an_account_with_passkeys_adds_and_removes_the_provider(
    anna: Browser, ben: Browser, club: IdentityProvider
) -> None:
    passkey = authenticator(anna)
    assert (await register(anna, passkey)).status_code == 201
    assert code(await sign_in(ben, club)) == (404, "no-such-login")
    assert (await anna.http.post("/api/account/provider", json=await ticket(anna, club))).status_code == 204
    assert (await sign_in(ben, club)).status_code == 204
    own = await account(ben)
    assert own is not None
    assert (own["handle"], own["provider"]) == ("Anna", True)
    club.person = {"sub": "other"}
    assert code(await anna.http.post("/api/account/provider", json=await ticket(anna, club))) == (409, "has-login")
    (only,) = own["passkeys"]
    assert (await anna.http.delete(f"/api/account/passkeys/{only['id']}")).status_code == 204
    assert code(await anna.http.delete("/api/account/provider")) == (409, "last-login")
    again = await anna.http.post("/api/account/challenge", json={"handle": ""})
    added = {"credential": authenticator(anna).create(again.json()["options"])}
    assert (await anna.http.post("/api/account/passkeys", json=added)).status_code == 204
    assert (await anna.http.delete("/api/account/provider")).status_code == 204
    assert code(await anna.http.delete("/api/account/provider")) == (404, "no-such-login")
    club.person = {"sub": "248289761001"}
    assert code(await sign_in(ben, club)) == (404, "no-such-login")
    left = await account(anna)
    assert left is not None
    assert (left["provider"], len(left["passkeys"])) == (False, 1)
    assert code(await anna.http.delete(f"/api/account/passkeys/{left['passkeys'][0]['id']}")) == (409, "last-passkey")


async def test_a_login_belongs_to_one_account(anna: Browser, ben: Browser, club: IdentityProvider) -> None:
    assert (await create(anna, club)).status_code == 201
    assert code(await create(ben, club, "Ben")) == (409, "login-taken")
    club.person = {"sub": "ben"}
    assert (await create(ben, club, "Ben")).status_code == 201
    club.person = {"sub": "248289761001"}
    assert code(await ben.http.post("/api/account/provider", json=await ticket(ben, club))) == (409, "login-taken")
    club.person = {"sub": "carla"}
    assert code(await create(ben, club, "Carla")) == (409, "has-account")
    async with Browser(anna.url) as new:
        await new.http.get("/api/me")
        assert code(await new.http.post("/api/account/provider", json=await ticket(new, club))) == (404, "no-account")


async def test_a_handle_that_is_taken_leaves_the_ticket_valid(anna: Browser, ben: Browser, club: IdentityProvider) -> None:
    await create(anna, club)
    club.person = {"sub": "ben"}
    sent = await ticket(ben, club)
    assert code(await ben.http.post("/api/provider/account", json=sent | {"handle": "ANNA"})) == (409, "handle-taken")
    assert code(await ben.http.post("/api/provider/account", json=sent | {"handle": "a b"})) == (422, "not-a-handle")
    assert (await ben.http.post("/api/provider/account", json=sent | {"handle": "Ben"})).status_code == 201
    assert code(await ben.http.post("/api/sign-in/provider", json=sent)) == (410, "challenge-over")


async def test_deleting_the_account_deletes_the_login(anna: Browser, ben: Browser, club: IdentityProvider) -> None:
    await create(anna, club)
    assert (await anna.http.delete("/api/account")).status_code == 204
    assert code(await sign_in(ben, club)) == (404, "no-such-login")
    assert (await create(ben, club)).status_code == 201


async def test_a_server_that_requires_accounts_takes_those_of_the_provider(
    tmp_path: Path, club: IdentityProvider, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(served, "settings", lambda *given, **changed: settings(*given, accounts="required", **changed))
    async with serving(tmp_path, provider=club.settings) as url, Browser(url) as anna:
        sent = {"setup": TWO, "name": "Anna"}
        assert code(await anna.http.post("/api/tables", json=sent)) == (403, "account-needed")
        await create(anna, club)
        assert (await anna.http.post("/api/tables", json=sent)).status_code == 201


async def test_without_a_provider_nothing_is_offered(tmp_path: Path) -> None:
    async with serving(tmp_path) as url, Browser(url) as anna:
        assert (await anna.http.get("/api/account")).json()["provider"] is None
        sent = {"code": "c", "state": "s", "page": "p"}
        for method, place, given in (
            ("POST", "/api/provider/begin", None),
            ("POST", "/api/provider/finish", sent),
            ("DELETE", "/api/account/provider", None),
        ):
            assert code(await anna.http.request(method, place, json=given)) == (422, "not-offered")


async def test_the_secret_is_in_a_file_of_its_owner_or_in_the_environment(tmp_path: Path) -> None:
    given = {"DICECUP_DATA": str(tmp_path), "DICECUP_OIDC_ISSUER": "https://id.example.org/realms/club/"}
    assert ProviderSettings.read(given | {"DICECUP_OIDC_CLIENT": "dicecup"}) is None
    assert ProviderSettings.read(given | {"DICECUP_OIDC_SECRET": "hunter2"}) is None
    assert ProviderSettings.read({"DICECUP_OIDC_CLIENT": "dicecup", "DICECUP_OIDC_SECRET": "hunter2"}) is None
    given["DICECUP_OIDC_CLIENT"] = "dicecup"
    file = tmp_path / "oidc.secret"
    file.write_text("hunter2\n", "ascii")
    file.chmod(0o600)
    read = ProviderSettings.read(given)
    assert read == ProviderSettings("https://id.example.org/realms/club", "dicecup", "hunter2", "id.example.org")
    assert "hunter2" not in repr(read)
    named = ProviderSettings.read(given | {"DICECUP_OIDC_NAME": "Club", "DICECUP_OIDC_SECRET": "other"})
    assert named is not None
    assert (named.name, named.secret) == ("Club", "other")
    file.chmod(0o644)
    with pytest.raises(HostingError) as refused:
        ProviderSettings.read(given)
    assert "hunter2" not in str(refused.value.details)


@pytest.mark.parametrize(
    "changed",
    [
        {"DICECUP_OIDC_ISSUER": "http://id.example.org"},
        {"DICECUP_OIDC_ISSUER": "id.example.org"},
        {"DICECUP_OIDC_ISSUER": "https://u:hunter2@id.example.org"},
        {"DICECUP_OIDC_ISSUER": "https://id.example.org?x=1"},
        {"DICECUP_OIDC_ISSUER": "https://id.example.org:x"},
        {"DICECUP_OIDC_NAME": "x" * 41},
        {"DICECUP_OIDC_NAME": "a\nb"},
    ],
)
async def test_a_wrong_setting_is_refused_without_its_secrets(tmp_path: Path, changed: dict[str, str]) -> None:
    given = {"DICECUP_DATA": str(tmp_path), "DICECUP_OIDC_ISSUER": "https://id.example.org", "DICECUP_OIDC_CLIENT": "dicecup"}
    with pytest.raises(HostingError) as refused:
        ProviderSettings.read(given | {"DICECUP_OIDC_SECRET": "hunter2"} | changed)
    assert refused.value.code is HostingCode.NOT_A_SETTING
    assert "hunter2" not in str(refused.value.details)


# --- Bad input ------------------------------------------------------------------------------------


async def test_a_state_works_once_for_five_minutes_and_for_its_page(
    anna: Browser, ben: Browser, club: IdentityProvider, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun = await begin(anna)
    sent = club.sign_in(begun["url"]) | {"page": begun["page"]}
    assert (await anna.http.post("/api/provider/finish", json=sent)).status_code == 200
    assert code(await anna.http.post("/api/provider/finish", json=sent)) == (410, "challenge-over")
    mine, hers = await begin(ben), await begin(anna)
    crossed = club.sign_in(mine["url"]) | {"page": hers["page"]}  # a link to another person's sign-in
    assert code(await anna.http.post("/api/provider/finish", json=crossed)) == (410, "challenge-over")
    assert code(await finish(anna, club, state="unknown")) == (410, "challenge-over")
    monkeypatch.setattr(challenges, "LIFETIME", 0.0)
    assert code(await finish(anna, club)) == (410, "challenge-over")
    assert club.asked.count("POST /token") == 1


async def test_a_ticket_works_once_for_five_minutes_and_for_its_page(
    anna: Browser, ben: Browser, club: IdentityProvider, monkeypatch: pytest.MonkeyPatch
) -> None:
    await create(anna, club)
    sent = await ticket(ben, club)
    for wrong in (sent | {"page": "x"}, {"ticket": "x", "page": sent["page"]}):
        assert code(await ben.http.post("/api/sign-in/provider", json=wrong)) == (410, "challenge-over")
    assert (await ben.http.post("/api/sign-in/provider", json=sent)).status_code == 204
    assert code(await ben.http.post("/api/sign-in/provider", json=sent)) == (410, "challenge-over")
    monkeypatch.setattr(challenges, "LIFETIME", 60.0)
    begun = await begin(ben)
    monkeypatch.setattr(challenges, "LIFETIME", 0.0)
    back = club.sign_in(begun["url"]) | {"page": begun["page"]}
    late = (await ben.http.post("/api/provider/finish", json=back)).json()["ticket"]
    assert code(await ben.http.post("/api/sign-in/provider", json={"ticket": late, "page": begun["page"]})) == (
        410,
        "challenge-over",
    )


async def test_a_code_of_another_sign_in_is_refused(anna: Browser, club: IdentityProvider) -> None:
    stolen = club.sign_in((await begin(anna))["url"])["code"]
    assert code(await finish(anna, club, code=stolen)) == (422, "not-a-login")  # the verifier of PKCE is another one
    assert code(await finish(anna, club, code="x")) == (422, "not-a-login")
    assert code(await finish(anna, club, iss=FOREIGN)) == (422, "not-a-login")


@pytest.mark.slow
@pytest.mark.parametrize(
    "changes",
    [
        {"iss": FOREIGN},
        {"iss": None},
        {"aud": "another"},
        {"aud": ["another", "third"]},
        {"aud": ["dicecup", "another"], "azp": "another"},
        {"exp": 1_000_000_000},
        {"exp": None},
        {"exp": float("nan")},
        {"iat": 99_999_999_999},
        {"nonce": "x"},
        {"nonce": None},
        {"sub": None},
        {"sub": ""},
        {"sub": 7},
        {"sub": "x" * 256},
        {"at_hash": "x"},
    ],
)
async def test_an_id_token_with_a_wrong_claim_is_refused(anna: Browser, club: IdentityProvider, changes: Json) -> None:
    club.changes = changes
    assert code(await finish(anna, club)) == (422, "not-a-login")


@pytest.mark.parametrize("forgery", ["other key", "other key id", "secret of the client"])
async def test_an_id_token_that_the_provider_did_not_sign_is_refused(
    anna: Browser, club: IdentityProvider, forgery: str
) -> None:
    if forgery == "secret of the client":
        club.signing_key, club.header = OctKey.import_key(SECRET.ljust(64)), {"alg": "HS256"}
    else:
        club.signing_key = RSAKey.generate_key(2048, {"kid": "k1"})
        club.header = {"kid": "k2"} if forgery == "other key id" else {}
    assert code(await finish(anna, club)) == (422, "not-a-login")


async def test_an_id_token_without_a_signature_is_refused(anna: Browser, club: IdentityProvider) -> None:
    begun = await begin(anna)
    asked = parse_qs(urlsplit(begun["url"]).query)
    claims = {"iss": club.url, "aud": "dicecup", "exp": 99_999_999_999, "iat": 1, "nonce": asked["nonce"][0], "sub": "x"}
    parts = [bytes_to_base64url(json.dumps(part).encode()) for part in ({"alg": "none"}, claims)]
    club.answers = [(200, json.dumps({"id_token": ".".join([*parts, ""])}).encode())]
    sent = club.sign_in(begun["url"]) | {"page": begun["page"]}
    assert code(await anna.http.post("/api/provider/finish", json=sent)) == (422, "not-a-login")


@pytest.mark.parametrize(
    "status, body, refused",
    [
        (503, b"", (503, "provider-down")),
        (200, b"<html>", (503, "provider-down")),
        (200, b"[]", (503, "provider-down")),
        (302, b"", (503, "provider-down")),
        (401, b'{"error": "invalid_client"}', (503, "provider-down")),
        (200, b'{"x": "' + b"x" * 300_000 + b'"}', (503, "provider-down")),
        (200, b"{}", (422, "not-a-login")),
        (200, b'{"id_token": 7}', (422, "not-a-login")),
        (200, b'{"id_token": "a.b"}', (422, "not-a-login")),
    ],
)
async def test_what_is_no_answer_of_the_token_endpoint_is_refused(
    anna: Browser, club: IdentityProvider, status: int, body: bytes, refused: tuple[int, str]
) -> None:
    club.answers = [(status, body)]
    assert code(await finish(anna, club)) == refused


async def test_a_provider_that_is_down_is_one_sentence_and_comes_back(
    anna: Browser, club: IdentityProvider, monkeypatch: pytest.MonkeyPatch
) -> None:
    club.is_down = True
    refused = await anna.http.post("/api/provider/begin", headers={"Accept-Language": "en"})
    assert code(refused) == (503, "provider-down")
    assert refused.json()["error"]["message"] == "Club does not answer as it should. Please try again later."
    assert refused.headers["Retry-After"] == "30"
    club.is_down = False
    begun = await begin(anna)
    monkeypatch.setattr(at_provider, "PATIENCE", 0.0)  # as if it did not answer in time
    sent = club.sign_in(begun["url"]) | {"page": begun["page"]}
    assert code(await anna.http.post("/api/provider/finish", json=sent)) == (503, "provider-down")


@pytest.mark.parametrize(
    "document",
    [
        {"issuer": FOREIGN},
        {"token_endpoint": "http://127.0.0.1:1/token"},
        {"token_endpoint": "file:///etc/passwd"},
        {"jwks_uri": None},
        {"authorization_endpoint": "javascript:alert(1)"},
    ],
)
async def test_a_discovery_document_of_another_site_is_refused(anna: Browser, club: IdentityProvider, document: Json) -> None:
    club.document = document
    assert code(await anna.http.post("/api/provider/begin")) == (503, "provider-down")


@pytest.mark.parametrize("host", ["localhost", "10.0.0.1", "[::1]", "169.254.169.254"])
async def test_the_server_asks_no_internal_host_but_that_of_the_issuer(
    anna: Browser, club: IdentityProvider, host: str
) -> None:
    port = urlsplit(club.url).port
    club.document = {"token_endpoint": f"https://{host}:{port}/token"}
    assert code(await finish(anna, club)) == (503, "provider-down")
    assert "POST /token" not in club.asked


async def test_a_page_of_another_site_begins_no_sign_in(anna: Browser) -> None:
    refused = await anna.http.post("/api/provider/begin", headers={"Origin": FOREIGN})
    assert code(refused) == (403, "wrong-origin")
    refused = await anna.http.post("/api/provider/begin", headers={"Host": "evil.example"})
    assert code(refused) == (421, "wrong-host")
