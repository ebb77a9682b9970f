"""`dicecup admin`: list, close, delete and back up the tables of a server, and make links for
players who lost their seat. The server may run meanwhile.
"""

import json
import sqlite3
import sys
from argparse import ArgumentParser, Namespace
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from time import time
from typing import Final

from dicecup.cli.database import add_database, environment, with_store
from dicecup.hosting.event_rows import digest_of_rows
from dicecup.hosting.settings import Settings, database
from dicecup.hosting.store import Digest
from dicecup.hosting.store.store_errors import StoreCode, StoreError
from dicecup.locale import Messages
from dicecup.terminal.errors import StorageError, TerminalCode

DEEDS: Final = ("list", "close", "delete", "link", "backup", "rebuild")
NAMED: Final = ("close", "delete", "link", "backup")
"""The actions that need the name of a table, a seat or a file."""
TABLE_AND_SEAT: Final = 2
MOST_DIGITS: Final = 2
STATES: Final = ("open", "running", "over")


def add_arguments(parser: ArgumentParser, messages: Messages) -> None:
    """Add the arguments: the action, and the tables or files that it is for."""
    parser.add_argument("deed", choices=DEEDS, help=messages("cli_admin_deed"))
    parser.add_argument("names", metavar="NAME", nargs="*", help=messages("cli_admin_names"))
    parser.add_argument("--state", choices=STATES, help=messages("cli_admin_state"))
    parser.add_argument("--json", action="store_true", help=messages("cli_admin_json"))
    parser.add_argument("--public-url", metavar="URL", help=messages("cli_admin_public_url"))
    add_database(parser, messages)
    parser.set_defaults(refuse=parser.error)


def run(arguments: Namespace, messages: Messages) -> int:
    """Run an action and return 0. Raises `DicecupError`.

    An action for several tables ends at the first table that is refused. The tables before it stay
    changed.
    """
    if bool(arguments.names) != (arguments.deed in NAMED):
        arguments.refuse(messages("admin_names", deeds=", ".join(NAMED)))
    match arguments.deed:
        case "list":
            _list(arguments, messages)
        case "close":
            for table in arguments.names:
                _close(arguments, table, messages)
        case "delete":
            for table in arguments.names:
                _delete(arguments, table, messages)
        case "link":
            _link(arguments, messages)
        case "backup":
            for file in arguments.names:
                _back_up(arguments, Path(file), messages)
        case _:
            count = with_store(arguments, lambda store: store.rebuild(digest_of_rows))
            print(messages("admin_rebuilt", tables=count))
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
    from dicecup.hosting import administration

    host_key = Settings.read(environment(arguments)).host_key
    closed = with_store(arguments, lambda store: administration.close_table(store, host_key, table, time()))
    print(messages("admin_closed" if closed else "admin_was_over", table=table))


def _delete(arguments: Namespace, table: str, messages: Messages) -> None:
    """Delete a table."""
    from dicecup.hosting import administration

    with_store(arguments, lambda store: administration.delete_table(store, table))
    print(messages("admin_deleted", table=table))


def _link(arguments: Namespace, messages: Messages) -> None:
    """Print the link on standard output and its lifetime on standard error."""
    table, seat = arguments.names if len(arguments.names) == TABLE_AND_SEAT else ("", "")
    if not (seat.isascii() and seat.isdecimal()) or len(seat) > MOST_DIGITS:
        arguments.refuse(messages("admin_link_names"))

    from dicecup.hosting.administration import transfer_for
    from dicecup.hosting.store.identities import TRANSFER_LIFETIME
    from dicecup.web.base_url import base_url
    from dicecup.web.config import DEFAULT_PORT, Config

    config = Config.read(public_url=arguments.public_url)
    secret = with_store(arguments, lambda store: transfer_for(store, table, int(seat) - 1, time()))
    print(base_url(config, config.port or DEFAULT_PORT).transfer(secret))
    print(messages("admin_link", minutes=round(TRANSFER_LIFETIME / 60)), file=sys.stderr)


def _back_up(arguments: Namespace, file: Path, messages: Messages) -> None:
    """Copy the whole SQLite database to a new file. Other processes may write meanwhile.

    Raises `StoreError` (`not-sqlite`) and `StorageError`.
    """
    url = database(environment(arguments))
    if url.get_backend_name() != "sqlite":
        raise StoreError(StoreCode.NOT_SQLITE, file=file)
    if file.exists():
        raise StorageError(TerminalCode.FILE_EXISTS, file=file)
    try:
        with (
            closing(sqlite3.connect(f"file:{url.database}?mode=ro", uri=True)) as source,
            closing(sqlite3.connect(file)) as copy,
        ):
            source.backup(copy)
    except sqlite3.Error as error:
        raise StorageError(TerminalCode.CANNOT_SAVE, file=file, why=str(error)) from None
    print(messages("admin_backed_up", file=file))
