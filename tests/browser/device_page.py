"""Steps of tests that play on this device, without a server."""

from typing import Final

from playwright.sync_api import Page, Route, expect

from tests.browser.harness import Json

READY: Final = "Everything is on this device."
PHONE: Final[Json] = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}
PATIENCE: Final = 180_000


def prepared(page: Page) -> None:
    """Open the page for the first time and wait until it says that it needs no connection."""
    page.goto("/device")
    expect(page.locator("main").get_by_text(READY)).to_be_visible()


def begin(page: Page, game: str = "Yam Master") -> None:
    """Begin a game on this device against the computer, and wait for the person's turn. In Yam
    Master a die decides who starts."""
    page.locator("main .games a", has_text=game).click()
    page.locator("form.new button.primary").click()
    expect(page.locator("[data-main]")).to_be_enabled()


def until(page: Page, condition: str) -> None:
    """Wait until an asynchronous function of the page returns a truth value.
    (`wait_for_function` takes the first one that it returns.)"""
    waiting = f"""async (patience) => {{
      for (const end = Date.now() + patience; Date.now() < end; await new Promise((done) => setTimeout(done, 50))) {{
        if (await ({condition})()) return true;
      }}
      return false;
    }}"""
    assert page.evaluate(waiting, PATIENCE), condition


def dice(page: Page) -> list[str]:
    shown = page.get_by_role("list", name="Dice", exact=True).get_by_role("listitem")
    expect(shown).to_have_count(5)
    return shown.all_inner_texts()


def has_kernels(page: Page) -> bool:
    """Return whether the page was built with kernels. The server must run."""
    listed: Json = page.request.get("/python/index.json").json()
    return "kernels" in listed


def resign(page: Page) -> None:
    """Give the game up, in any language."""
    page.locator("button.open").click()
    page.locator("dialog[open] li button.danger").click()
    page.locator("dialog[open] .row button.danger").click()
    expect(page.locator("[data-luck]")).to_be_attached()


def before_worker(page: Page, script: str) -> None:
    """Let a script run in the worker before its own."""

    def prefix(route: Route) -> None:
        answer = route.fetch()
        route.fulfill(response=answer, body=f"{script}\n{answer.text()}")

    page.context.route("**/pythonWorker-*.js", prefix)


def tell_worker(page: Page, message: str) -> None:
    """Send a message to a script of `before_worker` and wait until it has come."""
    page.evaluate(
        """(message) => new Promise((done) => {
             const channel = new BroadcastChannel('test');
             channel.onmessage = done;
             channel.postMessage(message);
           })""",
        message,
    )
