"""Commands of administrators that are written into the audit log of the database."""

import json
import os
import sys
from argparse import Namespace
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from getpass import getuser
from time import time
from typing import Final, TypeVar

from dicecup.cli.database import environment, with_store
from dicecup.hosting.recorded import recorded
from dicecup.hosting.settings import Settings
from dicecup.hosting.store import Store
from dicecup.hosting.store.audit import DONE, LONGEST_SUBJECT, UNCHANGED, AuditEntry, entries_of
from dicecup.locale import Messages
from dicecup.sentences import on_one_line

Answer = TypeVar("Answer")

OUTCOMES: Final = {DONE: "admin_audit_done", UNCHANGED: "admin_audit_unchanged"}


def audited(arguments: Namespace, about: str, work: Callable[[Store, AuditEntry], Awaitable[Answer]]) -> Answer:
    """Open the store, and return the result of `work` for an entry about something; see
    `recorded`."""
    entry = entry_of(arguments, about)
    return with_store(arguments, lambda store: recorded(store, entry, lambda given: work(store, given)))


def audited_with_key(arguments: Namespace, about: str, work: Callable[[Store, AuditEntry, bytes], Awaitable[Answer]]) -> Answer:
    """Return the result of `work`, which also gets the host key of the database; see `audited`.

    Raises `HostKeyError` (`host-key-lost`, `other-host-key`) before `work` is called: with another
    key its links would open nothing, and the dice of running games would follow from that key.
    """
    from dicecup.hosting.key_of_database import with_checked_key

    settings = Settings.read(environment(arguments))

    async def run(store: Store, entry: AuditEntry) -> Answer:
        """Return the result of `work` after checking the key."""
        return await work(store, entry, (await with_checked_key(store, settings)).host_key)

    return audited(arguments, about, run)


def entry_of(arguments: Namespace, about: str) -> AuditEntry:
    """Return the entry of a command that is carried out now."""
    shown = on_one_line(about.encode("utf-8", "replace").decode(), LONGEST_SUBJECT)
    return AuditEntry(time(), arguments.action, shown, operator())


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
    """Print a line for each entry of the audit log, the oldest first. Further lines of a subject
    follow, indented."""
    for entry in with_store(arguments, entries_of):
        if arguments.json:
            print(json.dumps(entry._asdict(), ensure_ascii=False))
            continue
        at = datetime.fromtimestamp(entry.time, UTC).strftime("%Y-%m-%d %H:%M:%S")
        key = OUTCOMES.get(entry.outcome)
        outcome = messages("admin_audit_refused", code=entry.outcome) if key is None else messages(key)
        subject, *more = entry.subject.split("\n")
        print("  ".join(word for word in (at, entry.operator, entry.command, subject, outcome) if word))
        for line in more:
            print(f"    {line}")
