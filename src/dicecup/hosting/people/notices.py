"""What a change of a table gives to tell: to whom, when, and what replaces it.

A notice of a table replaces the earlier one about the same table. So a notice of a turn holds the
later warnings of its clock, and the end of the turn withdraws all of them.
"""

import json
from collections.abc import Iterable, Sequence
from enum import StrEnum
from secrets import token_hex
from typing import Any, Final, NamedTuple

from dicecup.hosting.people.recipients import Recipients
from dicecup.hosting.store import Notice
from dicecup.table.events import Ended, Event, RematchAsked
from dicecup.table.pending import PendingKind
from dicecup.table.state import TableState
from dicecup.table.summaries import outcome

AWAY: Final = 60.0
"""Seconds after which a person whose page is closed is notified of the turn."""
HOUR: Final = 3600.0
PLAYED: Final = frozenset(
    {PendingKind.LOT, PendingKind.DIE, PendingKind.THROW, PendingKind.DICE, PendingKind.ACTION, PendingKind.REPLACEMENT}
)
"""What only people do. Their pages answer the rest by themselves."""


class NoticeKind(StrEnum):
    """What a notice is about."""

    TURN = "turn"
    CLOCK_QUARTER = "clock-quarter"
    """A quarter of the time of the clock is left."""
    CLOCK_HOUR = "clock-hour"
    """An hour is left on the clock."""
    REMATCH = "rematch"
    OVER = "over"
    INVITATION = "invitation"
    ROUND = "round"
    """A round of a tournament begins."""
    WITHDRAWN = "withdrawn"
    """What was told about the topic is no longer true."""


CLOCK_KINDS: Final = (NoticeKind.CLOCK_QUARTER, NoticeKind.CLOCK_HOUR)


class Mark(NamedTuple):
    """The time at which a warning of a clock is due."""

    time: float
    kind: str


class TableNotices:
    """Makes the notices of changes for people in `recipients`: nothing is made or saved for
    others."""

    def __init__(self, recipients: Recipients) -> None:
        self._recipients = recipients

    def of(
        self, before: TableState, after: TableState, events: Iterable[Event], now: float, actor: str | None
    ) -> tuple[Notice, ...]:
        """Return the notices of a change by `actor`, who gets none of it."""
        if not self._recipients:
            return ()
        people = {seat.identity for state in (before, after) for seat in state.seats if seat.identity is not None}
        told = self._recipients.among(people)
        if not told:
            return ()
        news = _news(after, events)
        waited, waits = _waits_for(before), _waits_for(after)
        notices = []
        for identity in told:
            kind = news if identity != actor and after.seats_of(identity) else None
            if kind is NoticeKind.REMATCH and after.seats_of(identity) <= after.rematch:
                kind = None
            if kind is not None:
                notices.append(notice(identity, after.table, kind, now, now, _details(after, identity)))
            elif identity in waits and (identity not in waited or _gets_the_clock(before, after, identity)):
                marks = clock_marks(after, identity)
                details = _details(after, identity) | {"marks": marks}
                notices.append(notice(identity, after.table, NoticeKind.TURN, now, now + AWAY, details))
            elif (identity in waited and identity not in waits) or _is_answered(before, after, identity):
                notices.append(notice(identity, after.table, NoticeKind.WITHDRAWN, now, now, {}))
        return tuple(notices)


def _gets_the_clock(before: TableState, after: TableState, identity: str) -> bool:
    """Return whether the clock runs for a person from now on. In a pair that is so after the last
    throw of the partner, for whom it ran while both could act."""
    own = after.seats_of(identity)
    return after.clocks.seat in own and before.clocks.seat not in own


def _is_answered(before: TableState, after: TableState, identity: str) -> bool:
    """Return whether a person has just accepted an invitation by sitting down, or has agreed to
    another game, or whether that game is there."""
    had, has = before.seats_of(identity), after.seats_of(identity)
    agreed = has <= after.rematch and not has <= before.rematch
    return bool(has) and (not had or agreed or (after.next is not None and before.next is None))


def notice(identity: str, topic: str, kind: NoticeKind, now: float, due: float, details: dict[str, Any]) -> Notice:
    """Return a notice with a key of its own."""
    return Notice(identity, topic, token_hex(8), kind, now, due, json.dumps(details, ensure_ascii=False))


def clock_marks(state: TableState, identity: str) -> Sequence[Mark]:
    """Return the warnings of the clock that runs for an identity, in order.

    A clock warns when a quarter of its time is left, and when an hour is left. What was less at the
    beginning of the turn is no news.
    """
    clocks = state.clocks
    deadline, seats = clocks.deadline, state.seats_of(identity)
    if clocks.clock is None or clocks.budget is None or deadline is None or clocks.seat not in seats:
        return ()
    warnings = {clocks.clock.seconds / 4: NoticeKind.CLOCK_QUARTER}
    warnings.setdefault(HOUR, NoticeKind.CLOCK_HOUR)
    return sorted(Mark(deadline - left, kind) for left, kind in warnings.items() if left < clocks.budget)


def _news(state: TableState, events: Iterable[Event]) -> NoticeKind | None:
    """Return what the events tell all people at the table."""
    kinds = {type(event) for event in events}
    if Ended in kinds:
        return NoticeKind.OVER
    return NoticeKind.REMATCH if RematchAsked in kinds and state.next is None else None


def _waits_for(state: TableState) -> set[str]:
    """Return the people whom a table waits for, if others play there: nobody else waits for them
    at a game against computers."""
    if state.pending.kind not in PLAYED or len({seat.identity for seat in state.seats} - {None}) < 2:
        return set()
    held = [state.seats[seat] for seat in state.pending.seats]
    return {seat.identity for seat in held if seat.identity is not None}


def _details(state: TableState, identity: str) -> dict[str, Any]:
    """Return what the text of a notice says about a table: its game, the names of the others, and
    after the end the outcome."""
    own = state.seats_of(identity)
    details: dict[str, Any] = {
        "path": f"/tables/{state.table}",
        "game": state.rules.name,
        "names": [held.name for seat, held in enumerate(state.seats) if held.is_human and seat not in own],
    }
    return details if state.end is None else details | {"outcome": outcome(state, own)}
