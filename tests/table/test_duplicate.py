"""Dice of duplicate events: their formula, equal dice for all entrants, and tables of an event."""

import hashlib
import json
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dicecup import games, record
from dicecup.core.dice import DICE, KEEPS, NO_DICE, Keep
from dicecup.record import Journal, Record, concluded
from dicecup.table import duplicate
from dicecup.table.assistance import helps, is_guarded
from dicecup.table.commands import Act, Rematch, SetAdmission, Sit, Throw
from dicecup.table.daily import daily_event, daily_setup, day_from_text, day_of, day_text, opens_at
from dicecup.table.duplicate import Duplicate, RowSource, event_secret, own_turn, row
from dicecup.table.errors import TableCode, TableError
from dicecup.table.event_file import FORMAT, EventFile, EventGame, check_event, event_file_from_text, event_file_to_text
from dicecup.table.events import SecretPublished, Thrown
from dicecup.table.fairness import FairnessCode, commitment
from dicecup.table.handlers import (
    Sitter,
    due,
    open_event_table,
    open_table,
    publish_secret,
    renew_commitment,
    set_admission,
)
from dicecup.table.permissions import go_on_refusal, newcomer_refusal
from dicecup.table.replay import replay
from dicecup.table.setup import Clock, ClockKind, DiceOf, Setup, setup_from_json, setup_to_json
from dicecup.table.state import TableState
from dicecup.table.table_record import record_of
from dicecup.table.verify import Report, check, throws_of
from tests.table.tables import BEGUN, KEY, OPEN, Table, computer
from tests.table.test_fairness import vectors

EVENT = "daily-2026-11-24-yamm"
SECRET = bytes(range(32))
GAMES = ("yam-master", "yam-master(kept_dice=locked)", "yamm", "yamm(players=1)", "yamm(players=4,pairs=yes)")
keeps = st.sampled_from([kept for kept in KEEPS if kept.count < DICE])


def as_documented(secret: bytes, game: str, place: str, count: int) -> list[int]:
    """Return the dice of the formula in docs/fairness.md, with an HMAC of the test's own. `place`:
    player, turn and throw, joined by line feeds."""
    key = secret.ljust(64, b"\0")
    faces: list[int] = []
    block = 0
    while len(faces) < count:
        message = f"dicecup-duplicate-1\n{game}\n{place}\n{block}".encode()
        inner = hashlib.sha256(bytes(byte ^ 0x36 for byte in key) + message).digest()
        digest = hashlib.sha256(bytes(byte ^ 0x5C for byte in key) + inner).digest()
        faces += [1 + byte % 6 for byte in digest if byte < 252]
        block += 1
    return faces[:count]


def played(game_id: str, random: Random, turns: int) -> Record:
    """Return a record with the dice of an event and random actions."""
    game = games.from_id(game_id)
    tags = {"Game": game_id, "Dice": f"duplicate:{commitment(SECRET)}", "Event": EVENT, "Secret": SECRET.hex()}
    journal = Journal.start(game)
    while journal.turns < turns and (turn := journal.position.turn) is not None:
        if journal.position.waiting:
            source = RowSource(SECRET, game, journal.position.number, turn.throws + 1)
            journal = journal.throw(source.throw(turn.kept))
        else:
            journal = journal.play(random.choice(list(journal.position.actions)))
    return concluded(Record(tags, journal))


# --- The formula ----------------------------------------------------------------------------------


@pytest.mark.parametrize("vector", vectors("row"), ids=lambda vector: f"{vector['game']}-{vector['player']}-{vector['turn']}")
def test_rows_equal_the_vectors_and_the_documented_formula(vector: dict[str, Any]) -> None:
    secret, player = bytes.fromhex(vector["secret"]), vector["player"]
    place = player if player == "start" else int(player)
    assert list(row(secret, vector["game"], place, vector["turn"], vector["throw"])) == vector["row"]
    text = f"{player}\n{vector['turn']}\n{vector['throw']}"
    assert as_documented(secret, vector["game"], text, DICE) == vector["row"]


