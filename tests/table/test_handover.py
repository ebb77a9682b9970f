"""Going on on a device and handing back: laws of the table room (docs/decisions/0029)."""

import json
import random
from dataclasses import replace
from typing import Any

import pytest

from dicecup.core.errors import DicecupError
from dicecup.record import read
from dicecup.table.commands import Resign, RotateLinks
from dicecup.table.events import event_from_json, event_to_text
from dicecup.table.fairness import commitment, secret_of
from dicecup.table.handlers import Actor
from dicecup.table.handover import HandedBack, Seen, SeenSeat, checked_section, go_on, hand_back, hand_back_of
from dicecup.table.replay import replay
from dicecup.table.setup import Clock, ClockKind, DiceOf, Setup
from dicecup.table.state import TableState
from dicecup.table.table_record import record_of
from dicecup.table.verify import check
from tests.table.tables import KEY, OPEN, Table, computer, identity, people

DEVICE = "d" * 20
GAMES = (
    Setup("yam-master", (computer(), OPEN)),
    Setup("yamm(players=3)", (computer(), OPEN, computer())),
    Setup("yamm(players=4,pairs=yes)", (computer(), OPEN, computer(), computer())),
    Setup("yamm(players=1)", (OPEN,)),
)


def own_seat(table: Table) -> int:
    return table.state.people[0]


def play(table: Table, steps: int, chance: random.Random) -> None:
    """Play some steps, and on until the person is next."""
    for _ in range(steps):
        table.step(chance)
    while not set(table.state.pending.seats) & set(table.state.people):
        table.step(chance)


def seen_at(table: Table) -> Seen:
    """Return what the person has seen, from the view alone."""
    view: dict[str, Any] = table.view(own_seat(table))
    fairness, starting = view["fairness"], view["starting"] or {"lot": None, "rounds": []}
    seeds = [""] * len(view["seats"]) if fairness is None else [held["seed"] for held in fairness["seats"]]
    return Seen(
        view["table"],
        view["number"],
        view["game"],
        DiceOf(view["dice_of"]),
        tuple(SeenSeat(held["name"], held["level"], seed) for held, seed in zip(view["seats"], seeds, strict=True)),
        tuple(view["order"]),
        starting["lot"],
        tuple(map(tuple, starting["rounds"])),
        view["position"],
        tuple(view["history"]),
        tuple(view["running"]),
        "" if fairness is None else fairness["commitment"],
        0 if fairness is None else fairness["throws"],
    )


def device_of(table: Table, name: str = DEVICE) -> Table:
    """Return the table of a device that goes on with the game of another table."""
    device = Table.__new__(Table)
    device.secret, device.now, device.offline = secret_of(b"the key of a device", name), table.now, {}
    device.one_person, device.stored, device.earlier = False, [], ()
    device.add(go_on(name, seen_at(table), "here", device.secret, device.now))
    return device


def begun(setup: Setup = GAMES[0], steps: int = 12) -> tuple[Table, Table, random.Random]:
    chance = random.Random(steps)
    table = Table(setup)
    play(table, steps, chance)
    return table, device_of(table), chance


def hand(table: Table, back: HandedBack | None) -> int:
    """Hand a game back and return the number of new events."""
    assert back is not None
    own = frozenset(table.state.people)
    section = checked_section(table.state, back, own)
    person = Actor(table.state.seats[own_seat(table)].identity, own)
    return len(table.add(hand_back(table.state, section, person, table.now, table.secret, table.earlier)))


def refused(table: Table, back: HandedBack) -> str:
    """Return the code with which a section is refused. The table has not changed."""
    before, events = table.state, len(table.stored)
    with pytest.raises(DicecupError) as caught:
        hand(table, back)
    assert (table.state, len(table.stored)) == (before, events)
    return str(caught.value.code)


def back_of(device: Table) -> HandedBack:
    back = hand_back_of(device.state, device.secret)
    assert back is not None
    return back


@pytest.mark.parametrize("setup", GAMES, ids=lambda setup: setup.game)
@pytest.mark.parametrize("steps", [0, 9, 40])
def test_a_game_comes_back_as_it_stands_and_verifies_as_a_whole(setup: Setup, steps: int) -> None:
    table, device, chance = begun(setup, steps)
    assert device.state.journal == table.state.journal
    assert device.state.order == table.state.order
    play(device, 30, chance)
    assert hand(table, back_of(device)) == 1
    assert table.state.journal == device.state.journal
    assert table.state.counter == device.state.counter
    table.finish(chance)
    kept = record_of(table.state)
    assert read(kept.to_text()) == kept
    report = check(kept)
    assert (report.fault, report.right, report.wrong) == (None, table.state.counter, 0)
    assert report.on_device == kept.tags["OnDevice"]
    assert replay(table.stored) == table.state
    texts = [replace_event(stored) for stored in table.stored]
    assert TableState.from_events(texts) == table.state


def replace_event(stored: Any) -> Any:
    return stored._replace(event=event_from_json(json.loads(event_to_text(stored.event))))


def test_real_dice_go_on_too() -> None:
    table, device, chance = begun(Setup("yam-master", (OPEN, computer()), dice=DiceOf.TABLE, first=0))
    play(device, 25, chance)
    hand(table, back_of(device))
    assert table.state.journal == device.state.journal
    assert record_of(table.state).tags["Dice"] == "table"
    assert replay(table.stored) == table.state


