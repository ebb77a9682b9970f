"""Claims against a person who is offline or does not play."""

import random

import pytest

from dicecup.record import read
from dicecup.table.clock import Gap
from dicecup.table.commands import (
    Act,
    Claim,
    Remedy,
    Throw,
)
from dicecup.table.events import (
    Claimed,
    ClockHeld,
    Ended,
    LevelSeated,
)
from dicecup.table.handlers import Actor, handle, hold_clock, next_transition
from dicecup.table.permissions import PATIENCE
from dicecup.table.replay import replay
from dicecup.table.setup import Clock, ClockKind, DiceOf
from dicecup.table.state import TableState
from dicecup.table.table_record import record_of
from dicecup.table.transition import Transition
from tests.table.tables import WIDE, Table, duel, people

SLOW = Clock(ClockKind.DAYS, 86_400)


@pytest.mark.parametrize(
    "what, end", [(Remedy.WIN, Ended("abandoned", "o 0-0", (1,))), (Remedy.DRAW, Ended("abandoned", "draw 0-0", ()))]
)
def test_a_game_is_claimed_against_a_person_who_left(what: Remedy, end: Ended) -> None:
    table = duel()
    table.wait(100)
    assert table.refused(Claim(what), 1) == "not-away"
    table.offline = {0: table.now - 79, 1: table.now - 500}
    assert table.view(1)["claim"] == {"seat": 0, "at": table.now + 1, "reason": "offline"}
    assert table.refused(Claim(what), 1) == "not-away"
    table.wait(1)
    assert f"claim {what}" in table.view(1)["may"]
    assert table.refused(Claim(what, "greedy"), 1) == "not-a-claim"
    assert table.refused(Claim(what), 0) == "not-away"
    events = table.send(Claim(what), 1)
    assert events[:2] == (Claimed(1, what, 0), end)
    assert read(record_of(table.state).to_text()).tags == record_of(table.state).tags


def test_only_the_pending_seat_is_claimed_against() -> None:
    table = duel()
    table.wait(100)
    table.offline = {1: table.now - 1000}
    assert table.refused(Claim(Remedy.WIN), 0) == "not-away"
    table.send(Throw(), 0)
    table.send(Act("--"), 0)
    assert table.refused(Claim(Remedy.WIN), 0) == "not-away"
    table.wait(79)
    assert table.refused(Claim(Remedy.WIN), 0) == "not-away"
    table.wait(1)
    table.send(Claim(Remedy.WIN), 0)


@pytest.mark.parametrize("what", [Remedy.DRAW, Remedy.COMPUTER])
def test_a_claim_may_wait_for_a_starting_die(what: Remedy) -> None:
    table = Table(people("yamm", dice=DiceOf.TABLE))
    table.wait(100)
    table.offline = {0: table.now - 500}
    assert table.refused(Claim(what, "greedy" if what is Remedy.COMPUTER else ""), 0) == "not-away"
    assert f"claim {what}" in table.view(1)["may"]
    assert "claim win" not in table.view(1)["may"]
    assert table.refused(Claim(Remedy.WIN), 1) == "not-a-claim"
    table.send(Claim(what, "greedy" if what is Remedy.COMPUTER else ""), 1)
    table.finish(random.Random(1))
    assert replay(table.stored) == table.state
    assert read(record_of(table.state).to_text()).tags == record_of(table.state).tags


def test_a_claimed_computer_plays_on() -> None:
    table = Table(people(WIDE, 4, writers=(0,)))
    first = table.state.order[0]
    table.wait(100)
    table.offline = {first: table.now - 100}
    partner, other = (first + 2) % 4, (first + 1) % 4
    assert table.refused(Claim(Remedy.WIN), partner) == "not-a-claim"
    assert table.refused(Claim(Remedy.COMPUTER), other) == "not-a-claim"
    assert table.refused(Claim(Remedy.COMPUTER, "nobody"), other) == "not-a-level"
    events = table.send(Claim(Remedy.COMPUTER, "greedy"), partner)
    assert events == (Claimed(partner, Remedy.COMPUTER, first), LevelSeated(first, "greedy", f"Name {first}"))
    assert table.state.seats_of(f"identity-{first}-of-a-person") == frozenset()
    assert table.finish(random.Random(2)).state.end is not None


