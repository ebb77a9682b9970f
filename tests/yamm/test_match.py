import pytest

from dicecup.core.errors import ActionError, GameError, TextError
from dicecup.yamm.codes import ActionCode, TagCode
from dicecup.yamm.match import Match, MatchGame


def test_totals_are_added_by_seat_whoever_starts() -> None:
    match = Match(games=2, sides=3).add((100, 200, 300))
    assert (match.totals, match.over, match.winners) == ((100, 200, 300), False, ())
    match = match.add((10, 20, 30), starter=2)
    assert match.played[1] == (20, 30, 10)
    assert (match.totals, match.over, match.winners) == ((120, 230, 310), True, (2,))


def test_equal_totals_share_the_win() -> None:
    assert Match(1, 3).add((7, 5, 7)).winners == (0, 2)


def test_a_match_has_as_many_games_as_agreed() -> None:
    match = Match(1, 2).add((1, 2))
    with pytest.raises(ActionError) as refused:
        match.add((1, 2))
    assert refused.value.code is ActionCode.MATCH_OVER


def test_every_side_has_a_total() -> None:
    with pytest.raises(ActionError) as refused:
        Match(1, 2).add((1, 2, 3))
    assert refused.value.code is ActionCode.WRONG_NUMBER_OF_TOTALS


@pytest.mark.parametrize("games, sides", [(0, 2), (1, 0)])
def test_a_match_without_games_or_sides(games: int, sides: int) -> None:
    with pytest.raises(GameError) as refused:
        Match(games, sides)
    assert refused.value.code is TagCode.NOT_A_MATCH


@pytest.mark.parametrize("text", ["id 2/5", "club-2026 1/1", "Été 10/10"])
def test_a_tag_is_read_back(text: str) -> None:
    assert str(MatchGame.from_text(text)) == text


@pytest.mark.parametrize(
    "text", ["", "2/5", "id 6/5", "id 0/5", "id 02/5", "id 2/5 ", " 2/5", "a b 2/5", "id 2/0", "id ٢/5", "id 2-5"]
)
def test_a_tag_that_is_refused(text: str) -> None:
    with pytest.raises(TextError) as refused:
        MatchGame.from_text(text)
    assert refused.value.code is TagCode.NOT_A_MATCH
