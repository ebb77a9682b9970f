"""The review of games: sums, losses by player and kind, corrections and unfinished games."""

from functools import cache
from math import fsum

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from dicecup import players, record
from dicecup.analysis.evaluation import Evaluation
from dicecup.analysis.registry import by_tables
from dicecup.analysis.review import review
from dicecup.analysis.reviewed import LossKind, Review
from dicecup.analysis.steps import steps
from dicecup.analysis.yam_master.evaluation import by_solution
from dicecup.analysis.yamm.evaluation import SolvedSheetEvaluation
from dicecup.core.errors import GameError
from dicecup.core.game import Rules
from dicecup.core.source import SeededSource, Throw
from dicecup.core.turn import KeptDice
from dicecup.engine.sheets import solver
from dicecup.engine.sheets.columns import yamm_sheet
from dicecup.engine.yam_master.exact.solve import solve_board
from dicecup.record import Journal, Record
from dicecup.yam_master import Captured, End, FailedDefi, YamMaster
from dicecup.yam_master import Options as YamMasterOptions
from dicecup.yamm import Column, Row, SheetSpec, Yamm
from dicecup.yamm import Options as YammOptions
from tests import strategies
from tests.record.texts import read
from tests.sweep import sweep

BOARDS = tuple(
    YamMaster(options, strategies.BOARD_3)
    for options in (
        YamMasterOptions(),
        YamMasterOptions(kept_dice=KeptDice.LOCKED, captured=Captured.OUT),
        YamMasterOptions(failed_defi=FailedDefi.IGNORED, end=End.FULL_ROUND),
    )
)
ROWS = (Row.ONE, Row.HIGH, Row.LOW, Row.YAMM)
COLUMNS = ("d1", "u1", "f1")
SHEETS = tuple(
    Yamm(YammOptions(number, pairs=pairs), SheetSpec(tuple(map(Column, COLUMNS)), ROWS))
    for number, pairs in ((1, False), (3, False), (4, True))
)
CLOSE = 1e-9
"""The rounding error of a turn."""


@cache
def perfect(game: Rules) -> Evaluation:
    if isinstance(game, YamMaster):
        return by_solution(solve_board(game))
    assert isinstance(game, Yamm)
    return SolvedSheetEvaluation(solver.solve(yamm_sheet(",".join(game.sheet.columns), game.sheet.rows)))


def adds_up(found: Review, first: int = 1) -> Review:
    """Assert what holds for every review, whatever the error of the evaluation."""
    decisions = [decision for turn in found.turns for decision in turn.decisions]
    assert [turn.number for turn in found.turns] == list(range(first, first + len(found.turns)))
    for decision in decisions:
        assert all(loss >= 0 for loss in decision.losses.values())
        assert decision.played in decision.values
        assert decision.values[decision.best] == max(decision.values.values())
        if not decision.superseded:
            assert decision.loss == pytest.approx(decision.values[decision.best] - decision.values[decision.played], abs=1e-9)
    for number, side in enumerate(found.sides):
        members = [player for player in found.players if player.side == number]
        assert len(members) == len(side.players)
        assert fsum(player.loss for player in members) == pytest.approx(side.loss, abs=1e-9)
        assert fsum(player.luck for player in members) == pytest.approx(side.luck, abs=1e-9)
    for number, player in enumerate(found.players):
        assert player.loss == pytest.approx(fsum(each.loss for each in decisions if each.player == number), abs=1e-9)
        assert player.decisions.decisions == sum(each.counts for each in decisions if each.player == number)
    return found


def played(game: Rules, level: str, seed: str, evaluation: Evaluation | None = None) -> Record:
    """Return a game of a level, or of perfect play."""
    journal, source, player = Journal.start(game), SeededSource(seed), players.create(level, seed)
    while (turn := journal.position.turn) is not None:
        if turn.waiting:
            journal = journal.throw(source.throw(turn.kept))
        elif evaluation is None:
            journal = journal.play(player.choose(journal.position))
        else:
            values = evaluation.values(journal.position)
            journal = journal.play(max(values, key=lambda action: values[action]))
    return record.concluded(Record({"Game": game.id}, journal))


# --- The identity ---------------------------------------------------------------------------------


