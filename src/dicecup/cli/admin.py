"""`dicecup admin`: look after the tables and the people of a server, back it up, and make links for
players who lost their seat. The server may run meanwhile, except while a backup is restored.

Everything but lists is written into the audit log.
"""

import json
import sys
from argparse import ArgumentParser, Namespace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Final

from dicecup.cli.audited import audited, audited_with_key, print_audit
from dicecup.cli.blocking import block, print_blocks, unblock
from dicecup.cli.database import add_database, environment, with_store
from dicecup.cli.people import ban, print_admins, print_bans, print_people, set_admin, unban
from dicecup.cli.rating import recompute_ratings, unrate
from dicecup.cli.restoring import note_restored, restore
from dicecup.cli.telling import forget_mail, make_push_key
from dicecup.hosting.settings import Settings, database
from dicecup.hosting.store import Digest, Store
from dicecup.hosting.store.audit import AuditEntry, save_entry
from dicecup.locale import Messages

if TYPE_CHECKING:
    from dicecup.hosting.link_keys import TableKeys
    from dicecup.web.base_url import BaseUrl

ACTIONS: Final = (
    "list",
    "audit",
    "close",
    "delete",
    "link",
    "free",
    "rotate",
    "shut",
    "admit",
    "block",
    "unblock",
    "blocks",
    "people",
    "ban",
    "unban",
    "bans",
    "grant",
    "revoke-admin",
    "admins",
    "push-key",
    "forget-mail",
    "backup",
    "restore",
    "restored",
    "rebuild",
    "ratings",
    "unrate",
    "new-key",
)
FOR_EACH: Final = {
    "block": block,
    "unblock": unblock,
    "people": print_people,
    "ban": ban,
    "unban": unban,
    "grant": set_admin,
    "revoke-admin": set_admin,
    "forget-mail": forget_mail,
    "unrate": unrate,
}
"""What is done for each network, person, address or rated game."""
NAMED: Final = ("close", "delete", "link", "free", "rotate", "shut", "admit", *FOR_EACH, "backup", "restore")
"""The actions that need the name of a table, a seat, a network, a person or a file."""
TABLE_AND_SEAT: Final = 2
MOST_DIGITS: Final = 2
STATES: Final = ("open", "running", "over")


def add_arguments(parser: ArgumentParser, messages: Messages) -> None:
    """Add the arguments: the action, and the tables or files that it is for."""
    parser.add_argument("action", choices=ACTIONS, help=messages("cli_admin_action"))
    parser.add_argument("names", metavar="NAME", nargs="*", help=messages("cli_admin_names"))
    parser.add_argument("--state", choices=STATES, help=messages("cli_admin_state"))
    parser.add_argument("--json", action="store_true", help=messages("cli_admin_json"))
    parser.add_argument("--until", metavar="TIME", help=messages("cli_admin_until"))
    parser.add_argument("--reason", metavar="TEXT", help=messages("cli_admin_reason"))
    parser.add_argument("--public-url", metavar="URL", help=messages("cli_admin_public_url"))
    add_database(parser, messages)
    parser.set_defaults(refuse=parser.error)


def run(arguments: Namespace, messages: Messages) -> int:
    """Run an action and return 0. Raises `DicecupError`.

    An action for several tables ends at the first table that is refused. The tables before it stay
    changed.
    """
    if arguments.action in NAMED and not arguments.names:
        arguments.refuse(messages("admin_needs_names", action=arguments.action))
    if arguments.names and arguments.action not in NAMED:
        arguments.refuse(messages("admin_names", actions=", ".join(NAMED)))
    match arguments.action:
        case "list":
            _list(arguments, messages)
        case "audit":
            print_audit(arguments, messages)
        case "close":
            for table in arguments.names:
                _close(arguments, table, messages)
        case "delete":
            for table in arguments.names:
                _delete(arguments, table, messages)
        case "link":
            _link(arguments, messages)
        case "free":
            _free(arguments, messages)
        case "rotate":
            for table in arguments.names:
                _rotate(arguments, table, messages)
        case action if action in FOR_EACH:
            for name in arguments.names:
                FOR_EACH[action](arguments, name, messages)
        case "blocks":
            print_blocks(arguments, messages)
        case "ratings":
            recompute_ratings(arguments, messages)
        case "bans":
            print_bans(arguments, messages)
        case "admins":
            print_admins(arguments, messages)
        case "shut" | "admit":
            for table in arguments.names:
                _set_admission(arguments, table, messages)
        case "backup":
            for file in arguments.names:
                _back_up(arguments, Path(file), messages)
        case "restore":
            if len(arguments.names) != 1:
                arguments.refuse(messages("admin_restore_names"))
            restore(arguments, Path(arguments.names[0]), messages)
        case "restored":
            note_restored(arguments, messages)
        case "push-key":
            make_push_key(arguments, messages)
        case "new-key":
            _new_key(arguments, messages)
        case _:
            _rebuild(arguments, messages)
    return 0


def _list(arguments: Namespace, messages: Messages) -> None:
    """Print a line for each table, the newest first."""
    for digest in with_store(arguments, lambda store: store.tables(arguments.state)):
        print(json.dumps(_entry(digest), ensure_ascii=False) if arguments.json else _row(digest, messages))


def _entry(digest: Digest) -> dict[str, object]:
    """Return the JSON object of a table."""
    begun = {"table": digest.table, "game": digest.game, "state": digest.state, "created": digest.created}
    summary: dict[str, object] = json.loads(digest.summary)
    return begun | summary


