"""Two people at keyboards talk at a table on a server."""

from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import pytest

from dicecup.core.errors import DicecupError
from dicecup.locale import LANGUAGES, Messages
from dicecup.table.commands import AllowTexts, React, Say, Write
from dicecup.table.talk import Phrase, Reaction
from dicecup.terminal import talk
from tests.terminal.test_online import keyboard, link_to
from tests.web.serving import serving

VIEW: dict[str, Any] = {"may": ["say"], "you": [1], "texts": [0], "throw": {"number": 7, "seat": 0, "dice": "11346"}}


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_can_be_said_is_numbered(language: str) -> None:
    listed = talk.choices(VIEW, Messages(language))
    numbers = [part.split()[0] for part in listed.partition(":")[2].split(";")]
    assert numbers == [str(number) for number in range(1, talk.ALLOW + 1)]
    with pytest.raises(DicecupError):
        talk.choices(VIEW | {"may": []}, Messages(language))


def test_a_number_or_words_make_a_command() -> None:
    assert talk.command("1", VIEW) == Say(Phrase.HELLO)
    assert talk.command("12", VIEW) == React(Reaction.WOW, 7)
    assert talk.command("16", VIEW) == AllowTexts(True)
    assert talk.command("16", VIEW | {"texts": [0, 1]}) == AllowTexts(False)
    assert talk.command("Well, well", VIEW) == Write("Well, well")
    for text, view in (("0", VIEW), ("17", VIEW), ("12", VIEW | {"throw": None})):
        with pytest.raises(DicecupError) as caught:
            talk.command(text, view)
        assert str(caught.value.code) == "not-a-choice"


@pytest.mark.slow
async def test_a_line_reaches_the_other_keyboard(tmp_path: Path) -> None:
    async with serving(tmp_path) as url:
        link = await link_to(url, first=0)
        async with AsyncExitStack() as programs:
            anna = await programs.enter_async_context(keyboard(link, tmp_path / "a", "Anna"))
            await anna.until("Waiting for the others")  # she has taken the first seat
            ben = await programs.enter_async_context(keyboard(link, tmp_path / "b", "Ben"))
            await anna.until(r"Anna \(x\)> ")
            anna.type("say")
            await anna.until("4 Bad luck!")
            anna.type("say 6")
            await anna.until("Anna: Thanks!")
            await ben.until("Anna: Thanks!")
            anna.type("say Hello there")
            await anna.until("texts-off")
