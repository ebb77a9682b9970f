import multiprocessing
import os
import signal
from functools import partial
from pathlib import Path

import pytest

from dicecup.arena.block import GameBlock
from dicecup.arena.errors import ArenaCode, ArenaError
from dicecup.arena.runner import Runner, spans_of
from dicecup.arena.workers import Task
from dicecup.core.errors import GameError
from tests.arena import tasks


def test_blocks_are_fixed_by_the_numbers_of_the_games() -> None:
    assert spans_of(10, 4) == ((0, 4), (4, 4), (8, 2))


@pytest.mark.parametrize("workers", [1, 2, 3])
def test_games_keep_their_order_with_any_number_of_workers(workers: int) -> None:
    run = Runner(workers).run(tasks.numbers, 22, 3)
    assert list(run.columns["number"]) == list(range(22))
    assert (run.games, run.interrupted, run.cpu_seconds) == (22, False, 4.0)
    assert multiprocessing.active_children() == []


def test_a_block_whose_process_died_is_played_again(tmp_path: Path) -> None:
    run = Runner(2).run(partial(tasks.dies_once, str(tmp_path)), 12, 1)
    assert {path.name for path in tmp_path.iterdir()} == {"0", "3", "6", "9"}
    assert list(run.columns["number"]) == list(range(12))


def test_a_process_that_is_killed_from_outside_is_replaced() -> None:
    killed: list[int | None] = []

    def kill(_: int) -> None:
        if not killed:
            killed.append(multiprocessing.active_children()[0].pid)
            os.kill(killed[0] or 0, signal.SIGKILL)

    run = Runner(2, progress=kill).run(tasks.numbers, 40, 1)
    assert len(killed) == 1
    assert list(run.columns["number"]) == list(range(40))


def test_a_block_that_no_process_survives_is_given_up() -> None:
    with pytest.raises(ArenaError) as caught:
        Runner(2).run(tasks.dies, 20, 5)
    assert caught.value.code is ArenaCode.WORKER_DIED
    assert caught.value.details["last"] == caught.value.details["first"] + 4  # type: ignore[operator]
    assert multiprocessing.active_children() == []


@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize("task, kind", [(tasks.refuses, GameError), (tasks.fails, ZeroDivisionError)])
def test_the_error_of_a_block_is_raised(workers: int, task: Task, kind: type[Exception]) -> None:
    with pytest.raises(kind) as caught:
        Runner(workers).run(task, 4, 1)
    assert (workers == 1 or kind is GameError) or "in fails" in caught.value.__notes__[0]
    assert multiprocessing.active_children() == []


@pytest.mark.parametrize("workers", [1, 2])
def test_after_ctrl_c_the_finished_blocks_remain(workers: int) -> None:
    finished = []

    def stop(games: int) -> None:
        finished.append(games)
        if len(finished) == 3:
            raise KeyboardInterrupt

    run = Runner(workers, progress=stop).run(tasks.numbers, 100, 2)
    assert run.interrupted
    assert run.games == 6
    assert list(run.columns["number"]) == sorted(run.columns["number"])
    assert len(set(run.columns["number"])) == 6
    assert multiprocessing.active_children() == []


def test_ctrl_c_before_the_first_block_leaves_no_games() -> None:
    def interrupted(_: int, __: int) -> GameBlock:
        raise KeyboardInterrupt

    run = Runner(1).run(interrupted, 5, 1)
    assert (run.games, run.columns, run.interrupted) == (0, {}, True)


@pytest.mark.parametrize("games", [0, -1, 10**9])
def test_games_are_counted_from_one(games: int) -> None:
    with pytest.raises(ArenaError) as caught:
        Runner(1).run(tasks.numbers, games, 4)
    assert (caught.value.code, caught.value.details["name"]) == (ArenaCode.NOT_A_COUNT, "games")


@pytest.mark.parametrize("workers", [0, -2])
def test_workers_are_counted_from_one(workers: int) -> None:
    with pytest.raises(ArenaError) as caught:
        Runner(workers)
    assert (caught.value.code, caught.value.details["name"]) == (ArenaCode.NOT_A_COUNT, "workers")
