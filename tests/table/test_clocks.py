"""Laws of clocks: taking an entry back costs its time, and no seat gains time."""

import random
from typing import Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dicecup.table.clock import Gap
from dicecup.table.commands import Act, EnterDice, TakeBack
from dicecup.table.errors import TableError
from dicecup.table.events import ClockHeld, Stored, TimeUp
from dicecup.table.handlers import due, hold_clock
from dicecup.table.replay import replay
from dicecup.table.setup import DAY, Clock, ClockKind, DiceOf, Setup
from tests.table.tables import WIDE, Table, people, summary

seeds = st.integers(0, 2**32 - 1)

CLOCKS: Final = (Clock(ClockKind.TURN, 60), Clock(ClockKind.GAME, 300, 5), Clock(ClockKind.DAYS, 86_400))
REAL: Final = tuple(
    people(game, count, dice=DiceOf.TABLE, clock=clock)
    for game, count in (("yam-master", 2), ("yamm", 2), (WIDE, 4))
    for clock in CLOCKS
)


@pytest.mark.parametrize("setup", REAL, ids=summary)
@settings(max_examples=6, deadline=None)
@given(seeds, st.integers(1, 80))
def test_clocks_run_on_when_an_entry_is_taken_back(setup: Setup, seed: int, length: int) -> None:
    chance = random.Random(seed)
    table = Table(setup)
    for _ in range(length):
        table.wait(chance.choice([0, 1, 5, 20]))
        if table.state.end is not None:
            break
        seat, command = table.allowed_command(chance)
        before = table.state.clocks
        table.send(command, seat)
        table.wait(chance.choice([0, 1, 5, 20]))
        if "take-back" in table.view(seat)["may"] and chance.random() < 0.5:
            table.send(TakeBack(), seat)
            assert table.state.clocks == before
            assert table.wait(0) == ()


# --- Gaps -----------------------------------------------------------------------------------------


def tried(clock: Clock | None, chance: random.Random, length: int, **agreed: DiceOf) -> Table:
    """Return a table at which people have played for a while."""
    table = Table(people("yam-master", 2, clock=clock, first=0, **agreed))
    for _ in range(length):
        table.wait(chance.choice([0, 1, 3]))
        if table.state.end is None:
            table.step(chance)
    return table


@pytest.mark.parametrize("clock", CLOCKS, ids=lambda clock: clock.kind)
@given(seeds, st.integers(0, 20), st.floats(-50, 50), st.floats(-50, 500), st.floats(0, 500))
def test_a_clock_gets_the_time_of_a_gap_back_and_no_more(
    clock: Clock, seed: int, length: int, since: float, lasts: float, later: float
) -> None:
    table = tried(clock, random.Random(seed), length)
    state, begun = table.state, table.now
    table.now += later
    gap = Gap(begun + since, begun + since + lasts)
    events = table.add(hold_clock(state, table.now, [gap]))
    lost = max(0.0, min(gap.until, table.now) - max(gap.since, begun))
    before, after = state.clocks, table.state.clocks
    running = state.end is None and before.deadline is not None and before.deadline > gap.since
    assert bool(events) == (running and lost > 0)
    if not events:
        return
    assert before.deadline is not None
    assert after.deadline == pytest.approx(before.deadline + lost, abs=1e-5)
    assert after.since <= table.now + 1e-5
    assert after.left == before.left
    assert not hold_clock(table.state, table.now, [gap]).events
    assert replay(table.stored) == table.state


@pytest.mark.parametrize("clock", CLOCKS, ids=lambda clock: clock.kind)
@given(st.lists(st.tuples(st.floats(-50, 500), st.floats(0, 50)), max_size=5), st.floats(0, 600))
def test_of_several_gaps_each_second_counts_once(clock: Clock, given: list[tuple[float, float]], later: float) -> None:
    table = tried(clock, random.Random(1), 0)
    begun, until = table.now, table.state.clocks.deadline
    assert until is not None
    table.now += later
    gaps = sorted((Gap(begun + since, begun + since + lasts) for since, lasts in given), key=lambda gap: gap.until)
    events = table.add(hold_clock(table.state, table.now, gaps))
    deadline = table.state.clocks.deadline
    assert deadline is not None
    covered = sum(any(gap.since <= begun + at < gap.until for gap in gaps) for at in range(int(later)))
    assert 0 <= deadline - until <= min(later, covered + 2 * len(gaps) + 1) + 1e-5
    assert bool(events) == (deadline > until)
    assert not hold_clock(table.state, table.now, gaps).events
    assert replay(table.stored) == table.state


@given(st.lists(st.tuples(st.floats(0, 100), st.floats(0, 100)), max_size=4), st.floats(0, 250))
def test_a_table_is_abandoned_after_thirty_days_in_which_the_server_ran(given: list[tuple[float, float]], age: float) -> None:
    """Lengths are days: the server runs and is away by turns."""
    table = tried(None, random.Random(1), 0)
    begun, gaps, ran, end = table.now, [], 0.0, 0.0
    for runs, away in given:
        gaps.append(Gap(begun + (end + runs) * DAY, begun + (end + runs + away) * DAY))
        ran += max(0.0, min(age, end + runs) - end)
        end += runs + away
    ran += max(0.0, age - end)
    table.now = begun + age * DAY
    table.add(hold_clock(table.state, table.now, gaps))
    table.add(due(table.state, table.now, table.secret))
    if abs(ran - 30) > 1e-3:
        assert (table.state.end is not None) == (ran > 30)
    assert replay(table.stored) == table.state


def test_a_clock_that_ran_out_before_the_gap_stays_run_out() -> None:
    table = tried(Clock(ClockKind.TURN, 10), random.Random(1), 0)
    begun = table.now
    table.now += 100
    assert not hold_clock(table.state, table.now, [Gap(begun + 10, begun + 90)]).events
    assert table.add(hold_clock(table.state, table.now, [Gap(begun + 9, begun + 99)])) == (ClockHeld(90),)
    assert table.wait(-0.5) == ()
    assert table.wait(0.5)[0] == TimeUp(0)


def test_an_entry_before_a_gap_can_be_taken_back_after_it() -> None:
    table = tried(Clock(ClockKind.TURN, 10), random.Random(1), 0, dice=DiceOf.TABLE)
    for command in (EnterDice("11346"), Act("--")):
        table.send(command, 0)
    begun = table.now
    table.now += 100
    table.add(hold_clock(table.state, table.now, [Gap(begun, table.now)]))
    table.send(TakeBack(), 0)
    assert table.view()["demand"]["deadline"] == table.now + 10


@pytest.mark.parametrize("seconds", [0.0, -1.0, 10.5, float("nan"), float("inf")])
def test_no_more_time_is_given_back_than_has_passed(seconds: float) -> None:
    table = tried(Clock(ClockKind.TURN, 60), random.Random(1), 0)
    table.now += 10
    stored = Stored(len(table.stored) + 1, table.now, ClockHeld(seconds))
    with pytest.raises(TableError):
        replay([*table.stored, stored])
