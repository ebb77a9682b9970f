"""The tokens with which programs of one person are known to servers, in a file."""

import json
import os
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from secrets import token_hex

from dicecup.client.client import Client
from dicecup.client.client_errors import ServerRefusal


async def open_client(url: str, tokens: Path, language: str) -> Client:
    """Return a connected client of the server at `url`, with the token that the file `tokens` has
    for it.

    The client gets a new token if the server does not know the saved one. A token that cannot be
    saved is lost: next time the server takes this keyboard for another person.
    """
    known = _read_tokens(tokens)
    client = Client(url, token=known.get(url), language=language)
    await client.__aenter__()
    try:
        await client.tables()
    except ServerRefusal as error:
        await client.__aexit__(None, None, None)
        if error.code != "not-a-token":
            raise
        client = Client(url, language=language)
        await client.__aenter__()
    if client.token is not None and known.get(url) != client.token:
        with suppress(OSError):
            _save_tokens(tokens, {**known, url: client.token})
    return client


async def take_identity(url: str, secret: str, tokens: Path, language: str) -> None:
    """Save a token of the identity that a transfer link with this secret gives. Raises
    `ServerRefusal`, `ClientError` and `OSError`."""
    client = await open_client(url, tokens, language)
    try:
        _save_tokens(tokens, {**_read_tokens(tokens), url: await client.redeem(secret)})
    finally:
        await client.__aexit__(None, None, None)


async def use_token(url: str, token: str, tokens: Path, language: str) -> None:
    """Save a token of the server at `url` that the server knows. Raises `ServerRefusal`
    (`not-a-token`), `ClientError` and `OSError`."""
    async with Client(url, token=token, language=language) as client:
        await client.tables()
    _save_tokens(tokens, {**_read_tokens(tokens), url: token})


def _read_tokens(path: Path) -> dict[str, str]:
    """Return the saved token for each server, none where the file is missing or damaged."""
    try:
        found = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def _save_tokens(path: Path, tokens: Mapping[str, str]) -> None:
    """Save the tokens in a file that only its owner can read. Raises `OSError`."""
    path.parent.mkdir(parents=True, exist_ok=True)
    scratch = path.with_name(f".{path.name}.{token_hex(4)}")
    with os.fdopen(os.open(scratch, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "w", encoding="utf-8") as file:
        json.dump(tokens, file)
    scratch.replace(path)
