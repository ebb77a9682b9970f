"""Logins of accounts with an OpenID Connect provider: who signs in to which account.

The page takes three steps. It begins a `state` and goes to the provider. With the answer of the
provider the server proves a login and gives the page a ticket. The ticket signs the page in,
creates an account or adds the login to one. State and ticket work once and for five minutes, and
only for the page that began: it alone knows the secret `page`, which is in no address.
"""

import hmac
import json
from base64 import urlsafe_b64encode
from secrets import token_urlsafe
from typing import Final, NamedTuple

from sqlalchemy import Connection, bindparam, delete, insert, select

from dicecup.hosting.errors import HostingCode, HostingError
from dicecup.hosting.host_key import derived_key
from dicecup.hosting.people.accounts import lock_account
from dicecup.hosting.people.challenges import save_challenge, take_challenge, use_challenge
from dicecup.hosting.store import AppendConflict, Store
from dicecup.hosting.store.driver_errors import translated
from dicecup.hosting.store.identities import token_hash
from dicecup.hosting.store.models import LOGINS, PASSKEYS

STATE: Final = "provider"
TICKET: Final = "proved-login"


class Login(NamedTuple):
    """A person as a provider knows them: the URL of the provider, and the id there, which never
    changes."""

    issuer: str
    subject: str


class Begun(NamedTuple):
    """What begins at the provider. `state` goes through its address; `page` stays in the page."""

    state: str
    page: str


class Proof(NamedTuple):
    """What ties the answer of the provider to its state: the nonce of the ID token, and the
    verifier of PKCE."""

    nonce: str
    verifier: str


def new_state() -> Begun:
    """Return a new state, which is not saved yet."""
    return Begun(token_urlsafe(32), token_urlsafe(32))


async def save_state(store: Store, begun: Begun, now: float) -> None:
    """Save a state. Raises `StoreError`."""
    await save_challenge(store, begun.state, STATE, token_hash(begun.page), now)


async def use_state(store: Store, begun: Begun, now: float) -> None:
    """Use up a state. Raises `HostingError` (`challenge-over`) for one that is unknown, used,
    expired or of another page, and `StoreError`."""
    _check_page(await use_challenge(store, begun.state, STATE, now), begun.page)


def proof_of(host_key: bytes, state: str) -> Proof:
    """Return nonce and verifier of a state. They follow from the host key, so that the database
    holds neither."""

    def secret(purpose: str) -> str:
        found = hmac.digest(derived_key(host_key, purpose), state.encode("utf-8", "surrogatepass"), "sha256")
        return urlsafe_b64encode(found).decode().rstrip("=")

    return Proof(secret("nonces of a provider"), secret("code verifiers of a provider"))


async def save_ticket(store: Store, login: Login, page: str, now: float) -> str:
    """Return a ticket for a login that the provider has proved to a page. Raises `StoreError`."""
    ticket = token_urlsafe(32)
    data = json.dumps([token_hash(page), *login], ensure_ascii=False)
    await save_challenge(store, ticket, TICKET, data, now)
    return ticket


def take_ticket(connection: Connection, ticket: str, page: str, now: float) -> Login:
    """Use up a ticket and return its login. Raises `HostingError` (`challenge-over`) as
    `use_state`."""
    of_page, *login = json.loads(take_challenge(connection, ticket, TICKET, now))
    _check_page(of_page, page)
    return Login(*login)


# --- Stored logins --------------------------------------------------------------------------------


async def owner_of(store: Store, login: Login) -> str | None:
    """Return the identity that a login signs in to, `None` without one. Raises `StoreError`."""
    with translated():
        async with store.engines.readers.connect() as connection:
            return (await connection.execute(_OWNER, login._asdict())).scalar_one_or_none()


async def checked_owner(store: Store, ticket: str, page: str, now: float) -> str:
    """Use up a ticket and return the identity that its login signs in to. Raises `HostingError`
    (`challenge-over`, `no-such-login`) and `StoreError`."""

    def work(connection: Connection) -> str:
        found = connection.execute(_OWNER, take_ticket(connection, ticket, page, now)._asdict()).scalar_one_or_none()
        if found is None:
            raise HostingError(HostingCode.NO_SUCH_LOGIN)
        identity: str = found
        return identity

    return await store.writer.work(work)


async def has_login(store: Store, identity: str, issuer: str) -> bool:
    """Return whether an identity can sign in with a provider. Raises `StoreError`."""
    with translated():
        async with store.engines.readers.connect() as connection:
            return (await connection.execute(_OWN, {"identity": identity, "issuer": issuer})).first() is not None


def insert_login(connection: Connection, identity: str, login: Login) -> None:
    """Insert the login of an account that exists.

    Raises `HostingError`: `login-taken` for one that signs in to an account, and `has-login` if the
    account has another one with this provider.
    """
    if connection.execute(_OWNER, login._asdict()).first() is not None:
        raise HostingError(HostingCode.LOGIN_TAKEN)
    if connection.execute(_OWN, {"identity": identity, "issuer": login.issuer}).first() is not None:
        raise HostingError(HostingCode.HAS_LOGIN)
    connection.execute(insert(LOGINS), login._asdict() | {"identity": identity})


async def add_login(store: Store, identity: str, ticket: str, page: str, now: float) -> None:
    """Use up a ticket and add its login to an account. Raises `HostingError` (`no-account`,
    `challenge-over`, `login-taken`, `has-login`) and `StoreError`."""

    def work(connection: Connection) -> None:
        lock_account(connection, identity)
        insert_login(connection, identity, take_ticket(connection, ticket, page, now))

    try:
        await store.writer.work(work)
    except AppendConflict:  # another worker added it meanwhile
        raise HostingError(HostingCode.LOGIN_TAKEN) from None


async def remove_login(store: Store, identity: str, issuer: str) -> None:
    """Remove the login of an account with a provider.

    Raises `HostingError`: `no-account`, `no-such-login`, and `last-login` for a person without
    passkeys, who could not sign in any more. Raises `StoreError`.
    """

    def work(connection: Connection) -> None:
        lock_account(connection, identity)
        own = delete(LOGINS).where(LOGINS.c.identity == identity, LOGINS.c.issuer == issuer)
        if not connection.execute(own).rowcount:
            raise HostingError(HostingCode.NO_SUCH_LOGIN)
        if connection.execute(_PASSKEY, {"identity": identity}).first() is None:
            raise HostingError(HostingCode.LAST_LOGIN)

    await store.writer.work(work)


def _check_page(stored: str, page: str) -> None:
    if not hmac.compare_digest(stored, token_hash(page)):
        raise HostingError(HostingCode.CHALLENGE_OVER)


_OWNER: Final = select(LOGINS.c.identity).where(
    LOGINS.c.issuer == bindparam("issuer"), LOGINS.c.subject == bindparam("subject")
)
_OWN: Final = select(LOGINS.c.subject).where(LOGINS.c.identity == bindparam("identity"), LOGINS.c.issuer == bindparam("issuer"))
_PASSKEY: Final = select(PASSKEYS.c.passkey).where(PASSKEYS.c.identity == bindparam("identity")).limit(1)
