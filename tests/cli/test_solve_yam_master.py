"""`dicecup solve yam-master`: boards, positions, options, refusals."""

import json
from argparse import ArgumentParser

import pytest

from dicecup.cli import solve
from dicecup.core.errors import DicecupError, TextCode
from dicecup.engine.errors import EngineCode
from dicecup.locale import LANGUAGES, Messages
from dicecup.terminal.errors import sentence
from dicecup.yam_master import YamMaster
from tests.cli.test_solve import interrupted

BOARD = ("--layout", "1 Full 6/Sec Yam Suite/2 <=8 Defi", "--tokens", "3")
LATE = ("--position", "oxoxo/oooox/1x1xo/xoxxo/x1oxx o 1:11346 1-1 88")


def run(*words: str, language: str = "en") -> int:
    parser = ArgumentParser()
    solve.add_arguments(parser, Messages(language))
    return solve.run(parser.parse_args(["yam-master", *words]), Messages(language))


@pytest.mark.parametrize(
    "words, value, states", [((), 0.183988697067, 2846), (("--option", "captured=out"), 0.184522726106, 4770)]
)
def test_a_small_board_has_its_recorded_value(
    capsys: pytest.CaptureFixture[str], words: tuple[str, ...], value: float, states: int
) -> None:
    assert run(*BOARD, *words, "--json") == 0
    found = json.loads(capsys.readouterr().out)
    assert list(found) == ["value", "states", "seconds"]
    assert found["value"] == pytest.approx(value, abs=5e-12)
    assert found["states"] == states


def test_a_late_position_is_solved(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(*LATE, "--option", "captured=out", "--json") == 0
    found = json.loads(capsys.readouterr().out)
    assert list(found) == ["value", "states", "captures", "last_change", "seconds"]
    assert -1 < found["value"] < 1
    assert found["captures"] >= 3
    assert found["last_change"] < 1e-6


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_solution_and_its_games_are_printed_as_a_table(capsys: pytest.CaptureFixture[str], language: str) -> None:
    assert run(*BOARD, "--play", "300", "--seed", "5", language=language) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].endswith("0.183988697067")
    assert len(lines) == 6
    assert len({len(line) for line in lines}) == 1
    run(*LATE, "--option", "captured=out", language=language)
    assert len(capsys.readouterr().out.splitlines()) == 5


@pytest.mark.parametrize(
    "pairs, game",
    [
        ([], "yam-master"),
        (["captured=returned", "end=at_once"], "yam-master"),
        (["end=full_round", "kept_dice=locked"], "yam-master(kept_dice=locked,end=full_round)"),
    ],
)
def test_options_come_in_any_order(pairs: list[str], game: str) -> None:
    assert solve.yam_master_options(pairs) == YamMaster.from_id(game).options


@pytest.mark.parametrize(
    "words, code",
    [
        ((), EngineCode.TOO_MANY_STATES),
        (("--position", "5/5/5/5/5 x 0:????? 12-12 1"), EngineCode.TOO_MANY_STATES),
        (("--columns", "d1"), EngineCode.NOT_SOLVABLE),
        (BOARD[:2], EngineCode.NOT_SOLVABLE),
        (("--layout", "/".join(["1 1 1 1 1 1"] * 6), "--tokens", "2"), EngineCode.NOT_SOLVABLE),
        (("--position", "xxxxx/ooo2/5/5/5 o - 7-9 10"), EngineCode.NOT_SOLVABLE),
        ((*BOARD[:2], "--tokens", "0"), TextCode.NOT_A_BOARD),
        (("--layout", "1 2/3", "--tokens", "2"), TextCode.NOT_A_BOARD),
        (("--position", "5/5 x"), TextCode.NOT_A_POSITION),
        ((*BOARD, "--option", "nosuch=1"), TextCode.UNKNOWN_OPTION),
        ((*BOARD, "--option", "captured=gone"), TextCode.OPTION_VALUE),
        ((*BOARD, "--option", "captured"), TextCode.OPTION_VALUE),
        ((*BOARD, "--option", "captured=out", "--option", "captured=returned"), TextCode.NOT_A_GAME),
    ],
)
def test_refusals_have_a_sentence(words: tuple[str, ...], code: EngineCode | TextCode) -> None:
    with pytest.raises(DicecupError) as error:
        run(*words)
    assert error.value.code == code
    for language in LANGUAGES:
        assert sentence(error.value, Messages(language))


def test_options_of_boards_are_refused_for_sheets() -> None:
    for words in BOARD[:2], BOARD[2:], LATE, ("--option", "captured=out"):
        parser = ArgumentParser()
        solve.add_arguments(parser, Messages("en"))
        with pytest.raises(DicecupError) as error:
            solve.run(parser.parse_args(["yahtzee", *words]), Messages("en"))
        assert error.value.code is EngineCode.NOT_SOLVABLE


@pytest.mark.slow
def test_ctrl_c_stops_at_once() -> None:
    """Ctrl-C in a long calculation ends with exit code 130 and without a traceback."""
    code, errors = interrupted("solve", "yam-master", "--position", "oxoox/oxxx1/ox1xx/1oo1o/ox1xo x 0:????? 2-2 45")
    assert code == 130
    assert "Traceback" not in errors
