"""What a table looks like at a glance: what lists, statistics and whoever looks after tables need, derived from the state."""

import json
import re
from collections.abc import Iterable, Sequence
from math import ceil
from typing import Any, Final

from dicecup.core.dice import FACES, NO_DICE, keep
from dicecup.core.source import VOID_THROW, throw_from_text
from dicecup.hosting.computers import waits_for_computer
from dicecup.hosting.dice_statistics import thrown_counts
from dicecup.hosting.store import Digest, Row
from dicecup.table.events import Acted, Created, DieThrown, Ended, Event, LotCast, Stored, Thrown, event_from_json
from dicecup.table.handlers import wake_at
from dicecup.table.state import TableState

UNATTENDED: Final = 15.0
"""Seconds after which somebody else lets the computer act, where whoever should have done it may be gone."""
_FAR: Final = 86_400.0
_ROUND: Final = 3600.0
_KEEP: Final = re.compile(r"!?k(-|[1-6]*)", re.ASCII)


def stored(row: Row) -> Stored:
    """The event of a row. Raises `TableError` (`not-an-event`)."""
    return Stored(row.number, row.time, event_from_json(json.loads(row.body)))


def digest_of_rows(rows: Sequence[Row]) -> Digest:
    """The digest of a table whose events these are, all of them. Raises as `TableState.from_events`."""
    events = [stored(row) for row in rows]
    return digest_of(TableState.from_events(events), rows[0].identity, events)


def at_a_glance(state: TableState) -> tuple[object, ...]:
    """All that a digest depends on: as long as this is the same, so is the digest."""
    return state.started, state.seats, state.pending.seats, state.position.number, state.end, state.next, _wake(state)


def digest_of(state: TableState, creator: str | None, events: Iterable[Stored]) -> Digest:
    """`creator`: who made the table; `events`: all of them, which are looked at only once the game is over."""
    return Digest(
        state.table,
        state.setup.game,
        "over" if state.end is not None else "running" if state.started else "open",
        state.begun,
        creator,
        _wake(state),
        json.dumps(summary(state), ensure_ascii=False, separators=(",", ":")),
        _outcomes(state),
        *_ending(events if state.end is not None else ()),
    )


def _ending(events: Iterable[Stored]) -> tuple[float | None, tuple[int, ...] | None]:
    """When the game ended, and the faces that were thrown; nothing before that."""
    told = tuple(events)
    ended = next((event.time for event in told if isinstance(event.event, Ended)), None)
    return (None, None) if ended is None else (ended, faces_thrown(event.event for event in told))


def summary(state: TableState) -> dict[str, Any]:
    """`seats`: name and level of each; `waits_for`: the seats that can go on; `turn`; once it is over `result`, `end` and the `next`
    table."""
    return {
        "seats": [{"name": seat.name, "level": seat.level} for seat in state.seats],
        "waits_for": list(state.pending.seats),
        "turn": state.position.number,
        "result": None if state.end is None else state.end.result,
        "end": None if state.end is None else state.end.end,
        "next": state.next,
    }


def _wake(state: TableState) -> float | None:
    """When somebody must look after the table. Far off it is rounded up, so that not every event moves it."""
    if waits_for_computer(state):
        return state.time + UNATTENDED
    wake = wake_at(state)
    return wake if wake is None or wake < state.time + _FAR else ceil(wake / _ROUND) * _ROUND


def _outcomes(state: TableState) -> tuple[tuple[str, str | None], ...]:
    """Each identity at the table, with its outcome where all its seats have the same one and somebody could lose."""
    found: dict[str, set[str | None]] = {}
    for seat, held in enumerate(state.seats):
        if held.identity is not None:
            found.setdefault(held.identity, set()).add(_outcome(state, seat))
    return tuple((identity, outcomes.pop() if len(outcomes) == 1 else None) for identity, outcomes in sorted(found.items()))


def _outcome(state: TableState, seat: int) -> str | None:
    if state.end is None or len(state.seats) == 1 or not state.order:
        return None
    if not state.end.winners:
        return "drawn"
    return "won" if seat in state.end.winners else "lost"


def faces_thrown(events: Iterable[Event]) -> tuple[int, ...]:
    """How often the server's dice showed each face: only dice that were thrown, not those kept; typed ones are not counted."""
    counts = [0] * len(FACES)
    kept = NO_DICE
    for event in events:
        match event:
            case Created(_, setup):
                turn = setup.beginning.position.turn
                kept = NO_DICE if turn is None or not turn.waiting else turn.kept
            case Acted(_, action) if ">" not in action:
                match = _KEEP.fullmatch(action)
                kept = keep(match[1]) if match else NO_DICE
            case Thrown(dice, counter) if counter is not None and dice != VOID_THROW:
                thrown = thrown_counts(throw_from_text(dice).roll, kept)
                counts = [before + count for before, count in zip(counts, thrown, strict=True)]
            case DieThrown(face, _, None) | LotCast(face, None):
                counts[face - 1] += 1
            case _:
                pass
    return tuple(counts)
