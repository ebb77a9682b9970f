"""Commands that open the database of a server: which one, and what goes wrong with it."""

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
    """`--database URL`; without it the one that `dicecup serve` would use."""
    parser.add_argument("--database", metavar="URL", help=messages("cli_database", variable=DATABASE))


def environment(arguments: Namespace) -> dict[str, str]:
    """The environment with what the command line says of the database."""
    return {**os.environ, **({DATABASE: arguments.database} if arguments.database else {})}


def with_store(arguments: Namespace, work: Callable[[Store], Awaitable[Answer]]) -> Answer:
    """What `work` answers. Raises `DicecupError`, also for a database that does not answer."""

    async def run() -> Answer:
        store = await Store.open(database(environment(arguments)))
        try:
            return await work(store)
        finally:
            await store.close()

    return asyncio.run(run())
