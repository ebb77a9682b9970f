"""Credentials: what is written when a device is seen, and what ends."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import ExitStack

import pytest
from sqlalchemy import Connection, select

from dicecup.hosting.background import BackgroundTasks
from dicecup.hosting.credentials import MOST_KNOWN, SEEN_INTERVAL, Credentials
from dicecup.hosting.errors import HostingError
from dicecup.hosting.store import Store, devices
from dicecup.hosting.store.devices import EARLIER, Credential, SeenDevice, save_seen
from dicecup.hosting.store.engines import database_url
from dicecup.hosting.store.identities import issue_token, issue_transfer
from dicecup.hosting.store.models import DEVICES
from dicecup.hosting.store.store_errors import StoreCode, StoreError

BEGUN = 1_800_000_000.0
YEARS = 10 * 365 * 86_400.0


class Clients:
    """The credentials of a worker, with a clock that the test moves."""

    def __init__(self, store: Store) -> None:
        self.now = BEGUN
        self.store = store
        self.tasks = BackgroundTasks()
        self.announced: list[str] = []
        self.credentials = Credentials(store, self.tasks, lambda: self.now, self.announced.append)

    async def rows(self) -> list[tuple[str, float, float, float | None]]:
        await self.tasks.finish()
        async with self.store.engines.readers.connect() as connection:
            found = await connection.execute(select(DEVICES).order_by(DEVICES.c.device))
            return [(row.device, row.created, row.seen, row.ended) for row in found]


class Open:
    """An open connection."""

    def __init__(self, credential: Credential | None) -> None:
        self.credential = credential
        self.ended = ""

    def revoke(self, error: HostingError) -> None:
        self.ended = str(error.code)


@pytest.fixture
async def clients(database: str) -> AsyncIterator[Clients]:
    store = await Store.open(database_url(database))
    clients = Clients(store)
    yield clients
    await clients.tasks.finish()
    await store.close()


@pytest.fixture
def writes(clients: Clients, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Return a list that grows by the number of every write."""
    done: list[int] = []
    work = clients.store.writer.work

    def counted(task: Callable[[Connection], object]) -> object:
        done.append(len(done) + 1)
        return work(task)

    monkeypatch.setattr(clients.store.writer, "work", counted)
    return done


async def test_a_device_is_written_once_an_hour(clients: Clients, writes: list[int]) -> None:
    for _ in range(10):
        assert await clients.credentials.of_device("anna", "d", "Firefox") == Credential("anna", "d")
    assert await clients.rows() == [("d", BEGUN, BEGUN, None)]
    assert len(writes) == 1
    clients.now += SEEN_INTERVAL - 1
    await clients.credentials.of_device("anna", "d", "Firefox")
    assert len(writes) == 1
    clients.now += 1
    for _ in range(10):
        await clients.credentials.of_device("anna", "d", "Firefox")
    assert await clients.rows() == [("d", BEGUN, BEGUN + SEEN_INTERVAL, None)]
    assert len(writes) == 2


