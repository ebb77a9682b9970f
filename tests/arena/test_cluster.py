"""The arena on a Ray cluster of two machines; one of them is stopped during a run."""

import json
import os
import socket
import sys
from collections.abc import Iterator
from typing import Any

import pytest

from dicecup import __version__
from dicecup.arena.block import GameBlock
from dicecup.arena.cluster import answer
from dicecup.arena.errors import ArenaCode, ArenaError
from dicecup.arena.match import match
from dicecup.arena.runner import Runner
from dicecup.core.errors import GameError
from tests.arena import tasks

MEASURED = {"cpu_seconds", "games_per_cpu_second"}
SMALL = {"num_cpus": 1, "object_store_memory": 80 * 2**20}


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    from ray.cluster_utils import Cluster

    started = Cluster(initialize_head=True, head_node_args={**SMALL, "include_dashboard": False})
    yield started
    started.shutdown()


def play(runner: Runner, wanted: int = 60) -> str:
    found = match("yam-master", ("greedy", "random"), games_wanted=wanted, seed="1", runner=runner)
    assert found is not None
    return json.dumps({key: value for key, value in found.items() if key not in MEASURED})


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")  # Ray's own
class TestCluster:
    def test_the_result_is_that_of_one_machine(self, cluster: Any) -> None:
        assert play(Runner(ray=cluster.address), 1000) == play(Runner(2), 1000)

    def test_blocks_of_a_lost_machine_are_played_again(self, cluster: Any) -> None:
        machine = cluster.add_node(**SMALL)
        gone: list[Any] = []

        def leave(_: int) -> None:
            if not gone:
                gone.append(machine)
                cluster.remove_node(machine, allow_graceful=False)

        run = Runner(ray=cluster.address, progress=leave).run(tasks.slow_numbers, 24, 1)
        assert gone
        assert list(run.columns["number"]) == list(range(24))

    def test_the_error_of_a_block_is_raised(self, cluster: Any) -> None:
        with pytest.raises(GameError):
            Runner(ray=cluster.address).run(tasks.refuses, 4, 1)

    def test_a_block_that_no_process_survives_is_given_up(self, cluster: Any) -> None:
        with pytest.raises(ArenaError) as caught:
            Runner(ray=cluster.address).run(tasks.dies, 2, 1)
        assert caught.value.code is ArenaCode.WORKER_DIED

    def test_ray_sends_no_usage_reports(self, cluster: Any) -> None:
        from ray._common.usage import usage_lib

        play(Runner(ray=cluster.address), 4)
        assert not usage_lib.usage_stats_enabled()


def test_an_address_without_a_cluster_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", object())  # it is not asked
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with pytest.raises(ArenaError) as caught:
        Runner(ray=f"127.0.0.1:{port}").run(tasks.numbers, 4, 1)
    assert caught.value.code is ArenaCode.NO_CLUSTER


def test_a_missing_ray_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(ArenaError) as caught:
        Runner(ray="auto").run(tasks.numbers, 4, 1)
    assert caught.value.code is ArenaCode.NO_RAY


def test_a_machine_returns_errors_as_values() -> None:
    assert isinstance(answer(tasks.numbers, __version__, (0, 4)), GameBlock)
    assert isinstance(answer(tasks.refuses, __version__, (0, 4)), GameError)
    other = answer(tasks.numbers, "0.0.0", (0, 4))
    assert isinstance(other, ArenaError)
    assert other.code is ArenaCode.OTHER_VERSION