def _row(digest: Digest, messages: Messages) -> str:
    """Return the line of a table for people."""
    summary = json.loads(digest.summary)
    names = ", ".join(seat["name"] or messages("admin_free") for seat in summary["seats"])
    begun = datetime.fromtimestamp(digest.created, UTC).strftime("%Y-%m-%d %H:%M")
    state = {"open": "admin_open", "running": "admin_running", "over": "admin_over"}[digest.state]
    return f"{digest.table}  {begun}  {messages(state)}  {digest.game}  {names}  {summary['result'] or ''}".rstrip()


def _close(arguments: Namespace, table: str, messages: Messages) -> None:
    """Close a table and publish the secret of its dice."""
    from dicecup.hosting.administration import close_table

    closed = audited_with_key(arguments, table, lambda store, entry, host_key: close_table(store, host_key, table, entry))
    print(messages("admin_closed" if closed else "admin_was_over", table=table))


def _delete(arguments: Namespace, table: str, messages: Messages) -> None:
    """Delete a table."""
    from dicecup.hosting import administration

    audited(arguments, table, lambda store, entry: administration.delete_table(store, table, entry))
    print(messages("admin_deleted", table=table))


def _new_key(arguments: Namespace, messages: Messages) -> None:
    """Begin with the host key of the settings, which is created if it is missing.

    Raises `WebError` (`data-in-use`) while a server uses the SQLite file.
    """
    from dicecup.hosting.key_of_database import adopt_host_key
    from dicecup.web.single_server import locked

    settings = Settings.read(environment(arguments))
    with locked(settings.database):
        changed = audited(arguments, "", lambda store, entry: adopt_host_key(store, settings, entry))
    print(messages("admin_new_key" if changed else "admin_same_key"))


def _link(arguments: Namespace, messages: Messages) -> None:
    """Print the link on standard output and its lifetime on standard error."""
    from dicecup.hosting.administration import transfer_for
    from dicecup.hosting.store.identities import TRANSFER_LIFETIME

    table, seat = _table_and_seat(arguments, messages)
    base, subject = _base(arguments), f"{table} {seat}"
    secret = audited(arguments, subject, lambda store, entry: transfer_for(store, table, seat - 1, entry))
    print(base.transfer(secret))
    print(messages("admin_link", minutes=round(TRANSFER_LIFETIME / 60)), file=sys.stderr)


def _free(arguments: Namespace, messages: Messages) -> None:
    """Take a seat back from its person, and print the new links."""
    from dicecup.hosting.administration import free_seat

    table, seat = _table_and_seat(arguments, messages)
    base = _base(arguments)

    async def free(store: Store, entry: AuditEntry, host_key: bytes) -> "TableKeys":
        return await free_seat(store, host_key, table, seat - 1, entry)

    keys = audited_with_key(arguments, f"{table} {seat}", free)
    _print_links(base, keys, messages("admin_freed", table=table, seat=seat))


def _rotate(arguments: Namespace, table: str, messages: Messages) -> None:
    """Replace the links of a table and print the new ones."""
    from dicecup.hosting.administration import rotate_links

    base = _base(arguments)
    keys = audited_with_key(arguments, table, lambda store, entry, host_key: rotate_links(store, host_key, table, entry))
    _print_links(base, keys, messages("admin_rotated", table=table))


def _set_admission(arguments: Namespace, table: str, messages: Messages) -> None:
    """Close a table to newcomers, or open it again."""
    from dicecup.hosting.administration import set_admission

    admits = arguments.action == "admit"

    async def change(store: Store, entry: AuditEntry, host_key: bytes) -> bool:
        return await set_admission(store, host_key, table, entry, admits=admits)

    changed = audited_with_key(arguments, table, change)
    print(messages("admin_was_so" if not changed else "admin_admits" if admits else "admin_shut", table=table))


def _table_and_seat(arguments: Namespace, messages: Messages) -> tuple[str, int]:
    """Return the table and the seat, from 1, of the command line. Ends the program if there is
    something else."""
    table, seat = arguments.names if len(arguments.names) == TABLE_AND_SEAT else ("", "")
    if not (seat.isascii() and seat.isdecimal()) or len(seat) > MOST_DIGITS:
        arguments.refuse(messages("admin_link_names"))
    return table, int(seat)


def _base(arguments: Namespace) -> "BaseUrl":
    """Return the beginning of links. Raises `HostingError` and `WebError`."""
    from dicecup.web.base_url import base_url
    from dicecup.web.config import DEFAULT_PORT, Config

    config = Config.read(public_url=arguments.public_url)
    return base_url(config, config.port or DEFAULT_PORT)


def _print_links(base: "BaseUrl", keys: "TableKeys", told: str) -> None:
    """Print what happened on standard error and the links to play and to watch on standard
    output."""
    print(told, file=sys.stderr)
    print(base.table(keys.table, "join", keys.join))
    print(base.table(keys.table, "watch", keys.watch))


def _back_up(arguments: Namespace, file: Path, messages: Messages) -> None:
    """Copy the whole SQLite database to a new file and check the copy."""
    from dicecup.hosting.backup import back_up

    tables = back_up(database(environment(arguments)), file)
    audited(arguments, str(file), save_entry)
    print(messages("admin_backed_up", file=file, tables=tables))


def _rebuild(arguments: Namespace, messages: Messages) -> None:
    """Derive lists and statistics anew."""
    from dicecup.hosting.administration import rebuild

    print(messages("admin_rebuilt", tables=audited(arguments, "", rebuild)))