async def test_devices_that_are_seen_during_a_write_share_the_next_one(
    clients: Clients, writes: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    all_seen = asyncio.Event()

    async def save_later(store: Store, seen: Iterable[SeenDevice]) -> None:
        await all_seen.wait()
        await save_seen(store, seen)

    monkeypatch.setattr(devices, "save_seen", save_later)
    for number in range(200):
        await clients.credentials.of_device("anna", f"d{number:03}", "Firefox")
    all_seen.set()
    assert len(await clients.rows()) == 200
    assert len(writes) == 2


async def test_after_a_restart_a_device_is_not_written_again(clients: Clients, writes: list[int]) -> None:
    await clients.credentials.of_device("anna", "d", "Firefox")
    await clients.rows()
    restarted = Credentials(clients.store, clients.tasks, lambda: clients.now + 60, clients.announced.append)
    await restarted.of_device("anna", "d", "Firefox")
    await clients.tasks.finish()
    assert len(writes) == 1


async def test_a_device_that_is_signed_out_stays_so(clients: Clients) -> None:
    await clients.credentials.of_device("anna", "d", "Firefox")
    await clients.credentials.end_device("anna", "d")
    assert await clients.credentials.of_device("anna", "d", "Firefox") is None
    assert await clients.credentials.of_device("ben", "d", "Firefox") == Credential("ben", "d")
    clients.now += YEARS
    await clients.credentials.of_device("anna", "other", "Firefox")
    await clients.rows()
    assert await clients.credentials.of_device("anna", "d", "Firefox") is None
    assert [device.device for device in await clients.credentials.devices_of("anna")] == ["other"]


async def test_a_device_without_a_row_can_be_signed_out(clients: Clients) -> None:
    await clients.credentials.end_device("anna", "unseen")
    assert await clients.credentials.of_device("anna", "unseen", "Firefox") is None


async def test_a_device_that_was_not_seen_for_years_can_still_be_signed_out(clients: Clients) -> None:
    await clients.credentials.of_device("anna", "a", "Firefox")
    await clients.rows()
    clients.now += YEARS
    await clients.credentials.of_device("anna", "b", "Firefox")
    assert [device.device for device in await clients.credentials.devices_of("anna")] == ["b", "a"]
    await clients.credentials.end_other_devices("anna", "b")
    assert await clients.credentials.of_device("anna", "a", "Firefox") is None


async def test_a_device_that_could_not_be_saved_is_saved_with_the_next_request(
    clients: Clients, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fail(_store: Store, _seen: Iterable[SeenDevice]) -> None:
        raise StoreError(StoreCode.FULL)

    with monkeypatch.context() as patched:
        patched.setattr(devices, "save_seen", fail)
        await clients.credentials.of_device("anna", "a", "Firefox")
        assert await clients.rows() == []
    await clients.credentials.of_device("anna", "a", "Firefox")
    assert await clients.rows() == [("a", BEGUN, BEGUN, None)]


async def test_a_device_is_saved_in_the_transaction_that_redeems_its_link(clients: Clients, writes: list[int]) -> None:
    secret = await issue_transfer(clients.store, "anna", BEGUN)
    writes.clear()
    assert await clients.credentials.redeem(secret, BEGUN, None, "new", "Firefox") == Credential("anna", "new")
    await clients.credentials.of_device("anna", "new", "Firefox")
    assert await clients.rows() == [("new", BEGUN, BEGUN, None)]
    assert len(writes) == 1
    assert await clients.credentials.redeem(secret, BEGUN, None, "late", "Firefox") is None
    assert len(await clients.rows()) == 1


async def test_the_end_of_a_credential_ends_its_connections_only(clients: Clients) -> None:
    store, credentials = clients.store, clients.credentials
    token = await credentials.of_token(await issue_token(store, "anna"))
    kept = await credentials.of_token(await issue_token(store, "anna"))
    phone, laptop, bens = [Credential(*each) for each in (("anna", "phone"), ("anna", "laptop"), ("ben", "phone"))]
    opened = [Open(each) for each in (token, kept, phone, laptop, bens, None)]
    with ExitStack() as stack:
        for connection in opened:
            stack.enter_context(credentials.connected(connection))
        assert token is not None
        assert await credentials.end_token("anna", token.token[:16])
        assert [each.ended for each in opened] == ["signed-out", "", "", "", "", ""]
        await credentials.end_device("anna", "phone")
        await credentials.recheck()
        assert [each.ended for each in opened] == ["signed-out", "", "signed-out", "", "", ""]
    await credentials.end_tokens("anna")
    assert opened[1].ended == ""  # closed before
    assert clients.announced == ["anna"] * 3


async def test_all_devices_but_one_are_signed_out(clients: Clients) -> None:
    for device in ("a", "b", EARLIER):
        await clients.credentials.of_device("anna", device, "Firefox")
    await clients.rows()
    await clients.credentials.end_other_devices("anna", "a")
    found = [await clients.credentials.of_device("anna", device, "") is not None for device in ("a", "b", EARLIER)]
    assert found == [True, False, False]


async def test_many_connections_are_checked(clients: Clients) -> None:
    connections = [Open(Credential("anna", f"d{number}")) for number in range(1200)]
    for connection in connections:
        clients.credentials._connections.add(connection)
    await clients.credentials.end_device("anna", "d1100")
    assert [each.credential.device for each in connections if each.ended and each.credential] == ["d1100"]


async def test_the_memory_of_devices_is_limited(clients: Clients) -> None:
    for number in range(MOST_KNOWN + 5):
        clients.credentials._remember(("anna", str(number)), BEGUN)
    assert len(clients.credentials._known) == MOST_KNOWN


async def test_a_cookie_without_a_device_that_was_signed_out_is_not_replaced(clients: Clients) -> None:
    assert await clients.credentials.replace_earlier("anna", "a", "Firefox")
    await clients.credentials.end_device("anna", EARLIER)
    assert not await clients.credentials.replace_earlier("anna", "b", "Firefox")
    assert [device.device for device in await clients.credentials.devices_of("anna")] == ["a"]
