"""The service worker: what of a version is stored, and what opens without a server."""

import json
from typing import Any, Final

from tests.browser.node_program import HERE, run_node

FIRST_VISIT: Final = (("install", 1), ("activate", 1))
PLAYED: Final = (*FIRST_VISIT, ("use",), ("message", 1, "everything"))
"""The device has loaded version 1 for playing without a connection."""


def answers(*steps: tuple[Any, ...]) -> list[Any]:
    """Return the answer of each step (service_worker_runner.mjs)."""
    found: list[Any] = json.loads(run_node(HERE / "service_worker_runner.mjs", given=steps))
    return found


def test_a_first_visit_stores_what_it_shows() -> None:
    *_, held, _, opened = answers(*FIRST_VISIT, ("held",), ("network", False), ("open", "/tables/1"))
    assert held == ["/?version=1", "/assets/base-1.js", "/assets/index-1.js"]
    assert opened == "page 1"


def test_a_device_that_plays_without_a_connection_keeps_a_new_version_whole() -> None:
    """One visit to the start page after a deployment, then no connection."""
    *_, opened, screen, python, held = answers(
        *PLAYED,
        ("deploy", 2),
        ("open", "/"),
        ("install", 2),
        ("activate", 2),
        ("network", False),
        ("open", "/device"),
        ("file", "/assets/Device-2.js"),
        ("file", "/python/pyodide-3.1/pyodide.mjs"),
        ("held",),
    )
    assert (opened, screen, python) == ("page 2", True, True)
    assert held == [
        "/?version=2",
        *(f"/assets/{name}-2.js" for name in ("Device", "base", "index", "pythonWorker")),
        "/python/dicecup-2.zip",
        "/python/pyodide-3.1/pyodide.mjs",
    ]


def test_a_device_with_cards_keeps_the_screens_that_it_has_loaded() -> None:
    loaded = (("file", "/assets/Device-1.js"), ("deploy", 2), ("install", 2), ("activate", 2), ("held",))
    shell = ["/?version=2", "/assets/base-2.js", "/assets/index-2.js"]
    assert answers(*FIRST_VISIT, ("cards",), *loaded)[-1] == sorted([*shell, "/assets/Device-2.js"])
    assert answers(*FIRST_VISIT, *loaded)[-1] == shell


def test_the_version_before_stays_whole_until_the_new_one_is_active() -> None:
    """The page of the server is shown, and that of the worker is stored."""
    *_, online, installed, _, offline, screen = answers(
        *PLAYED,
        ("deploy", 2),
        ("open", "/"),
        ("install", 2),
        ("network", False),
        ("open", "/device"),
        ("file", "/assets/Device-1.js"),
    )
    assert (online, installed, offline, screen) == ("page 2", True, "page 1", True)


def test_a_version_that_cannot_be_stored_whole_is_not_installed() -> None:
    *_, installed, _, opened, screen = answers(
        *PLAYED,
        ("deploy", 2),
        ("room", False),
        ("install", 2),
        ("network", False),
        ("open", "/device"),
        ("file", "/assets/Device-1.js"),
    )
    assert (installed, opened, screen) == (False, "page 1", True)


def test_a_page_learns_whether_everything_is_stored() -> None:
    assert answers(*PLAYED)[-1] is True
    assert answers(*PLAYED, ("network", False), ("message", 1, "everything"))[-1] is True
    for obstacle in (("network", False), ("room", False), ("deploy", 2)):
        assert answers(*FIRST_VISIT, obstacle, ("message", 1, "everything"))[-1] is False


def test_a_worker_does_not_store_the_page_of_another_version() -> None:
    """The server gets version 2 while the worker of version 1 is installed."""
    assert answers(("deploy", 2), ("install", 1), ("held",))[1:] == [False, []]


def message(key: str, kind: str = "turn", topic: str = "t", title: str = "Your turn") -> tuple[str, dict[str, str]]:
    """Return the step in which a message of the server arrives."""
    told = {"key": key, "kind": kind, "topic": topic, "language": "en", "title": title, "body": "Yamm with Ben"}
    return "push", told | {"path": f"/tables/{topic}"}


def test_a_later_message_replaces_the_earlier_of_its_table_and_a_withdrawal_closes_it() -> None:
    later = message("b", "over", title="You won")
    *_, both, _, one, _, none = answers(
        *FIRST_VISIT,
        message("a"),
        message("c", topic="u"),
        ("shown",),
        later,
        ("shown",),
        message("d", "withdrawn"),
        ("shown",),
    )
    assert both == [["Your turn", "Yamm with Ben", topic, f"/tables/{topic}"] for topic in "tu"]
    assert [(title, topic) for title, _, topic, _ in one] == [("Your turn", "u"), ("You won", "t")]
    assert [topic for _, _, topic, _ in none] == ["u"]


def test_a_message_that_comes_twice_is_shown_once() -> None:
    *_, shown = answers(*FIRST_VISIT, message("a"), ("dismiss",), message("a"), ("shown",))
    assert shown == []


def test_a_notification_opens_its_table_once() -> None:
    *_, elsewhere, _, there, plain = answers(
        *FIRST_VISIT,
        ("windows", ["/tables/u"]),
        ("click", "/tables/t"),
        ("windows", ["/tables/u", "/tables/t"]),
        ("click", "/tables/t"),
        ("click", None),
    )
    assert (elsewhere, there, plain) == (["open", "/tables/t"], ["focus", "/tables/t"], ["open", "/"])
