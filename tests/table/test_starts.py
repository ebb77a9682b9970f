"""Records and positions from which a game can go on."""

import pytest

from dicecup.core.errors import DicecupError
from dicecup.table.starts import startable

RUNNING = '[Game "yamm(players=1)"]\n\n1. 66666 f1.6\n'


def test_a_position_is_possible_with_some_options() -> None:
    assert startable("5/5/5/5/5 x 0:????? 12-12 1", "yam-master") == "yam-master"
    with_fewer_tokens = "5/5/5/5/5 x 0:????? 12-11 9"
    assert startable(with_fewer_tokens, "yam-master") == "yam-master(captured=out)"


def test_a_record_names_its_game() -> None:
    assert startable(RUNNING, "yam-master") == "yamm(players=1)"


@pytest.mark.parametrize(
    "start, name, code",
    [
        ("hello", "yamm", "not-a-position"),
        ("hello 0:????? 88", "yamm", "not-a-sheet"),
        ("x" * 200_001, "yamm", "not-a-start"),
        ("5/5/5/5/5 x 0:????? 12-12 1", "chess", "not-a-game"),
        (RUNNING + "hello\n", "yamm", "not-a-turn"),
    ],
)
def test_other_texts_are_refused_with_the_reason(start: str, name: str, code: str) -> None:
    with pytest.raises(DicecupError) as caught:
        startable(start, name)
    assert str(caught.value.code) == code
