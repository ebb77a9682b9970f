"""Committed dice: their formula, their fairness and the golden vectors (docs/fairness.md)."""

import hashlib
import hmac
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dicecup import games
from dicecup.core.dice import DICE, KEEPS, NO_DICE, ROLLS, Keep, keep
from dicecup.core.source import DiceSource, Throw
from dicecup.hosting.dice_statistics import chi_square_tail, dice_statistics
from dicecup.table import fairness
from dicecup.table.fairness import CommittedSource, FairnessCode, FairnessError

VECTORS = Path(__file__).parents[1] / "vectors" / "fairness.jsonl"
SECRET = bytes(range(32))
GAME = "yam-master"
SEEDS = (bytes(range(16)), b"")

seeds = st.lists(st.one_of(st.just(b""), st.binary(min_size=16, max_size=32)), min_size=1, max_size=16).map(tuple)
keeps = st.sampled_from([kept for kept in KEEPS if kept.count < DICE])
numbers = st.integers(0, 10_000)


def vectors(check: str) -> list[dict[str, Any]]:
    read = map(json.loads, VECTORS.read_text("utf-8").splitlines())
    return [vector for vector in read if vector["check"] == check]


# --- The formula ----------------------------------------------------------------------------------


def as_documented(secret: bytes, game: str, seeds: str, number: int, count: int) -> list[int]:
    """Return the dice of the formula in docs/fairness.md, with an HMAC of the test's own."""
    key = secret.ljust(64, b"\0")
    faces: list[int] = []
    block = 0
    while len(faces) < count:
        message = b"dicecup-dice-1\n%s\n%s\n%d\n%d" % (game.encode(), seeds.encode(), number, block)
        inner = hashlib.sha256(bytes(byte ^ 0x36 for byte in key) + message).digest()
        digest = hashlib.sha256(bytes(byte ^ 0x5C for byte in key) + inner).digest()
        faces += [1 + byte % 6 for byte in digest if byte < 252]
        block += 1
    return faces[:count]


def test_the_commitment_of_the_docs_is_right() -> None:
    assert fairness.commitment(SECRET) == "630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd"


@pytest.mark.parametrize("vector", vectors("commitment"), ids=lambda vector: vector["commitment"][:8])
def test_commitments_equal_the_vectors(vector: dict[str, Any]) -> None:
    assert fairness.commitment(bytes.fromhex(vector["secret"])) == vector["commitment"]


@pytest.mark.parametrize("vector", vectors("secret_of"), ids=lambda vector: vector["table"])
def test_a_secret_is_the_hmac_of_the_table(vector: dict[str, Any]) -> None:
    key = bytes.fromhex(vector["host_key"])
    assert fairness.secret_of(key, vector["table"]).hex() == vector["secret"]
    assert fairness.secret_of(key, vector["table"] + "2").hex() != vector["secret"]


@pytest.mark.parametrize("vector", vectors("throw"), ids=lambda vector: f"{vector['game']}-{vector['number']}")
def test_throws_equal_the_vectors_and_the_documented_formula(vector: dict[str, Any]) -> None:
    kept = keep(vector["kept"])
    sown = fairness.seeds_from_text(vector["seeds"], len(vector["seeds"].split(" ")))
    secret, game, number = bytes.fromhex(vector["secret"]), vector["game"], vector["number"]
    assert fairness.throw(secret, game, sown, number, kept).text == vector["roll"]
    faces = [*kept.faces, *as_documented(secret, game, vector["seeds"], number, DICE - kept.count)]
    assert "".join(map(str, sorted(faces))) == vector["roll"]


@pytest.mark.parametrize("vector", vectors("die"), ids=lambda vector: f"{vector['game']}-{vector['number']}")
def test_dice_equal_the_vectors_and_the_documented_formula(vector: dict[str, Any]) -> None:
    sown = fairness.seeds_from_text(vector["seeds"], len(vector["seeds"].split(" ")))
    secret, game, number = bytes.fromhex(vector["secret"]), vector["game"], vector["number"]
    assert fairness.die(secret, game, sown, number) == vector["face"]
    assert as_documented(secret, game, vector["seeds"], number, 1) == [vector["face"]]


@given(st.binary(min_size=32, max_size=32), seeds, numbers, keeps)
def test_kept_dice_are_not_thrown(secret: bytes, sown: tuple[bytes, ...], number: int, kept: Keep) -> None:
    shown = fairness.throw(secret, GAME, sown, number, kept)
    assert kept in shown
    thrown = as_documented(secret, GAME, fairness.seeds_text(sown), number, DICE - kept.count)
    assert sorted((*kept.faces, *thrown)) == list(shown.faces)


@given(seeds, numbers, keeps)
def test_kept_dice_do_not_change_the_thrown_ones(sown: tuple[bytes, ...], number: int, kept: Keep) -> None:
    other = next(other for other in KEEPS if other.count == kept.count)
    thrown = [list(fairness.throw(SECRET, GAME, sown, number, around).faces) for around in (kept, other)]
    for faces, around in zip(thrown, (kept, other), strict=True):
        for face in around.faces:
            faces.remove(face)
    assert thrown[0] == thrown[1]


def test_each_input_of_a_throw_changes_it() -> None:
    """Compare forty throws: two throws are equal by chance about once in 252 times."""

    def forty(secret: bytes = SECRET, game: str = GAME, sown: tuple[bytes, ...] = SEEDS, first: int = 0) -> list[str]:
        return [fairness.throw(secret, game, sown, number, NO_DICE).text for number in range(first, first + 40)]

    others = [
        forty(bytes(32)),
        forty(game="yam-master(captured=out)"),
        forty(sown=SEEDS[::-1]),
        forty(sown=(b"", b"")),
        forty(first=1),
    ]
    assert forty() == forty()
    assert forty() not in others