@pytest.mark.parametrize("vector", vectors("event_secret"), ids=lambda vector: vector["event"])
def test_the_secret_of_an_event_is_that_of_no_table(vector: dict[str, Any]) -> None:
    key = bytes.fromhex(vector["host_key"])
    assert event_secret(key, vector["event"]).hex() == vector["secret"]
    message = f"{vector['event']}\nduplicate".encode()
    inner = hashlib.sha256(bytes(byte ^ 0x36 for byte in key.ljust(64, b"\0")) + message).digest()
    assert hashlib.sha256(bytes(byte ^ 0x5C for byte in key.ljust(64, b"\0")) + inner).hexdigest() == vector["secret"]


@given(st.integers(1, 99), st.integers(1, 3), keeps, keeps)
def test_a_throw_takes_the_first_dice_of_its_row(turn: int, throw: int, kept: Keep, other: Keep) -> None:
    """Equal keeps meet equal dice, and a keep of fewer dice meets the same ones first."""
    rules = games.from_id("yamm(players=1)")
    whole = row(SECRET, rules.id, 0, turn, throw)
    for each in (kept, other):
        shown = list(RowSource(SECRET, rules, turn, throw).throw(each).roll.faces)
        for face in each.faces:
            shown.remove(face)
        assert shown == sorted(whole[: DICE - each.count])


def test_each_input_of_a_row_changes_it() -> None:
    def rows(secret: bytes = SECRET, game: str = "yamm", player: int | str = 0, turn: int = 0, throw: int = 1) -> list[Any]:
        return [row(secret, game, player, turn + each, throw) for each in range(20)]

    changes: list[dict[str, Any]] = [
        {"secret": bytes(32)},
        {"game": "yam-master"},
        {"player": 1},
        {"player": "start"},
        {"turn": 1},
        {"throw": 2},
    ]
    different = [rows(**change) for change in changes]
    assert all(other != rows() for other in different)


@pytest.mark.parametrize("game", GAMES)
def test_turns_count_for_each_player(game: str) -> None:
    rules = games.from_id(game)
    counts = [0] * rules.players
    for turn in range(1, 60):
        counts[rules.player_of_turn(turn)] += 1
        assert own_turn(rules, turn) == counts[rules.player_of_turn(turn)]


# --- Records --------------------------------------------------------------------------------------


@given(st.sampled_from(GAMES), st.randoms(use_true_random=False), st.integers(0, 12))
def test_records_of_an_event_are_verified(game: str, random: Random, turns: int) -> None:
    made = record.read(played(game, random, turns).to_text())
    count = sum(1 for _ in throws_of(made))
    assert check(made) == Report(count, count, 0, None)
    other = Record({**made.tags, "Secret": bytes(32).hex(), "Dice": f"duplicate:{commitment(bytes(32))}"}, made.journal)
    assert check(other).right < count or not count


def test_a_record_without_its_secret_or_with_another_is_not_verified() -> None:
    made = played("yam-master", Random(1), 3)
    missing = {tag: value for tag, value in made.tags.items() if tag != "Secret"}
    assert check(Record(missing, made.journal)).fault.code is FairnessCode.SECRET_MISSING  # type: ignore[union-attr]
    lying = check(Record({**made.tags, "Secret": bytes(32).hex()}, made.journal))
    assert lying.fault is not None
    assert lying.fault.code is FairnessCode.WRONG_SECRET


# --- Tables ---------------------------------------------------------------------------------------


def event_table(setup: Setup, name: str = "table-1") -> Table:
    """Return a table of the event with its people."""
    table = Table.__new__(Table)
    assert setup.duplicate is not None
    secret = event_secret(KEY, setup.duplicate.event)
    table.secret, table.now, table.offline, table.earlier = secret, BEGUN, {}, ()
    table.one_person, table.stored = False, []
    sitters = [Sitter(seat, f"Name {seat}", f"{name}-{seat}") for seat, held in enumerate(setup.seats) if not held.level]
    table.add(open_event_table(name, setup, table.secret, sitters, BEGUN))
    return table


