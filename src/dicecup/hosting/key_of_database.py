"""The host key that belongs to a database.

The database holds a fingerprint of the key with which it was begun. A server with another key would
end the commitments of all running games and recognise no cookie, so it does not start.
"""

import hmac
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any, Final

from sqlalchemy import Connection, bindparam, delete, insert, select

from dicecup.core.shown_url import shown_url
from dicecup.hosting.host_key import HostKeyCode, HostKeyError, create_host_key, derived_key
from dicecup.hosting.settings import Settings
from dicecup.hosting.store import Store
from dicecup.hosting.store.audit import UNCHANGED, AuditEntry, note
from dicecup.hosting.store.models import EVENTS, FACTS, TABLES
from dicecup.hosting.store.statements import insert_if_missing
from dicecup.table import fairness
from dicecup.table.duplicate import event_secret

NAME: Final = "host-key"
"""Name of the fingerprint among the facts."""
TRIED_TABLES: Final = 20
"""Unfinished tables with whose commitments a key is compared if there is no fingerprint."""


def fingerprint(host_key: bytes) -> str:
    """Return a hash from which the key cannot be found."""
    return derived_key(host_key, "fingerprint").hex()


async def with_checked_key(store: Store, settings: Settings) -> Settings:
    """Return the settings with the host key of this database.

    A missing key is created in `settings.key_file` if the database is empty. The first key that is
    used with a database becomes its own. Raises `HostKeyError`: `host-key-lost` if the key is
    missing and the database holds tables, `other-host-key` if the key is not that of the database;
    and `StoreError`.
    """
    if settings.key_file is not None:
        if not await store.writer.work(_is_new):
            raise HostKeyError(HostKeyCode.LOST, file=settings.key_file)
        settings = _with_created_key(settings)
    host_key = settings.host_key

    def work(connection: Connection) -> bool:
        """Save the fingerprint unless there is one, and return whether it is that of the key."""
        if not _stored(connection):
            if not _made_commitments(connection, host_key):
                return False
            row = {"name": NAME, "value": fingerprint(host_key)}
            connection.execute(insert_if_missing(FACTS, connection.dialect.name), row)
        return hmac.compare_digest(_stored(connection), fingerprint(host_key))

    if not await store.writer.work(work):
        raise HostKeyError(HostKeyCode.OTHER, text=shown_url(settings.database.render_as_string(hide_password=False)))
    return settings


async def adopt_host_key(store: Store, settings: Settings, entry: AuditEntry | None = None) -> bool:
    """Store the fingerprint of the settings' host key as that of the database, and return whether
    it has changed. `entry` is added to the audit log.

    A missing key is created. Running games begin a new commitment when they go on. Raises
    `HostKeyError` and `StoreError`.
    """
    settings = _with_created_key(settings)
    new = fingerprint(settings.host_key)

    def work(connection: Connection) -> bool:
        before = _stored(connection)
        connection.execute(delete(FACTS).where(FACTS.c.name == NAME))
        connection.execute(insert(FACTS), {"name": NAME, "value": new})
        note(connection, entry and (entry if before != new else entry._replace(outcome=UNCHANGED)))
        return before != new

    return await store.writer.work(work)


def _with_created_key(settings: Settings) -> Settings:
    if settings.key_file is None:
        return settings
    return replace(settings, host_key=create_host_key(settings.key_file), key_file=None)


def _stored(connection: Connection) -> str:
    """Return the fingerprint in the database, empty if there is none."""
    return str(connection.execute(_FACT, {"name": NAME}).scalar_one_or_none() or "")


def _is_new(connection: Connection) -> bool:
    """Return whether the database was never used."""
    return not _stored(connection) and connection.execute(_ANY_EVENT).first() is None


def _made_commitments(connection: Connection, host_key: bytes) -> bool:
    """Return whether the key made a commitment of an unfinished table, or there is none to compare
    with."""
    compared = False
    for (table,) in connection.execute(_UNFINISHED).all():
        bodies = [json.loads(body) for body in connection.execute(_COMMITMENTS, {"table": table}).scalars()]
        secrets = {fairness.secret_of(host_key, table), *_event_secrets(host_key, bodies)}
        made = {body.get("commitment") for body in bodies}
        if not made.isdisjoint(map(fairness.commitment, secrets)):
            return True
        compared |= bool(made - {None, ""})  # a table with real dice has an empty commitment
    return not compared


def _event_secrets(host_key: bytes, bodies: Iterable[Mapping[str, Any]]) -> Iterator[bytes]:
    """Yield the secrets of the duplicate events that the first events of tables name."""
    for body in bodies:
        duplicate = body.get("setup", {}).get("duplicate")
        if duplicate:
            yield event_secret(host_key, duplicate["event"])


_FACT: Final = select(FACTS.c.value).where(FACTS.c.name == bindparam("name"))
_ANY_EVENT: Final = select(EVENTS.c.table_id).limit(1)
_UNFINISHED: Final = (
    select(TABLES.c.table_id).where(TABLES.c.state != "over").order_by(TABLES.c.created.desc()).limit(TRIED_TABLES)
)
_COMMITMENTS: Final = select(EVENTS.c.body).where(EVENTS.c.table_id == bindparam("table"), EVENTS.c.body.like('%"commitment"%'))
