"""Banned people: who is refused, until when, and that every worker knows it within a second."""

import asyncio
from types import SimpleNamespace

import pytest

from dicecup.hosting import background
from dicecup.hosting.background import BackgroundTasks
from dicecup.hosting.ban_list import LONGEST_BAN, LONGEST_REASON, BanList, checked_ban
from dicecup.hosting.credentials import Credentials
from dicecup.hosting.errors import HostingCode, HostingError
from dicecup.hosting.people.search import people_named, person_of
from dicecup.hosting.refreshed import REFRESH_INTERVAL
from dicecup.hosting.store import Store, admins
from dicecup.hosting.store.audit import entries_of
from dicecup.hosting.store.bans import Ban, delete_ban, save_ban
from dicecup.hosting.store.devices import Credential, SeenDevice, save_seen
from dicecup.hosting.store.identities import issue_token
from dicecup.hosting.table_host import TableHost
from tests.hosting.guests import alone, entry, seated, settings

HOUR = 3600.0


class Open:
    """An open connection of an identity."""

    def __init__(self, identity: str) -> None:
        self.credential: Credential | None = Credential(identity, "d")
        self.ended: HostingError | None = None

    def revoke(self, error: HostingError) -> None:
        self.ended = error


async def test_a_person_is_banned_until_the_end(store: Store) -> None:
    now = 1_800_000_000.0
    found, other = (BanList(store, lambda: now) for _ in range(2))
    await save_ban(store, Ban("ben", now, now + HOUR, "insults"), entry(now, "ban"))
    for each in (found, other):
        await each.refresh()
        assert each.refusal("anna") is None
        refused = each.refusal("ben")
        assert refused is not None
        assert (refused.code, dict(refused.details)) == (
            HostingCode.BANNED,
            {"until": "2027-01-15 09:00 UTC", "reason": "insults"},
        )
    await save_ban(store, Ban("ben", now + 1, now + 2 * HOUR, "more"), entry(now, "ban"))
    await found.refresh()
    assert [(ban.since, ban.until) for ban in found.rows] == [(now, now + 2 * HOUR)]  # since the first
    now += HOUR
    assert (found.refusal("ben") is None, other.refusal("ben") is None) == (False, True)
    assert await delete_ban(store, "ben", entry(now, "unban"))
    assert not await delete_ban(store, "ben", entry(now, "unban"))
    await found.refresh()
    assert found.refusal("ben") is None
    assert [(each.command, each.outcome) for each in await entries_of(store)] == [
        ("ban", "done"),
        ("ban", "done"),
        ("unban", "done"),
        ("unban", "unchanged"),
    ]


async def test_a_ban_ends_open_connections_and_refuses_new_ones(store: Store) -> None:
    now, tasks = 1_800_000_000.0, BackgroundTasks()
    credentials = Credentials(store, tasks, lambda: now, lambda _: None)
    token = await issue_token(store, "ben")
    bens, annas = Open("ben"), Open("anna")
    with credentials.connected(bens), credentials.connected(annas):
        await save_ban(store, Ban("ben", now, now + HOUR, "insults"), entry(now))
        await credentials.bans.refresh()
    assert (bens.ended and bens.ended.code, annas.ended) == (HostingCode.BANNED, None)
    for known in (
        credentials.of_token(token),
        credentials.of_device("ben", "d", ""),
        credentials.check(Credential("ben", "d")),
    ):
        with pytest.raises(HostingError) as refused:
            await known
        assert refused.value.code is HostingCode.BANNED
    assert await credentials.of_device("anna", "d", "") == Credential("anna", "d")
    await tasks.finish()


class Pauses:
    """The clock of the repeated work of a server: time passes when the test lets it. Only pauses of
    `REFRESH_INTERVAL` seconds are watched."""

    def __init__(self) -> None:
        self.now = 0.0
        self.waiting: list[tuple[float, asyncio.Future[None]]] = []
        self.changed = asyncio.Condition()

    async def sleep(self, seconds: float) -> None:
        if seconds != REFRESH_INTERVAL:
            return await asyncio.sleep(seconds)
        until: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.waiting.append((self.now + seconds, until))
        async with self.changed:
            self.changed.notify_all()
        return await until

    async def wait_for(self, lists: int) -> None:
        """Wait until this many lists have been read and pause. Other work pauses for as long."""
        async with self.changed:
            await self.changed.wait_for(lambda: len(self.waiting) >= lists)

    async def let_pass(self, seconds: float) -> None:
        """Let time pass, and wait until what was due has been done."""
        lists = len(self.waiting)
        self.now += seconds
        due = [pause for pause in self.waiting if pause[0] <= self.now]
        self.waiting = [pause for pause in self.waiting if pause not in due]
        for _, until in due:
            until.set_result(None)
        await self.wait_for(lists)


