"""Actions as indexes, positions as bytes."""

from typing import Any

import pytest
from hypothesis import given, settings

from dicecup.core.dice import KEEPS, roll
from dicecup.core.errors import ActionError
from dicecup.engine.errors import EngineCode, EngineError
from dicecup.engine.yam_master.rules.state import pack as packed_board
from dicecup.engine.yamm.evaluation.columns import COLUMN_OF_PLACE, states
from dicecup.engine.yamm.evaluation.columns import Kind as Part
from dicecup.engine.yamm.evaluation.pack import pack as packed_sheet
from dicecup.envs.encoding import KEEP_COUNT, Encoding
from dicecup.envs.errors import EnvsCode, EnvsError
from dicecup.envs.options import yam_master_encoding, yamm_encoding
from dicecup.envs.process import Kind, Situation, start
from dicecup.envs.yam_master import YamMasterEncoding
from dicecup.envs.yamm import YammEncoding
from dicecup.yam_master import YamMaster, small_board
from dicecup.yamm import SHEET, Cell, Row, Sheet, Write
from dicecup.yamm.game import Position as YammPosition
from tests.envs.playing import ENCODINGS, name, situations
from tests.strategies import seeds

few = settings(max_examples=10)

BOARD = yam_master_encoding()
SOLO = yamm_encoding(players=1)
PAIR = yamm_encoding()


# --- Actions --------------------------------------------------------------------------------------


def test_the_index_of_yam_master() -> None:
    assert BOARD.actions == 210 + 210 + 25 + 25 + 1
    assert BOARD.texts[:3] == ("k-", "k1", "k2")
    assert (BOARD.texts[209], BOARD.texts[210], BOARD.texts[420]) == ("k6666", "!k-", "a1")
    assert (BOARD.texts[444], BOARD.texts[445], BOARD.texts[470]) == ("e5", "-a1", "--")


def test_the_index_of_yamm() -> None:
    assert (SOLO.actions, PAIR.actions) == (210 + 99, 210 + 99 + 99 + 1)
    assert PAIR.texts[: SOLO.actions] == SOLO.texts
    assert (PAIR.texts[210], PAIR.texts[309], PAIR.texts[408]) == ("d1.1", "> d1.1", "stand")


def test_keeps_are_the_first_multisets() -> None:
    assert [kept.count < 5 for kept in KEEPS] == [True] * KEEP_COUNT + [False] * 252


@pytest.mark.parametrize("encoding", ENCODINGS, ids=name)
@few
@given(seed=seeds)
def test_the_mask_is_the_allowed_actions(encoding: Encoding, seed: int) -> None:
    """In every situation the indexes are those of the allowed actions, in their order, and only
    these can be played."""
    for now in situations(encoding, seed, most=60)[-8:]:
        allowed = [] if now.kind is Kind.OVER else list(now.actions)
        legal = encoding.legal(now)
        assert legal == sorted(legal)
        assert [encoding.action(now, index) for index in legal] == allowed
        assert [encoding.index(action) for action in allowed] == legal
    for index in set(range(encoding.actions)) - set(encoding.legal(now)):
        with pytest.raises(ActionError):
            now.play(encoding.action(now, index))


@pytest.mark.parametrize("encoding", ENCODINGS, ids=name)
def test_every_text_has_its_own_index(encoding: Encoding) -> None:
    assert [encoding.index_of(text) for text in encoding.texts] == list(range(encoding.actions))


@pytest.mark.parametrize("index", [-1, 471, 10**30, 1.0, "k-", None, True, [3]])
def test_a_wrong_index_is_named(index: Any) -> None:
    with pytest.raises(EnvsError) as refused:
        BOARD.checked(index)
    assert refused.value.code is EnvsCode.NOT_AN_INDEX
    assert refused.value.details == {"index": index, "actions": 471}


def test_an_unknown_text_has_no_index() -> None:
    with pytest.raises(EnvsError, match=r"not-an-index: index=f1\.FH"):
        BOARD.index_of("f1.FH")


def test_a_board_that_the_engine_cannot_pack_is_refused() -> None:
    row = " ".join(["1"] * 6)
    with pytest.raises(EngineError) as refused:
        YamMasterEncoding(YamMaster(board=small_board("/".join([row] * 6), 3)))
    assert refused.value.code is EngineCode.NOT_A_SHAPE


# --- Observations ---------------------------------------------------------------------------------


@pytest.mark.parametrize("encoding", ENCODINGS, ids=name)
@few
@given(seed=seeds)
def test_an_observation_fits_its_layout(encoding: Encoding, seed: int) -> None:
    now = situations(encoding, seed, most=120)[-1]
    for player in range(encoding.game.players):
        observed = encoding.observe(now, player)
        assert len(observed) == encoding.layout.size == len(encoding.layout.highs)
        assert all(value <= high for value, high in zip(observed, encoding.layout.highs, strict=True))


def parts(encoding: Encoding, now: Situation, player: int) -> dict[str, list[int]]:
    """Return the fields of an observation."""
    observed = encoding.observe(now, player)
    return {field.name: list(encoding.layout.part(observed, field.name)) for field in encoding.layout.fields}


