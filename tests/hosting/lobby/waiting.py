"""A clock that a test moves, and waiting for what another worker or a background task does."""

import asyncio
from collections.abc import Callable

from dicecup.hosting.lobby.pairing import Seek
from dicecup.hosting.lobby.visitor import Visitor


class Time:
    """A clock that a test moves."""

    def __init__(self) -> None:
        self.now = 1_000_000.0

    def __call__(self) -> float:
        return self.now


async def until(visitor: Visitor, state: str) -> Seek:
    """Wait until a visitor sees a seek in this state."""
    await eventually(lambda: visitor.seek is not None and visitor.seek.state == state)
    assert visitor.seek is not None
    return visitor.seek


async def eventually(holds: Callable[[], object]) -> None:
    """Wait until a condition holds, which another worker or a background task brings about."""
    async with asyncio.timeout(280):
        while True:
            if holds():
                return
            await asyncio.sleep(0.01)
