"""The notation module of the page, run by Node: every text of the vectors is read and written back
unchanged."""

import json
from collections.abc import Iterable, Iterator
from typing import Any, Final

import pytest

from dicecup import games
from tests.browser.node_program import HERE, run_node

VECTORS: Final = [json.loads(line) for line in (HERE.parent / "vectors" / "replay.jsonl").read_text("utf-8").splitlines()]
Query = tuple[str, str, str]
"""The reader, the name of a game, and a text."""


def read(queries: Iterable[Query]) -> list[dict[str, Any]]:
    """Return for each text the value that the page reads and the text that it writes back, or the
    error."""
    asked = [{"reader": reader, "game": game, "text": text} for reader, game, text in queries]
    answers: list[dict[str, Any]] = json.loads(run_node(HERE / "notation_runner.mjs", given=asked))
    return answers


def vector_texts() -> Iterator[Query]:
    for vector in VECTORS:
        _, _, body = vector["record"].partition("\n\n")
        state = vector["state"]
        game = state["game"]
        name = game.partition("(")[0]
        yield "gameId", name, game
        yield "position", name, state["position"]
        yield "turnState", name, state["position"].split(" ")[2 if name == "yam-master" else 1]
        for text in [*state["actions"], *state.get("corrections", ())]:
            yield "action", name, text
        for line in body.splitlines():
            yield "line", name, line


def test_the_texts_of_all_vectors_are_written_back() -> None:
    queries = sorted(set(vector_texts()))
    assert {reader for reader, _, _ in queries} == {"action", "gameId", "line", "position", "turnState"}
    answers = read(queries)
    assert [answer.get("written", answer) for answer in answers] == [text for _, _, text in queries]


@pytest.mark.parametrize("game", ["yam-master", "yamm"])
def test_every_legal_action_of_a_game_is_written_back(game: str) -> None:
    position = games.from_id(game).start()
    texts: set[str] = set()
    for roll in ("11346", "55555", "11123"):
        texts |= {str(action) for action in position.roll(roll).actions}
    answers = read(("action", game, text) for text in sorted(texts))
    assert [answer.get("written", answer) for answer in answers] == sorted(texts)


def test_actions_are_typed_values() -> None:
    queries = [
        ("action", "yam-master", "!k33"),
        ("action", "yam-master", "k-"),
        ("action", "yam-master", "c3"),
        ("action", "yam-master", "-c3"),
        ("action", "yam-master", "--"),
        ("action", "yamm", "f1.FH"),
        ("action", "yamm", "16. > f2.Y"),
        ("action", "bowl", "k33"),
        ("action", "bowl", "c3"),
    ]
    assert [answer["value"] for answer in read(queries)] == [
        {"kind": "keep", "dice": [3, 3], "defi": True},
        {"kind": "keep", "dice": [], "defi": False},
        {"kind": "place", "square": "c3"},
        {"kind": "remove", "square": "c3"},
        {"kind": "pass"},
        {"kind": "write", "cell": {"column": "f1", "row": "FH"}},
        {"kind": "correction", "turn": 16, "cell": {"column": "f2", "row": "Y"}},
        {"kind": "keep", "dice": [3, 3], "defi": False},
        {"kind": "other", "text": "c3"},
    ]


@pytest.mark.parametrize(
    "reader, text, value",
    [
        ("throw", "~", {"kind": "void"}),
        ("throw", "11346", {"kind": "dice", "locked": [], "others": [1, 1, 3, 4, 6]}),
        ("throw", "22|346", {"kind": "dice", "locked": [2, 2], "others": [3, 4, 6]}),
        ("turnState", "-", {"kind": "over"}),
        ("turnState", "1!:33???", {"kind": "turn", "throws": 1, "defi": True, "locked": [], "dice": [3, 3], "inAir": 3}),
        (
            "turnState",
            "2:33|456",
            {"kind": "turn", "throws": 2, "defi": False, "locked": [3, 3], "dice": [4, 5, 6], "inAir": 0},
        ),
        ("gameId", "yamm(players=4,pairs=yes)", {"name": "yamm", "options": {"players": "4", "pairs": "yes"}}),
    ],
)
def test_throws_turn_states_and_ids_are_typed_values(reader: str, text: str, value: dict[str, Any]) -> None:
    assert read([(reader, "yamm", text)]) == [{"value": value, "written": text}]


def test_notes_of_a_line_are_kept() -> None:
    (answer,) = read([("line", "yamm", "7. 11266 k66 22666 f1.FH %clock=31 ; lucky")])
    assert answer["value"]["notes"] == " %clock=31 ; lucky"
    assert [word["kind"] for word in answer["value"]["words"]] == ["dice", "keep", "dice", "write"]


@pytest.mark.parametrize(
    "reader, game, text",
    [
        ("action", "yam-master", "k7"),
        ("action", "yam-master", "k21"),
        ("action", "yam-master", "k11111"),
        ("action", "yam-master", "f6"),
        ("action", "yam-master", "f1.FH"),
        ("action", "yamm", "!k33"),
        ("action", "yamm", "c3"),
        ("action", "yamm", "f4.FH"),
        ("action", "yamm", "0. > f2.Y"),
        ("action", "yamm", "--"),
        ("throw", "yamm", "1134"),
        ("throw", "yamm", "64311"),
        ("throw", "yamm", "11|34"),
        ("turnState", "yamm", "4:11346"),
        ("turnState", "yamm", "1:1134"),
        ("gameId", "yamm", "Yamm (2)"),
        ("gameId", "yamm", ""),
        ("line", "yamm", "f1.FH"),
        ("line", "yamm", "7. 11266 > f1.FH"),
        ("position", "yamm", "once upon a time"),
        ("position", "yamm", ""),
    ],
)
def test_any_other_text_is_an_error(reader: str, game: str, text: str) -> None:
    assert list(read([(reader, game, text)])[0]) == ["error"]
