"""The owner of a table: seats are taken back, links change, newcomers stay out."""

import random

import pytest

from dicecup.record import read
from dicecup.table import handlers
from dicecup.table.commands import (
    CommitSeed,
    EndGame,
    FreeSeat,
    Rematch,
    Replace,
    Resign,
    RevealSeed,
    RotateLinks,
    SeatComputer,
    SetAdmission,
    Sit,
    StandUp,
    Throw,
)
from dicecup.table.errors import TableError
from dicecup.table.events import AdmissionSet, Ended, LevelSeated, LinksRotated, Seated, SeatFreed
from dicecup.table.fairness import seed_commitment
from dicecup.table.handlers import Actor, handle
from dicecup.table.pending import Pending, PendingKind
from dicecup.table.permissions import PATIENCE, newcomer_refusal, owner_refusal
from dicecup.table.replay import replay
from dicecup.table.setup import Clock, ClockKind, DiceOf, Setup
from dicecup.table.table_record import record_of
from dicecup.table.verify import check
from tests.table.tables import OPEN, Table, computer, people, seed_of


def yamm(count: int) -> str:
    """Return the id of Yamm with so many players."""
    return "yamm" if count == 2 else f"yamm(players={count})"


def opened(count: int = 2) -> Table:
    """Return a table of Yamm at which the first and the second person sit."""
    table = Table(people(yamm(count), count), sit=False)
    for seat in (0, 1):
        newcomer(table, f"Person {seat}", f"person-{seat}", seat)
    return table


def newcomer(table: Table, name: str, identity: str, seat: int | None = None) -> None:
    """Seat a person who did not sit at the table."""
    actor = Actor(identity, frozenset())
    table.add(handle(table.state, actor, Sit(name, seat), table.now, table.secret, table.offline))


def slow() -> Table:
    """Return a running game of Yam Master whose first player has not played for ten minutes. The
    second one sat down first."""
    table = Table(people("yam-master", first=0), sit=False)
    for seat in (1, 0):
        newcomer(table, f"Person {seat}", f"person-{seat}", seat)
    table.plant_seeds()
    assert table.state.order == (0, 1)
    table.wait(PATIENCE)
    return table


def test_the_first_who_sits_down_owns_the_table_until_they_leave() -> None:
    table = Table(people("yamm(players=3)", 3), sit=False)
    assert table.state.owner is None
    for name, seat in (("Anna", 2), ("Ben", 0)):
        newcomer(table, name, name, seat)
    assert table.view()["owner"] == 2
    assert owner_refusal(table.state, {2}) is None
    assert table.refused(RotateLinks(), 0) == table.refused(SetAdmission(admits=False), 0) == "not-the-owner"
    table.send(StandUp(), 2)
    assert table.view()["owner"] == 0
    table.send(RotateLinks(), 0)


def test_a_seat_is_taken_back_before_the_game() -> None:
    table = opened(3)
    assert table.refused(FreeSeat(0), 1) == "not-the-owner"
    assert table.refused(FreeSeat(0), 0) == table.refused(FreeSeat(2), 0) == "seat-kept"
    assert table.refused(FreeSeat(3), 0) == "no-such-seat"
    assert "free-seat 1" in table.view(0)["may"]
    assert table.send(FreeSeat(1), 0) == (SeatFreed(1),)
    assert (table.state.links, table.state.people, table.state.pending.seats) == (1, (0,), (1, 2))
    newcomer(table, "Person 1", "another", 1)
    assert replay(table.stored) == table.state


def test_a_seat_is_taken_back_while_people_commit_to_seeds_but_not_while_they_reveal_them() -> None:
    table = opened()
    table.send(CommitSeed(seed_commitment(seed_of(0))), 0)
    table.send(FreeSeat(1), 0)
    assert table.state.seats_full is table.state.seeds_promised is None
    newcomer(table, "Clara", "clara")
    assert table.state.pending == Pending(PendingKind.COMMITMENTS, (1,))
    table.send(CommitSeed(seed_commitment(seed_of(1))), 1)
    table.send(RevealSeed(seed_of(0).hex()), 0)
    assert table.refused(FreeSeat(1), 0) == "seat-kept"
    table.send(RevealSeed(seed_of(1).hex()), 1)
    assert table.state.started
    assert replay(table.stored) == table.state


def test_in_a_game_only_an_idle_seat_is_taken_back() -> None:
    table = slow()
    table.now -= 1
    assert table.refused(FreeSeat(0), 1) == "seat-kept"
    table.now += 1
    assert {"free-seat 0", "claim computer"} <= set(table.view(1)["may"])
    table.send(FreeSeat(0), 1)
    assert table.state.pending == Pending(PendingKind.REPLACEMENT, (1,))
    assert table.view(1)["vacancy"] == {"seat": 0, "agreed": []}
    assert table.view(1)["seats"][0]["kind"] == "free"
    assert table.view(1)["may"] == ["replace", "end-game", "rotate-links", "set-admission"]
    assert table.refused(SeatComputer("greedy"), 1) == table.refused(StandUp(), 1) == "game-running"
    assert table.refused(Throw(), 1) == "seat-vacant"
    assert table.refused(FreeSeat(1), 1) == "seat-vacant"


