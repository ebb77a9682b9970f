"""People at a table of a `TableHost` who send the commands that it waits for."""

from collections.abc import Callable, Mapping, Sequence
from itertools import count
from typing import Any

import pytest
from sqlalchemy.engine import make_url

import tests.hosting.new_databases  # noqa: F401 it makes empty databases quickly
from dicecup.core.errors import DicecupError
from dicecup.hosting.errors import HostingError
from dicecup.hosting.link_keys import TableKeys
from dicecup.hosting.settings import Settings
from dicecup.hosting.store.audit import AuditEntry
from dicecup.hosting.store.engines import database_url
from dicecup.hosting.table_host import TableHost
from dicecup.table import fairness
from dicecup.table.commands import Act, Command, CommitSeed, RevealSeed, Sit, Throw
from dicecup.table.errors import TableError
from dicecup.table.setup import Occupant, SeatSetup, Setup

KEY = bytes(range(32))
SEED = bytes(16).hex()
PATIENCE = 280
"""Seconds for what takes long on a busy machine."""
OPEN = SeatSetup()
View = Mapping[str, Any]
Choose = Callable[[Sequence[Mapping[str, Any]]], Mapping[str, Any]]
ids = count()


def entry(time: float, command: str = "close") -> AuditEntry:
    """Return the entry of the audit log for a command of an administrator."""
    return AuditEntry(time, command, "t", "admin")


def settings(database: str, *, key: bytes = KEY, **changed: Any) -> Settings:
    """Return settings with this database, one process a pool, limits of time that a busy machine
    keeps, and the `changed` values."""
    usual = {"processes": 1, "seconds": PATIENCE, "reading_seconds": PATIENCE}
    return Settings(database_url(database) if "://" in database else make_url(database), key, **(usual | changed))


def two(game: str = "yam-master", **changed: Any) -> Setup:
    """Return a setup for two people."""
    return Setup(game, (OPEN, OPEN), **changed)


def alone(game: str = "yamm(players=1)") -> Setup:
    """Return a setup for one person."""
    return Setup(game, (OPEN,))


def against(level: str, game: str = "yam-master") -> Setup:
    """Return a setup for a person against a computer."""
    return Setup(game, (OPEN, SeatSetup(Occupant.LEVEL, level)))


def first(actions: Sequence[Mapping[str, Any]]) -> Mapping[str, Any]:
    """Choose the first listed action."""
    return actions[0]


def last(actions: Sequence[Mapping[str, Any]]) -> Mapping[str, Any]:
    """Choose the last listed action."""
    return actions[-1]


def wanted(view: View, choose: Choose = last) -> Command | None:
    """Return the command that the table waits for from the viewer's seats, `None` if
    there is none."""
    demand = view["demand"]
    mine = [seat for seat in demand["seats"] if seat in view["you"]]
    if not mine:
        return None
    match demand["what"]:
        case "commitments":
            return CommitSeed(fairness.seed_commitment(bytes.fromhex(SEED)), seat=mine[0])
        case "seeds":
            return RevealSeed(SEED, seat=mine[0])
        case "throw":
            return Throw(seat=mine[0])
        case "action":
            return Act(choose(view["actions"])["action"])
        case what:
            raise AssertionError(what)


async def go_on(host: TableHost, table: str, identity: str, choose: Choose = last) -> int | None:
    """Send the pending command of a person and return the number of its last event, `None` if there
    is none."""
    seen = await host.look(table, identity)
    command = wanted(seen.view, choose)
    if command is None:
        return None
    return await host.send(table, identity, command, version=seen.number, command_id=f"c{next(ids)}")


async def play(host: TableHost, table: str, people: Sequence[str], commands: int, choose: Choose = last) -> int:
    """Send `commands` commands for the people that the table waits for, and return how many the
    game allowed."""
    for done in range(commands):
        for identity in people:
            if await go_on(host, table, identity, choose) is not None:
                break
        else:
            return done
    return commands


async def play_alone(commands: int) -> str:
    """Return the id of a table at which Anna has sent `commands` commands, on the server that the
    environment describes."""
    host = await TableHost.open(Settings.read())
    table = (await host.create("anna", alone(), name="Anna")).table
    await play(host, table, ["anna"], commands)
    await host.close()
    return table


async def seated(host: TableHost) -> TableKeys:
    """Create a table of Yam Master with Anna and Ben, before their commitments."""
    made = await host.create("anna", two(), name="Anna")
    await host.send(made.table, "ben", Sit("Ben"), version=2, command_id="sit", key=made.join)
    return made


async def refusal(awaitable: object) -> DicecupError:
    """Return the error of hosting or of the table that an awaitable raises."""
    with pytest.raises((HostingError, TableError)) as refused:
        await awaitable  # type: ignore[misc]
    return refused.value
