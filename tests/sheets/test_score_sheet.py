"""The pages of Yamm: empty, full and unfinished sheets, in three languages."""

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dicecup import games, sheets, yamm
from dicecup.core.errors import GameError
from dicecup.locale import LANGUAGES, Messages
from dicecup.record import Journal, Record
from dicecup.sheets import SheetCode, SheetError, score_sheet
from dicecup.sheets.words import printable
from dicecup.yamm import Sheet
from tests import strategies
from tests.sheets.papers import flat, is_accessible, opened, pages, played, root, words

HOSTILE = (
    "#let x = 1 *b* $x^2$ @r \\ [a] <l>",
    "// /* #panic() ` ",
    "אנה בת דוד 12",
    "محمد (x) 7",
    "W" * 60,
    "Z" + "\u0310\u0321" * 15,
    "\u202eevil\x00\x1b[31m\n",
    "Ólafur Þór",
)


def yamm_position(record: Record) -> yamm.Position:
    position = record.journal.position
    assert isinstance(position, yamm.Position)
    return position


def numbers(sheet: Sheet) -> Counter[str]:
    """Return the words of a sheet with the least number of their occurrences."""
    found = Counter[str]()
    for column, cells in zip(sheet.spec.columns, sheet.columns, strict=True):
        found.update(str(points) if points else "×" for points in cells if points is not None)
        if (bonus := sheet.bonus(column)) is not None:
            found.update([str(sheet.upper(column)), str(bonus), str(sheet.upper(column) + bonus)])
        if (total := sheet.column_total(column)) is not None:
            found[str(total)] += 1
    found.update([str(sheet.total), str(sheet.total - 100 * sheet.first_throw_yamms), str(100 * sheet.first_throw_yamms)])
    return found


# --- Empty sheets ---------------------------------------------------------------------------------


@pytest.mark.parametrize("language", LANGUAGES)
def test_an_empty_sheet_has_all_columns_and_rows(language: str) -> None:
    made = sheets.empty_sheet(language, names=["Anna"])
    (page,) = pages(made)
    messages = Messages(language)
    columns = [messages(key, number=number) for key in ("column_down", "column_up", "column_free") for number in (1, 2, 3)]
    keys = [
        "down",
        "up",
        "free",
        "high",
        "low",
        "full_house",
        "straight",
        "column_total",
        "bonus",
        "first_throw",
        "grand_total",
    ]
    for expected in [
        *columns,
        *(messages(f"print_{key}") for key in keys),
        messages("print_date"),
        "Anna",
        "100–104",
        "+600",
        "+1000",
    ]:
        assert flat(expected) in page
    assert {*"123456HTY", "ZT", "FH", "ST"} <= set(page.split())
    assert "×" not in words(page) - Counter(["×", "×"])  # the legend, and `… × 100`


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_file_is_tagged_with_title_and_language(language: str) -> None:
    made = sheets.empty_sheet(language)
    paper = opened(made)
    assert is_accessible(made)
    assert paper.metadata is not None
    assert paper.metadata.title == Messages(language)("print_empty_title")
    assert root(made)["/Lang"] == language
    assert root(made)["/MarkInfo"]["/Marked"]
    width, height = paper.pages[0].mediabox.width, paper.pages[0].mediabox.height
    assert (round(width), round(height)) == (842, 595)


@pytest.mark.slow
@pytest.mark.parametrize(
    "given, count",
    [
        ({}, 1),
        ({"players": 3}, 3),
        ({"names": ["Anna", "Ben"]}, 2),
        ({"names": ["Anna"], "players": 2}, 2),
        ({"players": 16}, 16),
        ({"pairs": True}, 2),
        ({"players": 6, "pairs": True}, 3),
    ],
)
def test_each_player_or_pair_has_a_sheet(given: dict[str, object], count: int) -> None:
    assert len(pages(sheets.empty_sheet("en", **given))) == count  # type: ignore[arg-type]


def test_a_pair_shares_a_sheet_in_the_order_of_play() -> None:
    first, second = pages(sheets.empty_sheet("de", names=["Anna", "Ben", "Carla", "Dino"], pairs=True))
    assert ("Anna" in first, "Carla" in first, "Ben" in second, "Dino" in second) == (True, True, True, True)
    assert "Ben" not in first


