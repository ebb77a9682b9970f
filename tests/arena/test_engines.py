"""Engines and agents in the arena: equal dice, failures, other processes, and a program in C."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from dicecup import games
from dicecup.arena import engines
from dicecup.arena.block import Forfeit, Series
from dicecup.arena.engines import STARTS, EngineSeat, close_engines, players_of
from dicecup.arena.errors import ArenaCode, ArenaError
from dicecup.arena.games import match_row
from dicecup.arena.match import failures_of, match
from dicecup.arena.play import PlayedGame, play_game, seeded
from dicecup.arena.runner import Runner
from dicecup.line_protocol import EngineSpec, LineProtocolCode, LineProtocolError
from tests.line_protocol.stubs import HERE, stub

SOURCE = Path(__file__).parents[2] / "docs" / "examples" / "engine.c"
START = games.from_id("yam-master").start()
MEASURED = {"cpu_seconds", "games_per_cpu_second"}


@pytest.fixture(autouse=True)
def _closed() -> Any:
    yield
    close_engines()


def play(game: str, *players: str, wanted: int = 4, workers: int = 1, **options: Any) -> dict[str, Any]:
    found = match(game, players, games_wanted=wanted, seed="1", runner=Runner(workers), **{"seconds": 300, **options})
    assert found is not None
    return {key: value for key, value in found.items() if key not in MEASURED}


@pytest.fixture(scope="session")
def mine(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Return the text that names the compiled engine of the docs."""
    compiler = shutil.which("cc")
    if compiler is None:
        pytest.skip("There is no C compiler.")
    program = tmp_path_factory.mktemp("my engine") / "mine"
    subprocess.run([compiler, "-Wall", "-Wextra", "-Werror", "-o", str(program), str(SOURCE)], check=True)
    return f"engine:'{program}'"


def test_the_engine_of_the_docs_has_about_thirty_lines() -> None:
    code = SOURCE.read_text("utf-8").partition("*/")[2].splitlines()
    assert len([line for line in code if line.strip()]) <= 34


@pytest.mark.parametrize("game", ["yam-master", "yamm"])
def test_an_engine_in_c_plays_a_match(game: str, mine: str) -> None:
    found = play(game, "random", mine, wanted=4)
    assert (found["games"], found["failures"]) == (4, [])
    assert "forfeit" not in found["endings"]
    assert found["score"] < 0.5


def test_an_engine_in_c_plays_with_three_seats_and_in_pairs(mine: str) -> None:
    assert play("yamm(players=3)", mine, "random", mine, wanted=3)["failures"] == []
    assert play("yamm(players=4,pairs=yes)", mine, "random", mine, "random", wanted=1)["failures"] == []


@pytest.mark.slow
def test_the_result_does_not_depend_on_the_number_of_workers(mine: str) -> None:
    found = [json.dumps(play("yam-master", mine, f"{HERE}:random", wanted=12, workers=workers)) for workers in (1, 2)]
    assert found[0] == found[1]


def test_a_deterministic_engine_scores_exactly_one_half_against_itself(mine: str) -> None:
    found = play("yam-master", mine, mine, wanted=8)
    assert (found["score"], found["ci95"]) == (0.5, (0.5, 0.5))


@pytest.mark.parametrize("level", ["greedy", "random"])
def test_a_level_behind_the_protocol_plays_as_without(level: str) -> None:
    """An agent plays the same games on the same dice as the level itself."""
    setup = Series("yam-master", (f"{HERE}:{level}", "greedy"), "5", 40, exchanged=True, seconds=300)
    plain = Series("yam-master", (level, "greedy"), "5", 40, exchanged=True)
    for number in range(2):
        played = [
            play_game(START, [players_of(each, number)[at] for at in each.seated(number)], seeded(each.dice_seed(number)), 40)
            for each in (setup, plain)
        ]
        assert played[0].error is None
        assert played[0].position == played[1].position


def test_no_process_plays_twice_on_the_same_dice() -> None:
    setup = Series("yam-master", (stub("good"), "random"), "1", 40, exchanged=True)
    seats = [players_of(setup, number)[0] for number in range(4)]
    assert seats[0] is seats[2]
    assert seats[1] is seats[3]
    assert seats[0] is not seats[1]


def test_with_many_seats_every_game_has_a_new_process() -> None:
    setup = Series("yamm(players=3)", (stub("good"), "random", "random"), "1", 99, exchanged=True)
    seats = [players_of(setup, number)[0] for number in range(4)]
    assert len(set(map(id, seats))) == 4
    assert len(engines._seats) == 1


FAULTS = [
    ("dies", "engine-died"),
    ("crashes", "engine-died"),
    ("closes", "engine-closed"),
    ("nonsense", "engine-nonsense"),
    ("gives-up", "engine-gave-up"),
    ("floods", "engine-flooded"),
    ("chats", "engine-flooded"),
]


