"""Recovery codes: ten secrets of an account for a person who lost all passkeys. Each works once.

The database holds their SHA-256 alone. A code has 100 random bits, so no search finds it.
"""

from secrets import choice
from typing import Final

from sqlalchemy import Connection, delete, func, insert, select

from dicecup.hosting.people.accounts import lock_account
from dicecup.hosting.store import Store
from dicecup.hosting.store.driver_errors import translated
from dicecup.hosting.store.identities import token_hash
from dicecup.hosting.store.models import TOKENS

KIND: Final = "recovery"
CODES: Final = 10
_DIGITS: Final = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
"""Crockford's digits of base 32, without letters that look like others."""
_GROUPS: Final = 4
_GROUP: Final = 5
_READ_AS: Final = str.maketrans("OIL", "011", "- \t\r\n")


def new_codes() -> list[str]:
    """Return ten new codes, such as `7QK2M-0B4XZ-PW8RT-3N6VD`."""
    return ["-".join("".join(choice(_DIGITS) for _ in range(_GROUP)) for _ in range(_GROUPS)) for _ in range(CODES)]


def code_secret(code: str) -> str:
    """Return the secret in a code that a person typed, in capitals or not."""
    return code.upper().translate(_READ_AS)


def replace_codes(connection: Connection, identity: str, codes: list[str]) -> None:
    """Save the codes of an account in place of its earlier ones."""
    connection.execute(delete(TOKENS).where(TOKENS.c.identity == identity, TOKENS.c.kind == KIND))
    rows = [{"hash": token_hash(code_secret(code)), "identity": identity, "kind": KIND, "expires": None} for code in codes]
    connection.execute(insert(TOKENS), rows)


async def save_codes(store: Store, identity: str, codes: list[str]) -> None:
    """Save the codes of an account in place of its earlier ones. Raises `HostingError`
    (`no-account`) and `StoreError`."""

    def work(connection: Connection) -> None:
        lock_account(connection, identity)
        replace_codes(connection, identity, codes)

    await store.writer.work(work)


async def codes_left(store: Store, identity: str) -> int:
    """Return how many codes of an account are not used yet. Raises `StoreError`."""
    unused = select(func.count()).select_from(TOKENS).where(TOKENS.c.identity == identity, TOKENS.c.kind == KIND)
    with translated():
        async with store.engines.readers.connect() as connection:
            return int((await connection.execute(unused)).scalar_one())
