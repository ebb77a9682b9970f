"""What happens by itself: what time brings, and what follows from what was done."""

from typing import Final

from dicecup import yam_master
from dicecup.service import endings, fairness
from dicecup.service.clock import Gap
from dicecup.service.events import (
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
from dicecup.service.outcomes import all_sides, sides_without
from dicecup.service.story import Story
from dicecup.service.telling import Telling, seeds

SEED_TIME: Final = 60.0
"""Seconds that the seats have to commit to their seeds once all are taken, and again to reveal them."""
ABANDONED: Final = 30 * 86_400.0
"""Seconds without any event after which a table without a clock is closed."""


# --- Time --------------------------------------------------------------------------------------------------------------------


def wake_at(story: Story) -> float | None:
    """When `due` has to be asked next, if nothing happens before; None: never."""
    if story.end is not None:
        return None
    times = [story.time + ABANDONED]
    if story.clocks.deadline is not None:
        times = [story.clocks.deadline]
    seeds_due = seeds_due_at(story)
    return min(times if seeds_due is None else [*times, seeds_due])


def seeds_due_at(story: Story) -> float | None:
    """Until when seats may commit to their seeds, or reveal them; None where no seed is waited for."""
    if story.started or story.real_dice or story.seats_full is None or story.end is not None:
        return None
    return (story.seats_full if story.seeds_promised is None else story.seeds_promised) + SEED_TIME


def pass_time(telling: Telling) -> None:
    """Tells what is due."""
    _recommit(telling)
    _late_seeds(telling)
    settle(telling)
    story = telling.story
    if story.end is not None:
        return
    deadline, seat = story.clocks.deadline, story.clocks.seat
    if deadline is not None and seat is not None:
        if telling.now < deadline:
            return
        telling.tell(TimeUp(seat))
        telling.tell(endings.otherwise(story, "time", sides_without(story.position, story.place_of(seat))))
    elif telling.now < story.time + ABANDONED:
        return
    else:
        telling.tell(endings.otherwise(story, "abandoned", all_sides(story.position)))
    settle(telling)


def hold(story: Story, now: float, gap: Gap | None) -> tuple[ClockHeld, ...]:
    """What has to be told before anything else where nobody could act in this gap: its time does not count. A flag that had fallen
    before stays down."""
    deadline = story.clocks.deadline
    if gap is None or story.end is not None or deadline is None or deadline <= gap.since:
        return ()
    seconds = min(gap.until, now) - max(gap.since, story.time)
    return (ClockHeld(seconds),) if seconds > 0 else ()


def _recommit(telling: Telling) -> None:
    """A table that came from a server with another key."""
    story = telling.story
    promised = fairness.commitment(telling.secret)
    if story.end is None and not story.real_dice and story.commitment.hash != promised:
        telling.tell(CommitmentEnded(story.commitment.hash))
        telling.tell(CommitmentBegun(promised))


def _late_seeds(telling: Telling) -> None:
    """A seat that does not commit to a seed in time, or does not reveal it, gets the empty one, on record."""
    story = telling.story
    until = seeds_due_at(story)
    if until is None or telling.now < until:
        return
    for seat, held in enumerate(story.seats):
        if held.seed is None and (held.hash is None or story.seeds_promised is not None):
            telling.tell(SeedRevealed(seat, ""))


# --- What follows by itself --------------------------------------------------------------------------------------------------


def settle(telling: Telling) -> None:
    """Tells everything that follows without anybody: the start, the starting roll of the server's dice, the end, what comes
    after."""
    while (event := _following(telling)) is not None:
        telling.tell(event)


def _following(telling: Telling) -> Event | None:
    story = telling.story
    if story.end is not None:
        return _after_the_end(telling)
    if not story.started:
        return Started() if story.is_ready else None
    if not story.order:
        return None if story.real_dice else _starting_die(telling)
    return endings.by_the_rules(story)


def _starting_die(telling: Telling) -> Event:
    """Who begins, by the server's dice. The lot is no throw of the game and has a number of its own."""
    story = telling.story
    if isinstance(story.rules, yam_master.YamMaster):
        return LotCast(fairness.die(telling.secret, f"{story.rules.id} lot", seeds(story), 0))
    return DieThrown(fairness.die(telling.secret, story.rules.id, seeds(story), story.counter), story.counter)


def _after_the_end(telling: Telling) -> SecretPublished | NextTable | None:
    story = telling.story
    known = not story.real_dice and story.commitment.hash == fairness.commitment(telling.secret)
    if known and story.secret is None:
        return SecretPublished(telling.secret.hex())
    if story.next is None and endings.has_next_game(story):
        return NextTable(endings.next_table_id(telling.secret))
    return None