def test_a_game_is_claimed_against_a_person_who_is_online_and_does_not_play() -> None:
    table = duel()
    begun = table.now
    assert table.view(1)["claim"] == {"seat": 0, "at": begun + PATIENCE, "reason": "slow"}
    table.send(Throw(), 0)
    table.wait(PATIENCE - 1)
    table.send(Act("k-"), 0)  # a turn may not be drawn out either
    assert table.refused(Claim(Remedy.WIN), 1) == "not-away"
    table.wait(1)
    assert table.refused(Claim(Remedy.WIN), 0) == "not-away"
    assert table.view(0)["claim"] == table.view(1)["claim"]
    assert {f"claim {what}" for what in Remedy} <= set(table.view(1)["may"])
    assert table.send(Claim(Remedy.WIN), 1)[:2] == (Claimed(1, Remedy.WIN, 0), Ended("abandoned", "o 0-0", (1,)))
    assert replay(table.stored) == table.state
    assert read(record_of(table.state).to_text()).tags == record_of(table.state).tags


def test_a_new_turn_takes_the_claim_away() -> None:
    table = duel()
    table.wait(PATIENCE)
    for command in (Throw(), Act("--")):
        table.send(command, 0)
    assert table.refused(Claim(Remedy.WIN), 1) == "not-away"
    assert table.view(0)["claim"] == {"seat": 1, "at": table.now + PATIENCE, "reason": "slow"}


def test_of_two_reasons_the_earlier_one_counts() -> None:
    table = duel()
    table.wait(PATIENCE - 30)
    table.offline = {0: table.now}
    assert table.view(1)["claim"] == {"seat": 0, "at": table.now + 30, "reason": "slow"}
    table.offline = {0: table.now - 60}
    assert table.view(1)["claim"] == {"seat": 0, "at": table.now + 20, "reason": "offline"}


@pytest.mark.parametrize(
    "clock", [Clock(ClockKind.TURN, 3600), Clock(ClockKind.GAME, 7200), SLOW], ids=lambda clock: clock.kind
)
def test_a_clock_takes_the_place_of_patience(clock: Clock) -> None:
    table = duel(clock=clock)
    table.wait(2 * PATIENCE)
    assert table.view(1)["claim"] is None
    assert table.refused(Claim(Remedy.WIN), 1) == "not-away"


def test_a_person_cannot_claim_against_their_own_seats() -> None:
    table = Table(people("yam-master", first=0), one_person=True)
    table.wait(2 * PATIENCE)
    table.offline = {0: table.now - 500, 1: table.now - 500}
    assert table.view(0, 1)["claim"] is None
    assert table.refused(Claim(Remedy.WIN), 1) == "not-away"


def test_an_outage_is_given_back_before_the_event_that_hides_it() -> None:
    table = duel()
    table.now += PATIENCE / 2
    gap = Gap(table.now - 100, table.now)

    def throw(state: TableState, now: float) -> Transition:
        return handle(state, Actor("0", frozenset({0})), Throw(), now, table.secret, {})

    assert not hold_clock(table.state, table.now, [gap]).events
    held, only_time = next_transition(table.state, table.now, [gap], throw)
    assert (held.events, only_time) == ((ClockHeld(100),), True)
    table.add(held)
    transition, only_time = next_transition(table.state, table.now, [gap], throw)
    assert (len(transition.events), only_time) == (1, False)
    assert not next_transition(table.state, table.now, [gap], lambda state, _: Transition((), state))[0].events
    table.add(transition)
    assert table.view(1)["claim"]["at"] == table.now + PATIENCE / 2 + 100
    assert replay(table.stored) == table.state


def test_an_outage_is_not_part_of_a_turn() -> None:
    table = duel()
    table.wait(100)
    since = table.now
    table.now += 2 * PATIENCE
    gap = Gap(since, table.now)
    assert table.add(hold_clock(table.state, table.now, [gap])) == (ClockHeld(2 * PATIENCE),)
    assert table.view(1)["claim"]["at"] == table.now + PATIENCE - 100
    assert not hold_clock(table.state, table.now, [gap]).events
    assert replay(table.stored) == table.state
    table.wait(PATIENCE)
    table.now += 50  # a claim that was possible before an outage stays possible
    assert not hold_clock(table.state, table.now, [Gap(table.now - 50, table.now)]).events
