"""Agent that plays a person's seats at one table: seeds of fair dice, throws, and the decisions of
a callback."""

import hashlib
import secrets
from collections.abc import Callable, Mapping
from typing import Any, Final, TypeAlias

from dicecup.table.commands import Act, Command, CommitSeed, Resign, RevealSeed, Throw

View: TypeAlias = Mapping[str, Any]
Choose: TypeAlias = Callable[[View], str | None]
"""Function that returns one of `view["actions"]` as a text, or `None` to resign."""
SEED_BYTES: Final = 16


class SeatAgent:
    """Agent for one table. It keeps a random seed for every seat."""

    def __init__(self) -> None:
        self._seeds: dict[int, bytes] = {}

    def command(self, view: View, choose: Choose) -> Command | None:
        """Return the command that the table waits for from the viewer's seats, `None` if it waits
        for nothing of theirs.

        `choose` returns one of `view["actions"]`, or `None` to resign. The result is also `None` if
        real dice are pending, and if the pending seed was committed to by another agent, on another
        device or before a restart: only that agent can reveal it.
        """
        pending = view.get("demand", {"seats": (), "what": ""})
        seat = next(
            (seat for seat in pending["seats"] if seat in view["you"] and not self._has_foreign_commitment(view, seat)), None
        )
        if seat is None:
            return None
        match pending["what"]:
            case "commitments":
                return CommitSeed(self._hash(seat), seat=seat)
            case "seeds":
                return RevealSeed(self._seed(seat).hex(), seat=seat)
            case "throw":
                return Throw(seat=seat)
            case "action":
                action = choose(view)
                return Resign() if action is None else Act(action)
            case _:
                return None

    def _has_foreign_commitment(self, view: View, seat: int) -> bool:
        if view["demand"]["what"] != "seeds":
            return False
        return bool(view["fairness"]["seats"][seat]["hash"] != self._hash(seat))

    def _hash(self, seat: int) -> str:
        return hashlib.sha256(self._seed(seat)).hexdigest()

    def _seed(self, seat: int) -> bytes:
        return self._seeds.setdefault(seat, secrets.token_bytes(SEED_BYTES))
