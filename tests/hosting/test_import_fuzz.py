"""Import of damaged and forged exports: a typed refusal and an unchanged store, or a valid
table."""

import asyncio
import copy
import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from dicecup.core.errors import DicecupError
from dicecup.hosting.event_rows import event_of_row, event_rows
from dicecup.hosting.store import Store
from dicecup.hosting.store.engines import database_url
from dicecup.hosting.table_export import _line, import_table
from dicecup.hosting.token_export import are_tokens, import_tokens
from dicecup.table.handlers import open_next_table, wake_at
from dicecup.table.setup import Clock, ClockKind, DiceOf
from dicecup.table.state import TableState
from dicecup.table.table_record import record_of
from dicecup.table.views import view
from tests.table.tables import KEY, WIDE, Table, people

OTHER_KEY = bytes(32)
NOW = 2e9
TOKENS = b'{"identity":"anna","tokens":["' + b"0" * 64 + b'"]}'
ODD: list[Any] = [
    None, True, False, 0, 1, -1, 2, 99, 2**63, 10**400, 1.5, 1e308, float("nan"), float("inf"), "", "0", "x", "~", "k1", "--",
    "11111", "\x00", "\ud800", "é", "\u202e", "0" * 64, "z" * 70_000, [], {}, [[]], {"type": "created"}, "seated", "time-up",
    "clock-held", "ended", "taken-back", "claimed", "commitment-begun", "secret-published",
]  # fmt: skip

MEMBERS = ("type", "seat", "hold", "number", "time", "identity", "command", "counter", "zz")


def exported(table: Table) -> str:
    """Return the line of an export, as `export_tables` writes it."""
    rows = event_rows(table.state.table, table.stored)
    rows = (rows[0]._replace(identity="anna"), *rows[1:-1], rows[-1]._replace(identity="anna", command_id="c"))
    return _line(rows, table.now)


def played(**agreed: Any) -> str:
    game = agreed.pop("game", "yam-master")
    table, chance = Table(people(game, 4 if game == WIDE else 2, **agreed), f"t{len(str(agreed))}"), random.Random(len(game))
    for _ in range(25):
        table.step(chance)
    return exported(table)


def closed() -> str:
    table, chance = Table(people("yam-master"), "over"), random.Random(5)
    for _ in range(12):
        table.step(chance)
    table.close()
    return exported(table)


GOOD = (
    played(),
    played(game=WIDE),
    played(dice=DiceOf.TABLE, clock=Clock(ClockKind.TURN, 60)),
    closed(),
)


@pytest.fixture(scope="module")
def empty(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[asyncio.Runner, Store]]:
    """Return an event loop and a store without tables."""
    path: Path = tmp_path_factory.mktemp("import") / "tables.sqlite"
    with asyncio.Runner() as runner:
        store = runner.run(Store.open(database_url(f"sqlite:///{path}")))
        yield runner, store
        runner.run(store.close())


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the path of every value in a JSON value."""
    yield path
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in items:
        yield from places(inner, (*path, key))


def mutated(line: str, chance: random.Random) -> bytes:
    """Return a line with one to three changes of its values, or of its bytes."""
    if chance.random() < 0.2:
        text = bytearray(line.encode())
        for _ in range(chance.randint(1, 3)):
            at = chance.randrange(len(text))
            text[at : at + chance.choice([0, 1, 1, 50])] = chance.randbytes(chance.choice([0, 1, 1, 3]))
        return bytes(text)
    data = json.loads(line)
    for _ in range(chance.randint(1, 3)):
        *outer, key = chance.choice([path for path in places(data) if path])
        holder = data
        for step in outer:
            holder = holder[step]
        match chance.randrange(5):
            case 0:
                del holder[key]
            case 1 if isinstance(holder, list):
                holder.insert(chance.randrange(len(holder)), copy.deepcopy(holder[key]))
            case 2 if isinstance(holder, dict):
                name = chance.choice(["type", "seat", "hold", "number", "time", "identity", "command", "counter", "zz"])
                holder[name] = copy.deepcopy(holder[key])
            case 3:
                other = data
                for step in chance.choice([path for path in places(data) if path]):
                    other = other[step]
                holder[key] = copy.deepcopy(other)
            case _:
                holder[key] = copy.deepcopy(chance.choice(ODD))  # a later change must not reach ODD
        if not data:
            break
    return json.dumps(data).encode()


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.sampled_from(GOOD), st.integers(0, 2**32 - 1), st.sampled_from([KEY, OTHER_KEY]))
def test_a_changed_export_is_refused_or_a_valid_table(
    empty: tuple[asyncio.Runner, Store], line: str, seed: int, host_key: bytes
) -> None:
    runner, store = empty
    runner.run(tried(store, mutated(line, random.Random(seed)), host_key))


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.binary(max_size=200) | st.integers(0, 2**32 - 1).map(lambda seed: mutated(TOKENS.decode(), random.Random(seed))))
@example(b'{"tokens":"events"')
def test_any_other_line_is_refused(empty: tuple[asyncio.Runner, Store], line: bytes) -> None:
    runner, store = empty
    runner.run(tried(store, line, KEY))


async def tried(store: Store, line: bytes, host_key: bytes) -> None:
    """Import a line, check what the store holds then, and delete it."""
    try:
        if are_tokens(line):
            await import_tokens(store, line)
        else:
            await import_table(store, host_key, line, NOW)
    except DicecupError as error:
        assert str(error.code)
        assert [table async for table in store.all_tables()] == []
        return
    for table in [table async for table in store.all_tables()]:
        state = TableState.from_events([event_of_row(row) for row in await store.events(table)])
        assert view(state, range(len(state.seats)), NOW, {})
        assert record_of(state).to_text()
        assert wake_at(state) is not None or state.end is not None
        assert state.next is None or open_next_table(state, bytes(32), NOW).state.number
        await store.delete(table)