def solo(**changed: Any) -> Setup:
    return Setup("yamm(players=1)", (OPEN,), duplicate=Duplicate(EVENT), **changed)


def play_on(table: Table, turns: int, choose: Any) -> list[str]:
    """Let all seats play turns and return the throws of all seats."""
    while table.state.position.number <= turns and table.state.end is None:
        act = table.state.pending.seats[0]
        if table.state.pending.kind == "throw":
            table.send(Throw(act), act)
        else:
            table.send(Act(str(choose(list(table.state.position.actions))), act), act)
    return [stored.event.dice for stored in table.stored if stored.event.type == "thrown"]


def test_a_table_of_an_event_begins_without_seeds() -> None:
    table = event_table(solo())
    assert table.state.pending.kind == "throw"
    assert table.state.commitment.hash == commitment(event_secret(KEY, EVENT))
    assert setup_from_json(json.loads(json.dumps(setup_to_json(table.state.setup)))) == table.state.setup


def test_entrants_who_decide_alike_meet_the_same_dice() -> None:
    thrown = [play_on(event_table(solo(), name), 10, lambda actions: actions[0]) for name in ("one", "two")]
    assert thrown[0] == thrown[1]
    assert len(set(thrown[0])) > 10


def test_first_throws_are_equal_whatever_was_decided_before() -> None:
    firsts = []
    for choose in (lambda actions: actions[0], lambda actions: actions[-1]):
        table = event_table(solo())
        play_on(table, 8, choose)
        firsts.append([line.split(" ")[1] for line in table.state.journal.lines])
    assert firsts[0] == firsts[1]


def test_both_seats_of_a_duel_have_rows_of_their_own_in_both_games() -> None:
    """Seats are exchanged in the second game: who was x meets the dice that the other had as o."""
    games_of_pair = []
    for first in (0, 1):
        setup = Setup("yam-master", (OPEN, OPEN), first=first, duplicate=Duplicate(EVENT))
        table = event_table(setup)
        play_on(table, 6, lambda actions: actions[-1])
        games_of_pair.append([line.split(" ", 1)[1] for line in table.state.journal.lines])
    assert games_of_pair[0] == games_of_pair[1]


def test_the_starting_roll_is_the_same_for_all() -> None:
    rolls = {str(event_table(Setup("yamm", (OPEN, OPEN), duplicate=Duplicate(EVENT)), name).state.starting) for name in "abc"}
    assert len(rolls) == 1


def ended(setup: Setup | None = None) -> Table:
    """Return a table whose time ran out."""
    table = event_table(setup or solo(clock=Clock(ClockKind.TURN, 600)))
    play_on(table, 3, lambda actions: actions[-1])
    table.wait(601)
    return table


def test_the_time_for_a_turn_ends_the_game_of_one_person() -> None:
    table = ended()
    assert table.state.end is not None
    assert (table.state.end.end, table.state.end.winners) == ("time", (0,))
    record.read(record_of(table.state).to_text())


def test_the_secret_is_not_published_with_the_end_of_one_game() -> None:
    table = ended()
    assert table.state.secret is None
    assert "Secret" not in record_of(table.state).tags
    assert check(record_of(table.state)).fault.code is FairnessCode.SECRET_MISSING  # type: ignore[union-attr]
    for wrong in (bytes(32), KEY):
        assert not publish_secret(table.state, table.now, wrong).events
    assert not publish_secret(event_table(solo()).state, BEGUN, table.secret).events, "a game that runs"
    assert table.add(publish_secret(table.state, table.now, table.secret)) == (SecretPublished(table.secret.hex()),)
    assert not publish_secret(table.state, table.now, table.secret).events
    assert check(record_of(table.state)).fault is None
    assert replay(table.stored) == table.state


