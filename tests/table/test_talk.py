"""What people say at a table: phrases, reactions and texts. The game does not notice them."""

import random
from dataclasses import replace
from typing import Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dicecup.core.errors import DicecupError
from dicecup.table.commands import (
    Act,
    AllowTexts,
    Claim,
    EnterDice,
    FreeSeat,
    React,
    Remedy,
    Resign,
    Say,
    Sit,
    StandUp,
    TakeBack,
    TalkCommand,
    Throw,
    Write,
)
from dicecup.table.consequences import is_meant_for
from dicecup.table.events import Event, Stored, Thrown
from dicecup.table.handlers import Actor, handle
from dicecup.table.permissions import PATIENCE, TALK_AFTER_END
from dicecup.table.replay import replay
from dicecup.table.setup import Clock, ClockKind, DiceOf, Setup
from dicecup.table.state import TableState
from dicecup.table.table_record import record_of
from dicecup.table.talk import LINES_KEPT, Phrase, Reacted, Reaction, Said, TalkEvent, TextsAllowed, Wrote, without_name
from dicecup.table.talking import AT_ONCE, PERIOD
from tests.table.tables import Table, any_command, duel, identity, people, setups, summary

SETUPS: Final = tuple(setups())
HELLO: Final = Say(Phrase.HELLO)


@pytest.mark.parametrize(
    "old, text, found",
    [
        ("Ann", "I am ann, not Anna. ANN!", "I am gone, not Anna. gone!"),
        ("A.", "A. or Ab", "gone or Ab"),
        ("Zoë", "zoë", "gone"),
        ("x", "x " * 99 + "x", ("gone " * 40).strip()),
    ],
)
def test_a_deleted_name_leaves_a_text_as_a_whole_word(old: str, text: str, found: str) -> None:
    assert without_name(Wrote(0, text), old, "gone") == Wrote(0, found)


def with_talk(table: Table, chance: random.Random) -> list[Stored]:
    """Return the log of a table with talk between its events."""
    state, log = TableState.from_events(table.stored[:1]), list(table.stored[:1])

    def append(event: Event, time: float) -> None:
        nonlocal state
        log.append(Stored(state.number + 1, time, event))
        state = state.apply(log[-1])

    for stored in table.stored[1:]:
        append(stored.event, stored.time)
        seat, command = chance.choice(state.people or [None]), any_command(state, chance)
        while not isinstance(command, TalkCommand):
            command = any_command(state, chance)
        if seat is None:
            continue
        actor = Actor(state.seats[seat].identity, frozenset({seat}))
        try:
            said = handle(state, actor, command, stored.time, table.secret, {}).events
        except DicecupError:
            continue
        if all(isinstance(event, TalkEvent) for event in said):
            for event in said:
                append(event, stored.time)
    return log


def _sit(table: Table, person: int) -> None:
    """Let a person take the first free seat."""
    actor = Actor(identity(person), table.state.seats_of(identity(person)))
    name = f"Name {len(table.state.people)} of {person}"
    table.add(handle(table.state, actor, Sit(name), table.now, table.secret, {}))


def without_talk(state: TableState) -> TableState:
    """Return a state without what only talk and the numbers of events change."""
    seats = tuple(replace(seat, texts=False) for seat in state.seats)
    return replace(state, number=0, commanded=0, time=0.0, idle_since=0.0, seats=seats, talk=(), throws=())


@pytest.mark.parametrize("setup", SETUPS, ids=summary)
@settings(max_examples=3, deadline=None)
@given(st.integers(0, 2**32 - 1), st.integers(0, 40))
def test_the_game_is_the_same_with_talk_and_without(setup: Setup, seed: int, length: int) -> None:
    chance = random.Random(seed)
    table = Table(setup, one_person=chance.random() < 0.2)
    for _ in range(length):
        if table.state.end is None:
            table.step(chance)
            table.now += chance.choice([0, 1, 8])
    log = with_talk(table, chance)
    state = TableState.from_events(log)
    assert without_talk(state) == without_talk(table.state)
    assert record_of(state) == record_of(table.state)
    assert replay(log) == state
    if len({held.identity for held in state.seats if held.is_human}) < 2:
        assert log == table.stored


