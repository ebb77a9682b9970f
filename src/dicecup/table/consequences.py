"""Events that follow without a command: from time that passes, and from earlier events."""

from collections.abc import Callable, Sequence
from typing import Final

from dicecup.core.game import FirstPlayer
from dicecup.table import endings, fairness
from dicecup.table.clock import Gap, held_seconds
from dicecup.table.events import (
    ClockHeld,
    CommitmentBegun,
    CommitmentEnded,
    DieThrown,
    Event,
    LotCast,
    NextTable,
    SecretPublished,
    SeedRevealed,
    Started,
    TimeUp,
)
from dicecup.table.permissions import patience_ends_at
from dicecup.table.state import TableState
from dicecup.table.transition import Draft, Transition

SEED_TIME: Final = 60.0
"""Seconds in which the seats commit to their seeds, and again in which they reveal them."""
ABANDONED: Final = 30 * 86_400.0
"""Seconds without any event after which a game without a running clock is abandoned. Outages of
the server do not count."""


# --- Time -----------------------------------------------------------------------------------------


def wake_at(state: TableState) -> float | None:
    """Return when `due` has events if no event comes before, `None` for never."""
    if state.end is not None:
        return None
    deadline = state.clocks.deadline
    wake = state.idle_since + ABANDONED if deadline is None else deadline
    seeds_due = seeds_due_at(state)
    return wake if seeds_due is None else min(wake, seeds_due)


def seeds_due_at(state: TableState) -> float | None:
    """Return the deadline for commitments or seeds, `None` if none is pending."""
    if state.started or not state.setup.needs_seeds or state.seats_full is None or state.end is not None:
        return None
    return (state.seats_full if state.seeds_promised is None else state.seeds_promised) + SEED_TIME


def pass_time(draft: Draft) -> None:
    """Append the events that are due by `draft.now`."""
    _change_commitment(draft)
    _end_late_seeds(draft)
    settle(draft)
    state = draft.state
    if state.end is not None:
        return
    deadline, seat = state.clocks.deadline, state.clocks.seat
    if deadline is not None and seat is not None:
        if draft.now < deadline:
            return
        draft.append(TimeUp(seat))
        draft.append(endings.ended(state, "time", endings.sides_without(state, seat) or None))
    elif draft.now < state.idle_since + ABANDONED:
        return
    else:
        draft.append(endings.ended(state, "abandoned"))
    settle(draft)


def hold_clock(state: TableState, now: float, gaps: Sequence[Gap], *, before_event: bool = False) -> Transition:
    """Return the event that gives the time of outages back: to the running clock, without a clock
    to the patience of the others, before the game to the deadline for seeds.

    `gaps` are in order and may overlap. There is no event if no time ran during them. A time that
    had run out before a gap stays run out. The event comes before all others that happen after the
    gaps. A table without a clock gets it only when a claim would be possible, when it would be
    abandoned, or `before_event`: when another event follows, after which the gaps count no more. So
    an outage does not change every table.
    """
    draft = Draft(state, now, b"")
    deadline = None if state.end is not None else _running_until(state, now, before_event=before_event)
    if deadline is not None:
        seconds = held_seconds(deadline, state.time, now, gaps)
        if seconds > 0:
            draft.append(ClockHeld(seconds))
    return draft.finish()


def is_meant_for(state: TableState, version: int) -> bool:
    """Return whether a command for the state after event `version` is for this state: nothing but
    clocks and talk came between them."""
    return state.commanded <= version <= state.number


def next_transition(
    state: TableState, now: float, gaps: Sequence[Gap], handler: Callable[[TableState, float], Transition]
) -> tuple[Transition, bool]:
    """Return what a table saves next, and whether it only gives the time of outages back.

    In that case `handler` is called again with the state after it, so that it sees the clocks
    without the outages. Otherwise the transition is the one of the handler. `gaps`: as for
    `hold_clock`. Raises what the handler raises.
    """
    if not gaps:
        return handler(state, now), False
    held = hold_clock(state, now, gaps)
    if held.events:
        return held, True
    transition = handler(state, now)
    if transition.events:
        held = hold_clock(state, now, gaps, before_event=True)
    return (held, True) if held.events else (transition, False)


