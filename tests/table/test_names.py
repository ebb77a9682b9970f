"""Which texts are names, and which names look the same."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dicecup.core.errors import DicecupError
from dicecup.table.names import check_name, free_name, hides_characters, is_name, name_key

FAMILY = "👩\u200d👩\u200d👧\u200d👦"
RAINBOW = "🏳\ufe0f\u200d🌈"
COOK = "👩🏽\u200d🍳"
NOD = "🙂\u200d↕\ufe0f"
PERSIAN = "می\u200cخواهم"
HINDI = "क्\u200dष"
SINHALA = "ශ්\u200dරී"
MALAYALAM = "അവന്\u200d"


@pytest.mark.parametrize(
    "text", ["Anna", "Zoë d’Arc", "李雷", "אבי", FAMILY, RAINBOW, COOK, NOD, PERSIAN, HINDI, SINHALA, MALAYALAM, "❤\ufe0f", "1"]
)
def test_a_name_is_written_as_its_script_needs(text: str) -> None:
    assert is_name(text)
    check_name(text, ["Ben"])


@pytest.mark.parametrize(
    "text",
    [
        "An\u200dna",  # a joiner between letters that do not join
        "An\u200cna",
        "\u200dAnna",
        "Anna\u200d",
        "👩\u200d",
        "\u200d👩",
        "👩\u200d\u200d👧",
        "👩\u200c👧",
        "👩\u200dA",
        "می\u200c",
        "An\u200bna",
        "An\u00adna",
        "An\u2060na",
        "\ufeffAnna",
        "Anna\u202egro",  # direction
        "\u2067Anna\u2069",
        "\u061cAnna",
        "An\nna",
        "An\x1bna",
        "\u3164",  # blanks
        "Anna\u2800",
        "\u2800",
        "\u200d\u200d",
        "\u200c",
        "\U0001d159",
        "Anna\ufffc",
        "\U000e0100",
        "\u0301\ufe0f",
        "\ue000",
    ],
)
def test_a_name_hides_no_characters(text: str) -> None:
    assert not is_name(text)
    assert hides_characters(text)
    with pytest.raises(DicecupError) as caught:
        check_name(text, [])
    assert str(caught.value.code) == "hidden-in-name"


@pytest.mark.parametrize("text", ["", " ", " Anna", "Anna ", "x" * 41])
def test_a_name_has_1_to_40_characters_and_no_space_around_it(text: str) -> None:
    assert not is_name(text)
    with pytest.raises(DicecupError) as caught:
        check_name(text, [])
    assert str(caught.value.code) == "not-a-name"


@pytest.mark.parametrize(
    "one, other",
    [
        ("anna", "ANNA"),
        (PERSIAN, "میخواهم"),
        ("❤", "❤\ufe0f"),
        ("Weiß", "WEISS"),
        ("Zo\u00eb", "Zoe\u0308"),
        ("ZO\u00cb", "zoe\u0308"),
        ("\u212bsa", "\u00c5sa"),  # the sign of the unit and the letter
        ("Ａｎｎａ", "Anna"),
        ("ﬁona", "Fiona"),
        ("ガク", "ｶﾞｸ"),
        ("㎏", "kg"),
        ("Anna\ufe0f", "Anna"),
        ("葛\U000e0100", "葛"),
        ("Anna  Bell", "Anna Bell"),
        ("ᾳ\u0301", "άι"),
    ],
)
def test_names_that_look_the_same_are_taken(one: str, other: str) -> None:
    assert name_key(one) == name_key(other)
    with pytest.raises(DicecupError) as caught:
        check_name(one, [other])
    assert str(caught.value.code) == "name-twice"


@pytest.mark.parametrize(
    "one, other", [("Zoe", "Zoë"), ("Ana", "Anna"), ("わ", "ワ"), ("ı", "i"), ("Anna 2", "Anna ²\u20dd"), (COOK, "👩")]
)
def test_names_that_look_different_are_free(one: str, other: str) -> None:
    check_name(one, [other])


@given(st.text(max_size=8))
def test_the_key_of_a_name_is_its_own_key(text: str) -> None:
    assert name_key(name_key(text)) == name_key(text)
    assert name_key(unicodedata.normalize("NFD", text)) == name_key(unicodedata.normalize("NFC", text)) == name_key(text)


def test_a_computer_gets_the_next_free_name() -> None:
    assert free_name("greedy", ["Anna"]) == "greedy"
    assert free_name("greedy", ["Greedy", "greedy 2"]) == "greedy 3"
