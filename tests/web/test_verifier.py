"""The verifier page: its program against the golden vectors, its messages, and no requests."""

import hashlib
import hmac
import json
import re
import shutil
import subprocess
from random import Random
from typing import Any

import pytest

from dicecup import games, record
from dicecup.locale import LANGUAGES, catalogue
from dicecup.record import Journal, Record, RecordError
from dicecup.table.fairness import CommittedSource, commitment
from dicecup.table.verify import Report, check
from dicecup.web.verifier import CODES, MESSAGES, PAGE, PROGRAM, with_messages, with_program
from tests.table.test_fairness import vectors

TEXT = PAGE.read_text("utf-8")
SECONDS = 120
DRIVER = """
const { readFileSync } = require("node:fs");
const { Script } = require("node:vm");
const asked = JSON.parse(readFileSync(0, "utf8"));
const V = new Script(asked.program + ";Verifier").runInThisContext();
const seedsOf = vector =>
  V.committed(V.bytesOfHex(vector.secret), vector.game, vector.seeds)({ place: vector.number, lot: false });
const answers = {
  sha256: ({ hex }) => V.hexOf(V.sha256(V.bytesOfHex(hex))),
  hmac: ({ key, hex }) => V.hexOf(V.hmac(V.bytesOfHex(key), V.bytesOfHex(hex))),
  faces: ({ blocks, count }) => V.faces(block => V.bytesOfHex(blocks[block]), count),
  commitment: ({ secret }) => V.hexOf(V.sha256(V.bytesOfHex(secret))),
  secret_of: ({ host_key, table }) => V.hexOf(V.hmac(V.bytesOfHex(host_key), V.bytesOf(table))),
  throw: vector => V.throwAround(seedsOf(vector), vector.kept),
  die: vector => V.faces(seedsOf(vector), 1)[0],
  row: ({ secret, game, player, turn, throw: number, seats }) =>
    V.faces(V.duplicate(V.bytesOfHex(secret), { id: game, seats })(
      player === "start" ? { turn: 0, number: number + 1 } : { turn: (turn - 1) * seats + Number(player) + 1, number }), 5),
  event_secret: ({ host_key, event }) => V.hexOf(V.hmac(V.bytesOfHex(host_key), V.bytesOf(`${event}\\nduplicate`))),
  record: ({ record }) => V.verify(record),
};
process.stdout.write(JSON.stringify(asked.questions.map(question => answers[question.check](question))));
"""


def program() -> str:
    (found,) = re.findall(r'<script id="verifier">(.*?)</script>', TEXT, re.DOTALL)
    return str(found)


def page_says(questions: list[dict[str, Any]]) -> list[Any]:
    """Return the answers of the page's program, in order."""
    node = shutil.which("node")
    if node is None:
        pytest.skip("Node is not installed: the page's program cannot be run")
    asked = json.dumps({"program": program(), "questions": questions})
    ran = subprocess.run([node, "-e", DRIVER], input=asked, capture_output=True, check=False, encoding="utf-8", timeout=SECONDS)
    assert ran.returncode == 0, ran.stderr
    answers: list[Any] = json.loads(ran.stdout)
    return answers


def test_the_golden_throws_are_repeated() -> None:
    expected = {
        "commitment": "commitment",
        "secret_of": "secret",
        "throw": "roll",
        "die": "face",
        "row": "row",
        "event_secret": "secret",
    }
    found = [vector for check in expected for vector in vectors(check)]
    questions = [{**vector, "seats": games.from_id(vector["game"]).players} if "game" in vector else vector for vector in found]
    assert page_says(questions) == [vector[expected[vector["check"]]] for vector in questions]


def test_the_golden_records_are_verified() -> None:
    questions = vectors("record")
    for vector, answer in zip(questions, page_says(questions), strict=True):
        error = answer["error"] and {"line": answer["error"]["line"], "code": answer["error"]["code"]}
        assert error == vector["error"], vector["name"]
        throws = [row["result"] for row in answer["rows"] if not row["lot"]]
        counted = [throws.count(result) for result in ("right", "wrong")]
        assert counted == [answer["right"], answer["wrong"]] == [vector["right"], vector["wrong"]], vector["name"]
        if answer["error"] and vector["error"]["code"] in ("tag-value", "tag-missing", "nothing-to-check"):
            continue
        assert answer["throws"] == len(throws) == vector["throws"], vector["name"]
        firsts = [tuple(map(int, found["first"].split("."))) for found in answer["commitments"]]
        assert tuple(firsts[1:]) == check(record.read(vector["record"])).renewed, vector["name"]


