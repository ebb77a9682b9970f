"""A game as chance nodes, decisions and corrections."""

from collections import Counter
from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import given, settings

from dicecup.core.dice import KEEPS, Keep, keep, roll
from dicecup.core.errors import ActionError, TurnCode
from dicecup.core.game import Rules
from dicecup.engine.turn.odds import Moment, probabilities
from dicecup.envs.encoding import KEEP_COUNT, Encoding
from dicecup.envs.errors import EnvsCode
from dicecup.envs.process import Kind, Situation, ordered_throws, situation_of, start, throw_at
from dicecup.yam_master import YamMaster
from dicecup.yam_master.figures import FIGURES, Figure
from dicecup.yamm import Cell, Column, Correct, Options, Row, SheetSpec, Write, Yamm
from dicecup.yamm.rows import ROWS, VALUES
from tests.envs.playing import ENCODINGS, name, situations
from tests.strategies import seeds

few = settings(max_examples=10)

SMALL = Yamm(Options(players=2), SheetSpec((Column("f1"),), (Row.SIX, Row.HIGH)))
"""Two sheets of two cells."""


def corrected() -> Situation:
    """Both players have written once; the result of the first becomes final with the next throw."""
    now = start(SMALL)
    for cell in ("f1.6", "f1.H"):
        now = now.roll(roll("12366")).play(Write(Cell(cell)))
    return now


# --- Chance ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("kept", KEEPS[:KEEP_COUNT:7], ids=str)
def test_every_roll_takes_as_many_places_as_its_weight(kept: Keep) -> None:
    """A place drawn evenly gives each roll its exact probability."""
    places = Counter(throw_at(kept.outcomes, place) for place in range(6 ** (5 - kept.count)))
    assert places == dict(kept.outcomes)


def test_there_is_no_place_behind_the_last_one() -> None:
    now = start(YamMaster())
    assert ordered_throws(now.position) == 7776
    with pytest.raises(IndexError):
        throw_at(now.chances, 7776)


@pytest.mark.parametrize("game", [YamMaster(), Yamm(Options(players=1))], ids=lambda game: game.name)
@pytest.mark.parametrize("kept", ["-", "1", "333", "2345", "6666"])
def test_chance_is_that_of_the_odds(game: Rules, kept: str) -> None:
    """The probability of each figure or row with one throw left equals `dicecup odds --keep`."""
    held = keep(kept)
    odds = probabilities(game, Moment(1, None, held))
    now = start(game)
    first = next(shown for shown, _ in now.chances if held in shown)
    now = now.roll(first)
    now = now.play(game.action(f"k{kept}"))
    second = next(shown for shown, _ in now.chances)
    now = now.roll(second).play(game.action(f"k{kept}"))
    throws = ordered_throws(now.position)
    assert throws == 6 ** (5 - held.count)
    found = {}
    for aim in odds:
        if game.name == "yamm":
            row = Row(aim)
            face = ROWS.index(row) + 1
            holds = {
                shown: shown.counts[face - 1] >= 3 if face <= 6 else VALUES[row][shown.index - 210] > 0
                for shown, _ in now.chances
            }
        else:
            holds = {shown: any(figure.ascii == aim for figure in FIGURES[shown]) for shown, _ in now.chances}
        found[aim] = Fraction(sum(weight for shown, weight in now.chances if holds[shown]), throws)
    small = {Figure.SEC.ascii, Figure.DEFI.ascii}
    assert {aim: odds[aim].value for aim in odds if aim not in small} == {
        aim: value for aim, value in found.items() if aim not in small
    }


# --- Corrections ----------------------------------------------------------------------------------


def test_the_thrower_of_a_result_is_asked_before_it_becomes_final() -> None:
    now = corrected()
    assert (now.kind, now.player) == (Kind.CORRECTION, 0)
    assert now.chances == ()
    assert list(now.actions) == [Correct(1, Cell("f1.H")), None]


def test_a_result_may_stand() -> None:
    now = corrected()
    after = now.play(None)
    assert (after.kind, after.position) == (Kind.CHANCE, now.position)
    assert now.play_unchecked(None) == after


def test_a_result_moves_once() -> None:
    now = corrected()
    after = now.play(Correct(1, Cell("f1.H")))
    assert after.kind is Kind.CHANCE
    assert after.position == now.position.play("1. > f1.H")
    assert now.play_unchecked(Correct(1, Cell("f1.H"))) == after


def test_a_side_alone_is_not_asked() -> None:
    game = Yamm(Options(players=1), SMALL.sheet)
    now = start(game).roll(roll("12366")).play(Write(Cell("f1.6")))
    assert now.position.corrections
    assert now.kind is Kind.CHANCE


def test_nobody_is_asked_where_no_other_cell_is_open() -> None:
    game = Yamm(Options(players=2), SheetSpec((Column("d1"),), (Row.SIX, Row.HIGH)))
    now = start(game)
    for _ in range(2):
        now = now.roll(roll("12366")).play(Write(Cell("d1.6")))
    assert now.position.finalized_turn == 1
    assert now.kind is Kind.CHANCE


def test_other_actions_are_refused_while_a_correction_is_due() -> None:
    now = corrected()
    with pytest.raises(ActionError) as refused:
        now.play(Write(Cell("f1.H")))
    assert (refused.value.code, refused.value.position) == (TurnCode.DICE_IN_THE_AIR, now.position)
    with pytest.raises(ActionError) as other_turn:
        now.play(Correct(2, Cell("f1.6")))
    assert other_turn.value.code is TurnCode.DICE_IN_THE_AIR
    with pytest.raises(ActionError) as thrown:
        now.roll(roll("11111"))
    assert thrown.value.code is TurnCode.NO_DICE_IN_THE_AIR


def test_a_correction_is_refused_where_none_is_due() -> None:
    now = corrected().play(None).roll(roll("11111"))
    for action in (None, Correct(2, Cell("f1.6"))):
        with pytest.raises(ActionError) as refused:
            now.play(action)
        assert refused.value.code is EnvsCode.NO_CORRECTION_DUE


# --- Laws -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("encoding", ENCODINGS, ids=name)
@few
@given(seed=seeds)
def test_a_game_is_the_game_of_the_rules(encoding: Encoding, seed: int) -> None:
    """Replaying the throws and actions by their texts leads through the same positions."""
    played = situations(encoding, seed, most=80)
    position = encoding.game.start()
    for before, after in pairwise(played):
        if before.kind is Kind.CHANCE:
            assert after.position.turn is not None
            position = position.roll(after.position.turn.dice.text)
        elif after.position != before.position:
            (action,) = [action for action in before.actions if action and before.position.play(action) == after.position]
            position = position.play(str(action))
        assert position == after.position
        assert after.position.chances == position.chances
        if after.kind is Kind.DECISION:
            assert list(after.actions) == list(position.actions)
            assert after.player == position.player
        if before.kind is Kind.DECISION:
            assert situation_of(position) == after


@pytest.mark.parametrize("encoding", ENCODINGS, ids=name)
@few
@given(seed=seeds)
def test_unchecked_steps_are_the_checked_ones(encoding: Encoding, seed: int) -> None:
    now = situations(encoding, seed, most=40)[-1]
    if now.kind is Kind.CHANCE:
        shown = now.chances[0][0]
        assert now.roll_unchecked(shown) == now.roll(shown)
    for action in now.actions:
        assert now.play_unchecked(action) == now.play(action)
