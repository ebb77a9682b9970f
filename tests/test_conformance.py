"""The laws that both games obey, whatever their options, board or sheet."""

import pickle
import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dicecup import games, yam_master, yamm
from dicecup.core.dice import Keep, Roll, dice
from dicecup.core.errors import ActionError, DicecupError, DiceError, TextError
from dicecup.core.game import Position, Rules
from dicecup.core.source import Throw
from dicecup.core.turn import KeptDice
from tests import strategies as our

every_game = pytest.mark.parametrize("game", our.GAMES, ids=lambda game: f"{game.id}-{our.size(game)}")
named_game = pytest.mark.parametrize("game", our.NAMED, ids=lambda game: game.id)
few = settings(max_examples=5)
whole_games = settings(max_examples=1)


def refused(position: Position, action: Any) -> bool:
    """Whether `play` refuses, with a typed error that hands back the position and the action."""
    try:
        position.play(action)
    except ActionError as error:
        assert error.position is position
        assert str(error.action) == str(action)
        return True
    except TextError:
        assert isinstance(action, str)
        return True
    return False


def facts(position: Position) -> tuple[object, ...]:
    """All that can be asked of a position, as text."""
    return (
        str(position),
        repr(position),
        str(position.outcome),
        str(position.chances),
        list(map(str, our.choices(position))),
        position.waiting,
        hash(position),
    )


# What may be done


@every_game
@few
@given(data=st.data())
def test_the_list_holds_what_is_allowed_in_its_pinned_order(game: Rules, data: st.DataObject) -> None:
    position = data.draw(our.positions(game))
    listed = list(map(str, our.choices(position)))
    texts = our.candidates(position)
    assert listed == [text for text in texts if our.allowed(position, text)]
    assert listed == [text for text in texts if not refused(position, text)]


@every_game
@given(data=st.data())
@settings(max_examples=15)
def test_the_list_and_the_check_agree_on_any_text(game: Rules, data: st.DataObject) -> None:
    position = data.draw(our.positions(game))
    text = data.draw(our.action_texts(game))
    listed = text in map(str, our.choices(position))
    assert our.allowed(position, text) == listed
    assert refused(position, text) == (not listed)


@every_game
@few
@given(data=st.data())
def test_a_position_waits_for_dice_or_for_a_person_or_is_over(game: Rules, data: st.DataObject) -> None:
    position = data.draw(our.positions(game))
    over = position.outcome is not None
    assert over == (position.turn is None)
    assert [over, position.waiting, bool(position.actions)].count(True) == 1
    assert bool(position.chances) == position.waiting
    assert len(position.actions) == len(list(position.actions)) == len(set(position.actions))


@every_game
@whole_games
@given(data=st.data())
def test_a_game_that_is_over_allows_nothing(game: Rules, data: st.DataObject) -> None:
    *_, (_, position) = our.steps(game, random.Random(data.draw(our.seeds)))
    assert position.outcome is not None
    assert not our.choices(position)
    assert not position.chances
    with pytest.raises(ActionError, match="game-over"):
        position.roll("11111")
    for text in our.candidates(position):
        with pytest.raises(ActionError, match="game-over"):
            position.play(text)


# What may fall


@every_game
@few
@given(data=st.data())
def test_chances_are_weighted_orders_of_the_dice_in_the_air(game: Rules, data: st.DataObject) -> None:
    for position in data.draw(our.games_begun(game, most=60)):
        if position.waiting:
            assert position.turn is not None
            rolls = [roll for roll, _ in position.chances]
            assert rolls == sorted(set(rolls))
            assert all(position.turn.dice in roll for roll in rolls)
            assert sum(weight for _, weight in position.chances) == 6 ** (5 - position.turn.dice.count)
            assert min(weight for _, weight in position.chances) > 0


@every_game
@few
@given(data=st.data(), shown=our.rolls, table=st.booleans(), locked=st.none() | our.keeps)
def test_a_roll_is_taken_where_it_is_possible_and_else_refused(
    game: Rules, data: st.DataObject, shown: Roll, table: bool, locked: Keep | None
) -> None:
    position = data.draw(our.positions(game))
    kept = position.turn.dice if position.turn is not None else None
    second_locked = position.turn is not None and position.turn.throws == 1 and game.options.kept_dice is KeptDice.LOCKED
    if not position.waiting or kept is None:
        possible = False
    elif locked is None:
        possible = kept in shown or (table and not second_locked)
    else:
        possible = table and second_locked and locked in shown and locked.count == kept.count > 0 and locked is not kept
    before = facts(position)
    try:
        after = position.roll(shown, table=table, locked=locked)
    except ActionError as error:
        assert not possible
        assert error.position is position
        assert error.code in {"game-over", "no-dice-in-the-air", "kept-die-lost", "wrong-locked-dice"}
    else:
        assert possible
        assert after == position.roll(str(shown), table=table, locked=locked) == position.roll_unchecked(shown, locked)
        assert after.turn is not None
        assert (after.turn.dice, after.number) == (shown, position.number)
    assert facts(position) == before


