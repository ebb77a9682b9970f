"""The identities that want to be told something, as this process knows them.

They are in memory, so that a change of a table costs nothing for all other people.
"""

import asyncio
from collections.abc import Callable, Collection, Iterable

from sqlalchemy import bindparam, select

from dicecup.hosting.store import Store
from dicecup.hosting.store.driver_errors import translated
from dicecup.hosting.store.models import CHANNELS


class Recipients:
    """The identities with a confirmed channel, from `begin` on: a server that tells nobody
    anything has none. `announce` notifies the other workers of an identity whose channels have
    changed."""

    def __init__(self, store: Store, announce: Callable[[str], None]) -> None:
        self._store = store
        self._announce = announce
        self._known: frozenset[str] | set[str] = frozenset()
        self._begun = False
        self._reading = asyncio.Lock()
        """Held while the database is read, so that an older answer does not replace a newer one."""

    def __bool__(self) -> bool:
        return bool(self._known)

    def among(self, identities: Collection[str]) -> Collection[str]:
        """Return those of these identities that want to be told something, in order."""
        return sorted(self._known.intersection(identities))

    async def begin(self) -> None:
        """Read what all identities want. Raises `StoreError`."""
        self._begun = True
        await self.read(None)

    async def changed(self, identity: str) -> None:
        """Read again what an identity wants, and let the other workers do the same. Raises
        `StoreError`."""
        await self.read(identity)
        self._announce(identity)

    async def read(self, identity: str | None) -> None:
        """Read again what an identity wants, or all identities. Raises `StoreError`."""
        if not self._begun:
            return
        query = _OF if identity is not None else _ALL
        async with self._reading:
            with translated():
                async with self._store.engines.readers.connect() as connection:
                    found: Iterable[str] = (await connection.execute(query, {"identity": identity})).scalars()
                    read = set(found)
            self._known = read if identity is None else (set(self._known) - {identity}) | read


_ALL = select(CHANNELS.c.identity).where(CHANNELS.c.confirmed.is_not(None)).distinct()
_OF = _ALL.where(CHANNELS.c.identity == bindparam("identity"))
