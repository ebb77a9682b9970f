"""Laws that hold in every game of Yamm."""

import string
from collections.abc import Container, Iterator
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from dicecup.core.dice import KEEPS
from dicecup.core.errors import ActionError, PositionError, TextError
from dicecup.yamm import SHEET, Correct, KeepDice, Options, Position, Write, Yamm
from dicecup.yamm.rows import YAMMS
from dicecup.yamm.score import FIRST_THROW_YAMM, MOST_IN_COLUMN, MOST_IN_TOTAL, MOST_ON_SHEET
from dicecup.yamm.sheet import CELLS
from tests.strategies import SMALL_SHEETS, YAMM, choices, seeds

ACTION_TEXTS = st.one_of(
    st.sampled_from(KEEPS).map(KeepDice).map(str),
    st.sampled_from([*CELLS]),
    st.builds("{}. > {}".format, st.integers(0, 12), st.sampled_from([*CELLS])),
    st.text(string.printable + "é١²", max_size=8),
)
GAMES = st.sampled_from(YAMM + SMALL_SHEETS)
EDITS = st.tuples(st.integers(0, 300), st.sampled_from("x.,/|+~=:?-! 0123456789duf"))


def walk(game: Yamm, seed: int, steps: int) -> Iterator[Position]:
    """Yield the positions of a random game from its start. Corrections come at any time, and five
    equal dice often.
    """
    luck = Random(seed)
    position = game.start()
    yield position
    for _ in range(steps):
        if position.turn is None:
            return
        if position.waiting and not (position.corrections and luck.random() < 0.1):
            equal = [shown for shown, _ in position.chances if shown in YAMMS]
            position = position.roll(luck.choice(equal) if equal and luck.random() < 0.2 else luck.choice(position.chances)[0])
        else:
            ends = [action for action in choices(position) if not isinstance(action, KeepDice)]
            position = position.play(str(luck.choice(ends if luck.random() < 0.6 else choices(position))))
        yield position


def _last(game: Yamm, seed: int, steps: int) -> Position:
    """Return the last position of a random game."""
    *_, last = walk(game, seed, steps)
    return last


POSITIONS = st.builds(_last, GAMES, seeds, st.integers(0, 60) | st.integers(0, 400))
"""Positions of random games of every length."""


@given(POSITIONS, st.lists(ACTION_TEXTS, min_size=1, max_size=30))
@settings(max_examples=50)
def test_listed_actions_are_the_accepted_ones(position: Position, texts: list[str]) -> None:
    actions: Container[object] = position.actions
    corrections: Container[object] = position.corrections
    listed = [*map(str, position.actions), *map(str, position.corrections)]
    assert len(set(listed)) == len(listed) == len(position.actions) + len(position.corrections)
    for text in texts + listed:
        assert (text in actions or text in corrections) == (text in listed)
        try:
            after = position.play(text)
        except (ActionError, TextError):
            assert text not in listed
        else:
            assert text in listed
            assert after == position.play_unchecked(position.game.action(text))


@given(ACTION_TEXTS)
def test_an_action_that_is_read_is_canonical(text: str) -> None:
    try:
        action = Yamm().action(text)
    except TextError:
        return
    assert str(action) == text
    assert Yamm().action(str(action)) == action


@given(POSITIONS)
@settings(max_examples=50)
def test_a_position_is_read_back(position: Position) -> None:
    assert position.game.position(str(position)) == position


@given(POSITIONS, st.lists(EDITS, max_size=4))
@settings(max_examples=50)
def test_a_position_that_is_read_is_canonical(position: Position, edits: list[tuple[int, str]]) -> None:
    text = str(position)
    for place, character in edits:
        at = place % (len(text) + 1)
        text = text[:at] + character + text[at + place % 2 :]
    try:
        read = position.game.position(text)
    except (TextError, PositionError):
        return
    assert str(read) == text
    assert len([*read.actions]) + len([*read.chances]) > 0 or read.outcome