def test_bytes_of_252_and_more_are_skipped(monkeypatch: pytest.MonkeyPatch) -> None:
    blocks = {0: bytes([255, 252, 0] + [253] * 29), 1: bytes([251, 254, 6, 7] + [11] * 28)}
    asked = []

    def digest(key: bytes, message: bytes, name: str) -> bytes:
        assert (key, name) == (SECRET, "sha256")
        asked.append(message)
        return blocks[int(message.rsplit(b"\n", 1)[1])]

    monkeypatch.setattr(hmac, "digest", digest)
    assert fairness.throw(SECRET, GAME, SEEDS, 7, NO_DICE).text == "11266"
    head = f"dicecup-dice-1\nyam-master\n{SEEDS[0].hex()} -\n7\n".encode()
    assert asked == [head + b"0", head + b"1"]


def test_the_dice_are_fair() -> None:
    """Count 60 000 faces and 12 000 rolls of fixed seeds, so that the result never varies."""
    faces = [0] * 6
    rolls = dict.fromkeys(ROLLS, 0)
    for number in range(12_000):
        shown = fairness.throw(SECRET, GAME, SEEDS, number, NO_DICE)
        faces = [before + more for before, more in zip(faces, shown.counts, strict=True)]
        rolls[shown] += 1
    assert dice_statistics(faces).p_value > 0.01
    expected = {shown: 12_000 * shown.weight / 6**5 for shown in ROLLS}
    strayed = sum((count - expected[shown]) ** 2 / expected[shown] for shown, count in rolls.items())
    assert chi_square_tail(strayed, len(ROLLS) - 1) > 0.01
    singles = [fairness.die(SECRET, GAME, SEEDS, number) for number in range(12_000)]
    assert dice_statistics([singles.count(face) for face in range(1, 7)]).p_value > 0.01


# --- The source -----------------------------------------------------------------------------------


@given(seeds, st.lists(st.one_of(st.none(), keeps), min_size=1, max_size=12), st.integers(0, 50))
def test_a_source_counts_its_throws(sown: tuple[bytes, ...], steps: list[Keep | None], first: int) -> None:
    source = CommittedSource(SECRET, GAME, sown, thrown=first)
    as_protocol: DiceSource = source
    for number, kept in enumerate(steps, first):
        again = CommittedSource(SECRET, GAME, sown, thrown=number)
        if kept is None:
            assert as_protocol.die() == again.die() == fairness.die(SECRET, GAME, sown, number)
        else:
            expected = Throw(fairness.throw(SECRET, GAME, sown, number, kept))
            assert as_protocol.throw(kept) == again.throw(kept) == expected
        assert source.thrown == number + 1


def test_a_source_does_not_show_its_secret() -> None:
    assert SECRET.hex() not in repr(CommittedSource(SECRET, GAME, SEEDS))
    assert repr(SECRET) not in repr(CommittedSource(SECRET, GAME, SEEDS))


# --- Seeds and secrets as text --------------------------------------------------------------------


@given(seeds)
def test_seeds_read_back_as_written(sown: tuple[bytes, ...]) -> None:
    assert fairness.seeds_from_text(fairness.seeds_text(sown), len(sown)) == sown


@given(st.text("0123456789abcdefAF -", max_size=80), st.integers(1, 3))
def test_seeds_that_are_accepted_are_canonical(text: str, seats: int) -> None:
    try:
        sown = fairness.seeds_from_text(text, seats)
    except FairnessError as error:
        assert (error.code, str(error.details["text"]) in text) == (FairnessCode.NOT_A_SEED, True)
    else:
        assert fairness.seeds_text(sown) == text


@pytest.mark.parametrize("text", ["", "-", "ab", "0" * 31, "0" * 30, "0" * 66, "G" * 32, "A" * 32, "٣" * 32, "0" * 32 + "\n"])
def test_a_text_that_is_not_a_seed_is_refused(text: str) -> None:
    with pytest.raises(FairnessError) as caught:
        fairness.seed_from_text(text)
    assert (caught.value.code, caught.value.details) == (FairnessCode.NOT_A_SEED, {"text": text})


@pytest.mark.parametrize("text", ["", "0" * 63, "0" * 65, "F" * 64, "0" * 64 + "\n"])
def test_a_text_that_is_not_a_secret_is_refused(text: str) -> None:
    with pytest.raises(FairnessError) as caught:
        fairness.secret_from_text(text)
    assert caught.value.code is FairnessCode.NOT_A_SECRET


def test_a_seed_must_have_its_commitment() -> None:
    committed = fairness.seed_commitment(SEEDS[0])
    fairness.check_seed(SEEDS[0], committed)
    for seed, promised in ((SECRET, committed), (SEEDS[0], committed.upper()), (SEEDS[0], "é")):
        with pytest.raises(FairnessError) as caught:
            fairness.check_seed(seed, promised)
        assert caught.value.code is FairnessCode.WRONG_SEED


def test_game_ids_and_seeds_hold_no_newline() -> None:
    """The formula joins game ids and seeds by newlines."""
    for game in games.names():
        assert "\n" not in games.from_id(game).id
    assert "\n" not in fairness.seeds_text(SEEDS)
