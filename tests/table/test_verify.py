"""Verification of records: the golden vectors, and that every changed throw is found."""

from dataclasses import replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dicecup import games, record, yamm
from dicecup.core.dice import NO_DICE, ROLLS
from dicecup.core.source import SeededSource
from dicecup.core.start import StartingRoll
from dicecup.record import Journal, Record, concluded
from dicecup.table.fairness import CommittedSource, FairnessCode, commitment, seeds_text
from dicecup.table.verify import Report, check, throws_of
from tests.table.test_fairness import vectors

SECRET = bytes(range(32))
SEEDS = (bytes(range(16)), b"", bytes(range(32)))
GAMES = ("yam-master", "yam-master(kept_dice=locked)", "yamm", "yamm(players=1)", "yamm(players=3,kept_dice=locked)")


def committed_tags(game_id: str) -> dict[str, str]:
    sown = seeds_text(SEEDS[: games.from_id(game_id).players])
    return {"Game": game_id, "Dice": f"committed:{commitment(SECRET)}", "Seeds": sown, "Secret": SECRET.hex()}


def committed_source(game_id: str) -> CommittedSource:
    return CommittedSource(SECRET, game_id, SEEDS[: games.from_id(game_id).players])


def played(tags: dict[str, str], source: CommittedSource | SeededSource, random: Random, turns: int) -> Record:
    """Return a record with these dice and random actions."""
    game = games.from_id(tags["Game"])
    start = StartingRoll(game.players)
    while isinstance(game, yamm.Yamm) and start.starter is None:
        start = start.throw(source.die())
    if start.rounds:
        tags = {**tags, "Start": str(start)}
    journal = Journal.start(game)
    while journal.turns < turns and journal.position.turn is not None:
        if journal.position.waiting:
            journal = journal.throw(source.throw(journal.position.turn.kept))
        else:
            journal = journal.play(random.choice(list(journal.position.actions)))
    made = concluded(Record(tags, journal))
    assert [thrown.number for thrown in throws_of(made)] == list(range(source.thrown))
    return made


@pytest.mark.parametrize("vector", vectors("record"), ids=lambda vector: vector["name"])
def test_records_are_verified_as_the_vectors_say(vector: dict[str, object]) -> None:
    report = check(record.read(str(vector["record"])))
    error = None if report.fault is None else {"line": report.fault.line, "code": str(report.fault.code)}
    assert (report.throws, report.right, report.wrong) == (vector["throws"], vector["right"], vector["wrong"])
    assert error == vector["error"]


@given(st.sampled_from(GAMES), st.randoms(use_true_random=False), st.integers(0, 12))
def test_thrown_dice_are_right(game: str, random: Random, turns: int) -> None:
    made = record.read(played(committed_tags(game), committed_source(game), random, turns).to_text())
    count = sum(1 for _ in throws_of(made))
    assert check(made) == Report(count, count, 0, None)


@given(st.sampled_from(GAMES), st.randoms(use_true_random=False))
def test_every_changed_throw_is_found(game: str, random: Random) -> None:
    """Exchange the dice of a turn of one throw for any others."""
    source = committed_source(game)
    rules = games.from_id(game)
    journal, altered = Journal.start(rules), random.randrange(6)
    for turn in range(6):
        thrown = source.throw(NO_DICE)
        assert thrown is not None
        if turn == altered:
            thrown = replace(thrown, roll=random.choice([other for other in ROLLS if other is not thrown.roll]))
        journal = journal.throw(thrown)
        ends = [action for action in journal.position.actions if not str(action).lstrip("!").startswith("k")]
        journal = journal.play(ends[-1])
    tags = committed_tags(game)
    report = check(Record(tags, journal))
    assert (report.right, report.wrong) == (5, 1)
    assert report.fault is not None
    assert report.fault.code is FairnessCode.THROW_MISMATCH
    assert (report.fault.details["turn"], report.fault.line) == (altered + 1, len(tags) + 2 + altered)


@given(st.sampled_from(GAMES), st.randoms(use_true_random=False))
def test_the_dice_of_a_seed_are_numbered_alike(game: str, random: Random) -> None:
    made = played({"Game": game, "Dice": "seed:a b"}, SeededSource("a b"), random, 5)
    count = sum(1 for _ in throws_of(made))
    assert check(made) == Report(count, count, 0, None)
    other = check(Record({**made.tags, "Dice": "seed:a c"}, made.journal))
    assert other.wrong
    assert other.right < count


def test_an_open_starting_roll_without_throws_is_checked() -> None:
    source, tags = committed_source("yamm"), committed_tags("yamm")
    face = source.die()
    empty = Journal.start(games.from_id("yamm"))
    assert check(Record({**tags, "Starting": str(face)}, empty)) == Report(1, 1, 0, None)
    wrong = check(Record({**tags, "Starting": str(face % 6 + 1)}, empty))
    assert wrong.fault is not None
    assert wrong.fault.code is FairnessCode.START_MISMATCH
