"""A table in the list of an identity."""

import json
from dataclasses import dataclass
from typing import Any

from dicecup.hosting.store import Digest


@dataclass(frozen=True, slots=True)
class TableSummary:
    """A table in the list of an identity.

    `state` is `open`, `running` or `over`. `created` is in seconds since 1970. `outcome` is `won`,
    `drawn`, `lost` or `None`. `you` holds the seats of the identity. `summary` has the shape of
    `digest.summary`.
    """

    table: str
    game: str
    state: str
    created: float
    outcome: str | None
    you: tuple[int, ...]
    summary: dict[str, Any]


def summary_of(digest: Digest) -> TableSummary:
    """Return the table of a digest, which holds the seats of one identity alone."""
    assert digest.seats is not None
    (own,) = digest.seats
    summary = json.loads(digest.summary)
    return TableSummary(digest.table, digest.game, digest.state, digest.created, own.outcome, own.seats, summary)
