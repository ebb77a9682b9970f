"""The database of a server for commands that open it without a server."""

import asyncio
import os
from argparse import ArgumentParser, Namespace
from collections.abc import Awaitable, Callable
from typing import TypeVar

from dicecup.hosting.settings import DATABASE, database
from dicecup.hosting.store import Store
from dicecup.locale import Messages

Answer = TypeVar("Answer")


def add_database(parser: ArgumentParser, messages: Messages) -> None:
    """Add `--database URL`. Its default is the database that `dicecup serve` would use."""
    parser.add_argument("--database", metavar="URL", help=messages("cli_database", variable=DATABASE))


def environment(arguments: Namespace) -> dict[str, str]:
    """Return the environment of the process with the database of the command line."""
    return {**os.environ, **({DATABASE: arguments.database} if arguments.database else {})}


def with_store(arguments: Namespace, work: Callable[[Store], Awaitable[Answer]]) -> Answer:
    """Open the store, and return the result of `work`. Raises `DicecupError`, also if the database
    cannot be reached.
    """

    async def run() -> Answer:
        """Return the result of `work` and close the store."""
        store = await Store.open(database(environment(arguments)))
        try:
            return await work(store)
        finally:
            await store.close()

    return asyncio.run(run())
