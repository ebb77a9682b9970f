"""`dicecup odds`: output for programs, output for people, and refusals."""

import json
import subprocess
import sys
from argparse import ArgumentParser
from fractions import Fraction

import pytest

from dicecup.cli import odds
from dicecup.core.errors import GameError
from dicecup.engine.errors import EngineError
from dicecup.locale import LANGUAGES, Messages


def run(*words: str, language: str = "en") -> int:
    parser = ArgumentParser()
    odds.add_arguments(parser, Messages(language))
    return odds.run(parser.parse_args(words), Messages(language))


def test_json_has_a_probability_for_each_figure(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("yam-master", "--dice", "11346", "--throws-left", "2", "--keep", "11", "--json") == 0
    found = json.loads(capsys.readouterr().out)
    assert list(found) == [*"123456", "Full", "Carre", "Yam", "Suite", "<=8", "Sec", "Defi"]
    for chance in found.values():
        numerator, denominator = chance["fraction"].split("/")
        assert float(Fraction(int(numerator), int(denominator))) == chance["probability"]
    assert found["Sec"] == {"fraction": "0/1", "probability": 0.0}


def test_json_of_yamm_has_means(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("yamm", "--json") == 0
    found = json.loads(capsys.readouterr().out)
    assert found["H"]["mean"] == {"fraction": "70/3", "decimal": 70 / 3}
    assert set(found) == {*"123456", "H", "T", "FH", "ST", "Y"}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("words", [(), ("yamm",), ("--defi",), ("--dice", "11346"), ("yamm", "--dice", "11346", "--keep", "-")])
def test_tables_are_aligned(capsys: pytest.CaptureFixture[str], language: str, words: tuple[str, ...]) -> None:
    assert run(*words, language=language) == 0
    for table in capsys.readouterr().out.split("\n\n"):
        lines = table.splitlines()
        assert len(lines) >= 10
        assert not any(line.endswith(" ") for line in lines)
        assert len({len(line) for line in lines if "/" in line and line[-1].isdigit()}) <= 2


@pytest.mark.parametrize(
    "words", [("--dice", "11346", "--throws-left", "3"), ("--dice", "11346", "--keep", "2"), ("yamm", "--defi")]
)
def test_refusals_have_a_sentence(words: tuple[str, ...]) -> None:
    with pytest.raises(EngineError) as error:
        run(*words)
    for language in LANGUAGES:
        messages = Messages(language)
        key = f"error_{str(error.value.code).replace('-', '_')}"
        assert messages(key, **error.value.details)


def test_unknown_game_is_refused() -> None:
    with pytest.raises(GameError):
        run("nosuch")


def test_odds_do_not_import_numpy() -> None:
    code = (
        "import sys; from argparse import ArgumentParser; from dicecup.cli import odds; from dicecup.locale import Messages;"
        "p = ArgumentParser(); odds.add_arguments(p, Messages('en')); odds.run(p.parse_args([]), Messages('en'));"
        "assert not {'numpy', 'numba'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True, stdout=subprocess.DEVNULL)
