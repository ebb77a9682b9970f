"""Game ids: one canonical text for each set of options."""

from enum import StrEnum

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dicecup.core.errors import GameError, TextCode
from dicecup.core.ids import check_options, join_id, option_text, option_value, split_id


class Size(StrEnum):
    """An option with three values."""

    SMALL = "small"
    MIDDLE = "middle"
    LARGE = "large"


DEFAULTS = {"size": Size.SMALL, "players": 2, "pairs": False}
OPTIONS = st.builds(
    lambda size, players, pairs: {"size": size, "players": players, "pairs": pairs},
    st.sampled_from(Size),
    st.integers(1, 16),
    st.booleans(),
)


def read(text: str) -> dict[str, str]:
    name, written = split_id(text)
    assert name == "a-game"
    check_options(text, written, DEFAULTS)
    return written


@given(OPTIONS)
def test_an_id_reads_back(options: dict[str, object]) -> None:
    text = join_id("a-game", options, DEFAULTS)
    written = read(text)
    assert written == {name: option_text(value) for name, value in options.items() if value != DEFAULTS[name]}
    assert option_value(Size, "size", written, Size.SMALL) is options["size"]


@given(OPTIONS, st.permutations(list(DEFAULTS)), st.integers(1, 3))
def test_only_the_canonical_id_is_accepted(options: dict[str, object], order: list[str], shown: int) -> None:
    text = f"a-game({','.join(f'{name}={option_text(options[name])}' for name in order[:shown])})"
    named = {name: options[name] if name in order[:shown] else DEFAULTS[name] for name in DEFAULTS}
    canonical = join_id("a-game", named, DEFAULTS)
    if text == canonical:
        read(text)
    else:
        with pytest.raises(GameError) as refused:
            read(text)
        assert refused.value.code in {TextCode.OPTION_DEFAULT, TextCode.OPTION_ORDER}


def test_the_ids_of_the_notation() -> None:
    assert split_id("yam-master") == ("yam-master", {})
    assert split_id("yamm(players=4,pairs=yes)") == ("yamm", {"players": "4", "pairs": "yes"})
    assert join_id("yamm", {"players": 4, "pairs": True}, {"players": 2, "pairs": False}) == "yamm(players=4,pairs=yes)"
    assert join_id("yamm", {"players": 2}, {"players": 2}) == "yamm"


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
def test_what_is_no_id(text: str) -> None:
    with pytest.raises(GameError) as refused:
        split_id(text)
    assert refused.value.code is TextCode.NOT_A_GAME
    assert refused.value.details == {"text": text}


@pytest.mark.parametrize(
    "text, code",
    [
        ("a-game(colour=red)", TextCode.UNKNOWN_OPTION),
        ("a-game(size=small)", TextCode.OPTION_DEFAULT),
        ("a-game(pairs=no)", TextCode.OPTION_DEFAULT),
        ("a-game(players=3,size=large)", TextCode.OPTION_ORDER),
    ],
)
def test_what_no_canonical_id_holds(text: str, code: TextCode) -> None:
    with pytest.raises(GameError) as refused:
        read(text)
    assert refused.value.code is code
    assert refused.value.details["text"] == text


@pytest.mark.parametrize("value", ["", "Large", "huge", "large "])
def test_what_is_no_value(value: str) -> None:
    with pytest.raises(GameError) as refused:
        option_value(Size, "size", {"size": value}, Size.SMALL)
    assert refused.value.code is TextCode.OPTION_VALUE
    assert refused.value.details == {"option": "size", "value": value}
