"""`dicecup admin restore` and `restored`: a backup brings tables back, with other dice to come."""

import asyncio
from argparse import Namespace
from pathlib import Path

from dicecup.cli.audited import audited_with_key, entry_of
from dicecup.cli.database import environment
from dicecup.hosting.settings import Settings
from dicecup.hosting.store import Store
from dicecup.hosting.store.audit import AuditEntry, save_entry
from dicecup.locale import Messages


def restore(arguments: Namespace, backup: Path, messages: Messages) -> None:
    """Put a backup in the place of the SQLite database while no server runs. Raises
    `DicecupError`."""
    from dicecup.hosting import restoring
    from dicecup.web.single_server import locked

    settings = Settings.read(environment(arguments))
    if settings.database.get_backend_name() != "sqlite":
        arguments.refuse(messages("admin_restore_postgresql"))
    with locked(settings.database):
        restored = asyncio.run(restoring.restore(settings, backup, entry_of(arguments, str(backup))))
    print(messages("admin_restored", tables=restored.tables, renewed=restored.renewed))
    if restored.kept is not None:
        print(messages("admin_restored_kept", file=restored.kept))


def note_restored(arguments: Namespace, messages: Messages) -> None:
    """Begin new commitments after the programs of PostgreSQL restored its database. Raises
    `DicecupError`."""
    from dicecup.hosting.outages import last_served
    from dicecup.hosting.store.locks import timeline_lock
    from dicecup.hosting.timeline import begin_timeline

    async def work(store: Store, entry: AuditEntry, host_key: bytes) -> int:
        async with timeline_lock(store):
            count = await begin_timeline(store, host_key, await last_served(store, entry.time))
        await save_entry(store, entry)
        return count

    print(messages("admin_renewed", renewed=audited_with_key(arguments, "", work)))
