"""Changed commitments: the log went back, or the table moved to another server. No throw that was
seen is thrown again, and every throw can be checked."""

import json
import random

import pytest

from dicecup.record import read
from dicecup.table import fairness
from dicecup.table.commands import Act, Rematch, Resign, Throw
from dicecup.table.events import CommitmentBegun, CommitmentEnded, SecretPublished, event_from_json, event_to_text
from dicecup.table.handlers import due, renew_commitment
from dicecup.table.replay import replay
from dicecup.table.setup import DiceOf
from dicecup.table.state import TableState
from dicecup.table.table_record import record_of
from dicecup.table.verify import check
from tests.table.tables import KEY, Table, duel, people

SALT = "0f" * 16
GAMES = ("yam-master", "yamm")


def renew(table: Table, salt: str = SALT) -> None:
    """Begin a new commitment. The table knows its earlier secrets."""
    table.earlier = (*table.earlier, table.secret)
    table.secret = fairness.secret_of(KEY, table.state.table, salt)
    table.add(renew_commitment(table.state, table.now, table.secret, salt))


def test_secrets_of_two_salts_have_nothing_in_common() -> None:
    assert fairness.secret_of(KEY, "t") == fairness.secret_of(KEY, "t", "")
    assert len({fairness.secret_of(KEY, "t", salt) for salt in ("", SALT, "1f" * 16)}) == 3
    assert fairness.secret_of(KEY, "t", SALT) != fairness.secret_of(KEY, f"t{SALT}")


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("steps", [0, 1, 7, 20])
def test_a_restored_game_is_verified_as_a_whole(game: str, steps: int) -> None:
    table = Table(people(game))
    for _ in range(steps):
        table.step(random.Random(steps))
    before = table.state.commitment.hash
    renew(table)
    renew(table, "1f" * 16)
    begun = CommitmentBegun(fairness.commitment(table.secret), "1f" * 16)
    assert [stored.event for stored in table.stored[-1:]] == [begun]
    assert due(table.state, table.now, table.secret).events == ()
    table.finish(random.Random(1))
    kept = record_of(table.state)
    assert read(kept.to_text()) == kept
    report = check(kept)
    assert (report.fault, report.right, report.wrong) == (None, table.state.counter, 0)
    assert len(report.renewed) == 2
    assert table.view()["fairness"]["earlier"][0] == before
    assert replay(table.stored) == table.state


@pytest.mark.parametrize("game", GAMES)
def test_a_table_that_is_renewed_before_its_start_begins_with_that_commitment(game: str) -> None:
    table = Table(people(game), ready=False)
    renew(table)
    table.plant_seeds()
    table.finish(random.Random(1))
    assert record_of(table.state).tags["From"] == "0.1"
    assert check(record_of(table.state)).fault is None


def test_the_throws_after_a_restore_are_other_throws() -> None:
    lost, kept = Table(people("yamm")), Table(people("yamm"))
    renew(kept)
    thrown = [[table.step(random.Random(1)) for _ in range(12)] for table in (lost, kept)]
    assert thrown[0] != thrown[1]


def test_secrets_are_published_after_the_end_alone() -> None:
    table = Table(people("yam-master"))
    first = table.secret
    renew(table)
    table.send(Throw(), 0)
    assert first.hex() not in json.dumps([event_to_text(stored.event) for stored in table.stored])
    assert table.send(Resign(), 0)[-1] == SecretPublished(table.secret.hex(), (first.hex(),))


def test_a_server_with_another_key_publishes_what_it_knows() -> None:
    table = Table(people("yam-master"))
    renew(table)
    table.earlier, table.secret = (), bytes(32)
    moved = table.wait(1)
    assert isinstance(moved[0], CommitmentEnded)
    assert moved[1] == CommitmentBegun(fairness.commitment(bytes(32)), SALT)
    assert table.send(Resign(), 0)[-1] == SecretPublished(bytes(32).hex(), ("", ""))
    assert check(record_of(table.state)).renewed == ((1, 1), (1, 1))


def test_real_dice_and_finished_games_have_nothing_to_renew() -> None:
    for table in (Table(people("yam-master", dice=DiceOf.TABLE)), Table(people("yam-master"))):
        if not table.state.real_dice:
            table.close()
        assert renew_commitment(table.state, table.now, bytes(32), SALT).events == ()


def test_a_restored_match_does_not_meet_its_next_table_again() -> None:
    lost, kept = (Table(people("yam-master")) for _ in range(2))
    for table in (lost, kept):
        table.close()
    kept.now += 1
    for table in (lost, kept):
        table.send(Rematch(), 0)
        table.send(Rematch(), 1)
    assert lost.state.next != kept.state.next


def test_events_of_0_1_0_are_read() -> None:
    begun = event_from_json({"commitment": "0" * 64, "type": "commitment-begun"})
    assert begun == CommitmentBegun("0" * 64)
    assert event_from_json({"secret": "0" * 64, "type": "secret-published"}) == SecretPublished("0" * 64)


def test_a_log_with_a_wrong_salt_or_secret_is_refused() -> None:
    table = Table(people("yam-master"))
    renew(table)
    table.close()
    *before, published = table.stored
    for event in (
        SecretPublished(table.secret.hex(), (bytes(32).hex(),)),
        SecretPublished(table.secret.hex(), ("", "")),
    ):
        with pytest.raises(Exception, match="not-an-event"):
            replay([*before, published._replace(event=event)])
    at = next(i for i, stored in enumerate(before) if isinstance(stored.event, CommitmentBegun))
    with pytest.raises(Exception, match="not-an-event"):
        replay([*before[:at], before[at]._replace(event=CommitmentBegun("0" * 64, "x"))])
    assert isinstance(replay(table.stored), TableState)


def test_a_table_gets_a_new_commitment_on_another_server() -> None:
    table = duel()
    table.send(Throw(), 0)
    old, table.secret = fairness.commitment(table.secret), bytes(range(32))
    assert due(table.state, table.now, table.secret).events == (
        CommitmentEnded(old),
        CommitmentBegun(fairness.commitment(table.secret)),
    )
    table.finish(random.Random(1))
    assert table.view()["fairness"]["earlier"] == [old]
    kept = record_of(table.state)
    assert read(kept.to_text()) == kept
    assert kept.tags["From"] == "1.2"
    report = check(kept)
    assert report.wrong == 0
    assert report.right == table.state.counter - 1


def test_a_returned_table_publishes_the_secret_of_both_times() -> None:
    table = duel()
    first, other = table.secret, bytes(range(32))
    table.send(Throw(), 0)
    table.secret = other
    table.wait(0)
    table.send(Act("k-"), 0)
    table.secret = first
    table.wait(0)
    table.finish(random.Random(1))
    kept = record_of(table.state)
    back, away = (fairness.commitment(secret) for secret in (first, other))
    assert [entry.split(" ")[1:3] for entry in kept.tags["Earlier"].split("; ")] == [[back, first.hex()], [away, "-"]]
    assert kept.tags["Dice"] == f"committed:{back}"
    report = check(kept)
    assert (report.wrong, report.right) == (0, report.throws - 1)