async def test_a_running_server_ends_the_connections_of_a_banned_person_within_a_second(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    pauses = Pauses()
    monkeypatch.setattr(background, "asyncio", SimpleNamespace(**vars(asyncio) | {"sleep": pauses.sleep}))
    host = await TableHost.open(settings(database))
    try:
        await pauses.wait_for(3)  # bans, blocks and messages to everybody
        bens, annas = Open("ben"), Open("anna")
        with host.credentials.connected(bens), host.credentials.connected(annas):
            now = host.clock()
            await save_ban(host.store, Ban("ben", now, now + HOUR, "insults"), entry(now))  # as the command line does
            begun = pauses.now
            while bens.ended is None:
                await pauses.let_pass(0.125)
                assert pauses.now - begun <= 1
        assert (bens.ended.code, annas.ended) == (HostingCode.BANNED, None)
    finally:
        monkeypatch.undo()
        await host.close()


@pytest.mark.parametrize(
    "until, reason, code",
    [
        (HOUR, "", "not-a-reason"),
        (HOUR, "two\nlines", "not-a-reason"),
        (HOUR, "\u202eevil", "not-a-reason"),
        (HOUR, "x" * (LONGEST_REASON + 1), "not-a-reason"),
        (0.0, "why", "not-a-time"),
        (LONGEST_BAN + 1, "why", "not-a-time"),
        (float("nan"), "why", "not-a-time"),
    ],
)
def test_a_ban_has_an_end_and_a_reason(until: float, reason: str, code: str) -> None:
    with pytest.raises(HostingError) as refused:
        checked_ban(Ban("ben", 0.0, until, reason))
    assert str(refused.value.code) == code
    assert checked_ban(Ban("ben", 0.0, HOUR, " <b>why</b> ")).reason == "<b>why</b>"


# --- People ---------------------------------------------------------------------------------------


async def test_people_are_found_by_name(host: TableHost) -> None:
    made = await seated(host)
    await host.create("carla", alone(), name='Zoë "100%_" \\')
    await save_seen(host.store, [SeenDevice("ben", "d1", "Firefox", 5.0, 9.0), SeenDevice("ben", "d2", "", 7.0, 8.0)])
    (ben,) = await people_named(host.store, "bE")
    assert (ben.identity, ben.names, ben.tables, ben.devices, ben.since) == ("ben", ("Ben",), 1, 2, 5.0)
    for text, found in (
        ("Zoë", ["carla"]),
        ('"100%_"', ["carla"]),
        ("\\", ["carla"]),
        ("%", ["carla"]),
        ("_a", []),
        ("n", ["anna", "ben"]),
        ("carla", ["carla"]),
        (made.table, []),
        ("game", []),
        (" ", []),
    ):
        assert sorted(person.identity for person in await people_named(host.store, text)) == found, text
    assert await person_of(host.store, "carla") == "carla"
    with pytest.raises(HostingError) as refused:
        await person_of(host.store, "Zoë")
    assert refused.value.code is HostingCode.NO_SUCH_PERSON


async def test_the_role_is_granted_and_taken_back(store: Store) -> None:
    assert await admins.grant(store, "anna", entry(1.0, "grant"))
    assert not await admins.grant(store, "anna", entry(2.0, "grant"))
    assert (await admins.admins_of(store), await admins.is_admin(store, "ben")) == ([("anna", 1.0)], False)
    assert await admins.is_admin(store, "anna")
    assert await admins.revoke(store, "anna", entry(3.0, "revoke-admin"))
    assert not await admins.revoke(store, "anna", entry(4.0, "revoke-admin"))
    assert [each.outcome for each in await entries_of(store)] == ["done", "unchanged", "done", "unchanged"]
