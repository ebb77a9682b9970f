"""Laws of all commands: a command makes events, or it is refused with a code and changes
nothing."""

import json
import random
from typing import Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dicecup import record
from dicecup.core.errors import DicecupError
from dicecup.table.commands import (
    COMMANDS,
    Act,
    AnswerDraw,
    Claim,
    Command,
    EndGame,
    FreeSeat,
    OfferDraw,
    Rematch,
    Remedy,
    Replace,
    Resign,
    RotateLinks,
    SeatComputer,
    StandUp,
    TakeBack,
    Throw,
    command_from_json,
    command_to_json,
)
from dicecup.table.events import EVENTS, Stored, event_from_json, event_to_text, public
from dicecup.table.handlers import Actor, due, handle, wake_at
from dicecup.table.setup import Setup
from dicecup.table.state import TableState
from dicecup.table.table_record import record_of
from dicecup.table.verify import check
from dicecup.table.views import Views, view
from tests.table.tables import Table, any_command, identity, seed_of, setups, summary

SETUPS = tuple(setups())
seeds = st.integers(0, 2**32 - 1)

SIMPLE: Final[dict[str, Command]] = {
    "stand-up": StandUp(),
    "seat-computer": SeatComputer("greedy"),
    "throw": Throw(),
    "take-back": TakeBack(),
    "resign": Resign(),
    "replace": Replace("random"),
    "end-game": EndGame(),
    "offer-draw": OfferDraw(),
    "answer-draw": AnswerDraw(accept=True),
    "claim win": Claim(Remedy.WIN),
    "claim draw": Claim(Remedy.DRAW),
    "claim computer": Claim(Remedy.COMPUTER, "greedy"),
    "rematch": Rematch(),
    "rotate-links": RotateLinks(),
    **{f"free-seat {seat}": FreeSeat(seat) for seat in range(6)},
}
"""A command for each entry of `may` that needs no choice."""


def disturbed(setup: Setup, chance: random.Random, length: int) -> Table:
    """Return a table after allowed commands and others, while time passes and people go offline."""
    table = Table(setup, sit=chance.random() < 0.7, ready=chance.random() < 0.7, one_person=chance.random() < 0.3)
    for _ in range(length):
        table.wait(chance.choice([0, 1, 1, 5, 30, 61, 90]) if chance.random() < 0.98 else 40 * 86_400)
        table.offline = {seat: table.now - chance.choice([10, 2000]) for seat in table.state.people if chance.random() < 0.3}
        before = table.state
        shown = repr(before)
        disturbing = chance.random() < 0.3 or before.end is not None
        seats = tuple(seat for seat in range(len(before.seats)) if chance.random() < 0.4)
        try:
            if disturbing:
                command = any_command(before, chance)
                actor = Actor(identity(chance.randrange(5)), frozenset(seats))
                transition = handle(before, actor, command, table.now, table.secret, table.offline)
                assert repr(before) == shown
                assert transition.events
                table.add(transition)
            else:
                seat, command = table.allowed_command(chance)
                actor = Actor(identity(seat), frozenset({seat}))
                table.add(handle(before, actor, command, table.now, table.secret, table.offline))
        except DicecupError as error:
            assert str(error.code)
            assert disturbing or before.end is not None
            assert repr(before) == shown
            assert table.state is before
    return table


@pytest.mark.parametrize("setup", SETUPS, ids=summary)
@settings(max_examples=6, deadline=None)
@given(seeds, st.integers(0, 120))
def test_state_record_and_dice_follow_from_the_events(setup: Setup, seed: int, length: int) -> None:
    table = disturbed(setup, random.Random(seed), length)
    state = table.state
    assert TableState.from_events(table.stored) == state
    kept = [(stored.number, stored.time, event_to_text(stored.event)) for stored in table.stored]
    assert (
        TableState.from_events(Stored(number, time, event_from_json(json.loads(text))) for number, time, text in kept) == state
    )
    written = record_of(state)
    assert record.read(written.to_text()) == written
    if state.end is not None and not state.real_dice:
        assert state.secret == table.secret.hex()
        if state.started:
            report = check(written)
            assert (report.wrong, report.right) == (0, report.throws - state.setup.beginning.throws)
    assert due(state, table.now, table.secret) == ((), state)
    wake = wake_at(state)
    assert (wake is None) == (state.end is not None)
    if wake is not None:
        assert not due(state, wake - 0.001, table.secret).events
        assert due(state, wake, table.secret).events


