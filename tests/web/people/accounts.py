"""What tests of accounts ask a server."""

import httpx

from tests.web.authenticator import Authenticator
from tests.web.serving import Browser, Json


def authenticator(browser: Browser) -> Authenticator:
    return Authenticator(browser.url, "localhost")


async def options(browser: Browser, place: str = "/api/account/challenge", **sent: str) -> Json:
    given = {} if place.endswith("sign-in/challenge") else {"json": sent}
    answer = await browser.http.post(place, **given)  # type: ignore[arg-type]
    assert answer.status_code == 200, answer.text
    found: Json = answer.json()["options"]
    return found


async def register(browser: Browser, passkey: Authenticator, handle: str = "Anna", **more: object) -> httpx.Response:
    credential = passkey.create(await options(browser, handle=handle))
    return await browser.http.post("/api/account", json={"handle": handle, "credential": credential, **more})


def code(answer: httpx.Response) -> tuple[int, str]:
    return answer.status_code, answer.json()["error"]["code"]


async def account(browser: Browser) -> Json | None:
    found: Json | None = (await browser.http.get("/api/account")).json()["account"]
    return found
