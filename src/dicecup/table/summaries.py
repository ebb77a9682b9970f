"""A table in the list of its people: how far it is, and how it ended for a seat."""

from collections.abc import Iterable
from typing import Any

from dicecup.table.state import TableState


def stage(state: TableState) -> str:
    """Return `open` before the start, then `running`, and after the end `over`."""
    if state.end is not None:
        return "over"
    return "running" if state.started else "open"


def summary(state: TableState) -> dict[str, Any]:
    """Return the summary of a table for lists.

    `seats` (name and level of each), `waits_for` (the pending seats), `turn` (its number); after
    the end `result` and `end`; `next` (the id of the next table).
    """
    return {
        "seats": [{"name": seat.name, "level": seat.level} for seat in state.seats],
        "waits_for": list(state.pending.seats),
        "turn": state.position.number,
        "result": None if state.end is None else state.end.result,
        "end": None if state.end is None else state.end.end,
        "next": state.next,
    }


def outcome(state: TableState, seats: Iterable[int]) -> str | None:
    """Return how the game ended for a person on these seats: `won`, `drawn` or `lost`.

    `None` while it runs, for a game of one player, and where the seats ended differently.
    """
    if state.end is None or len(state.seats) == 1 or not state.order:
        return None
    if not state.end.winners:
        return "drawn"
    outcomes = {"won" if seat in state.end.winners else "lost" for seat in seats}
    return outcomes.pop() if len(outcomes) == 1 else None
