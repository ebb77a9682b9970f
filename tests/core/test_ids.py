"""Game ids: one canonical text for each set of options."""

from dataclasses import dataclass, replace
from enum import StrEnum

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dicecup.core.errors import GameError, TextCode
from dicecup.core.game import Option
from dicecup.core.ids import id_text, list_options, numeric_option, options_from_id, split_id


class Size(StrEnum):
    """An option with three values."""

    SMALL = "small"
    MIDDLE = "middle"
    LARGE = "large"


@dataclass(frozen=True)
class Options:
    """One option of each kind."""

    size: Size = Size.SMALL
    players: int = numeric_option(2, range(1, 5))
    pairs: bool = False


VALUES = {"size": tuple(Size), "players": ("1", "2", "3", "4"), "pairs": ("no", "yes")}
OPTIONS = st.builds(Options, st.sampled_from(Size), st.integers(1, 4), st.booleans())


def read(text: str) -> Options:
    return options_from_id("a-game", Options, text)


def test_the_key_of_a_name_is_built_from_the_option() -> None:
    assert [option.text_key for option in list_options(Options)] == ["option_size", "option_players", "option_pairs"]


def test_options_are_listed_with_values_and_defaults() -> None:
    assert list_options(Options) == (
        Option("size", VALUES["size"], "small"),
        Option("players", VALUES["players"], "2"),
        Option("pairs", VALUES["pairs"], "no"),
    )


@given(OPTIONS)
def test_an_id_reads_back(options: Options) -> None:
    assert read(id_text("a-game", options)) == options


@given(OPTIONS, st.permutations(list(VALUES)), st.integers(1, 3))
def test_only_the_canonical_id_is_accepted(options: Options, order: list[str], shown: int) -> None:
    texts = {"size": options.size.value, "players": str(options.players), "pairs": "yes" if options.pairs else "no"}
    text = f"a-game({','.join(f'{name}={texts[name]}' for name in order[:shown])})"
    named = replace(Options(), **{name: getattr(options, name) for name in order[:shown]})
    if text == id_text("a-game", named):
        assert read(text) == named
    else:
        with pytest.raises(GameError) as refused:
            read(text)
        assert refused.value.code in {TextCode.OPTION_DEFAULT, TextCode.OPTION_ORDER}


def test_ids_name_what_differs_from_the_defaults() -> None:
    assert id_text("a-game", Options()) == "a-game"
    assert id_text("a-game", Options(Size.LARGE, pairs=True)) == "a-game(size=large,pairs=yes)"
    assert split_id("yam-master") == ("yam-master", {})
    assert split_id("yamm(players=4,pairs=yes)") == ("yamm", {"players": "4", "pairs": "yes"})


@pytest.mark.parametrize(
    "text",
    [
        "",
        "A-game",
        "a--game",
        "-a",
        "a_game",
        "a-game()",
        "a-game(size)",
        "a-game(size=large",
        "a-game(size=large))",
        "a-game(size=large,)",
        "a-game(size=large,size=large)",
        "a-game (size=large)",
        "a-game\n",
        "ä",
    ],
)
def test_a_text_without_the_form_of_an_id_is_refused(text: str) -> None:
    with pytest.raises(GameError) as refused:
        split_id(text)
    assert refused.value.code is TextCode.NOT_A_GAME
    assert refused.value.details == {"text": text}


@pytest.mark.parametrize(
    "text, code",
    [
        ("another-game", TextCode.NOT_A_GAME),
        ("a-game(colour=red)", TextCode.UNKNOWN_OPTION),
        ("a-game(size=small)", TextCode.OPTION_DEFAULT),
        ("a-game(pairs=no)", TextCode.OPTION_DEFAULT),
        ("a-game(players=3,size=large)", TextCode.OPTION_ORDER),
    ],
)
def test_an_id_that_is_not_canonical_is_refused(text: str, code: TextCode) -> None:
    with pytest.raises(GameError) as refused:
        read(text)
    assert refused.value.code is code
    assert refused.value.details["text"] == text


@pytest.mark.parametrize(
    "option, value",
    [
        ("size", ""),
        ("size", "Large"),
        ("size", "huge"),
        ("size", "large "),
        ("players", "03"),
        ("players", "5"),
        ("pairs", "maybe"),
    ],
)
def test_a_value_that_is_not_allowed_is_refused(option: str, value: str) -> None:
    with pytest.raises(GameError) as refused:
        read(f"a-game({option}={value})")
    assert refused.value.code is TextCode.OPTION_VALUE
    assert refused.value.details == {"option": option, "value": value}