def test_a_fault_has_the_details_of_the_command() -> None:
    questions = [vector for vector in vectors("record") if vector["error"]]
    for vector, answer in zip(questions, page_says(questions), strict=True):
        fault = check(record.read(vector["record"])).fault
        assert fault is not None
        assert answer["error"]["details"] == fault.details, vector["name"]


def test_its_sha_256_and_hmac_are_right() -> None:
    """Compare all lengths around the ends of blocks."""
    random = Random(256)
    texts = [random.randbytes(length) for length in (*range(131), 1000)]
    keys = [random.randbytes(length) for length in (0, 1, 32, 63, 64, 65, 200)]
    assert page_says([{"check": "sha256", "hex": text.hex()} for text in texts]) == [
        hashlib.sha256(text).hexdigest() for text in texts
    ]
    pairs = [(key, text) for key in keys for text in texts[::13]]
    assert page_says([{"check": "hmac", "key": key.hex(), "hex": text.hex()} for key, text in pairs]) == [
        hmac.digest(key, text, "sha256").hex() for key, text in pairs
    ]


def test_it_skips_bytes_of_252_and_more() -> None:
    blocks = [bytes([255, 252, 0] + [253] * 29).hex(), bytes([251, 254, 6, 7] + [11] * 28).hex()]
    assert page_says([{"check": "faces", "blocks": blocks, "count": 5}]) == [[1, 6, 1, 2, 6]]


HEAD = '[Game "yam-master"]\n[Dice "seed:a"]\n\n'
REFUSED = {
    "": (0, "tag-missing"),
    "[Game yamm]\n\n": (1, "not-a-tag"),
    '[Game "chess"]\n\n': (1, "not-a-game"),
    '[Game "yam-master(players=3)"]\n\n': (1, "not-a-game"),
    '[Game "yamm(players=2)"]\n\n': (1, "not-a-game"),
    '[Game "yamm(kept_dice=locked,players=3)"]\n\n': (1, "not-a-game"),
    '[Game "yamm"]\n[Game "yamm"]\n\n': (2, "tag-twice"),
    '[Game "yamm"]\n[Dice "mine"]\n\n': (2, "tag-value"),
    '[Game "yamm"]\n[Dice "committed:00"]\n\n': (2, "tag-value"),
    '[Game "yamm"]\n[Dice "seed:a"]\n[Start "3 3"]\n\n': (3, "tag-value"),
    '[Game "yamm"]\n[Dice "seed:a"]\n[Start "6 4"]\n\n': (3, "tag-value"),
    '[Game "yamm"]\n[Dice "seed:a"]\n[Start "3 4; 2 3"]\n\n': (3, "tag-value"),
    '[Game "yamm(players=3)"]\n[Dice "seed:a"]\n[Start "3 3 2; 2 2 3"]\n\n': (3, "tag-value"),
    '[Game "yamm(players=1)"]\n[Dice "seed:a"]\n[Start "6"]\n\n': (3, "tag-value"),
    f"{HEAD}2. 11235 --\n": (4, "turn-number"),
    f"{HEAD}1. 11235 --\n\n2. 11235 --\n": (5, "blank-line"),
    f"{HEAD}1. 11235 k1\n2. 11235 --\n": (5, "unfinished-turn"),
    f"{HEAD}1. 11235 -- 11235\n": (4, "after-the-end-of-turn"),
    f"{HEAD}1. 11235  --\n": (4, "spacing"),
    f"{HEAD}1. 53211 --\n": (4, "not-ascending"),
    f"{HEAD}1. ~ 11235 --\n": (4, "void-throw-not-table"),
    f"{HEAD}1. 11235 k44 11445 --\n": (4, "not-these-dice"),
    f"{HEAD}1. 11235 k11 22335 --\n": (4, "kept-die-lost"),
    f"{HEAD}1. 11235 k11 11335 k11 11335 k11 11335\n": (4, "no-throw-left"),
}


def test_it_refuses_records_that_the_library_refuses() -> None:
    """Refuse records in which throws could be hidden or numbered differently."""
    answers = page_says([{"check": "record", "record": text} for text in REFUSED])
    for (text, expected), answer in zip(REFUSED.items(), answers, strict=True):
        with pytest.raises(RecordError):
            record.read(text)
        assert (answer["error"]["line"], answer["error"]["code"]) == expected, text