@pytest.mark.parametrize("setup", SETUPS, ids=summary)
@settings(max_examples=6, deadline=None)
@given(seeds, st.integers(0, 120))
def test_views_hide_secrets_identities_and_unrevealed_seeds(setup: Setup, seed: int, length: int) -> None:
    table = disturbed(setup, random.Random(seed), length)
    state = table.state
    texts = [json.dumps(view(state, seats, table.now, table.offline)) for seats in ((), (0,), tuple(range(len(state.seats))))]
    texts += [json.dumps([public(stored.event) for stored in table.stored]), record_of(state).to_text()]
    for text in texts:
        assert "of-a-person" not in text
        if state.end is None:
            assert table.secret.hex() not in text
        revealed = {held.seed for held in state.seats}
        assert not any(seed.hex() in text for seed in map(seed_of, range(4)) if seed.hex() not in revealed)


@pytest.mark.parametrize("setup", SETUPS, ids=summary)
@settings(max_examples=6, deadline=None)
@given(seeds, st.integers(0, 120))
def test_parts_left_out_of_a_view_are_unchanged(setup: Setup, seed: int, length: int) -> None:
    chance = random.Random(seed)
    stored = disturbed(setup, chance, length).stored
    state, before = TableState.from_events(stored[:1]), None
    person = identity(chance.randrange(3))
    seen: dict[str, object] = {}
    for event in stored[1:]:
        state = state.apply(event)
        if chance.random() < 0.7:  # an update may have several events
            seats, views = state.seats_of(person), Views(state, state.time, {}, before)
            seen |= views.changed(seats)
            assert seen == views.whole(seats) == view(state, seats, state.time, {})
            before = state


@pytest.mark.parametrize("setup", SETUPS, ids=summary)
@settings(max_examples=4, deadline=None)
@given(seeds, st.integers(0, 120))
def test_a_view_lists_exactly_what_is_accepted(setup: Setup, seed: int, length: int) -> None:
    chance = random.Random(seed)
    table = disturbed(setup, chance, length)
    state = table.state
    for seat in range(len(state.seats)):
        shown = table.view(seat)
        actor = Actor(state.seats[seat].identity, frozenset({seat}))
        listed = [choice["action"] for choice in (*shown["actions"], *shown["corrections"])]
        for action in chance.sample(listed, min(3, len(listed))):
            assert handle(state, actor, Act(action), table.now, table.secret, table.offline).events
        for action in map(str, state.position.actions):
            if action not in listed:
                with pytest.raises(DicecupError):
                    handle(state, actor, Act(action), table.now, table.secret, table.offline)
        able = shown["may"]
        for kind in able:
            if (simple := SIMPLE.get(kind)) is not None:
                assert handle(state, actor, simple, table.now, table.secret, table.offline).events
        for kind in COMMANDS:
            if not any(text.split(" ")[0] == kind for text in able) and kind not in ("act", "sit"):
                for _ in range(3):
                    with pytest.raises(DicecupError):
                        handle(state, actor, any_command(state, chance, COMMANDS[kind]), table.now, table.secret, table.offline)


@given(seeds)
def test_a_command_reads_back_from_json(seed: int) -> None:
    chance = random.Random(seed)
    command = any_command(Table(SETUPS[chance.randrange(3)]).state, chance)
    assert command_from_json(json.loads(json.dumps(command_to_json(command)))) == command


def test_every_class_is_listed_under_its_type() -> None:
    assert all(kind.__dataclass_fields__["type"].default == name for name, kind in COMMANDS.items())
    assert all(kind.__dataclass_fields__["type"].default == name for name, kind in EVENTS.items())


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["type", "seat", "name", "x"]), inner),
    )
    | st.fixed_dictionaries(
        {"type": st.sampled_from(sorted(COMMANDS))},
        optional={
            name: st.none() | st.booleans() | st.integers() | st.text(max_size=3)
            for name in ("seat", "name", "level", "hash", "seed", "dice", "face", "action", "accept", "what", "free", "x")
        },
    )
)
def test_json_is_a_command_or_refused(data: object) -> None:
    try:
        command = command_from_json(data)
    except DicecupError as error:
        assert str(error.code) == "not-a-command"
    else:
        assert isinstance(data, dict)
        written = command_to_json(command)
        assert {**written, **data} == written
