"""Laws of the guided first games: every step is legal and says what the rules say."""

import re
from string import Formatter
from typing import Any

import pytest

from dicecup import games
from dicecup.locale import LANGUAGES, catalogue
from dicecup.table.guides import Guide, guide_of, script
from dicecup.table.guides.guide import Does
from dicecup.yam_master import BOARD
from dicecup.yam_master.figures import BIG
from dicecup.yamm.score import BONUSES

Json = dict[str, Any]
GUIDES = {name: guide for name in games.names() if (guide := guide_of(games.rules(name))) is not None}
every_guide = pytest.mark.parametrize("name", GUIDES)


def steps(name: str) -> list[Json]:
    """Return the steps of a guide, each with the `view` that the person then sees."""
    view: Json = {}
    shown = []
    for step in script(GUIDES[name])["steps"]:
        for update in step["updates"]:
            view = view | update["view"]
        shown.append(step | {"view": view})
    return shown


def step(name: str, text: str) -> Json:
    (found,) = (each for each in steps(name) if each["text"].endswith(f"_{text}"))
    return found


def sentence(name: str, text: str) -> str:
    """Return an English sentence with its values."""
    found = step(name, text)
    message: str = catalogue("en")[found["text"]]
    return message.format(**found["values"])


def actions(view: Json) -> list[str]:
    return [each["action"] for each in view["actions"]]


def dice(view: Json) -> str:
    return " ".join(map(str, view["turn"]["dice"]))


def test_both_games_have_a_guide() -> None:
    assert list(GUIDES) == ["yam-master", "yamm"]


@every_guide
def test_a_script_follows_the_rules_and_offers_what_a_step_asks_for(name: str) -> None:
    for found in steps(name):
        view, action = found["view"], found["action"]
        match found["does"]:
            case "throw":
                assert "throw" in view["may"], found["text"]
            case "choose":
                assert action in actions(view), found["text"]
            case "act":
                assert action in actions(view) + [each["action"] for each in view["corrections"]], found["text"]
            case "move":
                _, _, cell = found["mark"].partition(" ")
                assert view["sheets"][0]["wet"]["cell"] == cell
            case does:
                assert (does, action) == ("read", "")


@every_guide
def test_a_position_of_a_script_follows_from_the_one_before(name: str) -> None:
    """The records of the scenes replay in a journal without a table."""
    journal: Any = None
    for found in steps(name):
        for update in found["updates"]:
            if not update["events"]:
                rules = games.from_id(update["view"]["game"])
                journal = rules.position(update["view"]["position"])
            for event in update["events"]:
                if event["type"] == "thrown":
                    journal = journal.roll(event["dice"])
                elif event["type"] == "acted":
                    journal = journal.play(event["action"])
            assert str(journal) == update["view"]["position"]


@every_guide
def test_a_scene_ends_with_a_sentence_to_read(name: str) -> None:
    guide: Guide = GUIDES[name]
    assert [scene.steps[-1].does for scene in guide.scenes] == [Does.READ] * len(guide.scenes)


@every_guide
def test_the_person_is_on_turn_wherever_something_is_to_do(name: str) -> None:
    for found in steps(name):
        view = found["view"]
        assert view["you"] == [0]
        assert view["fairness"] is None
        if found["does"] in {"throw", "choose", "act"} and not found["action"].partition(" > ")[2]:
            assert view["turn"]["seat"] == 0


@every_guide
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_sentence_has_the_values_that_the_script_gives(name: str, language: str) -> None:
    texts = catalogue(language)
    found = {each["text"]: set(each["values"]) for each in steps(name)}
    assert len(found) == len(steps(name))
    assert {key: {field for _, field, _, _ in Formatter().parse(texts[key]) if field} for key in found} == found


@every_guide
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_sentence_of_the_catalogue_belongs_to_a_step(name: str, language: str) -> None:
    start = f"guided_{GUIDES[name].texts}_"
    assert sorted(key for key in catalogue(language) if key.startswith(start)) == sorted(each["text"] for each in steps(name))


@every_guide
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_sentence_names_the_same_numbers_in_every_language(name: str, language: str) -> None:
    for found in steps(name):
        here, english = (sorted(re.findall(r"\d+", catalogue(each)[found["text"]])) for each in (language, "en"))
        # German says "Vieren" for 4s; every number of it stands in the English sentence
        assert set(here) <= set(english) if language == "de" else here == english, found["text"]


