"""Credentials of clients: which are valid, which connections use them, and their end.

A browser proves its identity with a signed cookie that names the device, a program with a bearer
token. The end of a credential, and a ban, end open connections in all workers.
"""

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Final, Protocol

from sqlalchemy import Connection

from dicecup.core.errors import DicecupError
from dicecup.hosting.background import BackgroundTasks
from dicecup.hosting.ban_list import BanList
from dicecup.hosting.errors import HostingCode, HostingError
from dicecup.hosting.store import Store, devices, identities, tokens
from dicecup.hosting.store.devices import EARLIER, Credential, SeenDevice

SEEN_INTERVAL: Final = 3600.0
"""Seconds between two writes of when a device was seen."""
MOST_KNOWN: Final = 20_000
"""Devices that a worker remembers as signed in. Others are looked up in the database."""


class Connected(Protocol):
    """A connection of a client. `revoke` closes it with an error, without waiting."""

    credential: Credential | None

    def revoke(self, error: HostingError) -> None: ...


class Credentials:
    """The credentials of one worker's clients. `announce` notifies the other workers of an
    identity whose credentials have ended. `bans` are the people who may not use the server."""

    def __init__(
        self, store: Store, tasks: BackgroundTasks, clock: Callable[[], float], announce: Callable[[str], None]
    ) -> None:
        self.bans = BanList(store, clock)
        self.bans.on_change.append(self._end_banned)
        self._store = store
        self._tasks = tasks
        self._clock = clock
        self._announce = announce
        self._connections: set[Connected] = set()
        self._known: OrderedDict[tuple[str, str], float] = OrderedDict()
        """When each device that is signed in was last saved as seen."""
        self._rechecks = 0
        self._seen: dict[tuple[str, str], SeenDevice] = {}
        """Devices that are to be saved as seen."""
        self._saving: asyncio.Task[None] | None = None

    async def of_token(self, token: str) -> Credential | None:
        """Return the credential of a bearer token, `None` for an unknown one. Raises
        `HostingError` (`banned`) and `StoreError`."""
        identity = await identities.identity_of(self._store, token)
        if identity is None:
            return None
        self.bans.check(identity)
        return Credential(identity, token=identities.token_hash(token))

    async def of_device(self, identity: str, device: str, agent: str) -> Credential | None:
        """Return the credential of a browser, `None` if it was signed out. Raises `HostingError`
        (`banned`) and `StoreError`.

        `agent` names the browser in the list of devices.
        """
        key = identity, device
        saved = self._known.get(key)
        if saved is None:
            rechecks = self._rechecks
            saved = await devices.last_seen(self._store, identity, device)
            if saved is None:
                return None
            if rechecks == self._rechecks:  # nothing ended while the database was read
                self._remember(key, saved)
        self.bans.check(identity)
        now = self._clock()
        if abs(now - saved) >= SEEN_INTERVAL:
            if key in self._known:
                self._known[key] = now
            self._save(SeenDevice(identity, device, agent, now, now))
        return Credential(identity, device)

    async def redeem(
        self, secret: str, now: float, known: Credential | None, device: str, agent: str, *, kind: str = "transfer"
    ) -> Credential | None:
        """Return the credential of a browser that redeems a transfer link, or another `kind` of
        secret, `None` for an invalid one. See `sign_in`. Raises `StoreError`."""
        at = self._clock()

        def save(connection: Connection, identity: str) -> None:
            if not _keeps(known, identity):
                devices.insert_device(connection, SeenDevice(identity, device, agent, at, at))

        identity = await identities.redeem(self._store, secret, now, save, kind=kind)
        if identity is None:
            return None
        return known if _keeps(known, identity) else Credential(identity, device)

    async def sign_in(self, identity: str, known: Credential | None, device: str, agent: str) -> Credential:
        """Return the credential of a browser that has proved an identity. Raises `StoreError`.

        A browser that is `known` as this identity keeps its device. Otherwise its new id is
        `device`, which is saved before its cookie is made.
        """
        if known is not None and _keeps(known, identity):
            return known
        now = self._clock()
        new = SeenDevice(identity, device, agent, now, now)
        await self._store.writer.work(lambda connection: devices.insert_device(connection, new))
        return Credential(identity, device)

    async def replace_earlier(self, identity: str, device: str, agent: str) -> bool:
        """Save a device for a browser whose cookie names none, and return whether such cookies of
        the identity are still valid. Raises `StoreError`."""
        now = self._clock()
        return await devices.replace_earlier(self._store, SeenDevice(identity, device, agent, now, now))

    @contextmanager
    def connected(self, connection: Connected) -> Iterator[None]:
        """End the connection when its credential ends, until the end of the block."""
        self._connections.add(connection)
        try:
            yield
        finally:
            self._connections.discard(connection)

    async def recheck(self, identity: str | None = None) -> None:
        """End the connections of an identity, or all, whose credentials are not valid any more.
        Raises `StoreError`."""
        self._rechecks += 1
        for key in [key for key in self._known if identity in (None, key[0])]:
            del self._known[key]
        open_ones = [
            (each, each.credential)
            for each in self._connections
            if each.credential is not None and identity in (None, each.credential.identity)
        ]
        ended = await devices.ended_among(self._store, list({credential for _, credential in open_ones}))
        for connection, credential in open_ones:
            if credential in ended:
                connection.revoke(HostingError(HostingCode.SIGNED_OUT))

    async def check(self, credential: Credential) -> None:
        """Raise `HostingError` (`signed-out`, `banned`) if a credential is not valid any more."""
        self.bans.check(credential.identity)
        if (credential.identity, credential.device) in self._known:
            return
        if await devices.ended_among(self._store, [credential]):
            raise HostingError(HostingCode.SIGNED_OUT)

    def _end_banned(self) -> None:
        """End the connections of people who are banned now."""
        for connection in list(self._connections):
            if connection.credential is not None and (refusal := self.bans.refusal(connection.credential.identity)):
                connection.revoke(refusal)

    # --- Lists and ends ---------------------------------------------------------------------------

    async def devices_of(self, identity: str) -> list[SeenDevice]:
        """Return the devices that are signed in, the last one seen first. Raises `StoreError`."""
        await self._saved()
        return await devices.devices_of(self._store, identity)

    async def end_device(self, identity: str, device: str) -> None:
        """Sign out a device. Raises `StoreError`."""
        await devices.end_device(self._store, identity, device, self._clock())
        await self.publish_end(identity)

    async def end_other_devices(self, identity: str, kept: str) -> None:
        """Sign out all devices but one, and delete all transfer links. Raises `StoreError`."""
        await self._saved()
        await devices.end_other_devices(self._store, identity, kept, self._clock())
        await self.publish_end(identity)

    async def end_token(self, identity: str, token: str) -> bool:
        """Revoke the token with this id, and return whether it belonged to the identity. Raises
        `StoreError`."""
        found = await tokens.revoke_one(self._store, identity, token)
        await self.publish_end(identity)
        return found

    async def end_tokens(self, identity: str) -> None:
        """Revoke all tokens and transfer links. Raises `StoreError`."""
        await identities.revoke(self._store, identity)
        await self.publish_end(identity)

    async def publish_end(self, identity: str) -> None:
        """End the connections of an identity whose credentials have changed, in all workers."""
        self._announce(identity)
        await self.recheck(identity)

    # --- Devices that were seen -------------------------------------------------------------------

    def _remember(self, key: tuple[str, str], saved: float) -> None:
        """Cache the time at which a device was last saved as seen. The oldest entry makes room."""
        self._known[key] = saved
        if len(self._known) > MOST_KNOWN:
            self._known.popitem(last=False)

    def _save(self, device: SeenDevice) -> None:
        """Save in the background when a device was seen. Devices that are seen during a write
        are saved together by the next one."""
        self._seen[device.identity, device.device] = device
        if self._saving is None or self._saving.done():
            self._saving = self._tasks.spawn(self._save_all())

    async def _save_all(self) -> None:
        """Save the devices that were seen. If that fails, they are saved after their next
        request."""
        while self._seen:
            seen, self._seen = self._seen, {}
            try:
                await devices.save_seen(self._store, seen.values())
            except BaseException:
                for key in seen:
                    self._known.pop(key, None)
                raise

    async def _saved(self) -> None:
        """Wait until the devices that were seen are saved."""
        if self._saving is not None:
            with suppress(DicecupError):
                await asyncio.shield(self._saving)


def _keeps(known: Credential | None, identity: str) -> bool:
    """Return whether a browser that signs in as an identity keeps its device."""
    return known is not None and known.identity == identity and known.device not in ("", EARLIER)
