"""`dicecup admin people`, `ban`, `unban`, `bans`, `grant`, `revoke-admin` and `admins`: people who
may not use the server, and people who may look after it in the browser."""

import json
from argparse import Namespace
from time import time

from dicecup.cli.audited import audited
from dicecup.cli.database import with_store
from dicecup.cli.times import time_of
from dicecup.hosting.ban_list import shown_time
from dicecup.hosting.people import banning
from dicecup.hosting.people.search import people_named, person_of
from dicecup.hosting.store import Store, admins, bans
from dicecup.hosting.store.audit import AuditEntry
from dicecup.locale import Messages


def print_people(arguments: Namespace, name: str, messages: Messages) -> None:
    """Print a line for each person with a name that holds a text: the identity, which `ban` and
    `grant` take, and what the person has."""
    for person in with_store(arguments, lambda store: people_named(store, name)):
        if arguments.json:
            print(json.dumps(person._asdict(), ensure_ascii=False))
            continue
        names = ", ".join(filter(None, (person.handle and f"@{person.handle}", *person.names)))
        seen = shown_time(person.seen)
        print(messages("admin_person", person=person.identity, names=names, tables=person.tables, seen=seen))


def ban(arguments: Namespace, text: str, messages: Messages) -> None:
    """Ban a person until `--until` for the reason of `--reason`.

    Raises `HostingError` as `banning.ban`.
    """
    if arguments.until is None or not arguments.reason:
        arguments.refuse(messages("admin_ban_names"))
    until = time_of(arguments.until)
    about = f"{text} {shown_time(until)}: {arguments.reason}"
    audited(arguments, about, lambda store, entry: banning.ban(store, text, until, arguments.reason, entry))
    print(messages("admin_banned", person=text, time=shown_time(until), reason=arguments.reason))


def unban(arguments: Namespace, text: str, messages: Messages) -> None:
    """End the ban of a person. Raises `HostingError` (`no-such-person`)."""
    was_banned = audited(arguments, text, lambda store, entry: banning.lift(store, text, entry))
    print(messages("admin_unbanned" if was_banned else "admin_not_banned", person=text))


def print_bans(arguments: Namespace, messages: Messages) -> None:
    """Print a line for each person who is banned now."""
    for found in with_store(arguments, bans.bans_of):
        if found.until <= time():
            continue
        if arguments.json:
            print(json.dumps(found._asdict(), ensure_ascii=False))
        else:
            print(messages("admin_banned", person=found.identity, time=shown_time(found.until), reason=found.reason))


def set_admin(arguments: Namespace, text: str, messages: Messages) -> None:
    """Make a person an administrator (`grant`), or take the role back. Raises `HostingError`
    (`no-such-person`)."""
    grants = arguments.action == "grant"

    async def work(store: Store, entry: AuditEntry) -> bool:
        return await (admins.grant if grants else admins.revoke)(store, await person_of(store, text), entry)

    changed = audited(arguments, text, work)
    key = "admin_was_so" if not changed else "admin_granted" if grants else "admin_revoked"
    print(messages(key, table=text) if not changed else messages(key, person=text))


def print_admins(arguments: Namespace, messages: Messages) -> None:
    """Print a line for each administrator."""
    for identity, since in with_store(arguments, admins.admins_of):
        if arguments.json:
            print(json.dumps({"identity": identity, "since": since}))
        else:
            print(messages("admin_since", person=identity, time=shown_time(since)))
