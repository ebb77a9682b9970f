"""The page of Yam Master: the board, the points, the winner, and every turn."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dicecup import record, sheets, yam_master
from dicecup.locale import LANGUAGES, Messages
from dicecup.record import Record
from dicecup.sheets import SheetError, duel
from tests import strategies
from tests.sheets.papers import flat, is_accessible, opened, pages, played, root

LINE = """[Game "yam-master"]
[X "Anna"]
[O "#strong[Ben]"]
[Date "2026-11-20"]
[Dice "seed:1"]
[Result "x 0-0"]
[End "line"]

1. 11166 a1
2. 13466 k66 12366 k66 66666 c3
3. 23344 k33 33345 b1
4. 12345 b4
5. 22446 k44 34446 d1
6. 22333 !k333 13333 d3 %clock=1:30 ; a bet
7. 55566 k66 26666 e1
8. 13456 !k3456 13456 k3456 33456 --
9. 12346 !k1234 12345 c1
"""
"""The golden game in which x fills the top row."""

TABLE = """[Game "yam-master"]
[Dice "table"]

1. ~ 55555 c3
2. 11123 k111 ~ ~ 22222 -c3
3. 12345 k12
"""


def values(of: Record, language: str = "en") -> duel.Values:
    position = of.journal.position
    assert isinstance(position, yam_master.Position)
    return duel.page(of, position, Messages(language))


def dice(text: str) -> duel.Values:
    """Return the dice of a throw: `1!1!235` is 1 1 2 3 5, of which 1 1 was kept."""
    faces = [[face, False] for face in text.replace("!", "")]
    for at, face in enumerate(text.split("!")[:-1]):
        faces[len("".join(text.split("!")[: at + 1])) - 1] = [face[-1], True]
    return {"kind": "dice", "dice": faces}


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_finished_game_is_printed_with_its_end(language: str) -> None:
    made = sheets.of_game(record.read(LINE), language)
    (page,) = pages(made)
    messages = Messages(language)
    assert is_accessible(made)
    assert root(made)["/Lang"] == language
    for expected in ("Anna", "#strong[Ben]", messages("end_line"), messages("print_final"), messages("print_story"), "2026"):
        assert flat(expected) in page
    assert flat(messages("end_winner", name="Anna")) in page.replace("\u2068", "").replace("\u2069", "")
    figures = {figure.value for figure in yam_master.Figure}
    assert figures <= set(page.split())
    results = ["a1 1", "c3 Yam", "b1 3", "b4 Sec", "d1 4", "d3 Défi", "e1 6", messages("print_no_token"), "c1 Défi"]
    assert all(result in page for result in results)


def test_the_title_names_the_players() -> None:
    metadata = opened(sheets.of_game(record.read(LINE), "fr")).metadata
    assert metadata is not None
    assert metadata.title == "Yam Master\u00a0: Anna, #strong[Ben]"


def test_the_winner_is_marked_and_the_line_drawn() -> None:
    shown = values(record.read(LINE))
    assert [side["won"] for side in shown["sides"]] == [True, False]
    assert [side["points"] for side in shown["sides"]] == ["0", "0"]
    assert shown["board"]["runs"] == [{"side": "x", "from": (0, 0), "to": (0, 4), "points": ""}]
    assert [square["token"] for square in shown["board"]["rows"][0]] == ["x"] * 5


def test_throws_show_the_kept_dice() -> None:
    turns = values(record.read(LINE))["turns"]
    assert [turn["side"] for turn in turns] == list("xoxoxoxox")
    assert turns[1]["throws"] == [dice("1346!6!"), dice("1236!6!"), dice("66666")]
    assert turns[5]["throws"] == [dice("223!3!3!"), {"kind": "defi"}, dice("13333")]
    assert [turn["result"] for turn in turns[5:8]] == [("d3", "Défi"), ("e1", "6"), ("", "no token")]


def test_void_throws_and_a_running_turn_are_shown() -> None:
    shown = values(record.read(TABLE))
    void = {"kind": "void"}
    assert [turn["throws"] for turn in shown["turns"]] == [
        [void, dice("55555")],
        [dice("1!1!1!23"), void, void, dice("22222")],
        [dice("1!2!345")],
    ]
    assert [turn["result"] for turn in shown["turns"]] == [("c3", "Yam"), ("c3", "Predator"), ("", "")]
    assert len(shown["legend"]) == 2
    assert [side["name"] for side in shown["sides"]] == ["", ""]
    (page,) = pages(sheets.of_game(record.read(TABLE), "de"))
    assert "Zwischenstand" in page
    assert "~ ungültiger Wurf" in page
    assert "c3 Predator" in page


@pytest.mark.parametrize("result, won", [("x 0-0", [True, False]), ("o 0-0", [False, True]), ("draw 0-0", [False, False])])
def test_the_tags_name_the_winner_of_a_resigned_game(result: str, won: list[bool]) -> None:
    given = played("yam-master", "Anna", "Ben", most=12)
    ended = Record({**given.tags, "Result": result, "End": "agreed"}, given.journal)
    assert [side["won"] for side in values(ended)["sides"]] == won
    assert values(ended)["ending"][0] == Messages("en")("end_agreed")


def test_a_game_before_its_first_throw_has_no_turns() -> None:
    (page,) = pages(sheets.of_game(played("yam-master", most=0), "de"))
    assert Messages("de")("print_story") not in page
    assert "Gespielte Züge: 0" in page


@pytest.mark.slow
def test_a_long_game_takes_two_pages() -> None:
    game = played("yam-master", "אנה", "W" * 60, seed=81)
    assert game.journal.turns > 120
    made = sheets.of_game(game, "fr")
    printed = pages(made)
    assert len(printed) > 1
    assert is_accessible(made)
    assert all(f" {number} " in " ".join(printed) for number in range(1, game.journal.turns + 1))


def test_other_sheets_than_the_first_are_refused() -> None:
    game = record.read(LINE)
    assert sheets.of_game(game, "de", sheets=[0]) == sheets.of_game(game, "de") == sheets.of_text(LINE, "de")
    with pytest.raises(SheetError):
        sheets.of_game(game, "de", sheets=[1])


@pytest.mark.slow
@settings(max_examples=60)
@given(st.data())
def test_the_page_shows_every_turn_of_the_record(data: st.DataObject) -> None:
    game = data.draw(st.sampled_from((*strategies.YAM_MASTER, *strategies.SMALL_BOARDS)))
    of = data.draw(strategies.records(game))
    position = of.journal.position
    shown = values(of)
    runs = shown["board"]["runs"]
    assert isinstance(position, yam_master.Position)
    for side in yam_master.Side:
        assert sum(int(run["points"] or 0) for run in runs if run["side"] == str(side)) == position.points[side]
    assert sum(bool(turn["result"][1]) for turn in shown["turns"]) == of.journal.turns
    for turn in shown["turns"]:
        thrown = [throw for throw in turn["throws"] if throw["kind"] == "dice"]
        assert all(len(throw["dice"]) == 5 for throw in thrown)
        assert all(not kept for _, kept in thrown[-1]["dice"]) or not turn["result"][1]


@pytest.mark.slow
@settings(max_examples=15)
@given(st.data())
def test_every_record_can_be_printed(data: st.DataObject) -> None:
    game = data.draw(st.sampled_from((*strategies.YAM_MASTER, *strategies.SMALL_BOARDS)))
    assert pages(sheets.of_game(data.draw(strategies.records(game)), data.draw(st.sampled_from(LANGUAGES))))
