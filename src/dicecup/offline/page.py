"""The entrance for a page: a room on the objects of a browser."""

from collections.abc import Awaitable, Callable
from time import time
from typing import Final

from dicecup.offline import arrays
from dicecup.offline.engine import Engine, LoadingEngine, PlainEngine
from dicecup.offline.room import Room
from dicecup.offline.store import BrowserStore, JsonStore

ID_BYTES: Final = 10


def open_room(
    store: BrowserStore,
    key: str,
    random_hex: Callable[[int], str],
    send: Callable[[int, str], object],
    close: Callable[[int, int], object],
    load: Callable[[str], Awaitable[bool]] | None = None,
) -> Room:
    """Return a room.

    `key`: the key of the device in hex. `random_hex(n)` returns n bytes of the browser's
    generator in hex. `send` and `close`: as for `Room`. `load`: as for `LoadingEngine`, `None`
    where there are no kernels.
    """
    engine: Engine = PlainEngine() if load is None or not _has_kernels() else LoadingEngine(load)
    return Room(JsonStore(store), bytes.fromhex(key), engine, time, lambda: random_hex(ID_BYTES), send, close)


def _has_kernels() -> bool:
    """Return whether this browser runs the kernels. Old ones have no vectors in WebAssembly."""
    arrays.install()
    from dicecup.engine.kernel import compiles_just_in_time

    return not compiles_just_in_time()
