"""Workspaces of kernels: their alignment, and which calls share one."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import numpy as np
import pytest

from dicecup.engine.workspaces import CACHE_LINE, one_a_thread, rows_of_lanes


@pytest.mark.parametrize("lanes", [1, 8, 16])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_rows_of_lanes_begin_at_a_cache_line(lanes: int, dtype: type[np.floating]) -> None:
    for rows in (1, 7, 462):
        made = rows_of_lanes(rows, lanes, dtype)
        assert made.ctypes.data % CACHE_LINE == 0
        assert made.flags.c_contiguous
        assert made.shape == (rows, lanes)
        assert made.dtype == dtype
        assert not made.any()


def test_threads_share_no_workspace() -> None:
    threads = 4
    together = Barrier(threads)

    @one_a_thread
    def workspace(size: int) -> list[int]:
        return [0] * size

    def twice(_: int) -> tuple[list[int], list[int], list[int]]:
        together.wait()
        return workspace(3), workspace(3), workspace(4)

    with ThreadPoolExecutor(threads) as pool:
        found = list(pool.map(twice, range(threads)))
    assert all(one is again and one is not other for one, again, other in found)
    assert len({id(part) for one, _, other in found for part in (one, other)}) == 2 * threads
    assert found[0][2] == [0] * 4
