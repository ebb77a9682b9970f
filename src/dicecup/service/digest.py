"""What a table looks like at a glance: what lists, statistics and whoever looks after tables need, derived from the story."""

import json
import re
from collections.abc import Iterable, Sequence
from math import ceil
from typing import Any, Final

from dicecup.core.dice import FACES, NO_DICE, keep
from dicecup.core.source import VOID_THROW, throw_from_text
from dicecup.service.computers import waits_for_computer
from dicecup.service.decide import wake_at
from dicecup.service.dice_statistics import thrown_counts
from dicecup.service.events import Acted, Created, DieThrown, Ended, Event, LotCast, Stored, Thrown, event_from_json
from dicecup.service.store import Digest, Row
from dicecup.service.story import Story

UNATTENDED: Final = 15.0
"""Seconds after which somebody else lets the computer act, where whoever should have done it may be gone."""
_FAR: Final = 86_400.0
_ROUND: Final = 3600.0
_KEEP: Final = re.compile(r"!?k(-|[1-6]*)", re.ASCII)


def stored(row: Row) -> Stored:
    """The event of a row. Raises `ServiceError` (`not-an-event`)."""
    return Stored(row.number, row.time, event_from_json(json.loads(row.body)))


def digest_of_rows(rows: Sequence[Row]) -> Digest:
    """The digest of a table whose events these are, all of them. Raises as `Story.of`."""
    events = [stored(row) for row in rows]
    return digest_of(Story.of(events), rows[0].identity, events)


def at_a_glance(story: Story) -> tuple[object, ...]:
    """All that a digest depends on: as long as this is the same, so is the digest."""
    return story.started, story.seats, story.demand.seats, story.position.number, story.end, story.next, _wake(story)


def digest_of(story: Story, creator: str | None, events: Iterable[Stored]) -> Digest:
    """`creator`: who made the table; `events`: all of them, which are looked at only once the game is over."""
    return Digest(
        story.table,
        story.setup.game,
        "over" if story.end is not None else "running" if story.started else "open",
        story.begun,
        creator,
        _wake(story),
        json.dumps(summary(story), ensure_ascii=False, separators=(",", ":")),
        _outcomes(story),
        *_ending(events if story.end is not None else ()),
    )


def _ending(events: Iterable[Stored]) -> tuple[float | None, tuple[int, ...] | None]:
    """When the game ended, and the faces that were thrown; nothing before that."""
    told = tuple(events)
    ended = next((event.time for event in told if isinstance(event.event, Ended)), None)
    return (None, None) if ended is None else (ended, faces_thrown(event.event for event in told))


def summary(story: Story) -> dict[str, Any]:
    """`seats`: name and level of each; `waits_for`: the seats that can go on; `turn`; once it is over `result`, `end` and the `next`
    table."""
    return {
        "seats": [{"name": seat.name, "level": seat.level} for seat in story.seats],
        "waits_for": list(story.demand.seats),
        "turn": story.position.number,
        "result": None if story.end is None else story.end.result,
        "end": None if story.end is None else story.end.end,
        "next": story.next,
    }


def _wake(story: Story) -> float | None:
    """When somebody must look after the table. Far off it is rounded up, so that not every event moves it."""
    if waits_for_computer(story):
        return story.time + UNATTENDED
    wake = wake_at(story)
    return wake if wake is None or wake < story.time + _FAR else ceil(wake / _ROUND) * _ROUND


def _outcomes(story: Story) -> tuple[tuple[str, str | None], ...]:
    """Each identity at the table, with its outcome where all its seats have the same one and somebody could lose."""
    found: dict[str, set[str | None]] = {}
    for seat, held in enumerate(story.seats):
        if held.identity is not None:
            found.setdefault(held.identity, set()).add(_outcome(story, seat))
    return tuple((identity, outcomes.pop() if len(outcomes) == 1 else None) for identity, outcomes in sorted(found.items()))


def _outcome(story: Story, seat: int) -> str | None:
    if story.end is None or len(story.seats) == 1 or not story.order:
        return None
    if not story.end.winners:
        return "drawn"
    return "won" if seat in story.end.winners else "lost"


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
