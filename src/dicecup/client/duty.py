"""What a table waits for from whoever sits there: the seeds of fair dice, the word to throw, and a decision, which is somebody's own."""

import hashlib
import secrets
from collections.abc import Callable, Mapping
from typing import Any, Final, TypeAlias

from dicecup.table.commands import Act, Command, CommitSeed, RevealSeed, Throw

View: TypeAlias = Mapping[str, Any]
SEED_BYTES: Final = 16


class Duty:
    """One for each table: it keeps a seed of its own for every seat."""

    def __init__(self) -> None:
        self._seeds: dict[int, bytes] = {}

    def command(self, view: View, choose: Callable[[View], str]) -> Command | None:
        """What these seats are to do now; `choose` names one of `view["actions"]`. None: it is for others, or real dice are wanted.
        Whoever promised a seed alone can reveal it: for another Duty's promise, of another device or before a restart, that is None too."""
        demand = view.get("demand", {"seats": (), "what": ""})
        seat = next(
            (seat for seat in demand["seats"] if seat in view["you"] and not self._promised_elsewhere(view, seat)), None
        )
        if seat is None:
            return None
        match demand["what"]:
            case "commitments":
                return CommitSeed(self._hash(seat), seat=seat)
            case "seeds":
                return RevealSeed(self._seed(seat).hex(), seat=seat)
            case "throw":
                return Throw(seat=seat)
            case "action":
                return Act(choose(view))
            case _:
                return None

    def _promised_elsewhere(self, view: View, seat: int) -> bool:
        if view["demand"]["what"] != "seeds":
            return False
        return bool(view["fairness"]["seats"][seat]["hash"] != self._hash(seat))

    def _hash(self, seat: int) -> str:
        return hashlib.sha256(self._seed(seat)).hexdigest()

    def _seed(self, seat: int) -> bytes:
        return self._seeds.setdefault(seat, secrets.token_bytes(SEED_BYTES))
