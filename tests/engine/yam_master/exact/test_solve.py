"""Yam Master solved exactly: against published figures, a slow solver and played games."""

import random
from functools import cache
from itertools import product
from typing import Final, TypeAlias

import numpy as np
import pytest

from dicecup.core.dice import ROLLS
from dicecup.core.turn import BEGIN, KeptDice, Turn
from dicecup.engine.errors import EngineCode, EngineError
from dicecup.engine.turn.batch import turn_values
from dicecup.engine.yam_master.exact.nodes import Nodes
from dicecup.engine.yam_master.exact.nodes_kernel import node_of
from dicecup.engine.yam_master.exact.size import most_states
from dicecup.engine.yam_master.exact.solve import Solution, solve_board, solve_position
from dicecup.engine.yam_master.exact.space import Space
from dicecup.engine.yam_master.rules.arrays import rules_of
from dicecup.engine.yam_master.rules.state import pack
from dicecup.yam_master import (
    Action,
    Captured,
    End,
    FailedDefi,
    KeepDice,
    Options,
    Place,
    Position,
    Remove,
    Side,
    Squares,
    YamMaster,
    small_board,
)
from tests.strategies import steps
from tests.sweep import sweep

LAYOUT: Final = "1 Full 6/Sec Yam Suite/2 <=8 Defi"
OPTIONS: Final = tuple(Options(*values) for values in product(KeptDice, FailedDefi, Captured, End))
VARIED: Final = (
    Options(),
    Options(captured=Captured.OUT),
    Options(end=End.FULL_ROUND),
    Options(KeptDice.LOCKED, FailedDefi.IGNORED),
    Options(KeptDice.LOCKED, FailedDefi.IGNORED, Captured.OUT, End.FULL_ROUND),
)
"""Every value of every option."""
CLOSE: Final = 1e-10


@cache
def board(layout: str, tokens: int, options: Options) -> Solution:
    return solve_board(YamMaster(options, small_board(layout, tokens)))


def reached(game: YamMaster, count: int, seed: int = 1) -> list[Position]:
    """Return positions of random games, at any moment of a turn."""
    chance = random.Random(seed)
    found: list[Position] = []
    while len(found) < count:
        played = [
            position
            for (_, position), _ in zip(steps(game, chance), range(300), strict=False)
            if isinstance(position, Position)
        ]
        found += chance.sample(played, min(len(played), 12))
    return found


def late(options: Options, placed: int, seed: int) -> Position:
    """Return a random position of the full board at the beginning of a turn with `placed` tokens.

    Both players place a token whenever they can.
    """
    chance, game = random.Random(seed), YamMaster(options)
    while True:
        position = game.start()
        while position.turn is not None and (position.turn is not BEGIN or 24 - sum(position.supplies) < placed):
            if position.waiting:
                position = position.roll(chance.choices(*zip(*position.chances, strict=True))[0])
            else:
                places = [action for action in position.actions if isinstance(action, Place)]
                position = position.play(chance.choice(places or list(position.actions)))
        if position.turn is not None and 24 - sum(position.supplies) == placed:
            return position


def with_turn(position: Position, turn: Turn, *, defi: bool = False) -> Position:
    return Position(position.game, position.x, position.o, position.to_move, turn, defi, position.supplies, position.number)


# --- A slow solver ---

Begun: TypeAlias = tuple[Squares, Squares, Side, tuple[int, int]]
"""The fields in which positions at the beginning of a turn differ."""
After: TypeAlias = float | Begun
"""The result of a turn: a result for the side that is then to move, or a position."""
STAGES: Final = ((1, False), (2, False), (3, False), (2, True), (3, True))


def key_of(position: Position) -> Begun:
    return position.x, position.o, position.to_move, position.supplies


def ends(position: Position) -> list[Action]:
    """Return the actions that end the turn."""
    return [action for action in position.actions if not isinstance(action, KeepDice)]


def result(position: Position) -> float:
    """Return the result of a finished game for the side that would be to move."""
    assert position.outcome is not None
    winner = position.outcome.winner
    return 0.0 if winner is None else 1.0 if winner is position.to_move else -1.0


