"""`dicecup link`: be the same person at this keyboard and in a browser."""

import asyncio
from argparse import ArgumentParser, Namespace
from pathlib import Path

from dicecup.locale import Messages
from dicecup.terminal.errors import StorageError, TerminalCode


def add_arguments(parser: ArgumentParser, messages: Messages) -> None:
    """Add the link or the address of a server, and the file with a token."""
    parser.add_argument("where", metavar="LINK|URL", help=messages("cli_link_where"))
    parser.add_argument("--token", metavar="FILE", type=Path, help=messages("cli_link_token"))


def run(arguments: Namespace, messages: Messages) -> int:
    """Take the identity of a link or of a token, or print a link for a browser, and return 0.

    Raises `ClientError`, `ServerRefusal` and `StorageError`.
    """
    from dicecup.terminal.join import tokens_file

    try:
        asyncio.run(_run(arguments, messages, tokens_file()))
    except OSError as error:
        raise StorageError(TerminalCode.CANNOT_SAVE, file=str(tokens_file()), why=error.strerror) from None
    return 0


async def _run(arguments: Namespace, messages: Messages, tokens: Path) -> None:
    from dicecup.client.links import TRANSFER, read_transfer
    from dicecup.client.tokens import open_client, take_identity, use_token

    where, language = arguments.where.strip(), messages.language
    if arguments.token is not None:
        await use_token(where.rstrip("/"), _read(arguments.token), tokens, language)
        print(messages("link_taken", url=where.rstrip("/")))
    elif TRANSFER in where:
        url, secret = read_transfer(where)
        await take_identity(url, secret, tokens, language)
        print(messages("link_taken", url=url))
    else:
        client = await open_client(where.rstrip("/"), tokens, language)
        try:
            print(messages("link_made", link=(await client.transfer()).link))
        finally:
            await client.__aexit__(None, None, None)


def _read(path: Path) -> str:
    """Return the token in a file. Raises `StorageError` (`cannot-read`)."""
    try:
        return path.read_text("ascii").strip()
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "ASCII"
        raise StorageError(TerminalCode.CANNOT_READ, file=str(path), why=why) from None