def test_impossible_sheets_are_refused() -> None:
    with pytest.raises(SheetError) as refused:
        sheets.empty_sheet("de", players=1, names=["Anna", "Ben"])
    assert (refused.value.code, refused.value.details) == (SheetCode.TOO_MANY_NAMES, {"names": 2, "players": 1})
    for wrong in ({"players": 0}, {"players": 17}, {"players": 3, "pairs": True}, {"names": ["x"] * 17}):
        with pytest.raises(GameError):
            sheets.empty_sheet("de", **wrong)


# --- Sheets of a game -----------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_number_of_a_finished_game_is_there(language: str) -> None:
    record = played("yamm", "Anna", "Ben")
    position = yamm_position(record)
    assert position.outcome is not None
    printed = pages(sheets.of_game(record, language))
    assert len(printed) == 2
    messages = Messages(language)
    winner = ("Anna", "Ben")[position.outcome.winners[0]]
    for page, sheet, name in zip(printed, position.sheets, ("Anna", "Ben"), strict=True):
        assert words(page) >= numbers(sheet)
        assert name in page
        for total in position.outcome.totals:
            assert str(total) in page
        assert flat(messages("print_final")) in page
        assert flat(messages("end_full")) in page
        assert winner in page
        assert "2026" in page


def test_a_running_game_shows_its_open_cells() -> None:
    record = played("yamm(players=3)", "Anna", "Ben", "Carla", most=260)
    position = yamm_position(record)
    printed = pages(sheets.of_game(record, "de"))
    for page, sheet in zip(printed, position.written, strict=True):
        assert words(page) >= numbers(sheet)
        assert f"Gespielte Züge: {record.journal.turns}" in page
        assert "Zwischenstand" in page
        assert "Was zählt" in page
    assert any(result is not None for result in position.wet)


def test_columns_and_their_sums_stand_under_each_other() -> None:
    record = played("yamm(players=1)")
    sheet = yamm_position(record).sheets[0]
    values = score_sheet.filled(record, yamm_position(record), [0], Messages("de"))
    (shown,) = values["sheets"]
    for left, column in enumerate(sheet.spec.columns):
        assert [row[left] for row in shown["cells"]] == [str(points) if points else "×" for points in sheet.columns[left]]
        assert shown["totals"][left] == str(sheet.column_total(column))
        both = sheet.upper(column) + (sheet.bonus(column) or 0)
        assert shown["subtotals"][left]["both"] == str(both)
    assert shown["won"] is False  # there is no opponent
    assert values["standings"] == []


def test_bonuses_are_those_of_the_rules() -> None:
    expected = score_sheet.empty(yamm.Options(1), [], Messages("en"))["bonuses"]
    sums = ["0–59", "60–69", "70–79", "80–89", "90–99", "100–104", "105"]
    assert expected == [list(pair) for pair in zip(sums, ["–", "+60", "+100", "+150", "+300", "+600", "+1000"], strict=True)]


def test_chosen_sheets_are_printed() -> None:
    record = played("yamm(players=3)", "Anna", "Ben", "Carla", most=60)
    assert len(pages(sheets.of_game(record, "en", sheets=[2, 0]))) == 2
    assert sheets.of_game(record, "en", sheets=[0, 1, 2]) == sheets.of_game(record, "en")
    for wrong in (-1, 3):
        with pytest.raises(SheetError) as refused:
            sheets.of_game(record, "en", sheets=[wrong])
        assert refused.value.details == {"sheet": wrong + 1, "sheets": 3}


def test_the_tags_name_the_winners_of_an_agreed_end() -> None:
    record = played("yamm(players=3)", "Anna", "Ben", "Carla", most=60)
    totals = " ".join(str(sheet.total) for sheet in yamm_position(record).written)
    ended = Record({**record.tags, "Result": totals, "End": "resign", "Winners": "1 2"}, record.journal)
    values = score_sheet.filled(ended, yamm_position(ended), range(3), Messages("de"))
    assert [sheet["won"] for sheet in values["sheets"]] == [False, True, True]
    assert {one["names"][0]: one["won"] for one in values["standings"]} == {"Anna": False, "Ben": True, "Carla": True}
    (page, *_) = pages(sheets.of_game(ended, "de"))
    assert "aufgegeben" in page
    assert "Geteilter Sieg" in page