class Slow:
    """Value iteration over positions of the rules.

    `test_value` tests the turn itself against every order of dice.
    """

    def __init__(self, game: YamMaster) -> None:
        self.game = game
        self.follows: dict[Begun, tuple[list[list[After]], list[list[int]]]] = {}
        """Beginning of a turn → the sets of positions after it, and each roll's index of a set."""
        waiting = [game.start()]
        while waiting:
            position = waiting.pop()
            if key_of(position) not in self.follows:
                self.follows[key_of(position)] = self._ends(position, waiting)
        self.values: dict[Begun, float] = dict.fromkeys(self.follows, 0.0)

    def _ends(self, position: Position, waiting: list[Position]) -> tuple[list[list[After]], list[list[int]]]:
        groups: list[list[After]] = []
        known: dict[tuple[Squares, Squares], int] = {}
        rows = [[with_turn(position, Turn(throws, shown), defi=defi) for shown in ROLLS] for throws, defi in STAGES]
        for shown in (shown for row in rows for shown in row):
            if (shown.placeable, shown.removable) not in known:
                known[shown.placeable, shown.removable] = len(groups)
                groups.append([self._after(shown.play(action), waiting) for action in ends(shown)])
        return groups, [[known[shown.placeable, shown.removable] for shown in row] for row in rows]

    def _after(self, position: Position, waiting: list[Position]) -> After:
        if position.turn is None:
            return result(position)
        waiting.append(position)
        return key_of(position)

    def value_of(self, after: After) -> float:
        """Return a result, or the value of a position."""
        return after if isinstance(after, float) else self.values[after]

    def sweep(self) -> float:
        """Improve every value once and return the largest change."""
        moved = 0.0
        for position, (groups, rows) in self.follows.items():
            values = np.array([-min(map(self.value_of, afters)) for afters in groups])[rows]
            value = turn_values(values[:3], values[3:], kept_dice=self.game.options.kept_dice).value
            moved = max(moved, abs(value - self.values[position]))
            self.values[position] = value
        return moved


@sweep("options", VARIED, ids=lambda options: YamMaster(options).id)
def test_every_value_of_a_tiny_board_equals_the_slow_solver(options: Options) -> None:
    solution = board("1 Full/Suite Defi", 2, options)
    slow = Slow(solution.position.game)
    assert len(slow.follows) == solution.states
    while slow.sweep() > 1e-11:
        pass
    for (x, o, side, supplies), value in slow.values.items():
        position = Position(slow.game, x, o, side, BEGIN, False, supplies, 1 + side)
        assert solution.value_of(position) == pytest.approx(value, abs=1e-9), position


# --- Small boards ---


@pytest.mark.parametrize("captured, value", [(Captured.RETURNED, 0.183988697067), (Captured.OUT, 0.184522726106)], ids=str)
def test_the_board_of_three_has_its_published_value(captured: Captured, value: float) -> None:
    assert board(LAYOUT, 3, Options(captured=captured)).value == pytest.approx(value, abs=5e-12)


@pytest.mark.parametrize(
    "turned", ["2 Sec 1/<=8 Yam Full/Defi Suite 6", "Defi <=8 2/Suite Yam Sec/6 Full 1", "1 Sec 2/Full Yam <=8/6 Suite Defi"]
)
def test_a_mirrored_board_has_the_same_value(turned: str) -> None:
    for options in (Options(), Options(captured=Captured.OUT)):
        assert board(turned, 3, options).value == pytest.approx(board(LAYOUT, 3, options).value, abs=CLOSE)


@sweep("options", OPTIONS, ids=lambda options: YamMaster(options).id)
def test_the_values_of_one_position_are_consistent(options: Options) -> None:
    solution = board(LAYOUT, 3, options)
    for position in reached(solution.position.game, 40):
        value = solution.value_of(position)
        assert -1 <= value <= 1
        if position.turn is None:
            assert value == result(position)
        elif position.waiting:
            fallen = sum(weight * solution.value_of(position.roll(shown)) for shown, weight in position.chances)
            assert value == pytest.approx(fallen / sum(weight for _, weight in position.chances), abs=CLOSE)
        else:
            decision = solution.decision(position)
            assert list(decision.values) == list(position.actions)
            assert decision.value == value == decision.values[decision.best]
            for action, expected in decision.values.items():
                after = position.play(action)
                sign = 1 if isinstance(action, KeepDice) else -1
                assert expected == pytest.approx(sign * solution.value_of(after), abs=CLOSE)


def test_both_sides_have_the_same_value_in_the_same_position() -> None:
    for captured in Captured:
        solution = board(LAYOUT, 3, Options(captured=captured))
        for position in reached(solution.position.game, 40):
            x, o = position.supplies
            exchanged = Position(
                position.game,
                position.o,
                position.x,
                position.to_move.other,
                position.turn,
                position.defi,
                (o, x),
                position.number,
            )
            assert solution.value_of(exchanged) == pytest.approx(solution.value_of(position), abs=CLOSE)


def test_a_board_with_many_passes_converges() -> None:
    """Every square asks for five equal dice: captures and passes are most of the game."""
    solution = board("Yam Yam Yam/Yam Yam Yam/Yam Yam Yam", 3, Options())
    moved = [moved for _, moved in solution.space.sweep()]
    assert max(moved) < 1e-11
    assert 0 < solution.value < 0.1


