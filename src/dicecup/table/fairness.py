r"""Fair dice: nobody can choose them, and everybody can check them afterwards (docs/fairness.md).

A table has a secret of 32 bytes and publishes its SHA-256, the commitment, before the first throw.
Every seat commits to a seed in the same way and then reveals it. Throw n follows from the secret,
the seeds and n alone:

    HMAC-SHA256(secret, "dicecup-dice-1\n" game "\n" seeds "\n" n "\n" block)

The message is ASCII. `game` is the game id, `seeds` the value of the record tag Seeds; n and block
are decimal numbers. Bytes of 252 and more are skipped. Each other byte gives one die, byte mod 6 +
1, until all thrown dice are known. block starts at 0 and grows when the bytes run out. n counts
every throw and every die of the starting roll from the start of the game and never goes back.
"""

import hashlib
import hmac
import re
from collections.abc import Sequence
from enum import StrEnum
from functools import lru_cache
from typing import Final

from dicecup.core.dice import DICE, FACES, Keep, Roll, from_faces
from dicecup.core.errors import DicecupError
from dicecup.core.source import Throw

VERSION: Final = "dicecup-dice-1"
FAIR: Final = 252
"""The largest multiple of six in a byte. The bytes below it give every face equally often."""
NO_SEED: Final = "-"
"""The text of an empty seed."""
_FACES: Final = bytes(byte % len(FACES) + 1 for byte in range(256))
"""The face for each byte."""
_UNFAIR: Final = bytes(range(FAIR, 256))

_SEED: Final = re.compile("(?:[0-9a-f]{2}){16,32}", re.ASCII)
_SECRET: Final = re.compile("[0-9a-f]{64}", re.ASCII)


class FairnessCode(StrEnum):
    """Why a seed, a secret or the dice of a record are refused."""

    NOT_A_SEED = "not-a-seat-seed"
    NOT_A_SECRET = "not-a-secret"
    WRONG_SEED = "wrong-seed"
    WRONG_SECRET = "wrong-secret"
    SECRET_MISSING = "secret-missing"
    THROW_MISMATCH = "throw-mismatch"
    START_MISMATCH = "start-mismatch"
    DICE_UNCHECKED = "dice-unchecked"
    NOTHING_TO_CHECK = "nothing-to-check"


class FairnessError(DicecupError):
    """A seed, a secret or dice that fail a check.

    `details` hold the offending input, never an unpublished secret.
    """


@lru_cache(maxsize=4096)  # every command needs it
def commitment(secret: bytes) -> str:
    """Return the SHA-256 of a secret as lower-case hex.

    A table publishes it before the first throw.

    >>> commitment(bytes(range(32)))
    '630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd'
    """
    return hashlib.sha256(secret).hexdigest()


@lru_cache(maxsize=4096)  # every command needs it
def secret_of(host_key: bytes, table: str, salt: str = "") -> bytes:
    """Return the secret of a table: the HMAC-SHA256 of its id under the host key.

    With the `salt` of a later commitment the message is the id, a newline, which no id contains,
    and the salt. No database holds the secret.
    """
    return hmac.digest(host_key, (f"{table}\n{salt}" if salt else table).encode(), "sha256")


def seed_commitment(seed: bytes) -> str:
    """Return the SHA-256 of a seed as lower-case hex. A seat publishes it before the seed."""
    return commitment(seed)


def check_seed(seed: bytes, committed: str) -> None:
    """Raise `FairnessError` (`wrong-seed`) if a revealed seed does not have this commitment."""
    if not hmac.compare_digest(seed_commitment(seed).encode(), committed.encode()):
        raise FairnessError(FairnessCode.WRONG_SEED, text=seed.hex(), committed=committed)


def seed_from_text(text: str) -> bytes:
    """Return a seat's seed from 16 to 32 bytes of lower-case hex.

    Raises `FairnessError` (`not-a-seat-seed`).
    """
    if not _SEED.fullmatch(text):
        raise FairnessError(FairnessCode.NOT_A_SEED, text=text)
    return bytes.fromhex(text)


def seeds_text(seeds: Sequence[bytes]) -> str:
    """Return the value of the tag Seeds: the seeds in seating order, `-` for an empty seed."""
    return " ".join(seed.hex() or NO_SEED for seed in seeds)


def seeds_from_text(text: str, seats: int) -> tuple[bytes, ...]:
    """Return the seeds that `seeds_text` wrote for this number of seats.

    Raises `FairnessError` (`not-a-seat-seed`).
    """
    words = text.split(" ")
    if len(words) != seats:
        raise FairnessError(FairnessCode.NOT_A_SEED, text=text)
    return tuple(b"" if word == NO_SEED else seed_from_text(word) for word in words)


def secret_from_text(text: str) -> bytes:
    """Return a published secret from 32 bytes of lower-case hex.

    Raises `FairnessError` (`not-a-secret`).
    """
    if not _SECRET.fullmatch(text):
        raise FairnessError(FairnessCode.NOT_A_SECRET, text=text)
    return bytes.fromhex(text)


def throw(secret: bytes, game: str, seeds: Sequence[bytes], counter: int, kept: Keep) -> Roll:
    """Return all five dice after throw number `counter`, from 0.

    The dice `kept` stay. `game`: the game id.
    """
    return Roll(from_faces(kept.faces + _faces(secret, game, seeds, counter, DICE - kept.count)))


def die(secret: bytes, game: str, seeds: Sequence[bytes], counter: int) -> int:
    """Return the face of a single die, thrown as number `counter`."""
    return _faces(secret, game, seeds, counter, 1)[0]


def _faces(secret: bytes, game: str, seeds: Sequence[bytes], counter: int, count: int) -> tuple[int, ...]:
    """Return `count` faces from 1 to 6 from HMAC-SHA256 blocks keyed with the secret.

    Bytes of `FAIR` and more are skipped, so every face is equally likely.
    """
    faces = b""
    block = 0
    while len(faces) < count:
        message = f"{VERSION}\n{game}\n{seeds_text(seeds)}\n{counter}\n{block}"
        faces += hmac.digest(secret, message.encode("ascii"), "sha256").translate(_FACES, _UNFAIR)
        block += 1
    return tuple(faces[:count])


class CommittedSource:
    """A `DiceSource` of committed dice that goes on after `thrown` throws and single dice."""

    def __init__(self, secret: bytes, game: str, seeds: Sequence[bytes], *, thrown: int = 0) -> None:
        self._secret = secret
        self._game = game
        self._seeds = tuple(seeds)
        self.thrown = thrown
        """The number of the next throw: how many throws and single dice were made so far."""

    def throw(self, kept: Keep) -> Throw | None:
        shown = throw(self._secret, self._game, self._seeds, self.thrown, kept)
        self.thrown += 1
        return Throw(shown)

    def die(self) -> int:
        face = die(self._secret, self._game, self._seeds, self.thrown)
        self.thrown += 1
        return face