def _running_until(state: TableState, now: float, *, before_event: bool) -> float | None:
    """Return the next time at which something runs out, `None` if nothing runs.

    The patience of the others counts once it has run out, and `before_event`.
    """
    if state.clocks.deadline is not None:
        return state.clocks.deadline
    if now >= (abandoned := state.idle_since + ABANDONED):
        return abandoned
    if state.clocks.seat is None:
        return seeds_due_at(state)
    patience = patience_ends_at(state)
    return patience if patience is not None and (before_event or now >= patience) else None


def _change_commitment(draft: Draft) -> None:
    """Append the change to this server's commitment if the table has another one.

    A game of a duplicate event has its dice alone: a server that does not know them ends it.
    """
    state = draft.state
    commitment = fairness.commitment(draft.secret)
    if state.end is None and not state.real_dice and state.commitment.hash != commitment:
        if state.setup.duplicate is not None:
            draft.append(endings.ended(state, "abandoned"))
            return
        draft.append(CommitmentEnded(state.commitment.hash))
        draft.append(CommitmentBegun(commitment, state.commitment.salt))


def has_own_commitment(state: TableState) -> bool:
    """Return whether a game runs with a commitment of this table alone."""
    return state.end is None and not state.real_dice and state.setup.duplicate is None


def renew_commitment(state: TableState, now: float, secret: bytes, salt: str) -> Transition:
    """Return the change to the commitment of another secret of the same server.

    `secret` is that of `salt`, which was never used before. There are no events for real dice, for
    those of a duplicate event, and after the end of the game.
    """
    draft = Draft(state, now, secret)
    if has_own_commitment(state):
        draft.append(CommitmentEnded(state.commitment.hash))
        draft.append(CommitmentBegun(fairness.commitment(secret), salt))
    return draft.finish()


def _end_late_seeds(draft: Draft) -> None:
    """Append the empty seed for each seat that did not commit to a seed or reveal it in time."""
    state = draft.state
    deadline = seeds_due_at(state)
    if deadline is None or draft.now < deadline:
        return
    for seat, held in enumerate(state.seats):
        if held.seed is None and (held.hash is None or state.seeds_promised is not None):
            draft.append(SeedRevealed(seat, ""))


# --- Events that follow from events ---------------------------------------------------------------


def settle(draft: Draft) -> None:
    """Append every event that follows by itself: the start, starting dice, the end and so on."""
    while (event := _following(draft)) is not None:
        draft.append(event)


def _following(draft: Draft) -> Event | None:
    """Return the next event that follows by itself from the state, `None` if there is none."""
    state = draft.state
    if state.end is not None:
        return _after_end(draft)
    if not state.started:
        return Started() if state.is_ready else None
    if not state.order:
        return None if state.real_dice else _starting_die(draft)
    return endings.ended_by_rules(state)


def publish_secret(state: TableState, now: float, secret: bytes) -> Transition:
    """Publish the secret of an event at a table whose game is over. Without a new one there is no
    event."""
    draft = Draft(state, now, secret)
    fits = state.commitment.hash == fairness.commitment(secret)
    if state.setup.is_contest and state.end is not None and state.secret is None and fits:
        draft.append(SecretPublished(secret.hex()))
    return draft.finish()


def _starting_die(draft: Draft) -> LotCast | DieThrown:
    """Return the server's next die that decides who starts.

    The lot is not counted among the throws of the game.
    """
    state = draft.state
    if state.rules.first_player is FirstPlayer.LOT:
        return LotCast(fairness.die(draft.secret, f"{state.rules.id} lot", state.seeds, 0))
    return draft.next_starting_die()


def _after_end(draft: Draft) -> SecretPublished | NextTable | None:
    """Return the next event after the end of the game: the published secret, then the next table,
    if any. A secret is published only if it matches the commitment of the table, and that of an
    event after its end (`publish_secret`)."""
    state = draft.state
    is_own = not state.real_dice and not state.setup.is_contest
    if is_own and state.secret is None and state.commitment.hash == fairness.commitment(draft.secret):
        return SecretPublished(draft.secret.hex(), tuple(draft.known_secret(held.hash) for held in state.earlier))
    if state.next is None and endings.has_next_game(state):
        return NextTable(endings.next_table_id(draft.secret, draft.now))
    return None
