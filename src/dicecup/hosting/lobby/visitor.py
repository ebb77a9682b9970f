"""A person in the lobby: one connection, and the messages that it gets."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from typing import Any, Final

from dicecup.core.errors import DicecupError
from dicecup.hosting.lobby.board import Board
from dicecup.hosting.lobby.pairing import Seek
from dicecup.hosting.lobby.seeks import KEPT

OFFER_AFTER: Final = 20.0
"""Seconds of waiting after which the computer is offered."""
CODES: Final = {"returned": "opponent-left", "missed": "seat-missed"}
"""Code of a seek by its state."""


class Visitor:
    """A connection to the lobby. `identity` is `None` for a browser that is new. It must not see
    `hidden` people. `invitations` are JSON. `shows_online`: others may see that it is there.
    `newest_read`: number of the lobby's read that found all this."""

    def __init__(self, identity: str | None, clock: Callable[[], float]) -> None:
        self.identity = identity
        self.hidden: frozenset[str] = frozenset()
        self.shows_online = False
        self.newest_read = 0
        self.seek: Seek | None = None
        self.invitations: list[dict[str, Any]] = []
        self._clock = clock
        self._changed = asyncio.Event()
        self._ended: DicecupError | bool = False
        self._sent_seek: dict[str, Any] = seek_message(None, 0.0)
        self._looked_at: tuple[Board, frozenset[str]] | None = None
        """The board when something was sent last, and who was hidden in it."""
        self._sent_board: Board | None = None
        self._sent_invitations: list[dict[str, Any]] = []

    def set_seek(self, seek: Seek) -> None:
        """Show a seek, unless a later state of it is shown already."""
        if self.seek is None or (seek.number, seek.changed) >= (self.seek.number, self.seek.changed):
            self.seek = seek
            self.wake()

    def wake(self) -> None:
        """Look at once whether there is something to send."""
        self._changed.set()

    def end(self, error: DicecupError | None = None) -> None:
        """End the messages, with an error if one is given."""
        self._ended = error or True
        self._changed.set()

    async def messages(self, board: Callable[[], Board]) -> AsyncIterator[dict[str, Any]]:
        """Yield what has changed, at the beginning and after each `wake`. Raises the error that
        `end` was given."""
        while not self._ended:
            self._changed.clear()
            if (seek := seek_message(self.seek, self._clock())) != self._sent_seek:
                self._sent_seek = seek
                yield seek
            if self.invitations != self._sent_invitations:
                self._sent_invitations = self.invitations
                yield {"type": "invitations", "invitations": self.invitations}
            if (current := (board(), self.hidden)) != self._looked_at:
                self._looked_at = current
                before, self._sent_board = self._sent_board, current[0].seen_with(self.hidden)
                if (message := self._sent_board.message(before)) is not None:
                    yield message
            await self._changed.wait()
        if isinstance(self._ended, DicecupError):
            raise self._ended


def seek_message(seek: Seek | None, now: float) -> dict[str, Any]:
    """Return the message about the own seek. It is null where nothing is sought any more."""
    code = "" if seek is None or now > seek.changed + KEPT else CODES.get(seek.state, "")
    if seek is None or not seek.is_open:
        return {"type": "seek", "seek": None, "code": code}
    shown = {
        "id": seek.request,
        "game": seek.game,
        "clock": None if seek.clock is None else json.loads(seek.clock),
        "rated": seek.rated,
        "since": seek.since,
        "offers_computer": seek.table is None and now >= seek.since + OFFER_AFTER,
        "table": seek.table,
    }
    return {"type": "seek", "seek": shown, "code": code}
