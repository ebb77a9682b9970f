"""Steps of the tests of duplicate events, and the day on which they are."""

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from dicecup.core.errors import DicecupError
from dicecup.hosting.competition.duplicates import Duplicates
from dicecup.hosting.table_host import TableHost
from dicecup.table import daily
from tests.hosting.guests import play
from tests.hosting.test_timers import Time

TODAY = daily.day_of(1e9)


async def code_of(awaitable: object) -> str:
    with pytest.raises(DicecupError) as refused:
        await awaitable  # type: ignore[misc]
    return str(refused.value.code)


async def until_midnight(host: TableHost, time: Time, *, late: float = 0.0) -> None:
    """Let time pass until the day is over, and `late` seconds more."""
    await time.ran(daily.opens_at(TODAY + 1) - time() + late, host)


async def play_out(host: TableHost, table: str, identity: str) -> None:
    """Play a game to its end."""
    assert await play(host, table, [identity], 400) < 400
    assert (await host.cache.state_of(table)).end is not None


async def settle(duplicates: Duplicates) -> None:
    """Carry events on until nothing is due but the analyses."""
    for _ in range(4):
        await duplicates.tick()


def place(actions: Sequence[Mapping[str, Any]]) -> Mapping[str, Any]:
    """Choose the first square, else keep the most equal dice, so that the game ends."""
    texts = [str(each["action"]) for each in actions]
    squares = [text for text in texts if text[:1] in "abcde"]
    equal = [text for text in texts if text.startswith("k") and len(set(text[1:])) == 1]
    chosen = squares[0] if squares else max(equal, key=len, default=texts[-1])
    return actions[texts.index(chosen)]
