r"""Dice of a duplicate event: every entrant meets the same dice (docs/fairness.md).

An event has a secret of 32 bytes and publishes its SHA-256 before the first entry, and the secret
after the last game. For each throw of each turn of each player the secret determines a row of five
ordered dice:

    HMAC-SHA256(secret, "dicecup-duplicate-1\n" game "\n" player "\n" turn "\n" throw "\n" block)

`player` counts from 0 in the order of play, `turn` from 1 among the turns of this player, `throw`
is 1, 2 or 3. The bytes are read as in `fairness`. A throw of n dice shows the first n dice of its
row; the kept dice do not enter. A die of the starting roll is the first one of the row with player
`start`, turn 0 and its number from 0 as throw.
"""

import hmac
import re
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar, Final

from dicecup.core.dice import DICE, FACES, Keep, Roll, from_faces
from dicecup.core.game import Rules
from dicecup.core.source import DiceSource, Throw
from dicecup.table import codec as wire
from dicecup.table.errors import TableCode, TableError
from dicecup.table.fairness import FAIR, secret_of

VERSION: Final = "dicecup-duplicate-1"
START_TURN: Final = 0
"""Turn of the dice of the starting roll."""
STARTING: Final = "start"
"""What stands for the player in the row of a die of the starting roll."""
_SALT: Final = "duplicate"
"""Salt of the secrets of events. The salt of a table is hex, so no table has the secret of an
event."""
_EVENT: Final = re.compile("[a-z0-9][a-z0-9-]{0,47}", re.ASCII)


@dataclass(frozen=True, slots=True)
class Duplicate:
    """The event whose dice fall at a table.

    `practice`: the game is played after the end of the event, when everybody can know the dice, and
    does not count. Raises `TableError` (`not-a-setup`) for a text that is not the id of an event.
    """

    event: str
    practice: bool = False
    __pydantic_config__: ClassVar[wire.Config] = wire.STRICT

    def __post_init__(self) -> None:
        if not is_event_id(self.event):
            raise TableError(TableCode.NOT_A_SETUP, text="duplicate", why="event")


def is_event_id(text: str) -> bool:
    """Return whether a text can be the id of an event: small letters, digits and hyphens."""
    return _EVENT.fullmatch(text) is not None


def event_secret(host_key: bytes, event: str) -> bytes:
    """Return the secret of an event: an HMAC-SHA256 of its id under the host key, as the later
    secret of a table, with the salt `duplicate`."""
    return secret_of(host_key, event, _SALT)


@lru_cache(maxsize=256)
def row(secret: bytes, game: str, player: int | str, turn: int, throw: int) -> tuple[int, ...]:
    """Return the five ordered dice of a throw. `game`: the game id."""
    faces: list[int] = []
    block = 0
    while len(faces) < DICE:
        message = f"{VERSION}\n{game}\n{player}\n{turn}\n{throw}\n{block}".encode("ascii")
        faces += [byte % len(FACES) + 1 for byte in hmac.digest(secret, message, "sha256") if byte < FAIR]
        block += 1
    return tuple(faces[:DICE])


def own_turn(rules: Rules, turn: int) -> int:
    """Return the number, from 1, of a turn of a game among the turns of its player."""
    player = rules.player_of_turn(turn)
    return sum(rules.player_of_turn(other) == player for other in range(1, turn + 1))


class RowSource(DiceSource):
    """The dice of one throw of an event: throw number `throw`, from 1, of a turn of a game."""

    def __init__(self, secret: bytes, rules: Rules, turn: int, throw: int) -> None:
        self._row = (
            row(secret, rules.id, STARTING, START_TURN, throw - 1)
            if turn == START_TURN
            else row(secret, rules.id, rules.player_of_turn(turn), own_turn(rules, turn), throw)
        )

    def throw(self, kept: Keep) -> Throw:
        return Throw(Roll(from_faces(kept.faces + self._row[: DICE - kept.count])))

    def die(self) -> int:
        return self._row[0]
