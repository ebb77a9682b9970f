"""Views: effects are what actions do, and threats and sums are those of the rules."""

import json
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dicecup import games, record, yam_master, yamm
from dicecup.core.game import Action, Position
from dicecup.table.commands import Act, Claim, EnterDice, EnterDie, Remedy
from dicecup.table.events import Seated, public
from dicecup.table.game_views import View, game_view, generic
from dicecup.table.game_views.yam_master import board_view
from dicecup.table.game_views.yamm import sheets_view
from dicecup.table.setup import DiceOf
from dicecup.table.views import Views
from dicecup.yamm import Cell, Column
from tests import strategies
from tests.table.tables import Table, identity, people

YAM_MASTER = games.from_id("yam-master(captured=out)")
YAMM = games.from_id("yamm(players=3)")


def effect(position: Position, action: Action) -> View:
    """Return the effect of an allowed action."""
    return next(effect for listed, effect in game_view(position.game).effects(position) if listed == action)


@settings(max_examples=30, deadline=None)
@given(strategies.positions(YAM_MASTER) | strategies.positions(YAMM))
def test_a_game_without_a_view_of_its_own_lists_its_actions(position: Position) -> None:
    assert [str(action) for action, _ in generic.effects(position)] == list(map(str, position.actions))
    assert all(not done for _, done in generic.effects(position))
    listed = [
        shown["action"]
        for turn, result in generic.open_results(position).items()
        for shown in generic.corrections(turn, result)
    ]
    assert sorted(listed) == sorted(map(str, position.corrections))
    assert generic.drawing(position, range(position.game.players)) == {}
    assert generic.is_begun(position) == (position != position.game.start())


@settings(max_examples=60, deadline=None)
@given(strategies.positions(YAM_MASTER))
def test_the_effect_of_a_token_is_what_it_does(position: yam_master.Position) -> None:
    mover = int(position.to_move)
    own = (position.x, position.o)[mover]
    for action in position.actions:
        shown = effect(position, action)
        after = position.play(action)
        if not isinstance(action, yam_master.Place | yam_master.Remove):
            assert set(shown) <= {"defi_lost"}
            continue
        assert (shown["points"], shown["opponent"]) == (after.points[mover], after.points[1 - mover])
        ended_by_line = after.outcome is not None and after.outcome.end == "line"
        assert shown["wins"] == ended_by_line
        board = position.game.board
        now = {tuple(board.names[place] for place in run) for run in board.runs((after.x, after.o)[mover])}
        before = {tuple(board.names[place] for place in run) for run in board.runs(own)}
        assert {tuple(line) for line in shown["lines"]} == now - before


@pytest.mark.parametrize(
    "position, lost",
    [
        # made, but both Défi squares and the Suite are taken
        ("2x2/5/3xx/2x2/5 o 3!:12345 8-12 10", False),
        ("5/5/5/5/5 o 3!:12446 12-12 10", True),
        ("5/5/5/5/5 o 3:12446 12-12 10", False),
    ],
)
def test_a_defi_is_lost_only_if_no_big_figure_holds(position: str, lost: bool) -> None:
    stands = games.position("yam-master", position)
    assert effect(stands, games.from_id("yam-master").action("--")) == ({"defi_lost": True} if lost else {})


@settings(max_examples=60, deadline=None)
@given(strategies.positions(YAMM))
def test_the_effect_of_a_result_is_what_it_does(position: yamm.Position) -> None:
    for action in position.actions:
        if not isinstance(action, yamm.Write):
            assert effect(position, action) == {}
            continue
        shown = effect(position, action)
        assert position.sheet is not None
        before, after = position.written[position.sheet], position.play(action).written[position.sheet]
        check_result(shown, before, after, action.cell)


def check_result(shown: dict[str, object], before: yamm.Sheet, after: yamm.Sheet, cell: Cell) -> None:
    column = Column(cell.partition(".")[0])
    assert shown["points"] == after[cell]
    assert shown["total"] == after.total
    assert shown["column_total"] == after.column_total(column)
    assert shown["first_throw_yamm"] == 100 * (after.first_throw_yamms - before.first_throw_yamms)
    struck = [name for name in after.spec.cells if after[name] == 0 and before[name] != 0]
    assert shown["struck"] == struck
    if cell[-1] in "123456":
        following = after.next_bonus(column)
        assert shown["upper"] == after.upper(column)
        assert shown["bonus"] == after.bonus(column)
        assert shown["next_bonus"] == (following and following._asdict() if after.bonus(column) is None else None)
    else:
        assert shown["upper"] is shown["bonus"] is shown["next_bonus"] is None


@settings(max_examples=60, deadline=None)
@given(strategies.positions(YAMM))
def test_the_view_says_why_an_empty_cell_is_closed(position: yamm.Position) -> None:
    for sheet, shown in zip(position.written, sheets_view(position, range(len(position.sheets))), strict=True):
        for column, following in shown["next_row"].items():
            legal = [cell.partition(".")[2] for cell in sheet.open_cells if cell.startswith(f"{column}.")]
            empty = [row for row, points in shown["columns"][column].items() if points is None]
            assert legal == (empty if following is None else [following])


