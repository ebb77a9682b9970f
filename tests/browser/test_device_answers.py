"""Games of a device after the answers of the server, or of what answers in its place."""

import json
from functools import cache
from typing import Any, Final

import pytest
from playwright.sync_api import Page, Route

from tests.browser.node_program import HERE, run_node

GAMES: Final = ("first", "second", "third")
MODULES: Final = {"store": "browserStore", "joining": "joining", "goingOn": "goingOn"}
"""By name in the page, the modules of ui/src/device."""
Answer = tuple[int, dict[str, Any] | str]

TROUBLE: Final[Answer] = (500, {"error": {"code": "trouble", "message": "", "details": {}}})
LATER: Final[Answer] = (409, {"error": {"code": "game-running", "message": "", "details": {}}})
NEVER: Final[Answer] = (422, {"error": {"code": "not-a-throw", "message": "", "details": {}}})
OF_A_TRAIN: Final[Answer] = (400, "<title>Welcome on board</title>")
TAKEN: Final[Answer] = (200, {})

Answers = dict[str, Answer]


@cache
def script(module: str) -> str:
    """Return a module as a script that sets `tested`."""
    return run_node(HERE / "bundle_runner.mjs", f"/ui/src/device/{module}.ts")


@pytest.fixture
def device(page: Page) -> Page:
    """A page with `MODULES`. Its device has three finished games, and three games of tables."""
    page.goto("/api/games")
    for name, module in MODULES.items():
        page.evaluate(f"() => {{ {script(module)}; window.{name} = tested; }}")
    rows = [[1, 1.5, "event", ""]]
    for game in GAMES:
        body = json.dumps({"record": game})
        finished = {"table": game, "rows": rows, "line": "line", "joins": body}
        going_on = {"table": f"here {game}", "rows": rows, "line": "line", "origin": game, "returns": body}
        page.evaluate("(appends) => new store.BrowserStore().append(appends)", json.dumps([finished, going_on]))
    return page


def answered(page: Page, answers: Answers) -> list[str]:
    """Answer the requests with these games, `TAKEN` where there is no answer, and return the games
    that were sent."""
    sent: list[str] = []

    def answer(route: Route) -> None:
        if route.request.method == "GET":
            route.fulfill(json={})
            return
        sent.append(json.loads(route.request.post_data or "")["record"])
        status, body = answers.get(sent[-1], TAKEN)
        route.fulfill(status=status, body=body if isinstance(body, str) else json.dumps(body))

    page.route("**/api/**", answer)
    return sent


def left(page: Page, kind: str) -> list[str]:
    """Return the games that are still to be sent."""
    found = page.evaluate("(kind) => new store.BrowserStore()[kind]()", kind)
    return [entry.get("origin", entry["table"]) for entry in found if not entry.get("kept")]


@pytest.mark.slow
@pytest.mark.parametrize(
    "call, kind",
    [
        ("joining.joinGames()", "joining"),
        ("goingOn.handBack()", "returning"),
    ],
)
@pytest.mark.parametrize(
    "answers, tried, waiting",
    [
        ({"first": TROUBLE}, list(GAMES), ["first"]),
        ({"first": NEVER}, list(GAMES), []),
        ({"first": OF_A_TRAIN, "second": OF_A_TRAIN, "third": OF_A_TRAIN}, ["first"], list(GAMES)),
    ],
    ids=["one is answered with trouble", "one is refused for good", "another answers"],
)
def test_each_game_is_sent_until_the_server_has_an_answer_for_it(
    device: Page, call: str, kind: str, answers: Answers, tried: list[str], waiting: list[str]
) -> None:
    sent = answered(device, answers)
    device.evaluate(f"() => {call}.catch(() => undefined)")
    assert (sent, left(device, kind)) == (tried, waiting)


@pytest.mark.slow
def test_a_game_about_a_running_one_joins_later(device: Page) -> None:
    answered(device, {"second": LATER})
    device.evaluate("() => joining.joinGames()")
    assert left(device, "joining") == ["second"]
