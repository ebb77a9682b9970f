"""The command line: help in every language, choice of the language, exit codes, imports."""

import importlib
import subprocess
import sys
from argparse import ArgumentParser

import pytest

from dicecup import __version__
from dicecup.cli import COMMANDS, main, module_of
from dicecup.cli.arguments import chosen_language
from dicecup.locale import LANGUAGES, Messages


@pytest.mark.parametrize(
    "arguments, environ, language",
    [
        ([], {}, "en"),
        ([], {"LANG": "de_CH.UTF-8"}, "de"),
        ([], {"LANG": "fr_FR.UTF-8", "LC_MESSAGES": "de_DE.UTF-8"}, "de"),
        ([], {"LANG": "de_DE.UTF-8", "LC_ALL": "fr_CA"}, "fr"),
        ([], {"LANG": "it_IT.UTF-8"}, "en"),
        ([], {"LANG": "it_IT.UTF-8", "LANGUAGE": "rm:fr:de"}, "fr"),
        ([], {"LANG": "C.UTF-8", "LANGUAGE": "fr"}, "en"),
        ([], {"LC_ALL": "POSIX", "LANG": "de_CH"}, "en"),
        ([], {"LC_ALL": "", "LANG": "de_CH"}, "de"),
        (["play", "--lang", "fr"], {"LANG": "de_CH"}, "fr"),
        (["play", "--lang=fr"], {"LANG": "de_CH"}, "fr"),
        (["play", "--lang"], {"LANG": "de_CH"}, "de"),
        (["play", "--lang", "xx"], {"LANG": "de_CH"}, "de"),
    ],
)
def test_the_language_follows_option_and_locale(arguments: list[str], environ: dict[str, str], language: str) -> None:
    assert chosen_language(arguments, environ) == language


@pytest.mark.parametrize("language", LANGUAGES)
def test_help_names_every_command(language: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--help", "--lang", language]) == 0
    output = capsys.readouterr().out
    for command, key in COMMANDS.items():
        assert command in output
        assert Messages(language)(key) in output


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help(command: str, language: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([command, "--help", "--lang", language]) == 0
    output = capsys.readouterr().out
    assert output.startswith(Messages(language)("cli_usage"))
    assert Messages(language)(COMMANDS[command]) in output


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_is_a_module_with_two_functions(command: str) -> None:
    module = importlib.import_module(module_of(command))
    parser = ArgumentParser()
    module.add_arguments(parser, Messages("en"))
    assert callable(module.run)


@pytest.mark.parametrize("arguments", [[], ["dance"], ["--dance"], ["--lang", "xx"], ["play", "--dance"]])
def test_a_bad_command_line_ends_with_2(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(arguments) == 2
    output = capsys.readouterr()
    assert output.out == ""
    assert "dicecup: bad-command-line: " in output.err


def test_version_prints_the_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--version"]) == 0
    assert capsys.readouterr().out == f"dicecup {__version__}\n"


def test_options_may_stand_before_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--lang", "de", "replay", "nowhere"]) == 1
    assert "lässt sich nicht lesen" in capsys.readouterr().err


def test_nothing_heavy_is_imported_before_the_first_prompt() -> None:
    code = "import sys; from dicecup.cli import main; main(['play', 'yam-master']); print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], input="", capture_output=True, check=True, encoding="utf-8")
    modules = set(done.stdout.splitlines()[-1].split())
    assert "dicecup.terminal.setup" in modules
    heavy = {"numpy", "numba", "asyncio", "tqdm", "pydantic", "dicecup.engine", "dicecup.table.state"}
    assert heavy & modules == set()
