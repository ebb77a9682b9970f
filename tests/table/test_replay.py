"""Replay of logs from another database: a log gives a state, or it is refused."""

import random
from dataclasses import fields, replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dicecup.core.errors import DicecupError
from dicecup.table.events import CommitmentBegun, CommitmentEnded, Ended, Event, NextTable, Seated, Started, Stored, TakenBack
from dicecup.table.handlers import due, open_next_table, wake_at
from dicecup.table.replay import replay
from dicecup.table.setup import Setup
from dicecup.table.state import TableState
from dicecup.table.table_record import record_of
from dicecup.table.views import view
from tests.table.tables import Table, people, setups, summary

SETUPS = tuple(setups())


@pytest.mark.parametrize("setup", SETUPS, ids=summary)
def test_a_log_of_a_table_is_replayed(setup: Setup) -> None:
    table = Table(setup)
    chance = random.Random(8)
    for _ in range(80):
        if table.state.end is None:
            table.step(chance)
    assert replay(table.stored) == table.state
    table.close()
    assert replay(table.stored) == table.state


def test_a_log_with_two_commitments_is_replayed() -> None:
    table = Table(people("yam-master"))
    table.secret = bytes(32)
    assert [type(event) for event in table.wait(1)] == [CommitmentEnded, CommitmentBegun]
    table.finish(random.Random(1))
    assert replay(table.stored) == table.state


@pytest.mark.parametrize("names", [("Zo\u00eb", "Zoe\u0308"), ("\u3164", "Anna\u2800")], ids=["twins", "invisible"])
def test_a_log_keeps_names_that_an_earlier_version_accepted(names: tuple[str, str]) -> None:
    table = Table(people("yam-master", games=3))
    table.finish(random.Random(1))
    renamed = [
        each._replace(event=replace(each.event, name=names[each.event.seat])) if isinstance(each.event, Seated) else each
        for each in table.stored
    ]
    state = replay(renamed)
    assert [seat.name for seat in state.seats] == list(names)
    following = open_next_table(replace(state, next="table-2"), bytes(32), state.time).state
    assert [seat.name for seat in following.seats] == list(names)


@settings(max_examples=150, deadline=None)
@given(st.sampled_from(SETUPS), st.integers(0, 2**32 - 1))
def test_changed_events_make_a_state_or_are_refused(setup: Setup, seed: int) -> None:
    chance = random.Random(seed)
    table = Table(setup)
    for _ in range(chance.randrange(60)):
        if table.state.end is None:
            table.step(chance)
    events = [stored.event for stored in table.stored]
    for _ in range(chance.randint(1, 3)):
        at = chance.randrange(len(events))
        match chance.randrange(5):
            case 0:
                del events[at]
            case 1:
                events.insert(at, chance.choice(events))
            case 2:
                events[at] = tampered(events[at], chance)
            case 3:
                events = events[: at + 1]
            case _:
                seat = chance.randrange(5)
                odd: list[Event] = [Started(), TakenBack(seat, "1"), Ended("line", "x 9-9", (seat,)), NextTable("t")]
                events.insert(at, chance.choice(odd))
        if not events:
            break
    try:
        state = replay([Stored(number, 1.0, event) for number, event in enumerate(events, 1)])
    except DicecupError as error:
        assert str(error.code)
        return
    assert view(state, range(len(state.seats)), 2.0, {})
    assert record_of(state).to_text()
    assert due(state, 1e12, table.secret).events or state.end is not None
    assert wake_at(state) is not None or state.end is not None


def tampered(event: object, chance: random.Random):  # type: ignore[no-untyped-def]  # noqa: ANN201
    """Return the event with another value of the same type in one field."""
    name = chance.choice([field.name for field in fields(event) if field.name != "type"] or [""])  # type: ignore[arg-type]
    value = getattr(event, name, None)
    if value is None or isinstance(value, int):
        return replace(event, **{name: chance.choice([-1, 0, 1, 7, 99])}) if name else event  # type: ignore[type-var]
    if isinstance(value, str):
        return replace(event, **{name: chance.choice(["", "~", "11111", "k1", "zz", "0" * 64])})  # type: ignore[type-var]
    return event


def test_a_log_begins_with_created_and_has_no_gap() -> None:
    table = Table(people("yam-master"))
    for events in ([], table.stored[1:], [Stored(1, 0.0, Seated(0, "Anna", "a"))], [table.stored[0], table.stored[2]]):
        with pytest.raises(DicecupError) as caught:
            replay(events)
        assert str(caught.value.code) == "not-an-event"
        with pytest.raises(DicecupError):
            TableState.from_events(events)
