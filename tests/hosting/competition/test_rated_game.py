"""What a finished rated game says: who is ranked where, and why a game does not count."""

import random
from collections.abc import Callable
from typing import Any

import pytest

from dicecup.hosting.competition.pools import Form, Kind, Pace, Pool, pace_of, pool_of, pools_of
from dicecup.hosting.competition.rated_game import FIRST_TURNS, RatedGame, Refusal, game_of, rated_game, row_of
from dicecup.table.commands import AnswerDraw, Claim, EndGame, FreeSeat, OfferDraw, Remedy, Replace, Resign
from dicecup.table.consequences import ABANDONED
from dicecup.table.duplicate import Duplicate
from dicecup.table.errors import TableCode, TableError
from dicecup.table.permissions import GRACE
from dicecup.table.setup import Clock, ClockKind, DiceOf, Setup
from tests.table.tables import OPEN, Table, computer, duel, identity, people

MINUTE = Clock(ClockKind.TURN, 60)


def play(table: Table, turn: int = FIRST_TURNS) -> Table:
    """Play until a turn begins."""
    chance = random.Random("rated")
    while table.state.position.number < turn or table.state.position.turn is None or not table.state.position.waiting:
        table.step(chance)
    return table


def trio(**agreed: Any) -> Table:
    return Table(people("yamm(players=3)", 3, rated=True, **agreed))


def found(table: Table, end: Callable[[], object]) -> RatedGame | None:
    """Return what a game says that ends now."""
    before = table.state
    end()
    return rated_game(before, table.state, table.stored[1:])


def result(table: Table, end: Callable[[], object]) -> RatedGame:
    game = found(table, end)
    assert game is not None
    return game


def ranks(game: RatedGame) -> dict[int, int]:
    """Return the rank of each person by the number in the identity."""
    assert game.refusal is None
    return {
        int(str(member.identity).split("-")[1]): rank
        for side, rank in zip(game.sides, game.ranks, strict=True)
        for member in side
        if member.identity is not None
    }


# --- Which games count ----------------------------------------------------------------------------


def test_a_game_that_is_not_rated_says_nothing() -> None:
    table = play(duel())
    assert found(table, lambda: table.send(Resign(), 0)) is None


def test_a_table_that_never_began_says_nothing() -> None:
    table = Table(people("yam-master", rated=True), ready=False)
    assert found(table, table.close) is None


@pytest.mark.parametrize("turn, refusal", [(1, Refusal.TOO_SHORT), (2, None)])
def test_a_game_counts_from_the_second_turn_on(turn: int, refusal: str | None) -> None:
    table = play(duel(rated=True), turn)
    assert result(table, lambda: table.send(Resign(), 0)).refusal == refusal


def test_a_clock_that_runs_out_in_the_first_turn_is_no_game() -> None:
    table = duel(rated=True, clock=MINUTE)
    assert result(table, lambda: table.wait(61)).refusal == Refusal.TOO_SHORT


def test_a_person_on_several_seats_cannot_win_against_itself() -> None:
    table = play(Table(people("yam-master", rated=True, first=0), one_person=True))
    assert result(table, lambda: table.send(Resign(0), 0, 1)).refusal == Refusal.SAME_PERSON


def test_a_game_that_the_host_closes_does_not_count() -> None:
    table = play(duel(rated=True))
    assert result(table, table.close).refusal == Refusal.CLOSED


@pytest.mark.parametrize(
    "setup, why",
    [
        (lambda: people("yam-master", rated=True, dice=DiceOf.TABLE), "dice"),
        (lambda: people("yam-master", rated=True, start='[Game "yam-master"]\n[X "A"]\n[O "B"]\n\n1. 13456 --\n'), "start"),
        (lambda: people("yamm(players=1)", 1, rated=True), "players"),
        (lambda: people("yamm", rated=True, duplicate=Duplicate("daily", practice=True)), "practice"),
        (lambda: Setup("yam-master", (computer(), computer()), rated=True), "players"),
    ],
)
def test_some_games_cannot_be_rated(setup: Callable[[], Setup], why: str) -> None:
    with pytest.raises(TableError) as refused:
        setup()
    assert (refused.value.code, refused.value.details) == (TableCode.NOT_A_SETUP, {"text": "rated", "why": why})


def test_the_next_game_of_a_match_is_rated_too() -> None:
    table = play(duel(rated=True, games=3))
    table.send(Resign(), 0)
    assert Table.after(table).state.setup.rated


# --- Who is ranked where --------------------------------------------------------------------------


def test_resigning_loses() -> None:
    table = play(duel(rated=True))
    assert ranks(result(table, lambda: table.send(Resign(), 0))) == {0: 1, 1: 0}


def test_an_agreed_draw_is_one() -> None:
    table = play(duel(rated=True))
    table.send(OfferDraw(), 0)
    assert ranks(result(table, lambda: table.send(AnswerDraw(accept=True), 1))) == {0: 0, 1: 0}


def test_a_clock_that_runs_out_loses() -> None:
    table = play(duel(rated=True, clock=MINUTE), 3)
    assert ranks(result(table, lambda: table.wait(61))) == {0: 1, 1: 0}


def gone(table: Table, seat: int) -> None:
    """Let the person on a seat be away for so long that the others may claim."""
    table.offline = {seat: table.now}
    table.wait(GRACE + 1)


def test_a_claimed_win_is_a_loss_for_who_left() -> None:
    table = play(duel(rated=True), 3)
    gone(table, 0)
    assert ranks(result(table, lambda: table.send(Claim(Remedy.WIN), 1))) == {0: 1, 1: 0}


