"""Analyses that would help in a running game against people are refused (docs/decisions/0009)."""

from collections.abc import AsyncIterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from dicecup import games
from dicecup.core.game import Position
from dicecup.hosting.table_host import TableHost
from dicecup.table.assistance import helps, refuse_help
from dicecup.table.commands import Resign, Sit
from dicecup.table.errors import TableError
from dicecup.table.setup import Setup
from dicecup.yam_master import Position as BoardPosition
from tests.hosting.guests import against, go_on, play, settings, two
from tests.table.tables import OPEN, Table, computer, people

BOARD = "xo3/5/5/5/5"
YAM_MASTER = f"{BOARD} x 1:11346 11-11 3"
EMPTY = "/".join([".11"] * 9)
SHEET = EMPTY.replace(".11", "3,.10", 1)
WET = f"{EMPTY}~f1.4=1:44456"
YAMM = f"{SHEET}|{WET} 1:11346 3"


def asks(table: Table, game: str, position: str, *, sits: bool) -> bool:
    return helps(table.state, games.from_id(game).position(position), sits=sits)


@pytest.mark.parametrize(
    "game, position, allowed",
    [
        ("yam-master", YAM_MASTER, True),
        ("yam-master", f"{BOARD} x 2:55566 11-11 3", True),
        ("yam-master", f"{BOARD} o 0:????? 11-11 4", True),
        ("yam-master", "ox3/5/5/5/5 x 1:11346 11-11 3", True),
        ("yam-master(captured=out)", YAM_MASTER, True),
        ("yam-master", "x1o2/5/5/5/5 x 1:11346 11-11 3", False),
        ("yam-master", "5/5/5/5/5 x 1:11346 12-12 1", False),
        ("yamm", YAMM, False),
    ],
)
def test_a_seated_player_gets_no_analysis_of_the_board(game: str, position: str, allowed: bool) -> None:
    table = Table(people("yam-master", start=YAM_MASTER))
    assert asks(table, game, position, sits=True) == allowed
    assert asks(table, game, position, sits=False) == (allowed and (game, position) == ("yam-master", YAM_MASTER))


@pytest.mark.parametrize(
    "game, position, allowed",
    [
        ("yamm", YAMM, True),
        ("yamm", f"{SHEET}|{EMPTY}~f2.4=2:44456 1:66666 3", True),
        ("yamm(players=1)", f"{SHEET} 1:11346 2", True),
        ("yamm(players=1)", f"{WET} 0:????? 2", True),
        ("yamm(players=1)", f"{EMPTY} 1:11346 1", False),
        ("yamm(players=1)", f"{SHEET.replace('3', '2')} 1:11346 2", False),
    ],
)
def test_a_single_sheet_of_the_game_is_refused_too(game: str, position: str, allowed: bool) -> None:
    table = Table(people("yamm", start=YAMM))
    assert asks(table, game, position, sits=True) == allowed
    assert asks(table, game, position, sits=False) == (allowed and position == YAMM)


def test_empty_positions_are_free_for_other_people() -> None:
    table = Table(people("yam-master", start="5/5/5/5/5 x 1:11346 12-12 1"))
    position = table.state.position
    assert helps(table.state, position, sits=True)
    assert not helps(table.state, position, sits=False)


def test_finished_games_and_computers_games_are_analysed() -> None:
    against_computer = Setup("yam-master", (OPEN, computer()), start=YAM_MASTER)
    assert not asks(Table(against_computer), "yam-master", YAM_MASTER, sits=True)
    table = Table(people("yam-master", start=YAM_MASTER))
    table.send(Resign(), 0)
    assert not asks(table, "yam-master", YAM_MASTER, sits=True)


@pytest.fixture
async def host(tmp_path: Path) -> AsyncIterator[TableHost]:
    opened = await TableHost.open(settings(f"sqlite:///{tmp_path / 'tables.sqlite'}"))
    yield opened
    await opened.close()


def stands(host: TableHost, table: str) -> Position:
    state = host.cache.tables[table].state
    assert state is not None
    return state.position


async def refused(host: TableHost, identity: str | None, position: Position) -> bool:
    """Return whether `web.analyses.run_without_assistance` refuses a position to a person."""
    try:
        asked = refuse_help(await host.guarded_positions(identity), [position])
    except TableError:
        return True
    return host.is_played(asked)


def first_token(actions: Sequence[Mapping[str, Any]]) -> Mapping[str, Any]:
    """Return the first action that places a token, else the last action."""
    return next((choice for choice in actions if "points" in choice["effect"]), actions[-1])


async def test_an_evicted_table_is_still_checked(host: TableHost) -> None:
    made = await host.create("anna", two(), name="Anna")
    await host.send(made.table, "ben", Sit("Ben"), version=2, command_id="sit", key=made.join)
    position = stands(host, made.table)
    # until the board has a token
    while isinstance(position, BoardPosition) and not position.x | position.o:
        assert await play(host, made.table, ["anna", "ben"], 1, first_token)
        position = stands(host, made.table)
    assert await refused(host, "anna", position)
    host.cache.tables.clear()
    assert not await refused(host, "clara", position)
    assert not await refused(host, None, position)
    assert await refused(host, "ben", position)
    # this process has loaded the table from now on
    assert await refused(host, None, position)
    await host.send(made.table, "ben", Resign(), version=(await host.look(made.table, "ben")).number, command_id="r")
    assert not await refused(host, "anna", position)


async def test_the_computer_s_opponent_may_ask(host: TableHost) -> None:
    made = await host.create("anna", against("random"), name="Anna")
    for _ in range(3):
        await go_on(host, made.table, "anna")
    assert not await refused(host, "anna", stands(host, made.table))