def test_replay_finds_other_dice() -> None:
    table = ended()
    assert replay(table.stored, [table.secret]) == table.state
    stored = list(table.stored)
    at = next(place for place, each in enumerate(stored) if each.event.type == "thrown")
    fallen = "11111" if stored[at].event.dice != "11111" else "22222"  # type: ignore[union-attr]
    stored[at] = stored[at]._replace(event=Thrown(fallen, 0))
    with pytest.raises(Exception, match="throw-mismatch"):
        replay(stored, [table.secret])


def test_nobody_else_sees_or_joins_a_game_before_the_secret_is_published() -> None:
    table = event_table(Setup("yam-master", (OPEN, computer()), first=0, duplicate=Duplicate(EVENT)))
    assert newcomer_refusal(table.state, ()) is TableCode.TABLE_CLOSED
    table.add(set_admission(table.state, table.now, admits=False))
    table.send(SetAdmission(admits=True), 0)
    assert newcomer_refusal(table.state, ()) is TableCode.TABLE_CLOSED
    assert table.refused(Sit("Somebody"), 0) == "table-full"
    done = ended()
    done.add(publish_secret(done.state, done.now, done.secret))
    assert newcomer_refusal(done.state, ()) is None


def test_no_analysis_helps_while_others_play_with_the_same_dice() -> None:
    table = event_table(solo())
    play_on(table, 3, lambda actions: actions[-1])
    assert is_guarded(table.state)
    assert helps(table.state, table.state.position, sits=True)
    assert helps(table.state, table.state.position, sits=False)
    assert not is_guarded(ended().state)
    assert not is_guarded(event_table(Setup("yamm(players=1)", (OPEN,), duplicate=Duplicate(EVENT, practice=True))).state)


def test_a_game_of_an_event_does_not_go_on_without_the_server() -> None:
    assert go_on_refusal(event_table(solo()).state, {0}) is TableCode.NOT_FOR_DEVICES


def test_the_short_form_begins_with_its_first_throw() -> None:
    """The last of the struck results is final, and nobody can move it."""
    table = event_table(daily_setup("short", 20_000))
    assert table.state.position.number == 67
    assert table.state.counter == 1
    assert not list(table.state.position.corrections)
    open_columns = {str(action).split(".")[0] for action in table.state.position.actions if "." in str(action)}
    assert open_columns == {"d1", "u1", "f1"}
    play_on(table, 99, lambda actions: actions[-1])
    assert table.state.end is not None
    assert len(table.state.journal.lines) == 33
    assert check(record_of(publish_secret(table.state, BEGUN, table.secret).state)).fault is None


def test_there_is_no_rematch_and_no_other_commitment() -> None:
    table = ended()
    assert table.refused(Rematch(), 0) == "no-rematch"
    running = event_table(solo()).state
    assert not renew_commitment(running, BEGUN, bytes(32), "0" * 32).events
    foreign = due(running, BEGUN, bytes(32))
    assert foreign.state.end is not None
    assert foreign.state.end.end == "abandoned"


def test_a_client_cannot_make_a_table_of_an_event() -> None:
    with pytest.raises(TableError) as refused:
        open_table("t", solo(), SECRET, [], BEGUN)
    assert refused.value.code is TableCode.NOT_A_SETUP


@pytest.mark.parametrize(
    "changed",
    [{"dice": DiceOf.TABLE}, {"games": 3}, {"game": "yam-master", "seats": (OPEN, OPEN)}],
    ids=["real dice", "match", "lot"],
)
def test_no_chance_but_the_dice_of_the_event_decides(changed: dict[str, Any]) -> None:
    usual: dict[str, Any] = {"game": "yamm(players=1)", "seats": (OPEN,), "duplicate": Duplicate(EVENT)}
    with pytest.raises(TableError) as refused:
        Setup(**usual | changed)
    assert refused.value.code is TableCode.NOT_A_SETUP