def test_a_claimed_draw_is_a_draw() -> None:
    table = play(duel(rated=True), 3)
    gone(table, 0)
    assert ranks(result(table, lambda: table.send(Claim(Remedy.DRAW), 1))) == {0: 0, 1: 0}


def test_who_left_loses_although_the_computer_wins_for_them() -> None:
    table = play(duel(rated=True), 3)
    gone(table, 0)
    table.send(Claim(Remedy.COMPUTER, "random"), 1)
    assert ranks(result(table, lambda: table.send(Resign(), 1))) == {0: 1, 1: 0}


def test_who_left_in_the_first_turn_ends_the_count() -> None:
    table = duel(rated=True)
    gone(table, 0)
    table.send(Claim(Remedy.COMPUTER, "random"), 1)
    play(table, 4)
    assert result(table, lambda: table.send(Resign(), 1)).refusal == Refusal.TOO_SHORT


def test_a_person_who_never_comes_back_to_a_game_against_a_computer_loses() -> None:
    table = play(Table(Setup("yam-master", (OPEN, computer("club")), rated=True, first=0)), 3)
    game = result(table, lambda: table.wait(ABANDONED + 1))
    assert ranks(game) == {0: 1}
    assert [[member.level for member in side] for side in game.sides] == [[""], ["club"]]


def test_totals_rank_a_group() -> None:
    chance = random.Random("totals")
    table = trio()
    before = table.state
    while table.state.end is None:
        before = table.state
        table.step(chance)
    game = rated_game(before, table.state, table.stored[1:])
    assert game is not None
    scores = table.state.position.scores
    assert game.ranks == tuple(sorted(set(scores), reverse=True).index(score) for score in scores)


def test_who_leaves_a_group_first_is_last() -> None:
    table = play(trio(), 4)
    first, second, third = (table.state.order[place] for place in range(3))
    table.send(Resign(first), first)
    table.send(Replace("random"), second)
    table.send(Resign(second), second)
    table.send(Replace("random"), third)
    game = result(table, lambda: table.send(Resign(third), third))
    assert ranks(game)[first] == 2
    assert ranks(game)[second] == 1


def test_a_group_that_ends_without_a_person_ranks_it_last() -> None:
    table = play(trio(), 4)
    first, second, third = table.state.order
    table.send(Resign(first), first)
    table.send(EndGame(), second)
    game = result(table, lambda: table.send(EndGame(), third))
    assert ranks(game)[first] == max(game.ranks)
    assert 0 in (ranks(game)[second], ranks(game)[third])


def test_a_partner_who_leaves_is_marked_and_the_pair_plays_on() -> None:
    table = play(Table(people("yamm(players=4,pairs=yes)", 4, rated=True)), 4)
    (seat,) = table.state.pending.seats
    owner = table.state.owner
    assert owner is not None
    if owner == seat:
        play(table, 5)
        (seat,) = table.state.pending.seats
    gone(table, seat)
    table.send(FreeSeat(seat), owner)
    table.send(Replace("random"), owner)
    other = next(each for each in table.state.people if table.state.side_of(each) != table.state.side_of(seat))
    game = result(table, lambda: table.send(Resign(other), other))
    members = [member for side in game.sides for member in side]
    assert [member.left for member in members].count(True) == 1
    assert next(member for member in members if member.left).identity == identity(seat)
    assert ranks(game)[seat] == 0  # the pair won; the person who left is rated as a loser (test_rating)


def test_a_row_holds_the_game() -> None:
    table = play(duel(rated=True))
    game = result(table, lambda: table.send(Resign(), 0))
    assert game_of(row_of(game)) == game


# --- Pools ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "clock, pace",
    [
        (None, Pace.SLOW),
        (Clock(ClockKind.TURN, 60), Pace.FAST),
        (Clock(ClockKind.TURN, 61), Pace.SLOW),
        (Clock(ClockKind.GAME, 900, 10), Pace.FAST),
        (Clock(ClockKind.GAME, 1800), Pace.FAST),
        (Clock(ClockKind.GAME, 1800, 1), Pace.SLOW),
        (Clock(ClockKind.DAYS, 86_400), Pace.SLOW),
    ],
)
def test_a_clock_is_fast_or_slow(clock: Clock | None, pace: Pace) -> None:
    assert pace_of(clock) is pace


@pytest.mark.parametrize(
    "game, players, form",
    [
        ("yam-master(captured=out)", 2, Form.DUEL),
        ("yamm", 2, Form.DUEL),
        ("yamm(players=3)", 3, Form.GROUP),
        ("yamm(players=4,pairs=yes)", 4, Form.PAIRS),
    ],
)
def test_a_pool_follows_from_the_setup(game: str, players: int, form: Form) -> None:
    pool = pool_of(people(game, players))
    assert pool == Pool(game.partition("(")[0], Kind.OPEN, form, Pace.SLOW)
    assert Pool.read(str(pool)) == pool
    assert pool in pools_of(pool.game)


def test_games_with_the_same_dice_as_others_have_a_pool_of_their_own() -> None:
    assert pool_of(people("yamm", duplicate=Duplicate("daily"))).kind is Kind.DUPLICATE


@pytest.mark.parametrize("text", ["", "yamm", "yamm:open:duel", "yamm:open:duel:slow:x", "yamm:closed:duel:slow"])
def test_other_texts_name_no_pool(text: str) -> None:
    assert Pool.read(text) is None