NO_TURNS = (
    "1. 1123 --",
    "1. 11237 --",
    "1. 11235 h9",
    "1. 11235 f1.FH",
    "1 11235 --",
    "1. 11|235 --",
    "1. > c3",
    "01. 11235 --",
)


def test_an_invalid_turn_is_refused() -> None:
    answers = page_says([{"check": "record", "record": f"{HEAD}{line}\n"} for line in NO_TURNS])
    for line, answer in zip(NO_TURNS, answers, strict=True):
        assert (answer["error"]["line"], answer["error"]["code"]) == (4, "not-a-turn"), line


def test_a_record_may_have_been_pasted() -> None:
    """Accept other line ends, a byte order mark, and a missing or additional last newline."""
    text = next(vector["record"] for vector in vectors("record") if vector["error"] is None)
    pasted = ["\ufeff" + text, text.replace("\n", "\r\n"), text.rstrip("\n"), text + "\n\n"]
    for answer in page_says([{"check": "record", "record": one} for one in pasted]):
        assert (answer["error"], answer["right"] > 0) == (None, True)


def test_real_dice_may_be_void_and_knocked_over() -> None:
    text = '[Game "yam-master(kept_dice=locked)"]\n[Dice "table"]\n\n1. ~ 11235 k11 22|346 k224 22345 --\n'
    record.read(text)
    (answer,) = page_says([{"check": "record", "record": text}])
    assert answer["error"]["code"] == "nothing-to-check"


def test_a_record_may_begin_with_a_position() -> None:
    """Number the turns from the position and the throws from 0."""
    game, begins = games.from_id("yam-master"), "5/5/1x2o/5/2x2 x 2!:455?? 10-11 5"
    source = CommittedSource(bytes(32), game.id, (b"", b""))
    journal = Journal(game, table=False, position=game.position(begins))
    for _ in range(3):
        assert journal.position.turn is not None
        journal = journal.throw(source.throw(journal.position.turn.kept)).play("--")
    tags = {
        "Game": game.id,
        "Dice": f"committed:{commitment(bytes(32))}",
        "Seeds": "- -",
        "Secret": "00" * 32,
        "Position": begins,
    }
    made = Record(tags, journal)
    assert check(made) == Report(3, 3, 0, None)
    right, wrong, no_position = page_says(
        [
            {"check": "record", "record": made.to_text()},
            {"check": "record", "record": made.to_text().replace("455??", "445??")},
            {"check": "record", "record": made.to_text().replace("455??", "455?")},
        ]
    )
    assert (right["error"], right["right"]) == (None, 3)
    assert [(row["turn"], row["number"], row["kept"]) for row in right["rows"]] == [(5, 3, "455"), (6, 1, ""), (7, 1, "")]
    assert wrong["error"]["line"] == 7
    assert (no_position["error"]["line"], no_position["error"]["code"]) == (5, "tag-value")


def test_its_program_is_the_one_of_the_client() -> None:
    assert with_program(TEXT, PROGRAM.read_text("utf-8")) == TEXT, "run python -m dicecup.web.verifier"


def test_its_messages_are_those_of_the_catalogues() -> None:
    assert with_messages(TEXT) == TEXT, "run python -m dicecup.web.verifier"
    (table,) = re.findall(r'id="messages">(.*?)</script>', TEXT, re.DOTALL)
    keys = {*MESSAGES, *(f"error_{code.replace('-', '_')}" for code in CODES)}
    assert json.loads(table) == {language: {key: catalogue(language)[key] for key in keys} for language in LANGUAGES}


def test_it_holds_exactly_the_messages_that_it_shows() -> None:
    markup = TEXT.replace(re.findall(r'id="messages">(.*?)</script>', TEXT, re.DOTALL)[0], "")
    assert set(re.findall(r"verify_[a-z_]+", markup)) == set(MESSAGES)
    words = {word for word in re.findall(r'"([a-z0-9-]+)"', markup) if f"error_{word.replace('-', '_')}" in catalogue("en")}
    assert words | {"other"} == set(CODES)


def test_it_makes_no_request() -> None:
    assert "default-src 'none'" in TEXT
    assert not re.search(
        r"https?:|//[a-z]+\.[a-z]|@import|url\(|\bsrc=|fetch\(|XMLHttpRequest|import\(|crypto\.subtle\.|innerHTML", TEXT
    )
    assert re.findall(r'href="([^"]*)"', TEXT) == ["data:,"]