@pytest.mark.parametrize("text", ["", "A", "a b", "-a", "ä", "a\n", "a" * 49, "a/b"])
def test_ids_of_events_are_checked(text: str) -> None:
    assert not duplicate.is_event_id(text)
    with pytest.raises(TableError):
        Duplicate(text)


def test_a_practice_game_is_open_and_publishes_its_secret_at_the_end() -> None:
    table = ended(Setup("yamm(players=1)", (OPEN,), clock=Clock(ClockKind.TURN, 60), duplicate=Duplicate(EVENT, practice=True)))
    assert table.state.secret == table.secret.hex()
    assert newcomer_refusal(table.state, ()) is None


def test_days_begin_at_midnight_utc() -> None:
    day = day_from_text("2026-11-24")
    assert day is not None
    assert day_text(day) == "2026-11-24"
    assert [day_of(opens_at(day) + seconds) for seconds in (-0.001, 0.0, 86_399.999)] == [day - 1, day, day]
    assert daily_event("yamm", day) == EVENT
    for text in ("", "2026-02-30", "20261124", "2026-11-24T00", "yesterday"):
        assert day_from_text(text) is None


# --- The file of an event -------------------------------------------------------------------------


def file_of(*records: str, **changed: Any) -> EventFile:
    fields: dict[str, Any] = {
        "format": FORMAT,
        "event": EVENT,
        "game": "yamm(players=1)",
        "commitment": commitment(SECRET),
        "secret": SECRET.hex(),
        "opens": 0.0,
        "closes": 1.0,
        "games": tuple(EventGame(place, text) for place, text in enumerate(records, 1)),
    }
    return EventFile(**fields | changed)


def test_the_file_of_an_event_is_verified_as_a_whole() -> None:
    texts = [played("yamm(players=1)", Random(seed), 5).to_text() for seed in range(3)]
    file = event_file_from_text(event_file_to_text(file_of(*texts)))
    report = check_event(file)
    assert report.fault is None
    assert report.games == 3
    assert report.throws == report.right > 15


def test_a_game_with_other_dice_is_found() -> None:
    right, wrong = (played("yamm(players=1)", Random(seed), 5) for seed in (1, 2))
    rules = games.from_id("yamm(players=1)")
    journal = Journal.start(rules).throw(RowSource(SECRET, rules, 2, 1).throw(NO_DICE))
    report = check_event(file_of(right.to_text(), Record(wrong.tags, journal).to_text()))
    assert report.fault is not None
    assert (report.fault.place, report.fault.fault.code) == (2, FairnessCode.THROW_MISMATCH)
    assert report.wrong == 1


@pytest.mark.parametrize(
    "changed, place, code",
    [
        ({"secret": bytes(32).hex()}, 0, "wrong-secret"),
        ({"secret": "no"}, 0, "not-a-secret"),
        ({"event": "another"}, 1, "tag-wrong"),
        ({"game": "yamm"}, 1, "tag-wrong"),
    ],
)
def test_a_game_of_another_event_is_found(changed: dict[str, Any], place: int, code: str) -> None:
    report = check_event(file_of(played("yamm(players=1)", Random(1), 2).to_text(), **changed))
    assert report.fault is not None
    assert (report.fault.place, str(report.fault.fault.code)) == (place, code)


@pytest.mark.parametrize("text", ["", "[]", "{}", "{", '{"format": 1}'])
def test_other_files_are_refused(text: str) -> None:
    with pytest.raises(TableError) as refused:
        event_file_from_text(text)
    assert refused.value.code is TableCode.NOT_AN_EVENT_FILE


def test_a_person_at_a_table_of_an_event_sees_no_dice_to_come() -> None:
    """Nothing in a view follows from the secret but the throws that were asked for."""
    table = event_table(solo())
    before = json.dumps(table.view(0))
    assert event_secret(KEY, EVENT).hex() not in before
    assert table.state.position.waiting
    assert TableState.from_events(table.stored) == table.state
