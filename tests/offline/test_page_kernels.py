"""Players and analyses in the page, by the kernels as WebAssembly, against those of a server."""

import json
import math
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from typing import Any, Final

import pytest

from dicecup import games
from dicecup.analysis import answers
from dicecup.core.game import LEVELS, Position
from dicecup.core.source import Throw
from dicecup.offline.engine import UNTRAINED
from dicecup.players.decision import decide
from dicecup.players.greedy import GreedyPlayer
from dicecup.players.random import RandomPlayer
from dicecup.record import Journal, Record, concluded
from tests.browser.node_program import run_node
from ui.build import LISTED, PACKED, PYODIDE, TABLES

PROGRAM: Final = Path(__file__).parent / "page_program.mjs"
GAMES: Final = ("yam-master", "yamm", "yam-master", "yamm", "yam-master(end=full_round)", "yamm(players=1)")
COUNT: Final = 300
"""Positions in which the page and a server choose the same action."""
SINGLE: Final = 2e-3
"""The difference of values in points that were added up in single precision in another order."""
DECIDE: Final = """
import json
from dicecup import games
from dicecup.players.decision import decide
asked = [(games.from_id(game).position(text), level, seed) for game, text, level, seed in json.loads(given)]
found = json.dumps([str(decide(position, level, seed)) for position, level, seed in asked])
"""
ANSWER: Final = """
import json
from datetime import UTC, datetime
from dicecup import games
from dicecup.analysis import answers
asked = json.loads(given)
position = games.from_id(asked["game"]).position(asked["position"])
now = datetime(2026, 1, 1, tzinfo=UTC)
found = json.dumps([
    answers.analysis(position),
    answers.analysis(position, alone=True),
    answers.verdict(position, 1, str(position.actions[0]), None, now),
    answers.question(asked["game"], "seed", 1, 2),
    answers.review(answers.finished(asked["record"])),
])
"""

LEVELS_OFFERED: Final = """
import json
from pathlib import Path
from dicecup.offline.page import open_room
if json.loads(given) == "old":
    Path("/dicecup/dicecup/engine/native/built/kernels.wasm").write_bytes(b"no module")
try:
    open_room(None, "00" * 32, None, None, None, print).request("GET", "/api/games", "", "en").send(None)
except StopIteration as answered:
    found = json.dumps([game["levels"] for game in json.loads(answered.value)["json"]["games"]])
"""


@pytest.fixture(scope="module", autouse=True)
def _built() -> None:
    """Skip where the page was built without kernels (`make native`, then `make ui`)."""
    if not LISTED.is_file() or "kernels" not in json.loads(LISTED.read_text("utf-8")):
        pytest.skip("the page holds no kernels")


def in_page(program: str, given: Any) -> Any:
    """Return what a program finds in the page."""
    return json.loads(run_node(PROGRAM, PACKED, PYODIDE, TABLES, given={"program": program, "given": given}))


def decisions(count: int, seed: int) -> list[Position]:
    """Return positions of games between players of several strengths, five of each game."""
    random = Random(seed)
    found: list[Position] = []
    while len(found) < count:
        position = games.from_id(GAMES[len(found) // 5 % len(GAMES)]).start()
        greedy, other = random.random(), RandomPlayer(str(seed))
        seen: list[Position] = []
        while position.turn is not None and len(seen) < 300:
            if position.waiting:
                rolls, weights = zip(*position.chances, strict=True)
                position = position.roll(random.choices(rolls, weights)[0])
            else:
                seen.append(position)
                position = position.play((GreedyPlayer() if random.random() < greedy else other).choose(position))
        found += random.sample(seen, min(5, len(seen)))
    return found[:count]


def played(game: str) -> str:
    """Return the record of a game."""
    random, journal = Random(7), Journal.start(games.from_id(game))
    while journal.position.turn is not None:
        if journal.position.waiting:
            rolls, weights = zip(*journal.position.chances, strict=True)
            journal = journal.throw(Throw(random.choices(rolls, weights)[0]))
        else:
            journal = journal.play(GreedyPlayer().choose(journal.position))
    return concluded(Record({"Game": game, "Dice": "seed:1"}, journal)).to_text()


def compare(one: Any, other: Any, where: str = "") -> None:
    """Compare answers. Numbers differ by no more than single precision does."""
    if isinstance(one, dict):
        assert one.keys() == other.keys(), where
        for name in one:
            compare(one[name], other[name], f"{where}/{name}")
    elif isinstance(one, list):
        assert len(one) == len(other), where
        for at, pair in enumerate(zip(one, other, strict=True)):
            compare(*pair, f"{where}/{at}")
    elif isinstance(one, float):
        assert math.isclose(one, other, rel_tol=1e-4, abs_tol=SINGLE), where
    else:
        assert one == other, where


@pytest.mark.slow
def test_the_page_chooses_what_a_server_chooses() -> None:
    positions = decisions(COUNT, seed=16)
    asked = [(position.game.id, str(position), "expert", "") for position in positions]
    wanted = [str(decide(position, "expert", "")) for position in positions]
    assert in_page(DECIDE, asked) == wanted


@pytest.mark.slow
def test_every_level_plays_in_the_page() -> None:
    positions = decisions(10, seed=5)
    asked = [(position.game.id, str(position), level, "seed") for level in LEVELS for position in positions]
    wanted = [str(decide(position, level, "seed")) for level in LEVELS for position in positions]
    assert in_page(DECIDE, asked) == wanted


@pytest.mark.slow
@pytest.mark.parametrize("game", ["yam-master", "yamm"])
def test_hints_questions_and_reviews_are_those_of_a_server(game: str) -> None:
    position = next(position for position in decisions(30, seed=3) if position.game.id == game)
    now, record = datetime(2026, 1, 1, tzinfo=UTC), played(game)
    wanted = [
        answers.analysis(position),
        answers.analysis(position, alone=True),
        answers.verdict(position, 1, str(position.actions[0]), None, now),
        answers.question(game, "seed", 1, 2),
        answers.review(answers.finished(record)),
    ]
    found = in_page(ANSWER, {"game": game, "position": str(position), "record": record})
    compare(found, json.loads(json.dumps(wanted)))


@pytest.mark.slow
@pytest.mark.parametrize("browser, offered", [("new", LEVELS), ("old", UNTRAINED)])
def test_a_browser_that_does_not_run_the_kernels_offers_the_levels_without_tables(
    browser: str, offered: tuple[str, ...]
) -> None:
    assert in_page(LEVELS_OFFERED, browser) == [list(offered), list(offered)]
