"""What workers tell each other of the seeks of people in the lobby."""

from itertools import permutations

import pytest

from dicecup.hosting.lobby import lobby as lobby_module
from dicecup.hosting.lobby.seeks import Arrival, Beat, Wanted
from dicecup.hosting.lobby.visitor import Visitor
from dicecup.hosting.table_host import TableHost
from tests.hosting.lobby.waiting import Time, until

YAMM = "yamm"


async def test_the_notification_of_another_worker_brings_the_seek_along(
    hosts: list[TableHost], monkeypatch: pytest.MonkeyPatch
) -> None:
    one, other = (host.lobby for host in hosts)
    hosts[1].invalidations.on_lobby.clear()  # SQLite's worker polls
    told: list[str] = []
    monkeypatch.setattr(one, "_announce_seek", lambda _, text: told.append(text))
    async with other.visit("anna") as anna, one.visit("ben"):
        await other.seek("anna", "a1", YAMM, None, "Anna")
        paired = await one.seek("ben", "b1", YAMM, None, "Ben")
        with monkeypatch.context() as unread:
            unread.setattr(other._seeks, "of", None)
            other.seek_notified("anna", *told)
            assert (await until(anna, "paired")).table == paired.table


@pytest.mark.parametrize("text", ["", "null", "[1]", "{}", '{"number": 1, "place": 2}', "{"])
async def test_a_seek_that_a_notification_cannot_tell_is_read(
    hosts: list[TableHost], monkeypatch: pytest.MonkeyPatch, text: str
) -> None:
    one, other = (host.lobby for host in hosts)
    hosts[1].invalidations.on_lobby.clear()  # SQLite's worker polls
    monkeypatch.setattr(one, "_announce_seek", other.seek_notified)
    monkeypatch.setattr(lobby_module, "seek_to_json", lambda _: text)
    async with other.visit("anna") as anna, one.visit("ben"):
        await other.seek("anna", "a1", YAMM, None, "Anna")
        await one.seek("ben", "b1", YAMM, None, "Ben")
        await until(anna, "paired")


async def test_a_later_state_is_shown_also_if_the_clock_of_the_other_worker_is_behind(
    hosts: list[TableHost], time: Time
) -> None:
    seeks = hosts[0].lobby._seeks
    wanted = [Wanted(name, "r1", YAMM, None, name, "w") for name in ("anna", "ben")]
    states = [(await seeks.serve([wanted[0]], Beat("w", 2), time.now)).seeks["anna"]]
    paired = (await seeks.serve([wanted[1]], None, time.now - 5)).seeks
    states.append(paired["anna"])
    at_table = str(paired["anna"].table)
    await seeks.serve([Arrival("anna", at_table)], None, time.now - 5)
    states.append((await seeks.serve([Arrival("ben", at_table)], None, time.now - 5)).seeks["anna"])
    assert [seek.state for seek in states] == ["waiting", "paired", "ended"]
    for order in permutations(states):
        visitor = Visitor("anna", time)
        for seek in order:
            visitor.set_seek(seek)
        assert visitor.seek is states[-1]
