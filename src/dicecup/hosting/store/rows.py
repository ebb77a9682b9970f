"""Values that the store writes and reads."""

from dataclasses import dataclass
from typing import NamedTuple


class EventRow(NamedTuple):
    """One stored event.

    `time` is in seconds since 1970, `body` is JSON. `identity` and `command_id` stand in the last
    event of a command; the first event of a table has the identity of its creator.
    """

    table: str
    number: int
    time: float
    body: str
    identity: str | None = None
    command_id: str | None = None


class SeatedIdentity(NamedTuple):
    """An identity at a table with its seats, ascending.

    `outcome` is `won`, `drawn` or `lost` after the end, and `None` before, or if the seats ended
    differently.
    """

    identity: str
    seats: tuple[int, ...]
    outcome: str | None


@dataclass(frozen=True, slots=True)
class Digest:
    """Values that derive from all events of a table, for lists, statistics and timers.

    - `state`: `open`, `running` or `over`.
    - `created`, `wake`, `ended`: seconds since 1970. At `wake` a timer of the table is due.
    - `creator`: the identity that created the table, `None` for the next table of a match or a
      rematch.
    - `summary`: JSON.
    - `seats`: the seated identities. `None` leaves the stored ones unchanged.
    - `faces`: how often the server's dice showed 1, 2, … 6, only after the end of the game.
    - `listing`: what the lobby says of the free seats as JSON, `None` for a table that it does not
      list.
    """

    table: str
    game: str
    state: str
    created: float
    creator: str | None
    wake: float | None
    summary: str
    seats: tuple[SeatedIdentity, ...] | None
    ended: float | None = None
    faces: tuple[int, ...] | None = None
    listing: str | None = None


class Notice(NamedTuple):
    """What is to be told to an identity about a topic. It replaces what was to be told before.

    - `key`: the same for all attempts to tell it, so that a receiver can drop doubles.
    - `kind`: a `dicecup.hosting.people.notices.NoticeKind`.
    - `created`, `due`: seconds since 1970. Without `due` nothing is sent.
    - `details`: JSON.
    """

    identity: str
    topic: str
    key: str
    kind: str
    created: float
    due: float | None
    details: str


class RatedRow(NamedTuple):
    """A finished rated game as it is saved with the end of its table (`RATED_GAMES`)."""

    table_id: str
    ended: float
    pool: str
    body: str
    refusal: str | None


class Append(NamedTuple):
    """New events of one table with consecutive numbers, its new digest, the notices about them, and
    the game if it was rated and has ended. `None` leaves the digest unchanged."""

    rows: tuple[EventRow, ...]
    digest: Digest | None = None
    notices: tuple[Notice, ...] = ()
    rated: RatedRow | None = None


class AppendConflict(Exception):  # noqa: N818 it is expected and handled, not an error
    """A number or a command of an append is stored already, because another worker was faster.
    Nothing was written."""