@sweep("options", VARIED, ids=lambda options: YamMaster(options).id)
def test_played_games_have_the_solved_mean(options: Options) -> None:
    solution = board(LAYOUT, 3, options)
    played = solution.play(20_000, seed=2)
    assert abs(played.mean - solution.value) < 4 * played.error
    assert 0 < played.error < 0.01
    assert set(played.results.tolist()) == {-1, 0, 1}
    assert played.turns.min() >= 3
    assert played.cut_off == 0


def test_the_same_seed_plays_the_same_games() -> None:
    solution = board(LAYOUT, 3, Options())
    one, same, other = solution.play(2000, seed=5), solution.play(2000, seed=5), solution.play(2000, seed=6)
    assert np.array_equal(one.results, same.results)
    assert np.array_equal(one.turns, same.turns)
    assert not np.array_equal(one.results, other.results)
    fewer = solution.play(500, seed=5)
    assert np.array_equal(one.results[:500], fewer.results)


# --- The space ---


@sweep("captured", Captured)
@sweep("end", End)
def test_kernels_find_the_positions_that_follow(captured: Captured, end: End) -> None:
    """The nodes after placing and after removing are exactly those of the rules."""
    options = Options(captured=captured, end=end)
    for position in [*reached(YamMaster(options), 12), *reached(YamMaster(options, small_board(LAYOUT, 3)), 24)]:
        if position.turn is None:
            continue
        source, rules = Nodes(), rules_of(position.game)
        source.add(node_of(pack(position)))
        for kind in Place, Remove:
            found = Nodes()
            (found.add_placed if kind is Place else found.add_removed)(rules, source, slice(0, 1))
            assert set(found.keys[: len(found)].tolist()) == played_nodes(position, kind)


def played_nodes(position: Position, kind: type[Place | Remove]) -> set[int]:
    """Return the nodes that follow from the beginning of this turn by an action of a kind.

    Either side may be to move, with any dice.
    """
    found, tried = set[int](), set[tuple[Side, Action]]()
    for side in Side if position.supplies[0] else (Side.O,):
        for throws, shown in product((1, 2), ROLLS):
            here = Position(
                position.game,
                position.x,
                position.o,
                side,
                Turn(throws, shown),
                throws == 2,
                position.supplies,
                position.number,
            )
            for action in (action for action in ends(here) if isinstance(action, kind) and (side, action) not in tried):
                tried.add((side, action))
                after = here.play(action)
                found |= {node_of(pack(after))} if after.turn is not None else set()
    return found


@pytest.mark.parametrize("options", OPTIONS, ids=lambda options: YamMaster(options).id)
def test_the_size_is_known_before_anything_is_solved(options: Options) -> None:
    """Without lines every counted board is reached, unless a last turn precedes it."""
    game = YamMaster(options, small_board(LAYOUT, 2))
    solution = board(LAYOUT, 2, options)
    counted = most_states(game, (0, 0), (2, 2), 3, 10**6)
    assert counted >= 2 * solution.space.nodes >= solution.states
    if options.end is End.AT_ONCE:
        assert counted == solution.states
    bigger = board(LAYOUT, 3, options).space
    assert 2 * bigger.nodes <= most_states(bigger.game, (0, 0), (3, 3), 5, 10**6)
    assert most_states(bigger.game, (0, 0), (3, 3), 5, 10) > 10


@pytest.mark.parametrize("captured", Captured)
def test_the_size_of_a_closure_is_known_too(captured: Captured) -> None:
    position = late(Options(captured=captured), 22, seed=3)
    space = Space(position.game, node_of(pack(position)))
    on_board = position.x.bit_count(), position.o.bit_count()
    for captures in range(4):
        assert space.add_row()
        most = most_states(position.game, on_board, position.supplies, captures, 10**9)
        assert most / 2 <= 2 * space.nodes <= most


# --- Late positions ---


@sweep("options", VARIED, ids=lambda options: YamMaster(options).id)
def test_a_closure_agrees_with_the_whole_board(options: Options) -> None:
    solution = board(LAYOUT, 3, options)
    for position in reached(solution.position.game, 4, seed=4):
        if position.turn is not None:
            closure = solve_position(position, change=1e-8)
            assert closure.last_change < 1e-8
            assert closure.value == pytest.approx(solution.value_of(position), abs=1e-8), position


@sweep("captured, placed", [(Captured.OUT, 20), (Captured.OUT, 22), (Captured.RETURNED, 22)])
def test_a_late_position_of_the_full_board_converges(captured: Captured, placed: int) -> None:
    position = late(Options(captured=captured), placed, seed=3)
    late_value = solve_position(position, change=1e-3)
    assert late_value.captures == 3
    assert late_value.last_change < 1e-3
    assert late_value.states == late_value.space.states
    further = solve_position(position, change=0, limit=200_000)
    assert further.captures >= 3
    assert further.value == pytest.approx(late_value.value, abs=late_value.last_change)
    played = late_value.play(4000, seed=1)
    assert abs(played.mean - late_value.value) < 4 * played.error