def test_equal_totals_share_a_rank() -> None:
    values = score_sheet.filled(Record({}, Journal.start(games.from_id("yamm(players=3)"))), *_start(), Messages("en"))
    assert [one["rank"] for one in values["standings"]] == ["1.", "1.", "1."]
    assert [one["names"] for one in values["standings"]] == [["P1"], ["P2"], ["P3"]]


def _start() -> tuple[yamm.Position, range]:
    return yamm.Yamm(yamm.Options(3)).start(), range(3)


@pytest.mark.slow
@pytest.mark.parametrize("game_id, count", [("yamm(players=16)", 16), ("yamm(players=16,pairs=yes)", 8)])
def test_many_players_with_long_names_take_a_page_each(game_id: str, count: int) -> None:
    names = [f"Spielerin Nummer {player} mit langem Namen" for player in range(1, 17)]
    printed = pages(sheets.of_game(played(game_id, *names, most=1500), "fr"))
    assert len(printed) == count
    for page in printed:
        assert all(f"Nummer {player} mit" in page for player in range(1, 17))


def test_players_without_names_have_numbers() -> None:
    record = played("yamm(players=1)", most=40)
    (page,) = pages(sheets.of_game(record.journal, "en"))
    assert words(page) >= numbers(yamm_position(record).written[0])


# --- Names ----------------------------------------------------------------------------------------


def test_names_are_never_read_as_markup() -> None:
    record = played("yamm(players=8)", *HOSTILE, most=100)
    made = sheets.of_game(record, "de")
    printed = pages(made)
    assert len(printed) == len(HOSTILE)
    assert is_accessible(made)
    assert all(HOSTILE[0] in page for page in printed)
    assert "evil [31m" in printed[6]
    assert "\x1b" not in "".join(printed)


def test_a_character_without_a_glyph_is_a_box_on_a_tagged_page() -> None:
    made = sheets.empty_sheet("en", names=["山田 😀"])
    paper = opened(made)
    assert len(paper.pages) == 1
    assert root(made)["/MarkInfo"]["/Marked"]
    assert not is_accessible(made)  # what no font can show must not be there


@pytest.mark.slow
@settings(max_examples=25)
@given(st.text(max_size=80))
def test_any_name_leaves_one_page(name: str) -> None:
    shown = printable(name)
    assert len(shown) <= 40
    assert shown == shown.strip()
    assert len(opened(sheets.empty_sheet("fr", names=[name, name], pairs=True)).pages) == 2


def test_a_date_is_in_words_and_other_text_as_it_is() -> None:
    record = played("yamm(players=1)", most=2)
    for language, expected in {"de": "20. November 2026", "en": "20 November 2026", "fr": "20 novembre 2026"}.items():
        assert expected in pages(sheets.of_game(record, language))[0]
    odd = Record({**record.tags, "Date": "im Advent"}, record.journal)
    assert "im Advent" in pages(sheets.of_game(odd, "de"))[0]


# --- Always the same ------------------------------------------------------------------------------


def test_the_same_game_gives_the_same_bytes() -> None:
    record = played("yamm", "Anna", "Ben", most=300)
    assert sheets.of_game(record, "de") == sheets.of_game(record, "de")
    assert sheets.empty_sheet("fr", players=2) == sheets.empty_sheet("fr", players=2)


@pytest.mark.slow
@settings(max_examples=15)
@given(st.data())
def test_every_record_can_be_printed(data: st.DataObject) -> None:
    game = data.draw(st.sampled_from(strategies.YAMM))
    record = data.draw(strategies.records(game))
    printed = pages(sheets.of_game(record, data.draw(st.sampled_from(LANGUAGES))))
    for page, sheet in zip(printed, yamm_position(record).written, strict=True):
        assert words(page) >= numbers(sheet)
