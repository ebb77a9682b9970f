"""The odds that a person asks for during a turn, compared with published figures."""

import re

import pytest

from dicecup import games
from dicecup.core.errors import ActionError
from dicecup.locale import Messages
from dicecup.terminal.console import Console
from dicecup.terminal.games import screen_of

START = "5/5/5/5/5 x {turn} 12-12 1"
SOLO = "/".join([".11"] * 9)


def printed(
    capsys: pytest.CaptureFixture[str], game: str, text: str, keep: str | None = None, language: str = "en"
) -> list[str]:
    """Return the lines of the odds for a position."""
    position = games.position(game, text)
    screen_of(position.game).show_odds(Console(Messages(language), colour=False), position, keep)
    return capsys.readouterr().out.splitlines()


def test_odds_of_the_last_throw_equal_a_count_by_hand(capsys: pytest.CaptureFixture[str]) -> None:
    lines = printed(capsys, "yam-master", START.format(turn="2:33345"), "k333")
    assert lines[0] == "Keep 3 3 3 and play for one thing only (throws left: 1):"
    # Two dice: 36 throws. Carré: 11 of them show a 3. Yam: 1. Full: the five other pairs and 3 3.
    assert "  Carré (Four of a kind): 30.6%" in lines
    assert "  Yam (Five of a kind): 2.8%" in lines
    assert "  Full (Full House): 16.7%" in lines
    assert "  3 (Three of a kind): 100.0%" in lines
    assert "  Sec (One shot): 0.0%" in lines


def test_a_keep_with_a_challenge_has_its_own_odds(capsys: pytest.CaptureFixture[str]) -> None:
    free = printed(capsys, "yam-master", START.format(turn="1:11335"), "k1133")
    bound = printed(capsys, "yam-master", START.format(turn="1:11335"), "!k1133")
    defi = "  Défi (Challenge): "
    assert [line for line in bound if line.startswith(defi)] == [f"{defi}55.6%"]  # 1 - (4/6)²
    assert free != bound


def test_without_a_keep_the_best_one_is_named_for_each_aim(capsys: pytest.CaptureFixture[str]) -> None:
    lines = printed(capsys, "yam-master", START.format(turn="2:33346"))
    assert "  Carré (Four of a kind): 30.6%, keep 3 3 3" in lines
    assert "  1 (Three of a kind): 3.5%, keep none" in lines


def test_yamm_prints_the_expected_points(capsys: pytest.CaptureFixture[str]) -> None:
    lines = printed(capsys, "yamm(players=1)", f"{SOLO} 2:33345 1", "k333", "fr")
    assert "  3 : 100,0 % pour trois ou plus, 10,0 points en moyenne" in lines
    assert "  H : 16,0 points en moyenne" in lines
    assert len(lines) == 12


def test_odds_need_dice_and_a_possible_keep(capsys: pytest.CaptureFixture[str]) -> None:
    assert printed(capsys, "yam-master", START.format(turn="0:?????")) == ["Odds are available after a throw."]
    with pytest.raises(ActionError):
        printed(capsys, "yam-master", START.format(turn="1:11335"), "k4")


@pytest.mark.parametrize("language", ["de", "en", "fr"])
def test_every_language_fits_all_aims_in_80_columns(capsys: pytest.CaptureFixture[str], language: str) -> None:
    for game, text in (("yam-master", START), ("yamm(players=1)", f"{SOLO} {{turn}} 1")):
        lines = printed(capsys, game, text.format(turn="1:11246"), None, language)
        assert len(lines) >= 12
        assert max(map(len, lines)) <= 80
        assert all(re.search(r"\d[.,]\d", line) for line in lines[1:])
