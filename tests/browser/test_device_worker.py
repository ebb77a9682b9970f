"""The page and its worker that plays without a server: every request and every table has an answer,
also if the worker ends."""

import json
from typing import Any, Final

from tests.browser.node_program import HERE, run_node

READY: Final = {"kind": "ready"}
FAILED: Final = {"kind": "obstacle", "obstacle": "failed"}


def heard(*steps: tuple[Any, ...]) -> list[list[Any]]:
    """Return what the page hears (device_runner.mjs)."""
    found: list[list[Any]] = json.loads(run_node(HERE / "device_runner.mjs", given=steps))
    return found


def test_a_worker_that_ends_answers_what_was_asked() -> None:
    message, closed, refused, answer, started = heard(
        ("ask", "/api/games"),
        ("open", "0" * 20),
        ("worker", 0, READY),
        ("worker", 0, FAILED),
        ("worker", 0, FAILED),  # it was under way when the page ended the worker
        ("ask", "/api/tables"),
        ("worker", 1, READY),
        ("worker", 0, FAILED),
        ("worker", 1, {"kind": "answer", "id": 3, "text": '{"status": 200, "json": [1]}'}),
    )
    assert closed == ["closed", 4404]
    assert refused == ["refused", "failed", "ui_device_failed"]
    assert json.loads(message[1])["error"]["message"] == "ui_device_failed"
    assert answer == ["answer", "[1]"]
    assert started == ["started", 2]


def test_games_that_cannot_be_read_are_not_reported_as_none() -> None:
    assert heard(("list",))[0] == ["refused", "device-refused", "ui_device_unreadable"]


def test_nobody_sits_at_a_game_on_this_device_who_cannot_play_there() -> None:
    """Choices of a game on the server: a link, and a level without tables."""
    chosen = ["link", "here", "expert", "random", "link"]
    assert heard(("sitters", chosen, ["random", "greedy"], "greedy"))[0] == ["here", "here", "greedy", "random", "greedy"]