@sweep("game", [*BOARDS, *SHEETS], ids=lambda game: game.id)
@settings(max_examples=50)
@given(st.data())
def test_the_identity_is_exact_with_exact_values(game: Rules, data: st.DataObject) -> None:
    found = adds_up(review(data.draw(strategies.records(game, most=120)), evaluation=perfect(game)))
    assert abs(found.residual) <= CLOSE * (len(found.turns) + 1)


@pytest.mark.parametrize("game", [*BOARDS, *SHEETS], ids=lambda game: game.id)
@pytest.mark.parametrize("seed", ["1", "2"])
def test_perfect_play_loses_nothing(game: Rules, seed: str) -> None:
    found = adds_up(review(played(game, "expert", seed, perfect(game)), evaluation=perfect(game)))
    assert found.worst == ()
    assert [side.loss for side in found.sides] == [0.0] * len(found.sides)
    assert [side.adjusted for side in found.sides] == pytest.approx([side.start for side in found.sides], abs=1e-9)
    assert found.evaluation == "exact"


@pytest.mark.parametrize("game_id", ["yam-master", "yam-master(kept_dice=locked,end=full_round)", "yamm(players=1)"])
def test_the_expert_loses_nothing_by_its_own_evaluation(game_id: str) -> None:
    found = adds_up(review(played(record.read(f'[Game "{game_id}"]\n\n').game, "expert", "7")))
    assert found.worst == ()
    assert all(player.loss == 0 for player in found.players)
    assert found.residual != 0


@pytest.mark.parametrize("game", strategies.NAMED[::4], ids=lambda game: game.id)
@settings(max_examples=30)
@given(st.data())
def test_every_record_of_every_game_can_be_reviewed(game: Rules, data: st.DataObject) -> None:
    found = adds_up(review(data.draw(strategies.records(game, most=20))))
    for side in found.sides:
        sign = -1 if isinstance(game, YamMaster) else 0
        luck = side.luck + sign * sum(other.luck for other in found.sides if other is not side)
        loss = side.loss + sign * sum(other.loss for other in found.sides if other is not side)
        assert side.adjusted == pytest.approx(side.expected - luck, abs=1e-9)
        assert side.residual == pytest.approx(side.expected - side.start - luck + loss, abs=1e-9)


def test_the_mean_luck_of_a_throw_is_zero() -> None:
    """The mean over all rolls that can fall."""
    game = SHEETS[0]
    for words in ("1.", "1. 11234 k11", "1. 11234 k11 11556 k1155"):
        journal = Journal.start(game)
        for word in words.split()[1:]:
            journal = journal.word(word)
        luck = [
            weight
            * review(Record({"Game": game.id}, journal.word(shown.text)), evaluation=perfect(game)).turns[0].throws[-1].luck
            for shown, weight in journal.position.chances
        ]
        assert fsum(luck) / 6**5 == pytest.approx(0, abs=1e-9)


# --- Who lost what --------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_sheet_is_reviewed_without_its_opponents() -> None:
    many = played(Yamm(YammOptions(3)), "greedy", "3")
    together = review(many)
    for place in range(3):
        lines = [line.partition(". ")[2] for line in many.journal.lines][place::3]
        alone = review(
            read("".join(f"{at}. {line}\n" for at, line in enumerate(lines, 1)), game="yamm(players=1)", **tags_of(many, place))
        )
        assert alone.sides[0].luck == pytest.approx(together.sides[place].luck)
        assert alone.players[0].losses == pytest.approx(together.players[place].losses)
        assert alone.players[0].grade == together.players[place].grade == "greedy"


def tags_of(many: Record, place: int) -> dict[str, str]:
    return {"Result": many.tags["Result"].split()[place], "End": "full"}


PAIRS = "1. 11266 k66 22666 f1.FH\n2. 13456 u1.Y\n3. 44444 f1.Y\n4. 11234 d1.1\n"


