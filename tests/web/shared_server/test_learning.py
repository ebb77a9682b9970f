"""Requests of the learning pages: views of positions, questions and verdicts."""

import pytest
from pydantic_core import from_json

from dicecup.analysis.questions import DIFFICULTIES
from dicecup.web import analysis_jobs, practice_jobs
from dicecup.web.learning_messages import AskQuestion
from tests.web.serving import TWO, Browser, Json

EMPTY = "/".join([".11"] * 9)


@pytest.mark.slow
async def test_a_position_looks_as_at_a_table(anna: Browser) -> None:
    made = await anna.make({**TWO, "dice": "table", "first": 0, "seats": [{}, {"kind": "level", "level": "random"}]})
    path = f"/api/tables/{made['table']}"
    thrown = {"id": "1", "version": made.get("number", 3), "command": {"type": "enter-dice", "dice": "11346"}}
    number = (await anna.http.get(path)).json()["number"]
    assert (await anna.http.post(f"{path}/commands", json=thrown | {"version": number})).status_code == 200
    view = (await anna.http.get(path)).json()["view"]
    shown = (await anna.http.post("/api/show", json={"game": view["game"], "position": view["position"]})).json()
    assert shown["sheets"] is None
    for same in ("game", "position", "turn", "board", "actions"):
        assert shown[same] == view[same], same


async def test_a_position_is_shown_after_an_action(anna: Browser) -> None:
    asked = {"game": "yam-master", "position": "5/5/5/5/5 x 3:11111 12-12 1", "after": "c3"}
    shown = (await anna.http.post("/api/show", json=asked)).json()
    assert shown["position"] == "5/5/2x2/5/5 o 0:????? 11-12 2"
    assert [square["square"] for square in shown["board"]["squares"] if square["token"]] == ["c3"]
    assert (shown["actions"], shown["turn"]["seat"]) == ([], 1)


def test_sheets_belong_to_seats_in_the_order_of_play() -> None:
    position = f"{EMPTY}|{EMPTY}|{EMPTY} 1:11346 1"
    shown = from_json(practice_jobs.show("yamm(players=3)", position, None))
    assert [sheet["seats"] for sheet in shown["sheets"]] == [[0], [1], [2]]
    moved = from_json(practice_jobs.show("yamm", f"{EMPTY}~f1.4=1:11346|{EMPTY} 0:????? 2", "1. > f1.6"))
    assert moved["sheets"][0]["wet"]["cell"] == "f1.6"
    over = from_json(practice_jobs.show("yam-master", "xxxxx/5/5/o4/5 o - 7-11 12", None))
    assert (over["turn"], over["actions"]) == (None, [])


@pytest.mark.parametrize(
    "asked, code",
    [
        ({"game": "chess", "position": "5/5/5/5/5 x 0:????? 12-12 1"}, "not-a-game"),
        ({"game": "yam-master", "position": "5/5/5/5 x 0:????? 12-12 1"}, None),
        ({"game": "yam-master", "position": "5/5/5/5/5 x 1:11346 12-12 1", "after": "c9"}, "no-such-square"),
        ({"game": "yam-master", "position": "5/5/5/5/5 x 1:11346 12-12 1", "after": "c3"}, "figure-not-held"),
        ({"game": "yam-master"}, "not-a-message"),
    ],
)
async def test_an_invalid_position_is_refused(anna: Browser, asked: Json, code: str | None) -> None:
    refused = await anna.http.post("/api/show", json=asked)
    assert refused.status_code in (400, 422)
    assert code in (None, refused.json()["error"]["code"])


@pytest.mark.slow
async def test_a_sheet_is_analysed_alone_on_request(anna: Browser) -> None:
    asked = {"game": "yamm", "position": f"{EMPTY}|{EMPTY} 3:11346 1"}
    together = (await anna.http.post("/api/analysis", json=asked)).json()
    alone = (await anna.http.post("/api/analysis", json=asked | {"alone": True})).json()
    assert (together["unit"], alone["unit"]) == ("chance", "points")
    assert alone["value"] > 1000