@every_guide
def test_a_mark_names_something_on_the_table(name: str) -> None:
    for found in steps(name):
        view = found["view"]
        kind, _, rest = found["mark"].partition(" ")
        match kind:
            case "square" | "line":
                (square,) = (each for each in view["board"]["squares"] if each["square"] == rest)
                places = found["action"].lstrip("-") if found["does"] == "act" else rest
                assert square["square"] == places, found["text"]
            case "cell" | "column" | "sum":
                column, _, row = rest.partition(".")
                assert row in {*view["sheets"][0]["columns"][column], ""}
                if found["does"] == "act":
                    assert found["action"].endswith(rest)
            case "die":
                assert set(map(int, rest.split())) <= set(view["turn"]["dice"])
                assert {face for face in found["action"] if face.isdigit()} == set(rest.split())
            case _:
                assert kind in {"", "board", "main", "dice", "defi", "score", "sheet", "total"}


# --- What the sentences of Yam Master say ---------------------------------------------------------


def figure_at(square: str) -> str:
    return str(dict(zip(BOARD.names, BOARD.figures, strict=True))[square])


def test_the_board_and_the_supplies_have_the_sizes_that_the_guide_names() -> None:
    assert len(BOARD.names) == 25
    assert "25 squares" in sentence("yam-master", "board")
    start = steps("yam-master")[0]["view"]
    assert start["board"]["supplies"] == {"x": 12, "o": 12}
    assert "of 12 tokens" in sentence("yam-master", "tokens")


def test_long_diagonals_rows_and_columns_are_the_lines_that_win() -> None:
    lines = {line for wins in BOARD.wins for line in wins}
    assert len(lines) == 5 + 5 + 2


def test_three_4s_open_the_squares_of_the_figure_4_alone() -> None:
    found = step("yam-master", "figure")
    offered = [action for action in actions(found["view"]) if action in BOARD.names]
    assert dice(found["view"]) == "3 4 4 4 6"
    assert {figure_at(square) for square in offered} == {"4"}
    assert found["action"] in offered


def test_the_computer_has_thrown_the_full_that_the_guide_names() -> None:
    found = step("yam-master", "full")
    assert figure_at("d2") == "Full"
    assert "22666" in [event["dice"] for update in found["updates"] for event in update["events"] if event["type"] == "thrown"]
    assert "2 2 6 6 6" in sentence("yam-master", "full")
    assert next(each for each in found["view"]["board"]["squares"] if each["square"] == "d2")["token"] == "o"


def test_the_guide_names_the_five_big_figures() -> None:
    said = sentence("yam-master", "big")
    assert len(BIG) == 5
    assert [str(figure) for figure in BIG if str(figure) not in said] == []
    assert dice(step("yam-master", "big")["view"]) == "1 2 3 4 5"


def test_a_big_figure_opens_the_sec_squares_in_the_first_throw_only() -> None:
    found = step("yam-master", "sec")
    assert figure_at("c2") == "Sec"
    assert found["view"]["turn"]["throws"] == 1
    assert "c2" in actions(found["view"])
    for throws in (2, 3):
        later = games.position("yam-master", found["view"]["position"].replace("1:12345", f"{throws}:12345"))
        assert {figure_at(str(action)) for action in later.actions if str(action) in BOARD.names} == {"Suite"}
    without = games.position("yam-master", found["view"]["position"].replace("1:12345", "1:11136"))
    assert {figure_at(str(action)) for action in without.actions if str(action) in BOARD.names} == {"1"}


@pytest.mark.parametrize("text", ["nothing", "safe"])
def test_the_computer_passes_with_dice_that_hold_no_figure(text: str) -> None:
    events = [event for update in step("yam-master", text)["updates"] for event in update["events"]]
    last = next(event["dice"] for event in reversed(events) if event["type"] == "thrown")
    decision = games.position("yam-master", f"5/5/5/5/5 o 3:{last} 12-12 2")
    assert [str(action) for action in decision.actions] == ["--"]
    assert events[-1]["action"] == "--"


def test_a_defi_opens_its_squares_and_is_lost_with_three_alike() -> None:
    found = step("yam-master", "won")
    assert figure_at("c1") == "Défi"
    assert found["action"] == "c1"
    assert "c1" in actions(found["view"])
    undeclared = games.position("yam-master", found["view"]["position"].replace("2!:", "2:"))
    assert "c1" not in [str(action) for action in undeclared.actions]
    failed = games.position("yam-master", found["view"]["position"].replace("2!:33355", "3!:33356"))
    assert [str(action) for action in failed.actions] == ["--"]


def test_three_in_a_line_count_what_the_guide_says() -> None:
    found = step("yam-master", "line")
    assert ["b1", "c1", "d1"] in found["view"]["board"]["lines"]["x"]
    assert found["values"] == {"points": 1}
    four = games.position("yam-master", "xxxx1/5/5/5/5 o 0:????? 8-12 8")
    assert four.scores == (2, 0)