@pytest.mark.parametrize("encoding", ENCODINGS, ids=name)
@few
@given(seed=seeds)
def test_the_turn_reads_back(encoding: Encoding, seed: int) -> None:
    """Throws, dice, locked dice and the number of the turn are those of the position."""
    now = situations(encoding, seed, most=60)[-1]
    turn, found = now.position.turn, parts(encoding, now, 0)
    assert found["throws"] == [int(turn is not None and turn.throws == throws) for throws in range(4)]
    assert found["dice"] == (list(turn.dice.counts) if turn else [0] * 6)
    assert found["locked"] == (list(turn.locked.counts) if turn else [0] * 6)
    assert 100 * found["turns_hundreds"][0] + found["turns_rest"][0] == now.position.number - 1


@pytest.mark.parametrize("encoding", [each for each in ENCODINGS if isinstance(each, YamMasterEncoding)], ids=name)
@few
@given(seed=seeds)
def test_a_board_reads_back(encoding: YamMasterEncoding, seed: int) -> None:
    """Each side sees its own tokens first, as the packed state has them."""
    now = situations(encoding, seed, most=120)[-1]
    position: Any = now.position
    for player, own, other in ((0, position.x, position.o), (1, position.o, position.x)):
        found = parts(encoding, now, player)
        assert sum(bit << at for at, bit in enumerate(found["own_tokens"])) == own
        assert sum(bit << at for at, bit in enumerate(found["other_tokens"])) == other
        assert (found["own_supply"], found["other_supply"]) == (
            [position.supplies[player]],
            [position.supplies[1 - player]],
        )
        assert found["own_turn"] == [int(position.player == player)]
        assert found["plays_x"] == [1 - player]
        assert found["defi"] == [int(position.defi)]
    state = packed_board(position)
    assert state & (1 << 25) - 1 == position.x


def seen_by_nodes(sheet: Sheet) -> dict[str, list[int]]:
    """Return empty cells, sums and held results of a printed sheet, as the engine packs it."""
    numbers = {number: key for key, number in states().items()}
    empty, upper, held = [[0] * 99, [0] * 9, [0] * 9]
    for place, node in enumerate(packed_sheet(sheet).tolist()):
        kind, state = numbers[node]
        column = COLUMN_OF_PLACE[place]
        for row in range(11):
            empty[11 * column + row] |= state.empty >> row & 1
        if kind is not Part.FREE_LOWER:
            upper[column] = state.upper or 0
        if kind is not Part.FREE_UPPER:
            held[column] = state.held
    return {"own_empty": empty, "own_upper": upper, "own_held": held}


@few
@given(seed=seeds)
def test_a_sheet_is_what_the_engine_packs(seed: int) -> None:
    """A batch of kernels can write the same bytes from its nodes."""
    for now in situations(SOLO, seed, most=250)[::40]:
        position = now.position
        assert isinstance(position, YammPosition)
        found = parts(SOLO, now, 0)
        assert {field: found[field] for field in ("own_empty", "own_upper", "own_held")} == seen_by_nodes(position.written[0])
        assert 100 * found["own_total_hundreds"][0] + found["own_total_rest"][0] == position.scores[0]


@pytest.mark.parametrize("encoding", [each for each in ENCODINGS if each.game.sides > 2 or each.game.players > 2], ids=name)
@few
@given(seed=seeds)
def test_every_player_sees_the_own_sheet_first(encoding: YammEncoding, seed: int) -> None:
    now = situations(encoding, seed, most=60)[-1]
    position: Any = now.position
    sides = encoding.game.sides
    for player in range(encoding.game.players):
        found = parts(encoding, now, player)
        for at in range(sides):
            side = (encoding.game.side_of_player(player) + at) % sides
            name = "own" if not at else f"next{at}"
            cells = [points is None for column in position.sheets[side].columns for points in column]
            assert found[f"{name}_empty"] == cells
            wet = position.wet[side]
            assert found[f"{name}_last_cell"] == [int(wet is not None and wet.cell == cell) for cell in encoding.cells]
            assert found[f"{name}_last_dice"] == (list(wet.roll.counts) if wet else [0] * 6)
            assert 100 * found[f"{name}_total_hundreds"][0] + found[f"{name}_total_rest"][0] == position.scores[side]
            assert found["turn_of"][at] == (position.sheet == side)
        assert found["own_turn"] == [int(position.player == player)]
        assert found["correction"] == [int(now.kind is Kind.CORRECTION)]


def test_the_result_in_h_or_t_is_seen_while_the_other_is_empty() -> None:
    now = start(SOLO.game).roll(roll("12366")).play(Write(Cell("f1.H")))
    assert parts(SOLO, now, 0)["own_held"] == [0, 0, 0, 0, 0, 0, 18, 0, 0]
    now = now.roll(roll("11111")).play(Write(Cell("f1.T")))
    assert parts(SOLO, now, 0)["own_held"] == [0] * 9


# --- Docs -----------------------------------------------------------------------------------------


def test_a_rendered_position_shows_the_board() -> None:
    now = start(YamMaster()).roll(roll("11123"))
    now = now.play(BOARD.action(now, BOARD.index_of("a1")))
    assert BOARD.render(now).splitlines()[0] == "x . . . ."
    assert BOARD.render(now).splitlines()[-1] == str(now.position)


def test_a_rendered_sheet_shows_points_and_struck_cells() -> None:
    now = start(SOLO.game).roll(roll("12366")).play(Write(Cell("f1.6")))
    now = now.roll(roll("12345")).play(Write(Cell("f1.Y")))
    lines = SOLO.render(now).splitlines()
    assert lines[0].split() == list(SHEET.columns)
    assert lines[1 + list(Row).index(Row.SIX)].split() == ["6", *"......", "12", ".", "."]
    assert lines[11].split() == ["Y", *"......", "x", ".", "."]
    assert lines[12] == "= 12"