def test_a_command_is_not_outdated_by_talk() -> None:
    table = duel()
    before = table.state
    table.send(HELLO, 1)
    assert is_meant_for(table.state, before.number)
    assert is_meant_for(table.state, table.state.number)
    table.send(Throw(), 0)
    assert not is_meant_for(table.state, before.number)


def test_everybody_reads_the_newest_lines_and_only_seats_write() -> None:
    table = duel()
    assert table.send(HELLO, 1) == (Said(1, Phrase.HELLO),)
    line = {"number": table.state.number, "time": table.now, "name": "Name 1", "type": "said", "seat": 1, "phrase": "hello"}
    for seats in ((), (0,), (1,)):
        assert table.view(*seats)["talk"] == [line]
    assert table.view()["may"] == []
    assert table.refused(HELLO) == "not-your-seat"
    for _ in range(LINES_KEPT + 3):
        table.now += PERIOD
        table.send(Say(Phrase.THANKS), 0)
    shown = table.view(0)["talk"]
    assert [line["number"] for line in shown] == list(range(table.state.number - LINES_KEPT + 1, table.state.number + 1))


def test_people_talk_before_the_game_and_for_a_while_after_it() -> None:
    table = Table(people("yam-master"), sit=False)
    _sit(table, 0)
    assert table.refused(HELLO, 0) == "nobody-to-talk-to"
    assert "say" not in table.view(0)["may"]
    _sit(table, 1)
    assert table.send(HELLO, 0)
    table.plant_seeds()
    table.send(Resign(), 1)
    table.now += TALK_AFTER_END - 1
    assert table.send(Say(Phrase.GOOD_GAME), 1)
    table.now += 1
    assert table.refused(HELLO, 0) == "talk-over"
    assert "say" not in table.view(0)["may"]


def test_one_person_on_all_seats_has_nobody_to_talk_to() -> None:
    table = Table(people("yam-master"), one_person=True)
    assert table.refused(HELLO, 0, 1) == "nobody-to-talk-to"
    assert "say" not in table.view(0, 1)["may"]


def test_a_seat_that_says_too_much_has_to_wait() -> None:
    table = duel()
    for _ in range(AT_ONCE):
        table.send(HELLO, 0)
        table.now += 1
    with pytest.raises(DicecupError) as caught:
        table.send(HELLO, 0)
    assert (caught.value.code, caught.value.details) == ("too-fast", {"seconds": PERIOD - AT_ONCE})
    assert table.send(HELLO, 1)
    assert table.refused(AllowTexts(True), 0) == "too-fast"
    table.now += PERIOD - AT_ONCE
    assert table.send(HELLO, 0)
    assert table.refused(HELLO, 0) == "too-fast"


def test_people_react_on_the_last_throws() -> None:
    table = duel()
    assert "react" not in table.view(1)["may"]
    assert table.view(1)["throw"] is None
    (thrown,) = table.send(Throw(), 0)
    assert isinstance(thrown, Thrown)
    number = table.state.number
    assert table.view(1)["throw"] == {"number": number, "seat": 0, "dice": thrown.dice}
    action = next(action for action in map(str, table.state.position.actions) if "k" not in action)
    table.send(Act(action), 0)  # the throw is over, and still worth a word
    assert table.send(React(Reaction.WOW, number), 1) == (Reacted(1, Reaction.WOW, number, 0, thrown.dice),)
    assert table.refused(React(Reaction.WOW, number + 1), 1) == "no-such-throw"


