"""The host key: 32 random bytes from which the secrets of a server's tables and the keys of its
cookies derive.

The key comes from the environment or from a file in the data folder that only its owner can read.
No database, export, log or error contains it.
"""

import base64
import binascii
import hmac
import os
import secrets
from collections.abc import Mapping
from enum import StrEnum
from pathlib import Path
from typing import Final

from dicecup.core.errors import DicecupError
from dicecup.hosting import secret_files

VARIABLE: Final = "DICECUP_HOST_KEY"
FILE: Final = "host.key"
BYTES: Final = 32


class HostKeyCode(StrEnum):
    """Why a host key cannot be used."""

    NOT_A_KEY = "not-a-host-key"
    EXPOSED = "host-key-exposed"
    UNUSABLE = "host-key-unusable"
    LOST = "host-key-lost"
    OTHER = "other-host-key"


class HostKeyError(DicecupError):
    """A host key that cannot be used. `details` say where it was found and never hold the key
    itself."""


def default_folder() -> Path:
    """Return the platform's folder for data of this program."""
    from platformdirs import user_data_path

    return user_data_path("dicecup")


def key_file(folder: Path | None = None) -> Path:
    """Return the file of the host key in a data folder."""
    return (default_folder() if folder is None else folder) / FILE


def host_key(folder: Path | None = None, environment: Mapping[str, str] = os.environ) -> bytes | None:
    """Return the key of `DICECUP_HOST_KEY` (32 bytes as hex or base64), else that of the file
    `host.key` in `folder`, `None` without both.

    Raises `HostKeyError`: `not-a-host-key` for anything but 32 bytes, `host-key-exposed` for a file
    that other users can read or write, `host-key-unusable` if the system does not let the file be
    read.
    """
    if given := environment.get(VARIABLE):
        return _decoded(given, VARIABLE)
    path = key_file(folder)
    try:
        return _read(path)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise HostKeyError(HostKeyCode.UNUSABLE, file=path, why=error.strerror) from None


def create_host_key(path: Path) -> bytes:
    """Create the file of the host key with a random key, and return the key.

    If another process creates the file at the same time, its key is returned. Raises as
    `host_key`.
    """
    try:
        secret_files.create(path, secrets.token_bytes(BYTES).hex())
        return _read(path)
    except OSError as error:
        raise HostKeyError(HostKeyCode.UNUSABLE, file=path, why=error.strerror) from None


def derived_key(host_key: bytes, purpose: str) -> bytes:
    """Return a key of 32 bytes for a purpose other than dice, such as `cookies`.

    The key differs from every table's secret: the id of a table is hashed as UTF-8, in which the
    byte 255 does not occur.
    """
    return hmac.digest(host_key, b"\xff" + purpose.encode(), "sha256")


def _read(path: Path) -> bytes:
    """Return the key in a file after checking its mode. Raises `HostKeyError` and `OSError`."""
    try:
        return _decoded(secret_files.read(path), str(path))
    except secret_files.ExposedError as error:
        raise HostKeyError(HostKeyCode.EXPOSED, file=path, mode=error.mode) from None


def _decoded(text: str, where: str) -> bytes:
    """Return the 32 bytes of a key in hex or base64.

    `where` names the source of the text. Raises `HostKeyError` (`not-a-host-key`).
    """
    try:
        return _exactly(bytes.fromhex(text))
    except ValueError:
        pass
    try:
        return _exactly(base64.b64decode(text.translate(str.maketrans("-_", "+/")), validate=True))
    except (ValueError, binascii.Error):
        raise HostKeyError(HostKeyCode.NOT_A_KEY, where=where) from None


def _exactly(key: bytes) -> bytes:
    if len(key) != BYTES:
        raise ValueError
    return key
