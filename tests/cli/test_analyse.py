"""`dicecup analyse`: output for programs, output for people in every language, and refusals."""

import io
import json
from pathlib import Path
from typing import Any

import pytest

from dicecup import games
from dicecup.analysis.registry import by_tables
from dicecup.analysis.yam_master import evaluation as board_evaluation
from dicecup.analysis.yamm import evaluation as sheet_evaluation
from dicecup.cli import main
from dicecup.cli.analyse import game_of
from dicecup.core.errors import TextError
from dicecup.engine.tables_file import TablesCode, TablesError
from dicecup.engine.yam_master.exact.solve import solve_position
from dicecup.locale import LANGUAGES
from dicecup.yam_master import YamMaster

BOARD = "5/1xxx1/5/o1o2/5 x 1:11222 9-10 9"
SHEET = "/".join([".11"] * 9)
LATE = "xxxoo/oxxxx/1o1ox/oooox/xoxo1 x 1:13466 1-1 29"
RECORD = '[Game "yam-master"]\n[Dice "seed:a"]\n\n1. 11235 k11 11266 k11 11145 a1\n2. 13456\n'


def read(capsys: pytest.CaptureFixture[str], *words: str) -> Any:
    assert main(["analyse", *words, "--json", "--games", "0"]) == 0
    output = capsys.readouterr().out
    assert output.count("\n") == 1
    return json.loads(output)


def refused(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    assert main(["analyse", *words]) == 1
    output = capsys.readouterr()
    assert output.out == ""
    return output.err


# --- For programs ---------------------------------------------------------------------------------


def test_a_decision_of_yam_master_has_the_values_of_the_tables(capsys: pytest.CaptureFixture[str]) -> None:
    found = read(capsys, BOARD)
    assert (found["game"], found["position"], found["evaluation"], found["unit"]) == ("yam-master", BOARD, "expert", "chance")
    assert found["foreign_options"] == []
    position = games.position("yam-master", BOARD)
    assert {choice["action"]: choice["value"] for choice in found["choices"]} == {
        str(action): value for action, value in by_tables(position.game).values(position).items()
    }
    best = found["choices"][0]
    assert (best["action"], best["loss"], best["value"]) == ("a2", 0, found["value"])
    assert best["reasons"]["made"] == [{"squares": ["a2", "b2", "c2", "d2", "e2"], "tokens": 4}]
    assert best["reasons"]["chance"]["line"] > 0.3
    keep = next(choice for choice in found["choices"] if choice["action"] == "k222")
    assert keep["reasons"] == {"endings": [{"action": "a2", "probability": pytest.approx(1)}], "unstopped": None}
    assert all(choice["reasons"] for choice in found["choices"])


def test_yamm_against_others_has_points_and_chances(capsys: pytest.CaptureFixture[str]) -> None:
    found = read(capsys, f"{SHEET}|{SHEET} 3:11666 1")
    assert (found["game"], found["unit"]) == ("yamm", "chance")
    for choice in found["choices"]:
        assert 0 <= choice["value"] <= 1
        assert 2000 < choice["points"] < 3500
    alone = read(capsys, f"{SHEET} 3:11666 1")
    assert (alone["game"], alone["unit"]) == ("yamm(players=1)", "points")
    assert all(choice["value"] == choice["points"] for choice in alone["choices"])
    sixes = next(choice["reasons"] for choice in alone["choices"] if choice["action"] == "f1.6")
    assert (sixes["points"], sixes["gain"], sixes["upper"]["after"], sixes["strikes"]) == (18, 18, 18, False)
    assert sixes["upper"]["next"] == {"needed": 60, "bonus": 60, "missing": 42}


def test_a_position_with_dice_in_the_air_has_a_mean(capsys: pytest.CaptureFixture[str]) -> None:
    found = read(capsys, "5/5/5/5/5 x 1!:3333? 12-12 1", "--player", "master", "--seconds", "0")
    assert (found["evaluation"], len(found["rolls"])) == ("master", 6)
    assert found["rolls"][0]["dice"] == "33333"
    assert found["figures"]["Carre"] == pytest.approx(1)


def test_rollouts_give_win_draw_and_loss(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["analyse", BOARD, "--json", "--games", "40"]) == 0
    best = json.loads(capsys.readouterr().out)["choices"][0]
    assert best["shares"]["games"] == 40
    assert best["shares"]["win"] + best["shares"]["draw"] + best["shares"]["loss"] == pytest.approx(1)


def test_a_record_is_reviewed(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    file, curve = tmp_path / "a game.dicecup", tmp_path / "curve.svg"
    file.write_text(RECORD, encoding="utf-8")
    found = read(capsys, str(file), "--svg", str(curve))
    assert {"game", "players", "turns", "worst", "residual"} <= set(found)
    assert curve.read_text("utf-8").startswith("<")
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(RECORD.encode())))
    assert read(capsys, "-") == found


@pytest.mark.slow
def test_a_late_position_is_solved(capsys: pytest.CaptureFixture[str]) -> None:
    found = read(capsys, LATE, "--player", "exact")
    assert (found["evaluation"], found["foreign_options"]) == ("exact", [])
    position = YamMaster().position(LATE)
    decided = solve_position(position).decision(position)
    assert {choice["action"]: choice["value"] for choice in found["choices"]} == pytest.approx(
        {str(action): (1 + value) / 2 for action, value in decided.values.items()}, abs=1e-9
    )