def test_a_closure_can_hold_all_captures() -> None:
    """Captured tokens that leave the game run out."""
    position = late(Options(captured=Captured.OUT), 22, seed=2)
    solution = board(LAYOUT, 3, Options(captured=Captured.OUT))
    complete = solve_position(solution.position, change=0)
    assert complete.last_change == 0
    assert complete.states == solution.states
    assert complete.value == pytest.approx(solution.value, abs=CLOSE)
    assert solve_position(position).captures >= 2


def test_any_moment_of_a_turn_can_be_solved() -> None:
    begun = late(Options(captured=Captured.OUT), 22, seed=5)
    solved = solve_position(begun, change=1e-3)
    shown = begun.roll("11346")
    waiting = shown.play("!k11")
    for position in (shown, waiting, waiting.roll("11256"), waiting.roll("11256").play("k112")):
        there = solve_position(position, change=1e-3)
        assert there.value == pytest.approx(solved.value_of(position), abs=1e-3)
        played = there.play(4000, seed=8)
        assert abs(played.mean - there.value) < 4 * played.error + 1e-12
    with pytest.raises(EngineError) as refused:
        solved.decision(begun)
    assert refused.value.code is EngineCode.NOT_A_DECISION


# --- Refusals ---


@pytest.mark.slow
def test_too_many_states_are_refused_with_their_number() -> None:
    with pytest.raises(EngineError) as refused:
        solve_board(YamMaster())
    assert refused.value.code is EngineCode.TOO_MANY_STATES
    assert int(str(refused.value.details["states"])) > 10**11
    with pytest.raises(EngineError) as refused:
        solve_position(YamMaster().start())
    assert refused.value.code is EngineCode.TOO_MANY_STATES
    with pytest.raises(EngineError) as refused:
        solve_board(YamMaster(Options(), small_board(LAYOUT, 3)), limit=2000)
    assert refused.value.details["limit"] == 2000
    position = late(Options(), 22, seed=1)
    assert solve_position(position, change=0, limit=10_000).captures == 2
    assert solve_position(position, change=1).captures == 3
    with pytest.raises(EngineError):
        solve_position(position, limit=100)


def test_a_board_too_large_for_a_node_is_refused() -> None:
    row = " ".join(["Yam"] * 6)
    for layout, tokens in ("/".join([row] * 6), 2), ("Yam Yam/Yam Yam", 16):
        with pytest.raises(EngineError) as refused:
            solve_board(YamMaster(Options(), small_board(layout, tokens)))
        assert refused.value.code is EngineCode.NOT_SOLVABLE


def test_a_game_that_is_over_is_not_solved() -> None:
    game = YamMaster(Options(), small_board(LAYOUT, 3))
    over = game.position("xxx/oo1/3 o - 0-1 6")
    with pytest.raises(EngineError) as refused:
        solve_position(over)
    assert refused.value.code is EngineCode.NOT_SOLVABLE
    assert board(LAYOUT, 3, Options()).value_of(over) == -1


@pytest.mark.slow
def test_positions_outside_of_the_closure_are_refused() -> None:
    solution = board(LAYOUT, 3, Options())
    outside = (YamMaster().start(), YamMaster(Options(captured=Captured.OUT), small_board(LAYOUT, 3)).start())
    closure = solve_position(late(Options(), 22, seed=1), change=1)
    for solved, position in [*((solution, position) for position in outside), (closure, late(Options(), 22, seed=2))]:
        with pytest.raises(EngineError) as refused:
            solved.value_of(position)
        assert refused.value.code is EngineCode.NOT_SOLVABLE


def test_an_exception_of_the_progress_stops_solving() -> None:
    """Ctrl-C arrives between two steps; nothing is left running."""
    reports: list[tuple[int, int]] = []

    def stop(done: int, of: int) -> None:
        reports.append((done, of))
        raise KeyboardInterrupt

    position = late(Options(captured=Captured.OUT), 20, seed=3)
    with pytest.raises(KeyboardInterrupt):
        solve_position(position, progress=stop)
    assert len(reports) == 1


def test_progress_ends_with_all_nodes() -> None:
    reports: list[tuple[int, int]] = []
    solution = solve_board(YamMaster(Options(), small_board(LAYOUT, 3)), progress=lambda done, of: reports.append((done, of)))
    assert reports[-1] == (solution.space.nodes, solution.space.nodes)