@pytest.mark.slow
@pytest.mark.parametrize("kind, code, workers", [*((*fault, 1) for fault in FAULTS), (*FAULTS[0], 2)])
def test_an_engine_that_fails_loses_its_games_and_the_summary_says_why(kind: str, code: str, workers: int) -> None:
    found = play("yam-master", "random", stub(kind), wanted=3 * workers, workers=workers)
    assert (found["score"], found["games"], found["endings"]["forfeit"]) == (1, 3 * workers, 3 * workers)
    (failure,) = found["failures"]
    assert failure["code"] == code
    assert (failure["player"], failure["engine"], failure["games"], failure["first"]) == (2, stub(kind), 3 * workers, 0)
    assert failure["details"]["engine"] == stub(kind)


def test_a_slow_engine_loses_its_turn_and_the_game() -> None:
    found = play("yam-master", stub("slow"), "random", wanted=2, seconds=0.05)
    assert (found["score"], found["failures"][0]["code"]) == (0, "engine-slow")


def test_an_agent_that_raises_loses_its_games() -> None:
    found = play("yam-master", f"{HERE}:raises", "random", wanted=2)
    assert found["failures"][0]["details"]["why"].startswith("status 1: ZeroDivisionError")


@pytest.mark.parametrize(
    "player, code",
    [
        ("engine:./no-such-program", LineProtocolCode.MISSING),
        (stub("other-version"), LineProtocolCode.HANDSHAKE),
        (stub("exits"), LineProtocolCode.DIED),
        (f"{HERE}:broken", LineProtocolCode.NOT_AN_AGENT),
    ],
)
def test_a_match_does_not_begin_with_an_engine_that_does_not_start(player: str, code: LineProtocolCode) -> None:
    with pytest.raises(LineProtocolError) as caught:
        play("yam-master", "random", player)
    assert caught.value.code is code


def test_an_engine_that_starts_no_more_is_given_up(tmp_path: Path) -> None:
    spec = EngineSpec.read(f"engine:{tmp_path / 'gone'}")
    assert spec is not None
    seat = EngineSeat(spec, Series("yam-master", ("random", "random"), "1", 9))
    position = START.roll("11235")
    for _ in range(STARTS - 1):
        with pytest.raises(LineProtocolError) as caught:
            seat.choose(position)
        assert caught.value.code is LineProtocolCode.MISSING
    with pytest.raises(ArenaError) as given_up:
        seat.choose(position)
    assert given_up.value.code is ArenaCode.ENGINE_UNUSABLE


def test_the_time_of_an_engine_is_positive() -> None:
    for seconds in (0, -1, float("nan"), float("inf")):
        with pytest.raises(ArenaError) as caught:
            play("yam-master", "random", "random", seconds=seconds)
        assert caught.value.code is ArenaCode.NOT_A_COUNT


def test_an_engine_sees_no_dice_to_come(tmp_path: Path) -> None:
    """All that it receives in a game: the seed of its own choices, and positions with actions."""
    log = tmp_path / "log"
    tee = tmp_path / "tee.py"
    tee.write_text(
        f"import sys\nfor line in sys.stdin:\n open({str(log)!r}, 'a').write(line)\n print(line, end='', flush=True)\n"
    )
    shell = f"{sys.executable} -I -S {tee} | {stub('good').removeprefix('engine:')}"
    found = play("yamm", f'engine:sh -c "{shell}"', "random", wanted=1)
    assert found["failures"] == []
    words = {line.split(" ", 1)[0] for line in log.read_text().splitlines()}
    assert words == {"dice", "setoption", "newgame", "isready", "position", "go", "quit"}
    assert not any("?" in line for line in log.read_text().splitlines())


def test_a_failure_is_a_defeat_in_any_seat() -> None:
    setup = Series("yamm(players=3)", ("random", "random", "random"), "1", 99, exchanged=True)
    error = LineProtocolError(LineProtocolCode.SLOW, engine="x", seconds="1")
    full = games.from_id("yamm(players=3)").start()
    scores = [match_row(setup, 0, PlayedGame(full, None, failed, error))["score"] for failed in range(3)]
    assert scores == [0, 0.5, 0.5]
    assert PlayedGame(full, None, 1, error).ending == "forfeit"


def test_failures_are_counted_by_player_and_code() -> None:
    slow, dead = (LineProtocolError(code, engine="e") for code in (LineProtocolCode.SLOW, LineProtocolCode.DIED))
    forfeits = [Forfeit(3, 1, slow), Forfeit(4, 0, slow), Forfeit(6, 1, dead), Forfeit(9, 1, slow)]
    found = failures_of(("engine:a", "engine:b"), forfeits)
    assert [(each["player"], each["code"], each["games"], each["first"]) for each in found] == [
        (1, "engine-slow", 1, 4),
        (2, "engine-died", 1, 6),
        (2, "engine-slow", 2, 3),
    ]


def test_no_engine_is_left_after_a_match(tmp_path: Path) -> None:
    fifo = tmp_path / "fifo"
    os.mkfifo(fifo)
    reader = os.open(fifo, os.O_RDONLY | os.O_NONBLOCK)
    play("yam-master", stub("good", fifo), "random", wanted=2, workers=2, cap=20)
    os.set_blocking(reader, True)
    assert os.read(reader, 1) == b""
    os.close(reader)