def test_both_sides_win_on_the_square_that_the_guide_names() -> None:
    threats = step("yam-master", "danger")["view"]["board"]["threats"]
    assert {side: [each["square"] for each in threats[side] if each["wins"]] for side in "xo"} == {"x": ["a1"], "o": ["a1"]}
    assert figure_at("a1") == "1"


def test_the_predator_breaks_the_line_of_the_computer() -> None:
    assert dice(step("yam-master", "predator")["view"]) == "5 5 5 5 5"
    after = step("yam-master", "safe")["view"]["board"]
    assert [each for each in after["threats"]["o"] if each["wins"]] == []
    assert "a1" in [each["square"] for each in after["threats"]["x"] if each["wins"]]


def test_the_last_token_wins_by_its_line_without_points() -> None:
    result = step("yam-master", "over")["view"]["result"]
    assert result == {"end": "line", "result": "x 0-0", "winners": [0]}


# --- What the sentences of Yamm say ---------------------------------------------------------------


def opened(view: Json, column: str) -> list[str]:
    return [action for action in actions(view) if action.startswith(f"{column}.")]


def test_the_sheet_has_the_columns_and_cells_that_the_guide_names() -> None:
    (sheet,) = step("yamm", "sheet")["view"]["sheets"]
    assert [len(sheet["columns"]), *{len(column) for column in sheet["columns"].values()}] == [9, 11]
    assert games.from_id("yamm(players=1)").turns == 99
    assert "99 cells" in sentence("yamm", "end")


def test_the_columns_open_as_the_guide_says() -> None:
    view = step("yamm", "down")["view"]
    assert opened(view, "d1") == ["d1.1"]
    assert opened(view, "u1") == ["u1.Y"]
    assert len(opened(view, "f1")) == 11


def test_the_numbers_of_the_bonus_are_those_of_the_rules() -> None:
    bonuses = dict(BONUSES)
    assert step("yamm", "bonus")["values"] == {"missing": 40, "bonus": 60}
    said = sentence("yamm", "why")
    assert f"60 points in rows 1 to 6 bring {bonuses[60]} more, 70 bring {bonuses[70]}, 80 even {bonuses[80]}" in said
    assert f"Three of each number are {3 * sum(range(1, 7))}" in said
    assert step("yamm", "ones")["values"] == {"missing": 1}
    assert step("yamm", "fill")["values"] == {"points": 2, "bonus": 60}
    assert step("yamm", "reached")["values"] == {"sum": 61, "bonus": 60}


def test_a_low_above_the_high_would_strike_both() -> None:
    found = step("yamm", "high")
    effect = next(each["effect"] for each in found["view"]["actions"] if each["action"] == "f1.T")
    assert effect["struck"] == ["f1.H", "f1.T"]
    assert found["values"] == {"high": 26, "sum": 27}


def test_a_full_house_counts_the_sum_and_20() -> None:
    found = step("yamm", "house")
    assert found["values"]["points"] == sum(found["view"]["turn"]["dice"]) + 20 == 47


def test_the_result_moves_to_the_next_cell_of_the_first_column() -> None:
    before, after = step("yamm", "wet")["view"], step("yamm", "ones")["view"]
    moves = [each["action"] for each in before["corrections"]]
    assert [move for move in moves if " d1." in move] == ["15. > d1.FH"]
    assert after["sheets"][0]["columns"]["d1"]["FH"] == 47
    assert after["sheets"][0]["columns"]["f1"]["FH"] is None
    assert [each["action"] for each in step("yamm", "fill")["view"]["corrections"]] == []


def test_a_straight_needs_a_5_and_counts_45() -> None:
    kept = games.position("yamm(players=1)", step("yamm", "need")["view"]["position"]).play("k1234")
    found = {}
    for face in range(1, 7):
        after: Any = kept.roll("".join(sorted(f"1234{face}"))).play("f1.ST")
        found[face] = after.written[0].columns[6][9]
    assert found == {1: 0, 2: 0, 3: 0, 4: 0, 5: 45, 6: 0}


def test_the_strike_counts_0_and_opens_the_cell_above() -> None:
    before, after = step("yamm", "strike")["view"], step("yamm", "opened")["view"]
    effect = next(each["effect"] for each in before["actions"] if each["action"] == "u1.Y")
    assert (effect["points"], effect["struck"]) == (0, ["u1.Y"])
    assert after["sheets"][0]["columns"]["u1"]["Y"] == 0
    thrown = games.position("yamm(players=1)", after["position"]).roll("12345")
    assert [str(action) for action in thrown.actions if str(action).startswith("u1.")] == ["u1.ST"]
