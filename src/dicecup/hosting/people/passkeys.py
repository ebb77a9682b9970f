"""Passkeys of accounts (WebAuthn): adding one, and signing in with one.

The page and the authenticator answer a challenge for one site. A passkey of another site, an answer
to a challenge of another browser and an answer that was sent before are refused.

The library is in the extra `accounts`. Routes check `INSTALLED` before they need it.
"""

import hmac
import json
from importlib.util import find_spec
from typing import Any, Final, NamedTuple

from sqlalchemy import Connection, bindparam, delete, insert, select, update

from dicecup.hosting.errors import HostingCode, HostingError
from dicecup.hosting.host_key import derived_key
from dicecup.hosting.people.accounts import lock_account
from dicecup.hosting.people.challenges import save_challenge, use_challenge
from dicecup.hosting.store import AppendConflict, Store
from dicecup.hosting.store.driver_errors import translated
from dicecup.hosting.store.models import LOGINS, PASSKEYS
from dicecup.table.names import free_name

INSTALLED: Final = find_spec("webauthn") is not None
"""Whether Dicecup can check passkeys."""
if INSTALLED:
    import webauthn

Json = dict[str, Any]
MOST_PASSKEYS: Final = 20
"""Passkeys of an account."""
ADDING: Final = "add-passkey"
SIGNING_IN: Final = "sign-in"


class Site(NamedTuple):
    """The site that passkeys belong to: its host name, its origin, and the name that the
    authenticator shows."""

    host: str
    origin: str
    name: str


class Passkey(NamedTuple):
    """A passkey as its owner sees it. Times are seconds since 1970."""

    passkey: str
    name: str
    created: float
    used: float | None


class NewPasskey(NamedTuple):
    """A checked passkey that is not saved yet."""

    passkey: str
    public_key: str
    sign_count: int


async def adding_options(store: Store, site: Site, host_key: bytes, identity: str, handle: str, now: float) -> Json:
    """Return what a page hands to `navigator.credentials.create`, as JSON. Raises
    `StoreError`."""
    from webauthn.helpers import base64url_to_bytes, bytes_to_base64url, generate_challenge
    from webauthn.helpers.structs import (
        AuthenticatorSelectionCriteria,
        PublicKeyCredentialDescriptor,
        ResidentKeyRequirement,
        UserVerificationRequirement,
    )

    challenge = generate_challenge()
    await save_challenge(store, bytes_to_base64url(challenge), ADDING, identity, now)
    known = [PublicKeyCredentialDescriptor(id=base64url_to_bytes(each.passkey)) for each in await passkeys_of(store, identity)]
    options = webauthn.generate_registration_options(
        rp_id=site.host,
        rp_name=site.name,
        user_id=hmac.digest(derived_key(host_key, "users of passkeys"), identity.encode(), "sha256"),
        user_name=handle,
        challenge=challenge,
        authenticator_selection=AuthenticatorSelectionCriteria(
            resident_key=ResidentKeyRequirement.REQUIRED, user_verification=UserVerificationRequirement.PREFERRED
        ),
        exclude_credentials=known,
    )
    return _as_json(options)


async def sign_in_options(store: Store, site: Site, now: float) -> Json:
    """Return what a page hands to `navigator.credentials.get`, as JSON. Raises `StoreError`."""
    from webauthn.helpers import bytes_to_base64url, generate_challenge

    challenge = generate_challenge()
    await save_challenge(store, bytes_to_base64url(challenge), SIGNING_IN, "", now)
    return _as_json(webauthn.generate_authentication_options(rp_id=site.host, challenge=challenge))


async def checked_passkey(store: Store, site: Site, identity: str, credential: Json, now: float) -> NewPasskey:
    """Return the passkey in the answer of `navigator.credentials.create`.

    Raises `HostingError` (`challenge-over`, `not-a-passkey`) and `StoreError`.
    """
    from webauthn.helpers import base64url_to_bytes, bytes_to_base64url

    challenge = _challenge(credential)
    if await use_challenge(store, challenge, ADDING, now) != identity:
        raise HostingError(HostingCode.CHALLENGE_OVER)
    try:
        checked = webauthn.verify_registration_response(
            credential=credential,
            expected_challenge=base64url_to_bytes(challenge),
            expected_rp_id=site.host,
            expected_origin=site.origin,
        )
    except _refusals() as error:
        raise HostingError(HostingCode.NOT_A_PASSKEY, why=str(error)) from None
    public_key = bytes_to_base64url(checked.credential_public_key)
    return NewPasskey(bytes_to_base64url(checked.credential_id), public_key, checked.sign_count)


async def checked_owner(store: Store, site: Site, credential: Json, now: float) -> str:
    """Return the identity whose passkey made the answer of `navigator.credentials.get`.

    Raises `HostingError` (`challenge-over`, `not-a-passkey`, `no-such-passkey`) and `StoreError`.
    """
    from webauthn.helpers import base64url_to_bytes

    challenge = _challenge(credential)
    await use_challenge(store, challenge, SIGNING_IN, now)
    passkey = str(credential.get("id"))
    with translated():
        async with store.engines.readers.connect() as connection:
            row = (await connection.execute(_KEY, {"passkey": passkey})).first()
    if row is None:
        raise HostingError(HostingCode.NO_SUCH_PASSKEY)
    try:
        checked = webauthn.verify_authentication_response(
            credential=credential,
            expected_challenge=base64url_to_bytes(challenge),
            expected_rp_id=site.host,
            expected_origin=site.origin,
            credential_public_key=base64url_to_bytes(row.public_key),
            credential_current_sign_count=row.sign_count,
        )
    except _refusals() as error:
        raise HostingError(HostingCode.NOT_A_PASSKEY, why=str(error)) from None
    used = update(PASSKEYS).where(PASSKEYS.c.passkey == passkey).values(sign_count=checked.new_sign_count, used=now)
    await store.writer.work(lambda connection: connection.execute(used))
    return str(row.identity)