@given(GAMES, seeds)
@settings(max_examples=25)
def test_every_position_of_a_game_continues_from_its_text_alone(game: Yamm, seed: int) -> None:
    before = None
    for position in walk(game, seed, 120):
        assert game.position(str(position)) == position
        if before is not None:
            assert sum(sheet.written for sheet in position.written) - sum(sheet.written for sheet in before.written) in (0, 1)
        before = position


@given(POSITIONS)
@settings(max_examples=50)
def test_scores_are_within_their_bounds(position: Position) -> None:
    for sheet in position.written:
        for column in sheet.spec.columns:
            assert 0 <= sheet.upper(column) <= 105
            assert 0 <= (sheet.column_total(column) or 0) <= MOST_IN_COLUMN
            missing = sheet.next_bonus(column)
            assert missing is None or missing.needed == sheet.upper(column) + missing.missing > sheet.upper(column)
        assert 0 <= sheet.total <= MOST_IN_TOTAL
        assert sheet.total - FIRST_THROW_YAMM * sheet.first_throw_yamms <= MOST_ON_SHEET


@given(GAMES, seeds)
@settings(max_examples=10)
def test_a_game_ends_with_every_cell_written_once(game: Yamm, seed: int) -> None:
    *_, last = walk(game, seed, 100 * game.turns)
    outcome = last.outcome
    assert outcome is not None
    assert last.number == game.turns + 1
    assert all(sheet.written == len(game.sheet.cells) for sheet in last.sheets)
    assert outcome.totals == tuple(sheet.total for sheet in last.sheets)
    assert [place for place, total in enumerate(outcome.totals) if total == max(outcome.totals)] == [*outcome.winners]


@given(GAMES, seeds)
@settings(max_examples=20)
def test_a_cell_is_never_written_twice(game: Yamm, seed: int) -> None:
    """A turn adds one result to its sheet. Final cells never change, except that H and T can strike
    each other.
    """
    before = game.start()
    for position in walk(game, seed, 200):
        for old, new in zip(before.sheets, position.sheets, strict=True):
            for name in game.sheet.cells:
                held = old[name]
                assert held is None or new[name] == held or (new[name] == 0 and name.split(".")[1] in "HT")
        before = position


def test_every_column_can_be_filled_to_its_bound() -> None:
    game = Yamm(Options(players=1))
    best = {"H": "66666", "T": "56666", "FH": "66666", "ST": "23456", "Y": "11111"}
    best |= {str(face): str(face) * 5 for face in range(1, 7)}
    position = game.start()
    order = [name for name in SHEET.cells if name[0] != "u"] + [name for name in reversed(SHEET.cells) if name[0] == "u"]
    for name in order:
        dice = best[name.split(".")[1]]
        position = position.roll("12346").play("k-").roll(dice).play(name)
    assert position.outcome is not None
    assert position.outcome.totals == (MOST_ON_SHEET,)
    assert {position.sheets[0].column_total(column) for column in SHEET.columns} == {MOST_IN_COLUMN}


def test_a_grand_total_reaches_its_bound() -> None:
    position = Yamm(Options(players=1)).start()
    best = {"H": "66666", "T": "55555", "FH": "11111", "ST": "11111", "Y": "11111"}
    best |= {str(face): str(face) * 5 for face in range(1, 7)}
    order = [name for name in SHEET.cells if name[0] != "u"] + [name for name in reversed(SHEET.cells) if name[0] == "u"]
    for name in order:
        position = position.roll(best[name.split(".")[1]]).play(name)
    assert position.outcome is not None
    assert position.outcome.totals == (MOST_IN_TOTAL,)


def test_the_kinds_of_action_are_three() -> None:
    position = Yamm(Options(players=2)).start().roll("11122").play("f1.1").roll("11122")
    assert {type(action) for action in position.actions} == {KeepDice, Write}
    assert {type(action) for action in position.corrections} == {Correct}
