"""Commands of administrators that are written into the audit log of the database."""

import json
import os
import sys
from argparse import Namespace
from collections.abc import Awaitable, Callable
from contextlib import suppress
from datetime import UTC, datetime
from getpass import getuser
from time import time
from typing import Final, TypeVar

from dicecup.cli.database import environment, with_store
from dicecup.core.errors import DicecupError
from dicecup.hosting.settings import Settings
from dicecup.hosting.store import Store
from dicecup.hosting.store.audit import DONE, UNCHANGED, AuditEntry, entries_of, save_entry
from dicecup.locale import Messages
from dicecup.sentences import on_one_line

Answer = TypeVar("Answer")

LONGEST_SUBJECT: Final = 200
OUTCOMES: Final = {DONE: "admin_audit_done", UNCHANGED: "admin_audit_unchanged"}


def audited(arguments: Namespace, subject: str, work: Callable[[Store, AuditEntry], Awaitable[Answer]]) -> Answer:
    """Open the store, and return the result of `work`, which saves the entry that it gets.

    An entry with the code of the refusal is saved if `work` raises `DicecupError`, which is raised
    again.
    """
    entry = entry_of(arguments, subject)

    async def run(store: Store) -> Answer:
        """Return the result of `work`, or save why it was refused."""
        try:
            return await work(store, entry)
        except DicecupError as error:
            with suppress(DicecupError):
                await save_entry(store, entry._replace(outcome=str(error.code)))
            raise

    return with_store(arguments, run)


def audited_with_key(
    arguments: Namespace, subject: str, work: Callable[[Store, AuditEntry, bytes], Awaitable[Answer]]
) -> Answer:
    """Return the result of `work`, which also gets the host key of the database; see `audited`.

    Raises `HostKeyError` (`host-key-lost`, `other-host-key`) before `work` is called: with another
    key its links would open nothing, and the dice of running games would follow from that key.
    """
    from dicecup.hosting.key_of_database import with_checked_key

    settings = Settings.read(environment(arguments))

    async def run(store: Store, entry: AuditEntry) -> Answer:
        """Return the result of `work` after checking the key."""
        return await work(store, entry, (await with_checked_key(store, settings)).host_key)

    return audited(arguments, subject, run)


def entry_of(arguments: Namespace, subject: str) -> AuditEntry:
    """Return the entry of a command that is carried out now."""
    shown = on_one_line(subject.encode("utf-8", "replace").decode(), LONGEST_SUBJECT)
    return AuditEntry(time(), arguments.deed, shown, operator())


def operator() -> str:
    """Return the user of the operating system, with the one who called `sudo`, if any."""
    if sys.platform == "win32":
        return getuser()
    import pwd

    try:
        name = pwd.getpwuid(os.getuid()).pw_name
    except KeyError:  # a container may run under a number without a name
        name = str(os.getuid())
    caller = os.environ.get("SUDO_USER", "")
    return f"{name} ({on_one_line(caller, 40)})" if caller and caller != name else name


def print_audit(arguments: Namespace, messages: Messages) -> None:
    """Print a line for each entry of the audit log, the oldest first."""
    for entry in with_store(arguments, entries_of):
        if arguments.json:
            print(json.dumps(entry._asdict(), ensure_ascii=False))
            continue
        at = datetime.fromtimestamp(entry.time, UTC).strftime("%Y-%m-%d %H:%M:%S")
        key = OUTCOMES.get(entry.outcome)
        outcome = messages("admin_audit_refused", code=entry.outcome) if key is None else messages(key)
        print("  ".join(word for word in (at, entry.operator, entry.command, entry.subject, outcome) if word))
