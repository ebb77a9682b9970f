"""The entrance for a page: a room on the objects of a browser."""

from collections.abc import Callable
from time import time
from typing import Final

from dicecup.offline.engine import PlainEngine
from dicecup.offline.room import Room
from dicecup.offline.store import BrowserStore, JsonStore

ID_BYTES: Final = 10


def open_room(
    store: BrowserStore,
    key: str,
    random_hex: Callable[[int], str],
    send: Callable[[int, str], object],
    close: Callable[[int, int], object],
) -> Room:
    """Return a room.

    `key`: the key of the device in hex. `random_hex` returns so many bytes of the browser's
    generator in hex. `send` and `close`: as for `Room`.
    """
    return Room(JsonStore(store), bytes.fromhex(key), PlainEngine(), time, lambda: random_hex(ID_BYTES), send, close)