def test_a_void_throw_and_one_that_was_taken_back_get_no_reactions() -> None:
    table = duel(dice=DiceOf.TABLE)
    table.send(EnterDice("~"), 0)
    assert table.view(1)["throw"] is None
    table.send(EnterDice("11346"), 0)
    assert table.view(1)["throw"]["dice"] == "11346"
    table.send(TakeBack(), 0)
    assert table.view(1)["throw"] is None


def test_texts_need_the_permission_of_all_people() -> None:
    table = duel()
    text = Write("Hello, Ben!")
    assert table.refused(text, 0) == "texts-off"
    assert table.send(AllowTexts(True), 0) == (TextsAllowed(0, True),)
    assert table.refused(AllowTexts(True), 0) == "not-a-command"
    assert (table.refused(text, 0), table.view(1)["texts"]) == ("texts-off", [0])
    table.send(AllowTexts(True), 1)
    assert "write" in table.view(0)["may"]
    assert table.send(text, 0) == (Wrote(0, "Hello, Ben!"),)
    table.send(AllowTexts(False), 1)
    assert table.refused(text, 0) == "texts-off"
    assert table.view(0)["talk"][-2]["text"] == "Hello, Ben!"  # what was written stays, also for a report


@pytest.mark.parametrize(
    "text, code",
    [
        ("", "not-a-text"),
        (" x", "not-a-text"),
        ("x" * 201, "not-a-text"),
        ("two\nlines", "hidden-in-text"),
        ("bell\a", "hidden-in-text"),
        ("\u202egnol", "hidden-in-text"),
        ("a\u2066b", "hidden-in-text"),
        ("zero\u200bwidth", "hidden-in-text"),
        ("\u00ad", "hidden-in-text"),
        ("\u3164", "hidden-in-text"),
    ],
)
def test_a_text_has_visible_characters_on_one_line(text: str, code: str) -> None:
    table = duel()
    for seat in (0, 1):
        table.send(AllowTexts(True), seat)
    assert table.refused(Write(text), 0) == code
    assert table.send(Write("می‌خواهم 👩‍👩‍👧‍👦 <b>"), 0)


def test_a_permission_belongs_to_the_person() -> None:
    table = Table(people("yamm(players=3)", 3), sit=False)
    for seat in (0, 1):
        _sit(table, seat)
        if seat:
            table.send(AllowTexts(True), 0)
            table.send(AllowTexts(True), 1)
    assert table.send(Write("Just us two"), 1)
    table.send(StandUp(), 1)
    _sit(table, 2)
    assert table.refused(Write("Still there?"), 0) == "texts-off"
    table.send(FreeSeat(1), 0)
    assert table.state.seats[1].texts is False


def test_who_holds_several_seats_allows_texts_for_all_of_them() -> None:
    table = Table(people("yamm(players=3)", 3), sit=False)
    for person in (0, 1, 0):
        _sit(table, person)
    assert table.send(AllowTexts(True), 0, 2) == (TextsAllowed(0, True), TextsAllowed(2, True))
    table.send(AllowTexts(True), 1)
    assert table.send(Write("Yes"), 0, 2)


def test_talk_delays_neither_a_clock_nor_a_claim() -> None:
    table = duel(clock=Clock(ClockKind.TURN, 60))
    deadline = table.state.clocks.deadline
    table.now += 50
    table.send(HELLO, 0)
    assert table.state.clocks.deadline == deadline
    slow = duel()
    slow.now += PATIENCE - 1
    slow.send(Say(Phrase.ONE_MOMENT), 0)
    slow.now += 1
    assert slow.send(Claim(Remedy.WIN), 1)


def test_talk_delays_no_claim_before_it_is_known_who_starts() -> None:
    table = Table(people("yamm", dice=DiceOf.TABLE))
    (awaited,) = table.state.pending.seats
    at = table.view(1 - awaited)["claim"]["at"]
    table.now += PATIENCE / 2
    table.send(HELLO, awaited)
    assert table.view(1 - awaited)["claim"]["at"] == at
