"""The laws that every game obeys.

A test module runs them on games of its own: it defines `GAMES` (any games), `NAMED` (the games that
a game id names, each once) and `candidates` (a function that returns every text that can be an
action of a position's game, in the order in which positions list actions and then corrections), and
imports everything from this module. Dicecup's own games are in `tests/test_conformance.py`.
"""

import importlib
import json
import pickle
import random
from collections.abc import Callable
from typing import Any, TypeAlias

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dicecup import games
from dicecup.core.dice import Keep, Roll, dice
from dicecup.core.errors import ActionError, DicecupError, DiceError, TextError
from dicecup.core.game import Position, Rules
from dicecup.core.source import Throw
from dicecup.record import read, state
from tests import strategies

Candidates: TypeAlias = Callable[[Position], list[str]]

few = settings(max_examples=5)
whole_games = settings(max_examples=1)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run each test with the games of the module that imported it."""
    module = metafunc.module
    if "game" in metafunc.fixturenames:
        metafunc.parametrize("game", module.GAMES, ids=lambda game: f"{game.id}-{strategies.size(game)}")
    if "named" in metafunc.fixturenames:
        metafunc.parametrize("named", module.NAMED, ids=lambda game: game.id)
    if "candidates" in metafunc.fixturenames:
        metafunc.parametrize("candidates", [module.candidates], ids=[""])


def refused(position: Position, action: Any) -> bool:
    """Return whether `play` refuses an action. The error must hold the position and the action."""
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
    """Return every property of a position, as text."""
    return (
        str(position),
        repr(position),
        str(position.outcome),
        str(position.chances),
        list(map(str, strategies.choices(position))),
        position.waiting,
        hash(position),
    )


# Actions


@few
@given(data=st.data())
def test_actions_are_listed_in_the_pinned_order(game: Rules, candidates: Candidates, data: st.DataObject) -> None:
    position = data.draw(strategies.positions(game))
    listed = list(map(str, strategies.choices(position)))
    texts = candidates(position)
    assert listed == [text for text in texts if strategies.allowed(position, text)]
    assert listed == [text for text in texts if not refused(position, text)]


@given(data=st.data())
@settings(max_examples=15)
def test_list_and_check_agree_on_any_text(game: Rules, candidates: Candidates, data: st.DataObject) -> None:
    position = data.draw(strategies.positions(game))
    text = data.draw(strategies.action_texts(candidates(game.start())))
    listed = text in map(str, strategies.choices(position))
    assert strategies.allowed(position, text) == listed
    assert refused(position, text) == (not listed)


@few
@given(data=st.data())
def test_a_position_waits_for_dice_or_an_action_or_is_over(game: Rules, data: st.DataObject) -> None:
    position = data.draw(strategies.positions(game))
    over = position.outcome is not None
    assert over == (position.turn is None)
    assert [over, position.waiting, bool(position.actions)].count(True) == 1
    assert bool(position.chances) == position.waiting
    assert len(position.actions) == len(list(position.actions)) == len(set(position.actions))


@whole_games
@given(data=st.data())
def test_a_game_that_is_over_allows_nothing(game: Rules, candidates: Candidates, data: st.DataObject) -> None:
    *_, (_, position) = strategies.steps(game, random.Random(data.draw(strategies.seeds)))
    assert position.outcome is not None
    assert not strategies.choices(position)
    assert not position.chances
    with pytest.raises(ActionError, match="game-over"):
        position.roll("11111")
    for text in candidates(position):
        with pytest.raises(ActionError, match="game-over"):
            position.play(text)


# Throws


@few
@given(data=st.data())
def test_chances_have_the_weights_of_the_thrown_dice(game: Rules, data: st.DataObject) -> None:
    for position in data.draw(strategies.games_begun(game, most=60)):
        if position.waiting:
            assert position.turn is not None
            rolls = [roll for roll, _ in position.chances]
            assert rolls == sorted(set(rolls))
            assert all(position.turn.dice in roll for roll in rolls)
            assert sum(weight for _, weight in position.chances) == 6 ** (5 - position.turn.dice.count)
            assert min(weight for _, weight in position.chances) > 0


@few
@given(data=st.data(), shown=strategies.rolls, table=st.booleans(), locked=st.none() | strategies.keeps)
def test_only_possible_rolls_are_accepted(
    game: Rules, data: st.DataObject, shown: Roll, table: bool, locked: Keep | None
) -> None:
    position = data.draw(strategies.positions(game))
    kept = position.turn.dice if position.turn is not None else None
    second_locked = strategies.locks_dice(position)
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


@pytest.mark.parametrize("text", ["1111", "111111", "54321", "11117", "1111١", "", "~", "1 234"])
def test_a_text_that_is_not_a_roll_is_refused(game: Rules, text: str) -> None:
    start = game.start()
    with pytest.raises(DiceError):
        start.roll(text)
    assert start == game.start()


# Steps


@few
@given(data=st.data())
def test_a_refused_action_changes_nothing(game: Rules, data: st.DataObject) -> None:
    position = data.draw(strategies.positions(game))
    before = facts(position)
    for text in (*map(str, strategies.choices(position)), "k1", "!k1", "a1", "-a1", "--", "f1.H", "1. > f1.T", "w1", "what"):
        try:
            position.play(text)
        except DicecupError:
            assert not strategies.allowed(position, text)
    assert facts(position) == before


@few
@given(data=st.data())
def test_play_unchecked_equals_play(game: Rules, data: st.DataObject) -> None:
    position: Any = data.draw(strategies.positions(game))
    for action in strategies.choices(position):
        after = position.play(action)
        assert after == position.play(str(action)) == position.play_unchecked(action)
        assert after != position
        assert after.number - position.number in (0, 1)


@few
@given(data=st.data())
def test_an_action_that_is_not_allowed_raises_an_action_error(game: Rules, candidates: Candidates, data: st.DataObject) -> None:
    position = data.draw(strategies.positions(game))
    for action in map(game.action, candidates(position)):
        assert refused(position, action) != strategies.allowed(position, action)


# Text


@few
@given(data=st.data())
def test_positions_and_actions_read_back(game: Rules, data: st.DataObject) -> None:
    for position in data.draw(strategies.games_begun(game, most=80)):
        assert game.position(str(position)) == position
        assert str(position).isascii()
        for action in strategies.choices(position):
            assert game.action(str(action)) == action
            assert str(action).isascii()


@whole_games
@given(data=st.data())
def test_a_whole_game_reads_back(game: Rules, data: st.DataObject) -> None:
    *_, (_, position) = strategies.steps(game, random.Random(data.draw(strategies.seeds)))
    assert game.position(str(position)) == position


@settings(max_examples=20)
@given(data=st.data())
def test_a_position_text_that_is_accepted_is_canonical(game: Rules, data: st.DataObject) -> None:
    text = data.draw(strategies.mutations(strategies.positions(game).map(str)) | st.text(strategies.ALPHABET, max_size=30))
    try:
        position = game.position(text)
    except DicecupError:
        return
    assert str(position) == text
    assert game.position(str(position)) == position
    for follows in strategies.following(position):
        assert game.position(str(follows)) == follows


@settings(max_examples=20)
@given(data=st.data())
def test_an_action_text_that_is_accepted_is_canonical(game: Rules, candidates: Candidates, data: st.DataObject) -> None:
    text = data.draw(strategies.action_texts(candidates(game.start())))
    try:
        action = game.action(text)
    except TextError as error:
        assert str(error.details["text"]) in text
    else:
        assert str(action) == text


@whole_games
@given(data=st.data())
def test_a_game_replays_from_its_texts_alone(game: Rules, data: st.DataObject) -> None:
    position = game.start()
    for step, reached in strategies.steps(game, random.Random(data.draw(strategies.seeds))):
        if isinstance(step, Throw):
            position = game.position(str(position)).roll(str(step.roll))
        elif step is not None:
            position = game.position(str(position)).play(str(step))
        assert position == reached


# Values


@few
@given(data=st.data())
def test_the_repr_of_positions_and_actions_can_be_evaluated(named: Rules, data: st.DataObject) -> None:
    position = data.draw(strategies.positions(named))
    assert eval(repr(position), {"position": games.position}) == position  # noqa: S307 our own text
    package = importlib.import_module(type(named).__module__.rpartition(".")[0])
    names = {name: getattr(package, name) for name in package.__all__} | {"dice": dice}
    for action in strategies.choices(position):
        assert eval(repr(action), names) == action  # noqa: S307


@few
@given(data=st.data())
def test_positions_are_values(game: Rules, data: st.DataObject) -> None:
    played = data.draw(strategies.games_begun(game, most=40))
    assert len(set(played)) == len(set(map(str, played)))
    for position in played:
        twin = pickle.loads(pickle.dumps(position))  # noqa: S301 our own bytes
        assert twin == position
        assert hash(twin) == hash(position)
        with pytest.raises((AttributeError, TypeError)):
            position.number = 1  # type: ignore[misc]


def test_the_game_id_names_the_game(named: Rules) -> None:
    assert games.from_id(named.id) == named
    assert games.position(named.id, str(named.start())) == named.start()
    assert named.id.partition("(")[0] == named.name
    assert hash(games.from_id(named.id)) == hash(named)


# The answers of the rules


def test_every_option_has_its_default_among_its_values(named: Rules) -> None:
    assert all(option.default in option.values for option in named.option_list)
    assert games.from_id(named.name) == type(named).from_id(named.name)


def test_players_and_sides_are_counted_from_zero(game: Rules) -> None:
    assert len(game.player_tags) == len(set(game.player_tags)) == game.players
    assert {game.side_of_player(player) for player in range(game.players)} == set(range(game.sides))
    assert game.player_of_turn(1) == 0
    assert {game.player_of_turn(turn) for turn in range(1, 2 * game.players + 1)} == set(range(game.players))
    assert game.accepts_writers([True] * game.players, ())
    assert "random" in game.levels


@few
@given(data=st.data())
def test_a_position_names_its_player_and_scores(game: Rules, data: st.DataObject) -> None:
    for position in data.draw(strategies.games_begun(game, most=60)):
        assert position.game == game
        assert len(position.scores) == game.sides
        assert position.player == (None if position.turn is None else game.player_of_turn(position.number))
        for action in position.corrections:
            assert action.corrects is not None
            assert action.corrects < position.number
        for action in position.actions:
            after = position.play(action)
            assert action.corrects is None
            assert action.kept is None or (after.turn is not None and after.turn.kept is action.kept)


@whole_games
@given(data=st.data())
def test_an_outcome_has_a_result_and_winners(game: Rules, data: st.DataObject) -> None:
    *_, (_, position) = strategies.steps(game, random.Random(data.draw(strategies.seeds)))
    assert position.outcome is not None
    assert position.outcome.end in game.ends
    assert list(position.outcome.winners) == sorted(set(position.outcome.winners) & set(range(game.sides)))
    assert game.is_result(game.result(position, position.outcome.winners))
    assert game.turns in (None, position.number - 1)


@few
@given(data=st.data())
def test_a_player_who_gives_up_does_not_win(game: Rules, data: st.DataObject) -> None:
    position = data.draw(strategies.positions(game))
    for player in range(game.players):
        winners = game.winners_without(position, player)
        assert game.side_of_player(player) not in winners
        assert bool(winners) == (game.sides > 1)
        assert game.is_result(game.result(position, winners))


@few
@given(data=st.data())
def test_a_record_reads_back(named: Rules, data: st.DataObject) -> None:
    record = data.draw(strategies.records(named))
    assert read(record.to_text()) == record
    assert json.loads(json.dumps(state(record)))["game"] == named.id
