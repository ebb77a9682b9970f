"""Digests of tables: values for lists, statistics and timers that derive from the events."""

import json
import re
from collections.abc import Iterable
from math import ceil
from typing import Final

import orjson

from dicecup.core.dice import FACES, NO_DICE, keep
from dicecup.core.source import VOID_THROW, throw_from_text
from dicecup.hosting.dice_statistics import thrown_counts
from dicecup.hosting.store import Digest, SeatedIdentity
from dicecup.record import Journal
from dicecup.table import codec
from dicecup.table.computers import waits_for_computer
from dicecup.table.events import Acted, DieThrown, Ended, Event, LotCast, Stored, Thrown
from dicecup.table.handlers import wake_at
from dicecup.table.sections import PlayedOnDevice
from dicecup.table.state import TableState
from dicecup.table.summaries import outcome, stage, summary

UNATTENDED: Final = 15.0
"""Seconds after which another worker lets a computer act whose worker may be gone."""
_DAY: Final = 86_400.0
_HOUR: Final = 3600.0
_KEEP: Final = re.compile(r"!?k(-|[1-6]*)", re.ASCII)


def digest_key(state: TableState) -> tuple[object, ...]:
    """Return everything that a digest depends on. States with equal keys have equal digests."""
    listed = state.admits, state.links
    return state.started, state.seats, state.pending.seats, state.position.number, state.end, state.next, _wake(state), listed


def digest_of(state: TableState, creator: str | None, events: Iterable[Stored]) -> Digest:
    """Return the digest of a table. `events` holds all events of a finished game, with or without
    the first; before the end it is not read."""
    return Digest(
        state.table,
        state.setup.game,
        stage(state),
        state.begun,
        creator,
        _wake(state),
        orjson.dumps(summary(state)).decode(),
        _seated_identities(state),
        *_ending(state.setup.beginning, events if state.end is not None else ()),
        listing(state),
    )


def listing(state: TableState) -> str | None:
    """Return what the lobby says of a public table with free seats as JSON, `None` for every other
    table: the `links` count of its keys, the wished `level`, `clock`, `dice` and `games`, and
    whether it is `rated`."""
    setup = state.setup
    if setup.listing is None or state.started or state.is_full or state.end is not None or not state.admits:
        return None
    shown = {
        "links": state.links,
        "level": setup.listing.level,
        "clock": None if setup.clock is None else codec.to_json(setup.clock),
        "dice": setup.dice,
        "games": setup.games,
        "rated": setup.rated,
    }
    return json.dumps(shown, separators=(",", ":"))


def thrown_faces(beginning: Journal, events: Iterable[Event]) -> tuple[int, ...]:
    """Return how often the server's dice showed 1, 2, … 6 since the beginning of a game. Kept dice
    and real dice do not count."""
    counts = [0] * len(FACES)
    turn = beginning.position.turn
    kept = NO_DICE if turn is None or not turn.waiting else turn.kept
    for event in events:
        match event:
            case Acted(_, action) if ">" not in action:
                match = _KEEP.fullmatch(action)
                kept = keep(match[1]) if match else NO_DICE
            case Thrown(dice, counter) if counter is not None and dice != VOID_THROW:
                thrown = thrown_counts(throw_from_text(dice).roll, kept)
                counts = [before + count for before, count in zip(counts, thrown, strict=True)]
            case DieThrown(face, _, None) | LotCast(face, None):
                counts[face - 1] += 1
            case PlayedOnDevice():
                kept = NO_DICE  # no dice of the server; what lies now was kept before
            case _:
                pass
    return tuple(counts)


def _ending(beginning: Journal, events: Iterable[Stored]) -> tuple[float | None, tuple[int, ...] | None]:
    """Return the time of the end and the thrown faces, twice `None` without events."""
    listed = tuple(events)
    ended = next((event.time for event in listed if isinstance(event.event, Ended)), None)
    return (None, None) if ended is None else (ended, thrown_faces(beginning, (event.event for event in listed)))


def _wake(state: TableState) -> float | None:
    """Return when a timer of the table is due. A distant time is rounded up, so that few events
    change it."""
    if waits_for_computer(state):
        return state.time + UNATTENDED
    wake = wake_at(state)
    return wake if wake is None or wake < state.time + _DAY else ceil(wake / _HOUR) * _HOUR


def _seated_identities(state: TableState) -> tuple[SeatedIdentity, ...]:
    """Return the identities at the table. An identity whose seats ended differently has no
    outcome, and nobody has one in a game that went on on a device: it counts in no comparison."""
    seats: dict[str, list[int]] = {}
    for seat, held in enumerate(state.seats):
        if held.identity is not None:
            seats.setdefault(held.identity, []).append(seat)
    return tuple(
        SeatedIdentity(identity, tuple(own), None if state.sections else outcome(state, own))
        for identity, own in sorted(seats.items())
    )
