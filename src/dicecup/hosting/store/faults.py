"""Faults of the storage that are present now. Each is reported once."""

import logging
from collections.abc import Callable
from pathlib import Path
from time import monotonic
from typing import Final

from dicecup.hosting.store.store_errors import FAULTS, StoreCode, StoreError

LOG: Final = logging.getLogger(__name__)

FORGOTTEN_AFTER: Final = 60.0
"""Seconds without a further error after which a damaged place counts as gone, and for which a fault
that comes back is not reported again."""


def log(error: StoreError | None) -> None:
    """Log a fault, or that writing works again (`None`)."""
    if error is None:
        LOG.warning("the database can be written again")
    else:
        LOG.error("fault of the storage: %s", error)


class StorageFaults:
    """The faults of one database. `name` is its file, or its URL without the password.

    `report` is called once with each new fault, and with `None` when a write succeeds again.
    """

    def __init__(self, name: str | Path) -> None:
        self.name = name
        self.report: Callable[[StoreError | None], object] = log
        self.losses = 0
        """How often the database could not be reached, or a connection to it was lost."""
        self._seen: dict[StoreCode, float] = {}
        self._reported: dict[StoreCode, float] = {}

    @property
    def present(self) -> frozenset[StoreCode]:
        """The codes of the faults that are present now."""
        return frozenset(self._seen)

    @property
    def refuses_writes(self) -> bool:
        """Whether the last write was refused. Then only a write shows that the fault is gone."""
        return bool(self._seen.keys() - {StoreCode.DAMAGED})

    def failed(self, error: BaseException) -> None:
        """Note a typed error if it is a fault, and report it if it is new."""
        if not isinstance(error, StoreError) or error.code not in FAULTS:
            return
        code, now = StoreCode(error.code), monotonic()
        self.losses += code is StoreCode.DOWN
        if code not in self._seen and now - self._reported.get(code, -FORGOTTEN_AFTER) >= FORGOTTEN_AFTER:
            self._reported[code] = now
            self.report(error)
        self._seen[code] = now

    def succeeded(self) -> None:
        """Note that a write succeeded."""
        if self._seen:
            now = monotonic()
            damaged = self._seen.get(StoreCode.DAMAGED, -FORGOTTEN_AFTER)
            self._seen = {StoreCode.DAMAGED: damaged} if now - damaged < FORGOTTEN_AFTER else {}
            if not self._seen:
                self.report(None)
