"""The registry: game ids name the rules, and texts are read through them."""

from importlib.metadata import Distribution, PackageNotFoundError

import pytest

from dicecup import games, yam_master, yamm
from dicecup.core.errors import GameError, PositionError, TextError
from dicecup.core.game import Rules
from tests import strategies


def test_both_games_are_registered() -> None:
    assert games.names() == ("yam-master", "yamm")
    assert games.from_id("yam-master") == yam_master.YamMaster()
    assert games.from_id("yamm") == yamm.Yamm()
    assert [games.from_id(name).name for name in games.names()] == list(games.names())


def test_games_are_found_without_metadata_of_dicecup(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> Distribution:
        raise PackageNotFoundError(name)

    monkeypatch.setattr(games, "distribution", missing)
    assert games.names.__wrapped__() == ("yam-master", "yamm")
    assert games.rules.__wrapped__("yamm") is yamm.Yamm


def test_options_stand_in_brackets() -> None:
    game = games.from_id("yamm(players=4,pairs=yes)")
    assert game == yamm.Yamm(yamm.Options(players=4, pairs=True))
    assert game.id == "yamm(players=4,pairs=yes)"


@pytest.mark.parametrize("game", strategies.NAMED, ids=lambda game: game.id)
def test_ids_read_back(game: Rules) -> None:
    assert games.from_id(game.id) == game


@pytest.mark.parametrize(
    "text, code",
    [
        ("", "not-a-game"),
        ("chess", "not-a-game"),
        ("yam_master", "not-a-game"),
        ("Yamm", "not-a-game"),
        ("yamm ", "not-a-game"),
        ("yamm\n", "not-a-game"),
        ("yаmm", "not-a-game"),  # a Cyrillic letter
        ("yamm()", "not-a-game"),
        ("yamm(players)", "not-a-game"),
        ("yamm(players=1)(pairs=yes)", "not-a-game"),
        ("yamm(captured=out)", "unknown-option"),
        ("yam-master(players=2)", "unknown-option"),
        ("yamm(players=2)", "option-default"),
        ("yamm(pairs=yes,players=4)", "option-order"),
        ("yamm(players=17)", "option-value"),
        ("yamm(players=٣)", "option-value"),
        ("yamm(players=3,pairs=yes)", "pairs-need-even-players"),
    ],
)
def test_other_texts_name_no_game(text: str, code: str) -> None:
    with pytest.raises(GameError) as refusal:
        games.from_id(text)
    assert refusal.value.code == code


def test_a_position_is_found_by_id_and_text() -> None:
    start = "5/5/5/5/5 x 0:????? 12-12 1"
    assert games.position("yam-master", start) == yam_master.YamMaster().start()
    with pytest.raises(GameError):
        games.position("chess", start)
    with pytest.raises(TextError):
        games.position("yamm", start)
    with pytest.raises(PositionError):
        games.position("yam-master", start.replace("12-12", "12-11"))


@pytest.mark.parametrize("game", strategies.NAMED, ids=lambda game: game.id)
def test_a_position_is_printed_as_the_call_that_returns_it(game: Rules) -> None:
    start = game.start()
    assert eval(repr(start), {"position": games.position}) == start  # noqa: S307 own text


@pytest.mark.parametrize("game", strategies.NAMED, ids=lambda game: game.id)
def test_sides_take_players_in_turn(game: Rules) -> None:
    assert [game.side_of_player(player) for player in range(game.players)] == [
        player % game.sides for player in range(game.players)
    ]


def test_actions_of_a_duel_are_allowed_as_texts_too() -> None:
    thrown = yam_master.YamMaster().start().roll("12345")
    assert len(thrown.actions) > 0
    assert all(thrown.allows(action) and thrown.allows(str(action)) for action in thrown.actions)
    assert not any(thrown.allows(other) for other in ("", "nonsense", "k66", None))


def test_the_start_of_a_duel_has_no_points_and_nothing_to_correct() -> None:
    start = yam_master.YamMaster().start()
    assert (start.player, start.scores, start.finalized_turn) == (0, (0, 0), None)
    assert len(start.corrections) == 0
