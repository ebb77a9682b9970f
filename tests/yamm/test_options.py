from enum import StrEnum

import pytest

from dicecup.core.errors import GameError, TextCode
from dicecup.core.turn import KeptDice
from dicecup.yamm import OptionCode, Options, Yamm


@pytest.mark.parametrize(
    "text, options",
    [
        ("yamm", Options()),
        ("yamm(players=1)", Options(players=1)),
        ("yamm(players=16)", Options(players=16)),
        ("yamm(kept_dice=locked)", Options(kept_dice=KeptDice.LOCKED)),
        ("yamm(players=4,pairs=yes)", Options(players=4, pairs=True)),
        ("yamm(players=6,kept_dice=locked,pairs=yes)", Options(6, KeptDice.LOCKED, pairs=True)),
    ],
)
def test_an_id_holds_what_differs_from_the_defaults(text: str, options: Options) -> None:
    assert Yamm.from_id(text) == Yamm(options)
    assert Yamm(options).id == text


@pytest.mark.parametrize(
    "text, code",
    [
        ("Yamm", TextCode.NOT_A_GAME),
        ("yam-master", TextCode.NOT_A_GAME),
        ("yamm()", TextCode.NOT_A_GAME),
        ("yamm(players=2)", TextCode.OPTION_DEFAULT),
        ("yamm(pairs=no)", TextCode.OPTION_DEFAULT),
        ("yamm(end=at_once)", TextCode.UNKNOWN_OPTION),
        ("yamm(kept_dice=locked,players=3)", TextCode.OPTION_ORDER),
        ("yamm(kept_dice=loose)", TextCode.OPTION_VALUE),
        ("yamm(players=0)", TextCode.OPTION_VALUE),
        ("yamm(players=17)", TextCode.OPTION_VALUE),
        ("yamm(players=03)", TextCode.OPTION_VALUE),
        ("yamm(players=٣)", TextCode.OPTION_VALUE),
        ("yamm(players=four)", TextCode.OPTION_VALUE),
        ("yamm(players=4,pairs=maybe)", TextCode.OPTION_VALUE),
        ("yamm(pairs=yes)", OptionCode.PAIRS_NEED_EVEN_PLAYERS),
        ("yamm(players=3,pairs=yes)", OptionCode.PAIRS_NEED_EVEN_PLAYERS),
        ("yamm(players=5,pairs=yes)", OptionCode.PAIRS_NEED_EVEN_PLAYERS),
    ],
)
def test_other_texts_name_no_options(text: str, code: StrEnum) -> None:
    with pytest.raises(GameError) as refused:
        Yamm.from_id(text)
    assert refused.value.code is code


def test_options_give_the_number_of_sheets_and_turns() -> None:
    assert (Options(3).sheets, Options(6, pairs=True).sheets) == (3, 3)
    assert (Yamm(Options(3)).turns, Yamm(Options(6, pairs=True)).turns) == (297, 297)


@pytest.mark.parametrize("players", [0, 17])
def test_the_number_of_players_is_checked_without_a_text(players: int) -> None:
    with pytest.raises(GameError) as refused:
        Options(players)
    assert refused.value.code is TextCode.OPTION_VALUE
    assert refused.value.details == {"option": "players", "value": players}