# --- The trainer ----------------------------------------------------------------------------------


def test_every_difficulty_may_be_asked_for() -> None:
    schema = AskQuestion.model_json_schema()["properties"]["difficulty"]
    assert (schema["minimum"], schema["maximum"]) == (1, DIFFICULTIES)


@pytest.mark.slow
@pytest.mark.parametrize("game", ["yam-master", "yamm"])
async def test_a_question_repeats_and_has_a_verdict(anna: Browser, game: str) -> None:
    asked = {"game": game, "seed": "test", "number": 1, "difficulty": 2}
    question = (await anna.http.post("/api/questions", json=asked)).json()
    assert (await anna.http.post("/api/questions", json=asked)).json() == question
    shown, choices = question["shown"], question["choices"]
    listed = [action["action"] for action in shown["actions"]]
    assert choices == [action for action in listed if action in choices]
    assert 2 <= len(choices) <= 6
    answer = {"game": shown["game"], "position": shown["position"], "difficulty": 2}
    verdicts = {
        choice: (await anna.http.post("/api/questions/answer", json=answer | {"played": choice})).json() for choice in choices
    }
    (best,) = (choice for choice, verdict in verdicts.items() if verdict["right"])
    right = verdicts[best]
    assert (right["best"], right["loss"], right["next_difficulty"]) == (best, 0, 2)
    assert right["analysis"] == from_json(analysis_jobs.analysis((), shown["game"], shown["position"], alone=True).answer)
    wrong = next(verdict for verdict in verdicts.values() if not verdict["right"])
    assert wrong["loss"] > 0
    assert wrong["next_difficulty"] == 1
    again = answer | {"played": best, "before": {"difficulty": 2, "right": True}}
    assert (await anna.http.post("/api/questions/answer", json=again)).json()["next_difficulty"] == 3


@pytest.mark.parametrize(
    "changed, code",
    [
        ({"played": "x"}, "not-an-action"),
        ({"played": "c3"}, "figure-not-held"),
        ({"position": "5/5/5/5/5 x 0:????? 12-12 1"}, "not-a-decision"),
        ({"difficulty": 6}, "not-a-message"),
    ],
)
async def test_an_invalid_answer_is_refused(anna: Browser, changed: Json, code: str) -> None:
    answer = {"game": "yam-master", "position": "5/5/5/5/5 x 1:11346 12-12 1", "difficulty": 1, "played": "k11"}
    refused = await anna.http.post("/api/questions/answer", json=answer | changed)
    assert (refused.status_code, refused.json()["error"]["code"]) == (refused.status_code, code)


async def test_the_trainer_refuses_too_many_players(anna: Browser) -> None:
    refused = await anna.http.post("/api/questions", json={"game": "yamm(players=3)", "seed": "", "number": 1})
    assert (refused.status_code, refused.json()["error"]["code"]) == (422, "option-value")


async def test_no_verdict_in_a_running_game_between_people(anna: Browser, ben: Browser) -> None:
    made = await anna.make(TWO | {"dice": "table", "first": 0})
    path = f"/api/tables/{made['table']}"
    sit = {"id": "1", "version": 2, "command": {"type": "sit", "name": "Ben"}}
    sat = await ben.http.post(f"{path}/commands", json=sit, headers={"Dicecup-Key": made["join_key"]})
    throw = {"id": "2", "version": sat.json()["number"], "command": {"type": "enter-dice", "dice": "11346"}}
    assert (await anna.http.post(f"{path}/commands", json=throw)).status_code == 200
    view = (await anna.http.get(path)).json()["view"]
    asked = {"game": view["game"], "position": view["position"], "difficulty": 1, "played": "k11"}
    refused = await anna.http.post("/api/questions/answer", json=asked)
    assert (refused.status_code, refused.json()["error"]["code"]) == (409, "game-running")