@every_game
@pytest.mark.parametrize("text", ["1111", "111111", "54321", "11117", "1111١", "", "~", "1 234"])
def test_a_text_that_is_no_roll_is_refused(game: Rules, text: str) -> None:
    start = game.start()
    with pytest.raises(DiceError):
        start.roll(text)
    assert start == game.start()


# What follows


@every_game
@few
@given(data=st.data())
def test_playing_changes_no_position(game: Rules, data: st.DataObject) -> None:
    position = data.draw(our.positions(game))
    before = facts(position)
    for text in (*map(str, our.choices(position)), "k1", "!k1", "a1", "-a1", "--", "f1.H", "1. > f1.T", "what"):
        try:
            position.play(text)
        except DicecupError:
            assert not our.allowed(position, text)
    assert facts(position) == before


@every_game
@few
@given(data=st.data())
def test_unchecked_play_is_play(game: Rules, data: st.DataObject) -> None:
    position: Any = data.draw(our.positions(game))
    for action in our.choices(position):
        after = position.play(action)
        assert after == position.play(str(action)) == position.play_unchecked(action)
        assert after != position
        assert after.number - position.number in (0, 1)


@every_game
@few
@given(data=st.data())
def test_an_action_that_is_not_allowed_is_refused_with_a_typed_error(game: Rules, data: st.DataObject) -> None:
    position = data.draw(our.positions(game))
    for action in map(game.action, our.candidates(position)):
        assert refused(position, action) != our.allowed(position, action)


# Text


@every_game
@few
@given(data=st.data())
def test_positions_and_actions_read_back(game: Rules, data: st.DataObject) -> None:
    for position in data.draw(our.games_begun(game, most=80)):
        assert game.position(str(position)) == position
        assert str(position).isascii()
        for action in our.choices(position):
            assert game.action(str(action)) == action
            assert str(action).isascii()


@every_game
@whole_games
@given(data=st.data())
def test_a_whole_game_reads_back(game: Rules, data: st.DataObject) -> None:
    *_, (_, position) = our.steps(game, random.Random(data.draw(our.seeds)))
    assert game.position(str(position)) == position


@every_game
@settings(max_examples=20)
@given(data=st.data())
def test_a_position_text_that_is_accepted_is_canonical(game: Rules, data: st.DataObject) -> None:
    text = data.draw(our.mutations(our.positions(game).map(str)) | st.text(our.ALPHABET, max_size=30))
    try:
        position = game.position(text)
    except DicecupError:
        return
    assert str(position) == text
    assert game.position(str(position)) == position
    for follows in our.following(position):
        assert game.position(str(follows)) == follows


@every_game
@settings(max_examples=20)
@given(data=st.data())
def test_an_action_text_that_is_accepted_is_canonical(game: Rules, data: st.DataObject) -> None:
    text = data.draw(our.action_texts(game))
    try:
        action = game.action(text)
    except TextError as error:
        assert str(error.details["text"]) in text
    else:
        assert str(action) == text


@every_game
@whole_games
@given(data=st.data())
def test_a_game_replays_from_its_texts_alone(game: Rules, data: st.DataObject) -> None:
    position = game.start()
    for step, reached in our.steps(game, random.Random(data.draw(our.seeds))):
        if isinstance(step, Throw):
            position = game.position(str(position)).roll(str(step.roll))
        elif step is not None:
            position = game.position(str(position)).play(str(step))
        assert position == reached


# Values


@named_game
@few
@given(data=st.data())
def test_what_repr_shows_can_be_evaluated(game: Rules, data: st.DataObject) -> None:
    position = data.draw(our.positions(game))
    assert eval(repr(position), {"position": games.position}) == position  # noqa: S307 our own text
    for action in our.choices(position):
        package = {"yam-master": yam_master, "yamm": yamm}[game.name]
        names = {name: getattr(package, name) for name in package.__all__} | {"dice": dice}
        assert eval(repr(action), names) == action  # noqa: S307


@every_game
@few
@given(data=st.data())
def test_positions_are_values(game: Rules, data: st.DataObject) -> None:
    played = data.draw(our.games_begun(game, most=40))
    assert len(set(played)) == len(set(map(str, played)))
    for position in played:
        twin = pickle.loads(pickle.dumps(position))  # noqa: S301 our own bytes
        assert twin == position
        assert hash(twin) == hash(position)
        with pytest.raises((AttributeError, TypeError)):
            position.number = 1  # type: ignore[misc]


@named_game
def test_a_game_is_named_by_its_id(game: Rules) -> None:
    assert games.from_id(game.id) == game
    assert games.position(game.id, str(game.start())) == game.start()
    assert game.id.startswith(game.name)
    assert game.id.isascii()
    assert hash(games.from_id(game.id)) == hash(game)


def test_two_options_make_two_games() -> None:
    assert len({game.id for game in our.NAMED}) == len(our.NAMED)
    assert len(set(our.GAMES)) == len(our.GAMES)
