"""The playing guide names every word of the terminal and every option."""

import re
from argparse import ArgumentParser
from pathlib import Path

import pytest
from babel import Locale

from dicecup.cli import play
from dicecup.locale import LANGUAGES, Messages
from dicecup.terminal.entry import Verb

GUIDE = (Path(__file__).parents[2] / "docs" / "playing.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_word_is_in_the_guide(language: str) -> None:
    table = GUIDE.partition("## Words that always work")[2].partition("## Saved")[0]
    head, *rows = [[cell.strip() for cell in line.split("|")] for line in table.splitlines() if line.startswith("|")]
    column = head.index(str(Locale(language).english_name))
    named = [set(re.findall("`([^`]+)`", row[column])) for row in rows]
    for verb in Verb:
        assert set(Messages(language)(verb.value).split()) in named, verb


def test_every_option_is_in_the_guide() -> None:
    parser = ArgumentParser(add_help=False)
    play.add_arguments(parser, Messages("en"))
    for action in parser._actions:
        for name in action.option_strings:
            assert f"`{name}" in GUIDE, name