def test_losses_by_cells_belong_to_the_writer_of_a_pair() -> None:
    apart = review(read(PAIRS, game="yamm(players=4,pairs=yes)"))
    named = review(read(PAIRS, game="yamm(players=4,pairs=yes)", Writer="P3"))
    assert [side.players for side in apart.sides] == [(0, 2), (1, 3)]
    assert [turn.player for turn in named.turns] == [0, 1, 2, 3]
    assert [decision.player for turn in named.turns for decision in turn.decisions] == [0, 2, 1, 2, 3]
    assert named.sides == apart.sides
    assert named.players[0].losses[LossKind.ENDING] == 0
    assert named.players[2].losses[LossKind.ENDING] == pytest.approx(
        apart.players[0].losses[LossKind.ENDING] + apart.players[2].losses[LossKind.ENDING]
    )
    assert [player.luck for player in named.players] == [player.luck for player in apart.players]


def test_the_loss_by_a_defi_is_separate_from_the_keep() -> None:
    found = adds_up(review(read("1. 11235 !k115 11445 k4 11244 --\n")))
    first = found.turns[0].decisions[0]
    plain = max(value for action, value in first.values.items() if "!" not in str(action))
    with_defi = max(value for action, value in first.values.items() if "!" in str(action))
    assert first.losses == {
        LossKind.FIRST_KEEP: with_defi - first.values[first.played],
        LossKind.DEFI: plain - with_defi,
    }
    assert first.losses[LossKind.DEFI] > 0
    assert [decision.kind for decision in found.turns[0].decisions] == [
        LossKind.FIRST_KEEP,
        LossKind.SECOND_KEEP,
        LossKind.ENDING,
    ]


# --- Corrections ----------------------------------------------------------------------------------

BEFORE = "1. 11266 k66 22666 {}\n2. 13456 k3456 23456 u1.Y\n"


@pytest.mark.parametrize("moves", [["f2.6"], ["f2.6", "d1.1"], ["f2.6", "f1.FH", "f3.T"], ["d1.1", "f1.FH"]])
def test_the_loss_of_a_correction_replaces_that_of_the_cell(moves: list[str]) -> None:
    corrections = "".join(f"1. > {cell}\n" for cell in moves)
    moved = adds_up(review(read(BEFORE.format("f1.FH") + corrections, game="yamm")))
    direct = adds_up(review(read(BEFORE.format(moves[-1]), game="yamm")))
    assert moved.sides[0].loss == pytest.approx(direct.sides[0].loss)
    assert moved.sides[0].expected == pytest.approx(direct.sides[0].expected)
    assert moved.sides[0].residual == pytest.approx(direct.sides[0].residual)
    assert moved.sides[1] == direct.sides[1]
    turn = moved.turns[0]
    assert [str(decision.played) for decision in turn.decisions[2:]] == [f"1. > {cell}" for cell in moves]
    assert [decision.superseded for decision in turn.decisions[1:]] == [True] * len(moves) + [False]
    stopped_early = max(turn.decisions[1].values.values()) - max(turn.decisions[-1].values.values())
    assert turn.decisions[1].loss == pytest.approx(stopped_early)
    assert moved.players[0].losses[LossKind.CORRECTION] == turn.decisions[-1].loss


# --- Real dice ------------------------------------------------------------------------------------


def test_a_void_throw_has_no_luck() -> None:
    plain = review(read("1. 11235 k11 11445 --\n", Dice="table"))
    void = review(read("1. ~ 11235 k11 ~ ~ 11445 --\n", Dice="table"))
    assert [thrown.luck for thrown in void.turns[0].throws if thrown.throw is None] == [0.0] * 3
    assert void.sides == plain.sides


def test_dice_that_were_knocked_over_count_as_luck() -> None:
    found = adds_up(review(read("1. 11235 k11 66666 c3\n2. 11166 k111 45566 k55 11111\n", Dice="table")))
    assert found.turns[0].throws[1].luck > 0.05
    locked = adds_up(review(read("1. 11235 k11 16|666 k166 16666 b2\n", game="yam-master(kept_dice=locked)", Dice="table")))
    assert [str(decision.played) for decision in locked.turns[0].decisions] == ["k11", "k166", "b2"]


# --- Games that are not finished ------------------------------------------------------------------


@pytest.mark.parametrize("game", ["yam-master", "yamm", "yamm(players=4,pairs=yes)"])
def test_the_review_of_a_record_without_turns_is_empty(game: str) -> None:
    found = adds_up(review(read("", game=game)))
    assert (found.turns, found.worst, found.residual, found.end) == ((), (), 0.0, None)
    assert {player.grade for player in found.players} == {None}
    assert [side.expected for side in found.sides] == [side.start for side in found.sides]


