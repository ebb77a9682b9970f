"""Accounts: the handle of an identity. An identity needs none."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Final, NamedTuple

from sqlalchemy import Connection, bindparam, insert, or_, select, update

from dicecup.hosting.errors import HostingCode, HostingError
from dicecup.hosting.people.handles import check_handle, handle_shape, small_shape
from dicecup.hosting.settings import Settings
from dicecup.hosting.store import AppendConflict, Store
from dicecup.hosting.store.driver_errors import translated
from dicecup.hosting.store.models import ACCOUNTS
from dicecup.hosting.store.steps import statement
from dicecup.table.names import name_key


class Account(NamedTuple):
    """An account. Everybody may see the profile of a `public` one. `created` is in seconds since
    1970."""

    identity: str
    handle: str
    created: float
    public: bool


async def account_of(store: Store, identity: str) -> Account | None:
    """Return the account of an identity, `None` without one. Raises `StoreError`."""
    with translated():
        async with store.engines.readers.connect() as connection:
            row = (await connection.execute(_BY_IDENTITY, {"identity": identity})).first()
    return None if row is None else Account(*row)


async def account_by_handle(store: Store, handle: str) -> Account | None:
    """Return the account with a handle, in capitals or not, `None` without one. Raises
    `StoreError`."""
    with translated():
        async with store.engines.readers.connect() as connection:
            row = (await connection.execute(_BY_HANDLE, {"key": name_key(handle)})).first()
    return None if row is None else Account(*row)


async def handles_of(store: Store, identities: Iterable[str]) -> dict[str, str]:
    """Return the handle of each of these identities that has an account. Raises `StoreError`."""
    with translated():
        async with store.engines.readers.connect() as connection:
            rows = await connection.exec_driver_sql(*statement(store.engines.dialect, _HANDLES, list(identities)))
            return {row.identity: row.handle for row in rows}


async def create_account(store: Store, account: Account, also: Callable[[Connection], None]) -> None:
    """Save a new account. `also` saves in the same transaction what its owner signs in with.

    Raises `HostingError` as `insert_account`, what `also` raises, and `StoreError`.
    """

    def work(connection: Connection) -> None:
        insert_account(connection, account)
        also(connection)

    with _handle_conflicts(account.handle):
        await store.writer.work(work)


def insert_account(connection: Connection, account: Account) -> None:
    """Insert an account. Raises `HostingError`: `not-a-handle`, `has-account` if the identity has
    one, and `handle-taken` if another handle looks like this one."""
    check_handle(account.handle)
    if connection.execute(_BY_IDENTITY, {"identity": account.identity}).first() is not None:
        raise HostingError(HostingCode.HAS_ACCOUNT)
    keys = _free_keys(connection, account)
    connection.execute(insert(ACCOUNTS), account._asdict() | keys)


def lock_account(connection: Connection, identity: str) -> None:
    """Let no other worker change what the owner of an account signs in with until the end of the
    transaction. Raises `HostingError` (`no-account`)."""
    own = select(ACCOUNTS.c.identity).where(ACCOUNTS.c.identity == identity).with_for_update()
    if connection.execute(own).first() is None:
        raise HostingError(HostingCode.NO_ACCOUNT)


async def check_account(store: Store, settings: Settings, identity: str, *, rated: bool = False) -> None:
    """Raise `HostingError` for an identity without an account: `account-needed` on a server that
    requires one, `rated-needs-account` for a rated game where these need one. Raises
    `StoreError`."""
    required, needed = settings.accounts == "required", rated and settings.rated == "accounts"
    if (required or needed) and await account_of(store, identity) is None:
        raise HostingError(HostingCode.ACCOUNT_NEEDED if required else HostingCode.RATED_NEEDS_ACCOUNT)


async def check_free(store: Store, handle: str) -> None:
    """Raise `HostingError` (`not-a-handle`, `handle-taken`) for a text that cannot be the handle of
    a new account. Raises `StoreError`."""
    check_handle(handle)
    with translated():
        async with store.engines.readers.connect() as connection:
            if (await connection.execute(_TAKEN, {"identity": "", **_keys(handle)})).first() is not None:
                raise HostingError(HostingCode.HANDLE_TAKEN, text=handle)


async def change_account(store: Store, account: Account) -> None:
    """Save the handle of an account and who may see its profile. Raises `HostingError`
    (`not-a-handle`, `handle-taken`) and `StoreError`."""
    check_handle(account.handle)

    def work(connection: Connection) -> None:
        values = {"handle": account.handle, "public": account.public} | _free_keys(connection, account)
        connection.execute(update(ACCOUNTS).where(ACCOUNTS.c.identity == account.identity).values(values))

    with _handle_conflicts(account.handle):
        await store.writer.work(work)


@contextmanager
def _handle_conflicts(handle: str) -> Iterator[None]:
    """Raise `HostingError` (`handle-taken`) if another worker saved such a handle meanwhile."""
    try:
        yield
    except AppendConflict:
        raise HostingError(HostingCode.HANDLE_TAKEN, text=handle) from None


def _free_keys(connection: Connection, account: Account) -> dict[str, str]:
    """Return the keys of a handle. Raises `HostingError` (`handle-taken`)."""
    keys = _keys(account.handle)
    if connection.execute(_TAKEN, {"identity": account.identity, **keys}).first() is not None:
        raise HostingError(HostingCode.HANDLE_TAKEN, text=account.handle)
    return keys


def _keys(handle: str) -> dict[str, str]:
    return {"handle_key": name_key(handle), "handle_shape": handle_shape(handle), "handle_small_shape": small_shape(handle)}


_COLUMNS: Final = tuple(ACCOUNTS.c[name] for name in Account._fields)
_BY_IDENTITY: Final = select(*_COLUMNS).where(ACCOUNTS.c.identity == bindparam("identity"))
_BY_HANDLE: Final = select(*_COLUMNS).where(ACCOUNTS.c.handle_key == bindparam("key"))
_HANDLES: Final = "SELECT identity, handle FROM accounts WHERE identity = ANY($1::text[])"
_TAKEN: Final = select(ACCOUNTS.c.identity).where(
    ACCOUNTS.c.identity != bindparam("identity"),
    or_(*(ACCOUNTS.c[key] == bindparam(key) for key in ("handle_key", "handle_shape", "handle_small_shape"))),
)
