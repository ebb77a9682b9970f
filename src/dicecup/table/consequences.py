"""What happens by itself: what time brings, and what follows from what was done."""

from typing import Final

from dicecup import yam_master
from dicecup.table import endings, fairness
from dicecup.table.clock import Gap
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
from dicecup.table.outcomes import all_sides, sides_without
from dicecup.table.state import TableState
from dicecup.table.transition import Transition, seeds

SEED_TIME: Final = 60.0
"""Seconds that the seats have to commit to their seeds once all are taken, and again to reveal them."""
ABANDONED: Final = 30 * 86_400.0
"""Seconds without any event after which a table without a clock is closed."""


# --- Time --------------------------------------------------------------------------------------------------------------------


def wake_at(state: TableState) -> float | None:
    """When `due` has to be asked next, if nothing happens before; None: never."""
    if state.end is not None:
        return None
    times = [state.time + ABANDONED]
    if state.clocks.deadline is not None:
        times = [state.clocks.deadline]
    seeds_due = seeds_due_at(state)
    return min(times if seeds_due is None else [*times, seeds_due])


def seeds_due_at(state: TableState) -> float | None:
    """Until when seats may commit to their seeds, or reveal them; None where no seed is waited for."""
    if state.started or state.real_dice or state.seats_full is None or state.end is not None:
        return None
    return (state.seats_full if state.seeds_promised is None else state.seeds_promised) + SEED_TIME


def pass_time(transition: Transition) -> None:
    """Tells what is due."""
    _recommit(transition)
    _late_seeds(transition)
    settle(transition)
    state = transition.state
    if state.end is not None:
        return
    deadline, seat = state.clocks.deadline, state.clocks.seat
    if deadline is not None and seat is not None:
        if transition.now < deadline:
            return
        transition.tell(TimeUp(seat))
        transition.tell(endings.otherwise(state, "time", sides_without(state.position, state.place_of(seat))))
    elif transition.now < state.time + ABANDONED:
        return
    else:
        transition.tell(endings.otherwise(state, "abandoned", all_sides(state.position)))
    settle(transition)


def hold(state: TableState, now: float, gap: Gap | None) -> tuple[ClockHeld, ...]:
    """What has to be told before anything else where nobody could act in this gap: its time does not count. A flag that had fallen
    before stays down."""
    deadline = state.clocks.deadline
    if gap is None or state.end is not None or deadline is None or deadline <= gap.since:
        return ()
    seconds = min(gap.until, now) - max(gap.since, state.time)
    return (ClockHeld(seconds),) if seconds > 0 else ()


def _recommit(transition: Transition) -> None:
    """A table that came from a server with another key."""
    state = transition.state
    promised = fairness.commitment(transition.secret)
    if state.end is None and not state.real_dice and state.commitment.hash != promised:
        transition.tell(CommitmentEnded(state.commitment.hash))
        transition.tell(CommitmentBegun(promised))


def _late_seeds(transition: Transition) -> None:
    """A seat that does not commit to a seed in time, or does not reveal it, gets the empty one, on record."""
    state = transition.state
    until = seeds_due_at(state)
    if until is None or transition.now < until:
        return
    for seat, held in enumerate(state.seats):
        if held.seed is None and (held.hash is None or state.seeds_promised is not None):
            transition.tell(SeedRevealed(seat, ""))


# --- What follows by itself --------------------------------------------------------------------------------------------------


def settle(transition: Transition) -> None:
    """Tells everything that follows without anybody: the start, the starting roll of the server's dice, the end, what comes
    after."""
    while (event := _following(transition)) is not None:
        transition.tell(event)


def _following(transition: Transition) -> Event | None:
    state = transition.state
    if state.end is not None:
        return _after_the_end(transition)
    if not state.started:
        return Started() if state.is_ready else None
    if not state.order:
        return None if state.real_dice else _starting_die(transition)
    return endings.by_the_rules(state)


def _starting_die(transition: Transition) -> Event:
    """Who begins, by the server's dice. The lot is no throw of the game and has a number of its own."""
    state = transition.state
    if isinstance(state.rules, yam_master.YamMaster):
        return LotCast(fairness.die(transition.secret, f"{state.rules.id} lot", seeds(state), 0))
    return DieThrown(fairness.die(transition.secret, state.rules.id, seeds(state), state.counter), state.counter)


def _after_the_end(transition: Transition) -> SecretPublished | NextTable | None:
    state = transition.state
    known = not state.real_dice and state.commitment.hash == fairness.commitment(transition.secret)
    if known and state.secret is None:
        return SecretPublished(transition.secret.hex())
    if state.next is None and endings.has_next_game(state):
        return NextTable(endings.next_table_id(transition.secret))
    return None