@pytest.mark.parametrize("last", ["2. ~", "2. 14456", "2. 14456 k45", "2. 14456 k45 24556 k245 12345"])
def test_an_unfinished_game_is_reviewed_to_its_last_word(last: str) -> None:
    found = adds_up(review(read(f"1. 11235 !k115 11445 k4 11244 --\n{last}\n", Dice="table")))
    turn = found.turns[1]
    assert len(turn.throws) + len(turn.decisions) == len(last.split()) - 1
    assert found.sides[1].expected == pytest.approx(turn.before + turn.luck - turn.loss)
    assert found.sides[0].expected == pytest.approx(1 - found.sides[1].expected)
    assert [side.result for side in found.sides] == [None, None]


def test_a_resignation_counts_as_result_and_not_as_luck() -> None:
    given_up = review(read("1. 66666 c3\n", Result="o 0-0", End="resign"))
    running = review(read("1. 66666 c3\n"))
    assert [side.result for side in given_up.sides] == [0.0, 1.0]
    assert [side.expected for side in given_up.sides] == [side.expected for side in running.sides]
    assert given_up.sides[0].expected > 0.5
    assert given_up.end == "resign"


def test_options_without_training_are_listed() -> None:
    assert review(read("1. 66666 c3\n", game="yam-master(kept_dice=locked,captured=out)")).foreign_options == (
        "kept_dice",
        "captured",
    )
    assert review(read("1. 66666 c3\n")).foreign_options == ()
    assert review(read("", game="yamm(kept_dice=locked)")).foreign_options == ("kept_dice",)
    assert review(read("", game="yamm(players=4,pairs=yes)")).foreign_options == ()


def test_progress_counts_turns() -> None:
    output: list[tuple[int, int]] = []
    review(read("1. 11235 k11 11445 --\n2. 14456 --\n"), progress=lambda done, of: output.append((done, of)))
    assert output == [(0, 2), (0, 2), (0, 2), (1, 2), (1, 2), (2, 2)]


def test_an_evaluation_in_another_unit_is_refused() -> None:
    with pytest.raises(GameError) as refusal:
        review(read("", game="yamm"), evaluation=by_tables(Yamm()))
    assert refusal.value.details["option"] == "unit"
    with pytest.raises(GameError) as refusal:
        review(read(""), "greedy")
    assert refusal.value.details == {"option": "player", "value": "greedy"}


@sweep("game", [*BOARDS, *SHEETS], ids=lambda game: game.id)
@settings(max_examples=50)
@given(st.data())
def test_a_game_from_a_position_is_reviewed_from_there(game: Rules, data: st.DataObject) -> None:
    """The identity holds, and later turns lose as much as in the review of the whole game."""
    whole = data.draw(strategies.records(game, most=60))
    taken = list(steps(whole))
    first = data.draw(st.integers(0, len(taken)))
    begun = taken[first].before if first < len(taken) else whole.journal.position
    assume(begun.turn is not None)
    journal = Journal(game, whole.journal.table, begun)
    for step in taken[first:]:
        journal = journal.throw(step.done) if step.done is None or isinstance(step.done, Throw) else journal.play(step.done)
    found = adds_up(review(Record({"Game": game.id, "Position": str(begun)}, journal), evaluation=perfect(game)), begun.number)
    assert abs(found.residual) <= CLOSE * (len(found.turns) + 1)
    later = {turn.number: turn for turn in found.turns[1:]}
    for turn in review(whole, evaluation=perfect(game)).turns:
        if turn.number in later:
            assert later[turn.number].loss == pytest.approx(turn.loss, abs=1e-9)


def test_the_master_reviews_without_time() -> None:
    record = read("1. 11235 k11 11445 --\n2. 14456 --\n")
    hurried = adds_up(review(record, "master", evaluation=by_tables(record.game, "master", seconds=0.0)))
    assert [turn.loss for turn in hurried.turns] == pytest.approx([turn.loss for turn in review(record).turns])
    assert hurried.evaluation == "master"