def test_the_effect_of_a_correction_is_what_it_does() -> None:
    chance = random.Random(2)
    table = Table(people("yamm"))
    checked = 0
    for _ in range(300):
        for seat in (0, 1):
            for choice in table.view(seat)["corrections"]:
                position = table.state.position
                assert isinstance(position, yamm.Position)
                sheet = table.state.side_of(seat)
                after = position.play(choice["action"])
                assert choice["effect"]["total"] == after.written[sheet].total
                assert choice["effect"]["points"] == after.written[sheet][Cell(choice["action"].rpartition(" ")[2])]
                checked += 1
        table.step(chance)
    assert checked > 100


def test_effects_name_the_bonus_and_the_first_throw_yamm() -> None:
    start = "5,10,15,20,25,.6/.11/.11/.11/.11/.11/.11/.11/.11 1:66666 6"
    position = games.position("yamm(players=1)", start)
    assert isinstance(position, yamm.Position)
    shown = effect(position, yamm.Write(Cell("d1.6")))
    assert shown == {
        "points": 30,
        "struck": [],
        "upper": 105,
        "bonus": 1000,
        "next_bonus": None,
        "column_total": None,
        "total": 1205,
        "first_throw_yamm": 100,
    }
    assert effect(position, yamm.Write(Cell("f1.6")))["next_bonus"] == {"needed": 60, "bonus": 60, "missing": 30}


def test_high_that_does_not_keep_above_low_strikes_both() -> None:
    start = ".11/.11/.11/.11/.11/.11/.6,20,.4/2,.10/.11 1:55555 3"
    position = games.position("yamm(players=1)", start)
    assert isinstance(position, yamm.Position)
    shown = effect(position, yamm.Write(Cell("f1.T")))
    assert (shown["points"], shown["struck"]) == (0, ["f1.H", "f1.T"])


def test_threats_say_where_the_next_token_scores_or_wins() -> None:
    start = "xx1x1/o4/5/5/xxxx1 o 0:????? 5-11 16"
    board = Table(people("yam-master", start=start)).view()["board"]
    assert board["threats"]["x"] == [
        {"square": "c1", "points": 2, "wins": False},
        {"square": "e5", "points": -2, "wins": True},
    ]
    assert board["lines"]["x"] == [["a5", "b5", "c5", "d5"]]
    assert board["points"] == {"x": 2, "o": 0}
    assert [square["token"] for square in board["squares"][:6]] == ["x", "x", None, "x", None, "o"]
    assert board["squares"][2]["figure"] == "Défi"
    assert board["winning"] == []


def test_a_line_of_five_is_named() -> None:
    over = games.position("yam-master", "xx1x1/o4/5/5/xxxxx o - 4-11 16")
    assert isinstance(over, yam_master.Position)
    assert board_view(over)["winning"] == [["a5", "b5", "c5", "d5", "e5"]]


@pytest.mark.parametrize("game", ["yam-master", "yamm", "yamm(players=1)"])
@pytest.mark.parametrize("dice", list(DiceOf))
def test_the_view_agrees_with_the_replayed_record(game: str, dice: DiceOf) -> None:
    from dicecup.table.table_record import record_of

    table = Table(people(game, 1 if "1" in game else 2, dice=dice))
    chance = random.Random(11)
    for _ in range(120):
        if table.state.end is None:
            table.step(chance)
        shown = table.view(*range(len(table.state.seats)))
        state = record.state(record_of(table.state))
        assert shown["position"] == state["position"]
        if game == "yam-master":
            tokens = "".join(square["token"] or "." for square in shown["board"]["squares"])
            assert tokens == "".join(state["board"])
            assert list(shown["board"]["points"].values()) == state["points"]
        else:
            for held, kept in zip(shown["sheets"], state["sheets"], strict=True):
                assert {name: held[name] for name in kept} == kept
        if table.state.order:
            assert [choice["action"] for choice in shown["actions"]] == state["actions"]
            assert [choice["action"] for choice in shown["corrections"]] == state.get("corrections", [])
        assert json.loads(json.dumps(shown)) == shown


def test_no_client_sees_an_identity() -> None:
    event = Seated(0, "Anna", "a-secret-identity")
    assert public(event) == {"type": "seated", "seat": 0, "name": "Anna"}


@given(st.integers(0, 3))
def test_watchers_may_do_nothing(steps: int) -> None:
    table = Table(people("yam-master"))
    for _ in range(steps):
        table.step(random.Random(steps))
    shown = table.view()
    assert (shown["you"], shown["actions"], shown["corrections"], shown["may"]) == ([], [], [], [])


def test_a_replaced_person_may_correct_nothing() -> None:
    table = Table(people("yamm", 2, dice=DiceOf.TABLE))
    table.send(EnterDie(6), 0)
    for seat in (0, 1):
        table.send(EnterDice("13446"), seat)
        table.send(Act("f1.4"), seat)
    before = table.state
    assert before.seats_of(identity(0)) == {0}
    assert table.view(0)["corrections"] != []
    table.offline = {0: table.now}
    table.wait(120)
    table.send(Claim(Remedy.COMPUTER, "greedy", 1), 1)
    seats = table.state.seats_of(identity(0))
    assert seats == frozenset()
    assert Views(table.state, table.now, {}, before).changed(seats)["corrections"] == []