def test_another_person_plays_on_and_the_dice_can_be_checked() -> None:
    table = slow()
    table.send(Throw(), 0)
    table.now += PATIENCE
    before = table.state.position
    table.send(FreeSeat(0), 1)
    newcomer(table, "Clara", "clara")
    assert table.stored[-1].event == Seated(0, "Clara", "clara")
    assert (table.state.position, table.state.vacancy, table.state.owner) == (before, None, 1)
    assert table.state.seats_of("person-0") == frozenset()
    assert "person-0" not in table.state.replaced
    table.finish(random.Random(1))
    assert replay(table.stored) == table.state
    kept = record_of(table.state)
    assert read(kept.to_text()) == kept
    assert check(kept).fault is None


def test_a_computer_takes_the_seat_under_its_own_name() -> None:
    table = slow()
    table.send(FreeSeat(0), 1)
    assert table.send(Replace("greedy"), 1)[0] == LevelSeated(0, "greedy", "greedy")
    assert replay(table.stored) == table.state


@pytest.mark.parametrize("count", [2, 3])
def test_a_game_ends_after_a_seat_was_taken_back(count: int) -> None:
    table = Table(people(yamm(count), count))
    first, *others = table.state.order
    table.add(handlers.free(table.state, first, table.now, table.secret))
    for seat in table.state.pending.seats:
        table.send(EndGame(), seat)
    assert isinstance(table.state.end, Ended)
    assert (table.state.end.end, set(table.state.end.winners)) == ("abandoned", set(others))
    assert read(record_of(table.state).to_text()).tags == record_of(table.state).tags
    assert replay(table.stored) == table.state


def test_a_seat_is_taken_back_from_a_person_who_is_offline_at_a_table_with_a_clock() -> None:
    table = Table(people("yam-master", first=1, clock=Clock(ClockKind.GAME, 600)))
    table.wait(50)
    table.offline = {1: table.now - 90}
    left = table.state.clocks.remaining(1, table.now)
    assert table.refused(FreeSeat(1), 0) == "seat-kept"
    table.wait(30)
    table.send(FreeSeat(1), 0)
    table.wait(500)
    newcomer(table, "Clara", "clara")
    assert left is not None
    assert table.view()["seats"][1]["time_left"] == left - 30


def test_the_host_takes_back_any_seat_of_a_person() -> None:
    table = Table(people("yam-master", first=0, dice=DiceOf.TABLE))
    for seat, code in ((2, "no-such-seat"), (-1, "no-such-seat")):
        with pytest.raises(TableError) as refused:
            handlers.free(table.state, seat, table.now, table.secret)
        assert refused.value.code == code
    table.add(handlers.free(table.state, 1, table.now, table.secret))
    with pytest.raises(TableError) as refused:
        handlers.free(table.state, 0, table.now, table.secret)
    assert refused.value.code == "seat-vacant"
    newcomer(table, "Clara", "clara")
    assert replay(table.stored) == table.state
    table.add(handlers.close(table.state, table.now, table.secret))
    with pytest.raises(TableError) as refused:
        handlers.free(table.state, 0, table.now, table.secret)
    assert refused.value.code == "game-over"


def test_the_host_takes_back_the_only_seat_of_a_person() -> None:
    table = Table(Setup("yam-master", (computer("greedy"), OPEN), first=1))
    table.add(handlers.free(table.state, 1, table.now, table.secret))
    assert table.state.pending == Pending(PendingKind.REPLACEMENT)
    newcomer(table, "Clara", "clara")
    assert table.state.owner == 1
    table.finish(random.Random(2))
    assert replay(table.stored) == table.state


def test_a_closed_table_admits_nobody_new() -> None:
    table = opened(4)
    assert table.send(SetAdmission(admits=False), 0) == (AdmissionSet(False),)
    assert table.refused(SetAdmission(admits=False), 0) == "not-a-command"
    assert newcomer_refusal(table.state, ()) == "table-closed"
    with pytest.raises(TableError) as refused:
        newcomer(table, "Clara", "clara")
    assert refused.value.code == "table-closed"
    table.send(Sit("Person 0 again", 2), 0)
    table.send(SetAdmission(admits=True), 0)
    newcomer(table, "Clara", "clara")
    assert replay(table.stored) == table.state


def test_links_and_admission_change_after_the_end_and_the_next_table_keeps_both_owner_and_admission() -> None:
    table = slow()
    table.send(Resign(), 0)
    assert table.send(SetAdmission(admits=False), 1) == (AdmissionSet(False),)
    assert table.send(RotateLinks(), 1) == (LinksRotated(),)
    assert table.view(1)["may"] == ["rematch", "rotate-links", "set-admission", "say", "allow-texts"]
    for seat in (0, 1):
        table.send(Rematch(), seat)
    assert replay(table.stored) == table.state
    following = Table.after(table)
    assert (following.state.owner, following.state.admits, following.state.links) == (1, False, 0)