# --- For people -----------------------------------------------------------------------------------


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    "position",
    [
        BOARD,
        "x4/1x3/5/3x1/4x x 3:44444 8-12 9",
        "5/5/5/5/5 o 2:1123? 12-12 2",
        f"{SHEET} 1:33333 1",
        f"{SHEET}|{SHEET} 0:????? 1",
        f"{'/'.join(['.11'] * 6)}/5,10,15,20,25,.6/.6,10,.4/.11 3:11666 7",
    ],
)
def test_every_language_fits_the_width(language: str, position: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["analyse", position, "--games", "20", "--lang", language]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert max(map(len, lines)) <= 80
    assert not any("{" in line for line in lines)


def test_reasons_are_in_words(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["analyse", BOARD, "--games", "50", "--lang", "en"]) == 0
    output = capsys.readouterr().out
    assert "1. a2 – 2 (Three of a kind): " in output
    assert "\n  Just as good: k222, k1222.\n" in output
    assert "\n  Own open lines, with their tokens: a2–e2 (4).\n" in output
    assert "a sample of 50 games" in output
    assert main(["analyse", "x4/1x3/5/3x1/4x x 3:44444 8-12 9", "--lang", "de"]) == 0
    output = capsys.readouterr().out
    assert "Hier ist nur eine Wahl sinnvoll." in output
    assert "Eine Linie aus fünf Steinen: Das Spiel ist gewonnen." in output


def test_untrained_options_and_missing_time_are_reported(capsys: pytest.CaptureFixture[str]) -> None:
    words = [
        BOARD,
        "--game",
        "yam-master(captured=out)",
        "--player",
        "master",
        "--seconds",
        "0",
        "--games",
        "0",
        "--lang",
        "en",
    ]
    assert main(["analyse", *words]) == 0
    output = " ".join(capsys.readouterr().out.split())
    assert "it plays less well" in output
    assert output.endswith("as the expert sees them.")


# --- What is refused ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text,game",
    [
        ("5/5/5/5/5 x 0:????? 12-12 1", "yam-master"),
        ("5/5/5/5/5 x 2:33|456 12-12 1", "yam-master(kept_dice=locked)"),
        (f"{SHEET} 0:????? 1", "yamm(players=1)"),
        (f"{SHEET}|{SHEET} 0:????? 1", "yamm"),
        (f"{SHEET}|{SHEET} 2:33|456 1", "yamm(kept_dice=locked)"),
        (f"{'|'.join([SHEET] * 3)} 0:????? 1", "yamm(players=3)"),
    ],
)
def test_the_game_is_found_from_the_position(text: str, game: str) -> None:
    assert game_of(text) == game
    assert str(games.position(game, text)) == text


@pytest.mark.parametrize("text", ["nothing here", "5/5/5/5/5", f"{'|'.join([SHEET] * 17)} 0:????? 1", "chess 1.e4 ,"])
def test_a_text_that_no_game_reads_is_refused(text: str) -> None:
    with pytest.raises(TextError):
        game_of(text)


@pytest.mark.parametrize(
    "words,code",
    [
        (("hello world",), "not-a-position"),
        (("5/5/5/5/5 x 1:11111 12-12",), "not-a-position"),
        (("5/5/5/5/5 x 1:11111 12-11 1",), "unreachable-position"),
        ((BOARD, "--game", "chess"), "not-a-game"),
        ((BOARD, "--game", "yamm"), "not-a-position"),
        ((BOARD, "--game", "yam-master(captured=gone)"), "option-value"),
        ((BOARD, "--svg", "curve.svg"), "option-value"),
        (("no-such-file",), "cannot-read"),
        ((BOARD, "--player", "exact"), "too-many-states"),
        ((f"{SHEET} 1:11235 1", "--player", "exact"), "not-solvable"),
        (("x4/1x3/2x2/3x1/4x o - 7-12 10",), "game-over"),
    ],
)
def test_refusals_have_a_code_in_text_and_json(words: tuple[str, ...], code: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert f"{code}: " in refused(capsys, *words)
    assert json.loads(refused(capsys, *words, "--json"))["error"]["code"] == code


def test_a_record_with_an_illegal_action_is_refused_with_its_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "game.dicecup"
    file.write_text(RECORD.replace(" a1", " e5"), encoding="utf-8")
    assert refused(capsys, str(file)).startswith(f"{file}:4: figure-not-held: ")
    error = json.loads(refused(capsys, str(file), "--json"))["error"]
    assert (error["line"], error["code"]) == (4, "figure-not-held")


def test_options_for_positions_are_refused_for_records(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "game.dicecup"
    file.write_text(RECORD, encoding="utf-8")
    assert "option-value: " in refused(capsys, str(file), "--game", "yamm")
    assert "option-value: " in refused(capsys, str(file), "--player", "exact")
    assert "cannot-save: " in refused(capsys, str(file), "--svg", str(tmp_path / "no" / "curve.svg"))


@pytest.mark.parametrize("position", [BOARD, f"{SHEET} 1:11235 1"])
def test_damaged_tables_are_reported(
    position: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def damaged(*_: object) -> None:
        raise TablesError(TablesCode.TABLES_DAMAGED, file="the.tables")

    monkeypatch.setattr(board_evaluation, "evaluation", damaged)
    monkeypatch.setattr(sheet_evaluation, "table", damaged)
    assert "tables-damaged: " in refused(capsys, position)


@pytest.mark.parametrize("words", [["--player", "greedy"], ["--seconds", "-1"], ["--seconds", "nan"], ["--games", "-1"], []])
def test_an_invalid_command_line_ends_with_2(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["analyse", *words]) == 2
    assert "bad-command-line" in capsys.readouterr().err