# --- Stored passkeys ------------------------------------------------------------------------------


def insert_passkey(connection: Connection, identity: str, passkey: NewPasskey, name: str, now: float) -> None:
    """Insert a passkey of an account. If another one has its name, it gets a number. Raises
    `HostingError` (`too-many-passkeys`)."""
    others = connection.execute(_NAMES, {"identity": identity}).scalars().all()
    if len(others) >= MOST_PASSKEYS:
        raise HostingError(HostingCode.TOO_MANY_PASSKEYS, most=MOST_PASSKEYS)
    row = passkey._asdict() | {"identity": identity, "name": free_name(name, others), "created": now, "used": None}
    connection.execute(insert(PASSKEYS), row)


async def add_passkey(store: Store, identity: str, passkey: NewPasskey, name: str, now: float) -> None:
    """Save a further passkey of an account. Raises `HostingError` (`no-account`,
    `too-many-passkeys`, `not-a-passkey` for one that is saved already) and `StoreError`."""

    def work(connection: Connection) -> None:
        lock_account(connection, identity)
        insert_passkey(connection, identity, passkey, name, now)

    try:
        await store.writer.work(work)
    except AppendConflict:
        raise HostingError(HostingCode.NOT_A_PASSKEY, why="known") from None


async def passkeys_of(store: Store, identity: str) -> list[Passkey]:
    """Return the passkeys of an account, the oldest first. Raises `StoreError`."""
    with translated():
        async with store.engines.readers.connect() as connection:
            return [Passkey(*row) for row in await connection.execute(_OWN, {"identity": identity})]


async def rename_passkey(store: Store, identity: str, passkey: str, name: str) -> None:
    """Change the name of a passkey. Raises `HostingError` (`no-such-passkey`) and `StoreError`."""
    own = update(PASSKEYS).where(PASSKEYS.c.identity == identity, PASSKEYS.c.passkey == passkey).values(name=name)
    if not await store.writer.work(lambda connection: connection.execute(own).rowcount):
        raise HostingError(HostingCode.NO_SUCH_PASSKEY)


async def remove_passkey(store: Store, identity: str, passkey: str, issuer: str | None) -> None:
    """Remove a passkey. `issuer`: the provider with which people sign in here, `None` without one.

    Raises `HostingError`: `no-account`, `no-such-passkey`, and `last-passkey` for the only one of a
    person who could then not sign in with the provider either. Raises `StoreError`.
    """

    def work(connection: Connection) -> None:
        lock_account(connection, identity)
        removed = connection.execute(
            delete(PASSKEYS).where(PASSKEYS.c.identity == identity, PASSKEYS.c.passkey == passkey)
        ).rowcount
        if not removed:
            raise HostingError(HostingCode.NO_SUCH_PASSKEY)
        left = connection.execute(_NAMES, {"identity": identity}).first()
        if left is None and connection.execute(_LOGIN, {"identity": identity, "issuer": issuer}).first() is None:
            raise HostingError(HostingCode.LAST_PASSKEY)

    await store.writer.work(work)


def _challenge(credential: Json) -> str:
    """Return the challenge that an answer names. Raises `HostingError` (`not-a-passkey`)."""
    from webauthn.helpers import base64url_to_bytes, bytes_to_base64url, parse_client_data_json

    try:
        data = parse_client_data_json(base64url_to_bytes(credential["response"]["clientDataJSON"]))
        return bytes_to_base64url(data.challenge)
    except _refusals() as error:
        raise HostingError(HostingCode.NOT_A_PASSKEY, why=type(error).__name__) from None


def _as_json(options: Any) -> Json:
    found: Json = json.loads(webauthn.options_to_json(options))
    return found


def _refusals() -> tuple[type[Exception], ...]:
    """Return what the library raises for an answer that does not fit or is malformed."""
    from webauthn.helpers.exceptions import WebAuthnException

    return WebAuthnException, ValueError, TypeError, KeyError, AttributeError


_KEY: Final = select(PASSKEYS.c.identity, PASSKEYS.c.public_key, PASSKEYS.c.sign_count).where(
    PASSKEYS.c.passkey == bindparam("passkey")
)
_OWN: Final = (
    select(*(PASSKEYS.c[name] for name in Passkey._fields))
    .where(PASSKEYS.c.identity == bindparam("identity"))
    .order_by(PASSKEYS.c.created, PASSKEYS.c.passkey)
)
_NAMES: Final = select(PASSKEYS.c.name).where(PASSKEYS.c.identity == bindparam("identity"))
_LOGIN: Final = select(LOGINS.c.subject).where(
    LOGINS.c.identity == bindparam("identity"), LOGINS.c.issuer == bindparam("issuer")
)