def test_what_is_handed_in_twice_counts_once_and_later_steps_follow() -> None:
    table, device, chance = begun()
    play(device, 8, chance)
    first = back_of(device)
    assert [hand(table, first), hand(table, first)] == [1, 0]
    play(device, 8, chance)
    second = back_of(device)
    assert second.steps[: len(first.steps)] == first.steps
    assert [hand(table, second), hand(table, first), hand(table, second)] == [1, 0, 0]
    assert table.state.journal == device.state.journal
    table.finish(chance)
    assert hand(table, second) == 0
    assert check(record_of(table.state)).fault is None
    assert check(record_of(table.state)).on_device.count(";") == 1


def test_nothing_changes_if_the_game_went_on_at_the_server() -> None:
    table, device, chance = begun()
    play(device, 8, chance)
    played, moved = back_of(device), Table(GAMES[0])
    for stored in table.stored[len(moved.stored) :]:
        moved.apply(stored.event)
    play(moved, 1, chance)
    assert refused(moved, played) == "moved-on"
    table.send(RotateLinks(), own_seat(table))
    assert refused(table, played) == "moved-on"
    table.close()
    assert refused(table, played) == "moved-on"


def test_a_game_that_ended_on_the_device_is_over() -> None:
    for finishing in (True, False):
        table, device, chance = begun()
        if finishing:
            device.finish(chance)
        else:
            play(device, 5, chance)
            device.send(Resign(), own_seat(device))
        back = back_of(device)
        assert hand(table, back) > 1
        assert hand(table, back) == 0
        assert table.state.end == device.state.end
        report = check(record_of(table.state))
        assert (report.fault, report.wrong) == (None, 0)
        assert replay(table.stored) == table.state


def test_a_solo_game_that_is_given_up_is_abandoned() -> None:
    table, device, _ = begun(GAMES[3])
    device.send(Resign(), own_seat(device))
    assert hand(table, back_of(device)) > 0
    assert table.state.end == device.state.end


def test_what_is_forged_is_refused() -> None:
    table, device, chance = begun()
    play(device, 8, chance)
    back = back_of(device)
    at = next(place for place, step in enumerate(back.steps) if step.isdigit())
    other = "11112" if back.steps[at] == "11111" else "11111"
    foreign = secret_of(KEY, "another")

    def with_step(place: int, step: str) -> HandedBack:
        return back._replace(steps=(*back.steps[:place], step, *back.steps[place + 1 :]))

    forged = {
        "throw-mismatch": [with_step(at, other), back._replace(secret=foreign.hex(), commitment=commitment(foreign))],
        "wrong-secret": [back._replace(secret=foreign.hex()), back._replace(commitment="0" * 64)],
        "not-a-secret": [back._replace(secret=""), back._replace(secret="x" * 64)],
        "not-a-section": [with_step(at, "1" * 41), back._replace(steps=("",))],
    }
    for code, sections in forged.items():
        assert {refused(table, section) for section in sections} == {code}
    for wrong in ("zz", "", "99999", "f9.FH", "1. > a1"):
        refused(table, back._replace(steps=(*back.steps, wrong)))
    action = next(place for place, step in enumerate(back.steps) if not step.isdigit())
    refused(table, with_step(action, "e9"))
    keep = next((place for place, step in enumerate(back.steps) if step.startswith("k")), None)
    if keep is not None:
        assert refused(table, back._replace(steps=back.steps[: keep + 1])) == "not-a-section"


def test_only_a_person_alone_without_a_clock_or_a_match_may_go_on() -> None:
    duel = (OPEN, computer())
    alone = Table(Setup("yam-master", duel, first=0))
    assert alone.view(0)["portable"]
    assert not alone.view()["portable"]
    others = [
        Table(people("yam-master", first=0)),
        Table(people("yam-master", first=0), one_person=True),
        Table(Setup("yam-master", duel, first=0, clock=Clock(ClockKind.TURN, 60))),
        Table(Setup("yam-master", duel, first=0, games=3)),
        Table(Setup("yam-master", duel, start=str(alone.state.position.roll("11123")))),
    ]
    for table in others:
        assert not table.view(0)["portable"]
        with pytest.raises(DicecupError) as caught:
            checked_section(table.state, HandedBack(DEVICE, table.state.number, "", "", ("11111",), False), frozenset({0}))
        assert caught.value.code == "not-for-devices"
    with pytest.raises(DicecupError) as caught:
        go_on(DEVICE, seen_at(others[0]), "here", b"x" * 32, alone.now)
    assert caught.value.code == "not-for-devices"


def test_a_view_that_no_table_has_is_refused() -> None:
    table, _, _ = begun(GAMES[1])
    seen = seen_at(table)
    for wrong in (
        replace(seen, order=(0, 0, 1)),
        replace(seen, position=replace(seen, history=()).position + " "),
        replace(seen, history=seen.history[1:]),
        replace(seen, rounds=((9,),)),
        replace(seen, throws=-1),
        replace(seen, commitment="x"),
        replace(seen, game="chess"),
    ):
        with pytest.raises(DicecupError):
            go_on(DEVICE, wrong, "here", b"x" * 32, table.now)


def test_the_device_learns_no_secret_of_the_server() -> None:
    table, device, _ = begun()
    known = " ".join(event_to_text(stored.event) for stored in device.stored)
    assert table.secret.hex() not in known
    assert identity(own_seat(table)) not in known
