"""What tournaments refuse, and what follows from commands and from time."""

import pytest

from dicecup.core.errors import DicecupError
from dicecup.table.clock import Gap
from dicecup.table.setup import Clock, ClockKind
from dicecup.tournament import handlers
from dicecup.tournament.commands import (
    COMMANDS_OF_ORGANISERS,
    AddEntrant,
    Cancel,
    Correct,
    DeleteRound,
    Enter,
    EnterResult,
    Finish,
    Forfeit,
    NameOrganiser,
    Return,
    ScheduleRound,
    StartRound,
    Withdraw,
    tournament_command_from_json,
    tournament_command_to_json,
)
from dicecup.tournament.errors import TournamentError
from dicecup.tournament.events import Cause, How, LossMeasured, Result
from dicecup.tournament.handlers import is_meant_for
from dicecup.tournament.progress import wake_at
from dicecup.tournament.setup import (
    DiceKind,
    Entries,
    Format,
    TieBreak,
    table_setup,
    tournament_setup_from_json,
    tournament_setup_to_json,
)
from dicecup.tournament.standings import standings
from dicecup.tournament.views import own_view
from tests.tournament.playing import Tournament, setup

REAL = {"dice": DiceKind.RESULTS}


def started(kind: Format = Format.ROUND_ROBIN, entrants: int = 4, **changed: object) -> Tournament:
    made = Tournament(setup(kind, **(REAL | changed)), entrants)
    made.do(StartRound())
    return made


# --- Setups ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "field, changed",
    [
        ("name", {"name": " "}),
        ("name", {"name": "x" * 41}),
        ("name", {"name": "two\nlines"}),
        ("name", {"name": "\u202etournament"}),
        ("game", {"game": "yamm(players=3)"}),
        ("best_of", {"best_of": 0}),
        ("rounds", {"rounds": 0}),
        ("rounds", {"rounds": 31}),
        ("cycles", {"cycles": 2}),
        ("seconds", {"seconds": -1}),
        ("pause", {"pause": -1}),
        ("late_rounds", {"late_rounds": 31}),
        ("bye", {"bye": 3}),
        ("tie_breaks", {"tie_breaks": (TieBreak.WINS, TieBreak.WINS)}),
        ("most", {"most": 1}),
        ("clock", {"dice": DiceKind.RESULTS, "clock": Clock(ClockKind.TURN, 60)}),
    ],
)
def test_an_impossible_setup_names_its_field(field: str, changed: dict[str, object]) -> None:
    with pytest.raises(TournamentError) as refused:
        setup(Format.SWISS, **changed)
    assert (refused.value.code, refused.value.details["text"]) == ("not-a-tournament", field)


def test_an_arena_needs_a_time_and_a_clock_and_a_league_deadlines() -> None:
    for kind, changed in ((Format.ARENA, {"seconds": 0}), (Format.ARENA, {"clock": None}), (Format.LEAGUE, {"seconds": 0})):
        with pytest.raises(TournamentError, match="not-a-tournament"):
            setup(kind, **changed)


@pytest.mark.parametrize("kind", list(Format))
def test_a_setup_and_commands_are_read_back(kind: Format) -> None:
    given = setup(kind, name="Zoë’s Club", most=9)
    assert tournament_setup_from_json(tournament_setup_to_json(given)) == given
    for command in (Enter("A"), ScheduleRound(1.5), EnterResult(1, 2, Result.DRAWN, (3, 3)), Correct(1, Result.WON, "x")):
        assert tournament_command_from_json(tournament_command_to_json(command)) == command


# --- Entries --------------------------------------------------------------------------------------


def test_nobody_enters_twice_or_under_a_taken_name() -> None:
    made = Tournament(setup(Format.SWISS), 2)
    assert made.refused(Enter("Other name"), "p1") == "entered-twice"
    with pytest.raises(DicecupError, match="name-twice"):
        made.do(Enter("player 2"), "p9")
    for wrong, code in (("Zoe\u200d", "hidden-in-name"), ("x" * 41, "not-a-name"), ("Ｐlayer 2", "name-twice")):
        for command in (Enter(wrong), AddEntrant(wrong)):
            with pytest.raises(DicecupError, match=code):
                made.do(command)
    made.do(Withdraw(), "p1")
    assert made.refused(Enter("Other name"), "p1") == "entered-twice"
    made.do(Return(), "p1")
    assert made.refused(Return(), "p1") == "has-not-withdrawn"


def test_entries_close_with_the_first_round_unless_late_ones_are_allowed() -> None:
    assert started().refused(Enter("Late"), "late") == "entries-closed"
    late = started(Format.SWISS, late_rounds=1)
    late.do(Enter("Late"), "late")
    late.do(Finish())
    assert late.refused(Enter("Later"), "later") == "tournament-over"
    closed = Tournament(setup(Format.SWISS, entries=Entries.ORGANISER))
    assert closed.refused(Enter("Anna"), "p1") == "entries-closed"
    closed.add("Anna")


def test_a_full_tournament_takes_nobody() -> None:
    made = Tournament(setup(Format.SWISS, most=2), 2)
    assert made.refused(Enter("Third"), "p3") == "tournament-full"
    assert made.refused(AddEntrant("Third")) == "tournament-full"


def test_rated_games_need_the_dice_of_the_server_and_people_with_devices() -> None:
    with pytest.raises(TournamentError, match="rated"):
        setup(Format.SWISS, rated=True, **REAL)
    made = Tournament(setup(Format.SWISS, rated=True), 1)
    assert made.refused(AddEntrant("Anna")) == "entries-closed"
    assert "add-entrant" not in own_view(made.state, "organiser", made.now)["may"]
    assert table_setup(made.state.setup).rated


def test_the_strongest_come_first() -> None:
    made = Tournament(setup(Format.KNOCK_OUT, **REAL))
    for strength in (10, 40, 30):
        made.do(AddEntrant(f"Strength {strength}", strength))
    made.do(StartRound())
    assert made.state.rounds[0].byes == (2,)


def test_organisers_alone_organise_and_name_others() -> None:
    made = started()
    for command in (
        StartRound(),
        ScheduleRound(None),
        AddEntrant("x"),
        Forfeit(1, Result.WON),
        Correct(1, Result.WON, "x"),
        DeleteRound(1, "x"),
        NameOrganiser("x"),
        Finish(),
        Cancel(),
    ):
        assert isinstance(command, COMMANDS_OF_ORGANISERS)
        assert made.refused(command, "p1") == "not-the-organiser"
    made.do(NameOrganiser("anna"), accounts={"anna": "p1"})
    made.do(Forfeit(1, Result.WON), "p1")
    assert made.state.handles == ("anna",)


def test_strangers_withdraw_nobody() -> None:
    made = started()
    assert made.refused(Withdraw(), "stranger") == "not-an-entrant"
    assert made.refused(Withdraw(2), "p1") == "not-the-organiser"
    assert made.refused(Withdraw(9)) == "no-such-entrant"
    made.do(Withdraw(2))
    assert made.refused(Withdraw(2)) == "has-withdrawn"


# --- Rounds ---------------------------------------------------------------------------------------


def test_a_round_needs_two_people_and_the_end_of_the_last_one() -> None:
    assert Tournament(setup(Format.SWISS), 1).refused(StartRound()) == "too-few-entrants"
    made = started()
    assert made.refused(StartRound()) == "round-running"
    made = started(Format.SWISS, rounds=1)
    for pairing in made.state.running_pairings():
        made.do(EnterResult(pairing.number, 1, Result.WON))
    assert made.state.how is How.ROUNDS
    assert made.refused(StartRound()) == "tournament-over"


def test_a_swiss_round_without_new_opponents_is_refused_and_a_planned_one_ends_the_tournament() -> None:
    for pause in (None, 0):
        made = Tournament(setup(Format.SWISS, pause=pause, **REAL), 2)
        made.do(StartRound())
        made.do(EnterResult(1, 1, Result.WON))
        if pause is None:
            assert made.refused(StartRound()) == "no-pairing-left"
        else:
            assert made.state.how is How.ROUNDS


def test_a_round_with_results_is_not_deleted() -> None:
    made = started()
    assert made.refused(DeleteRound(2, "x")) == "no-such-round"
    assert made.refused(DeleteRound(1, "")) == "not-a-remark"
    made.do(EnterResult(1, 1, Result.WON))
    assert made.refused(DeleteRound(1, "x")) == "round-has-results"


def test_a_round_with_a_forfeit_is_not_deleted() -> None:
    made = started()
    made.do(Forfeit(1, Result.WON))
    assert made.refused(DeleteRound(1, "x")) == "round-has-results"
    assert "delete-round" not in own_view(made.state, "organiser", made.now)["may"]


def test_a_round_is_paired_anew_without_a_person_who_withdrew() -> None:
    made = started(Format.SWISS)
    pairing = made.state.pairings[0]
    made.do(Withdraw(pairing.first))
    made.do(DeleteRound(1, "left"))
    made.do(StartRound())
    left = {number for each in made.state.running_pairings() for number in (each.first, each.second)}
    assert pairing.first not in left
    assert left | set(made.replayed().rounds[-1].byes) == {1, 2, 3, 4} - {pairing.first}
    corrected = started(Format.SWISS)
    corrected.do(Withdraw(corrected.state.pairings[0].first))
    corrected.do(Correct(1, Result.WON, "had won before"))
    assert corrected.state.pairings[0].result is Result.WON
    assert corrected.refused(DeleteRound(1, "x")) == "round-has-results"


def test_a_deleted_round_is_paired_again_and_its_pairings_are_gone() -> None:
    made = started()
    made.do(DeleteRound(1, "wrong list"))
    assert made.refused(EnterResult(1, 1, Result.WON)) == "round-deleted"
    made.do(StartRound())
    assert [pairing.number for pairing in made.state.running_pairings()] == [3, 4]
    assert made.refused(DeleteRound(0, "x")) == "no-such-round"


def test_a_planned_round_begins_by_itself() -> None:
    made = Tournament(setup(Format.SWISS), 4)
    assert made.refused(ScheduleRound(made.now)) == "not-a-start-time"
    assert made.refused(ScheduleRound(made.now + 1e9)) == "not-a-start-time"
    made.do(ScheduleRound(made.now + 60))
    assert wake_at(made.state) == made.now + 60
    made.pass_time(59)
    assert not made.state.has_begun
    made.pass_time(1)
    assert made.replayed().has_begun
    alone = Tournament(setup(Format.SWISS), 1)
    alone.do(ScheduleRound(alone.now + 60))
    alone.pass_time(60)
    assert wake_at(alone.state) is None, "an organiser has to start it"


def test_at_the_deadline_both_lose() -> None:
    made = started(Format.LEAGUE, seconds=3600)
    made.do(EnterResult(1, 1, Result.WON))
    made.pass_time(3600)
    assert [pairing.result for pairing in list(made.state.kept())[:2]] == [Result.WON, Result.NEITHER]
    assert len(made.state.rounds) == 2, "the next round begins at the deadline"


def test_an_outage_moves_the_deadline() -> None:
    made = started(Format.LEAGUE, seconds=3600)
    held = handlers.hold(made.state, made.now + 7200, [Gap(made.now + 10, made.now + 7000)])
    assert held.state.rounds[0].deadline == made.now + 3600 + 6990
    late = handlers.hold(made.state, made.now + 7200, [Gap(made.now + 3700, made.now + 7000)])
    assert late.events == ()


def test_commands_about_rounds_and_pairings_are_for_what_was_seen() -> None:
    made = Tournament(setup(Format.ROUND_ROBIN, **REAL), 4)
    seen = made.state.number
    assert is_meant_for(made.state, StartRound(), seen)
    made.do(StartRound())
    assert not is_meant_for(made.state, StartRound(), seen)
    seen = made.state.number
    made.do(EnterResult(1, 1, Result.WON))
    assert not is_meant_for(made.state, EnterResult(1, 1, Result.LOST), seen)
    assert is_meant_for(made.state, EnterResult(2, 1, Result.LOST), seen)
    assert is_meant_for(made.state, Enter("x"), 1)
    assert not is_meant_for(made.state, Enter("x"), made.state.number + 1)


# --- Results --------------------------------------------------------------------------------------


def test_results_that_contradict_are_refused() -> None:
    made = started(game="yamm", best_of=3)
    pairing = made.state.pairings[0]
    player = made.state.entrant(pairing.first).identity
    assert player is not None
    made.do(EnterResult(1, 1, Result.WON, (700, 600)), player)
    assert made.refused(EnterResult(1, 1, Result.WON)) == "result-known"
    assert made.refused(EnterResult(1, 1, Result.LOST)) == "results-contradict"
    assert made.refused(EnterResult(1, 2, Result.LOST, (700, 600))) == "results-contradict"
    assert made.refused(EnterResult(1, 2, Result.WON, (7,))) == "not-a-result"
    assert made.refused(EnterResult(1, 3, Result.WON)) == "no-result-due"
    assert made.refused(EnterResult(99, 1, Result.WON)) == "no-such-pairing"
    other = made.state.entrant(made.state.pairings[1].first).identity
    assert other is not None
    assert made.refused(EnterResult(1, 2, Result.WON), other) == "not-your-pairing"


def test_results_of_tables_are_not_entered() -> None:
    made = Tournament(setup(Format.ROUND_ROBIN), 2)
    made.do(StartRound())
    assert made.refused(EnterResult(1, 1, Result.WON)) == "result-from-table"


def test_a_correction_stays_in_the_log_with_its_reason() -> None:
    made = started()
    assert made.refused(Correct(1, Result.WON, "x")) == "no-result-due"
    made.do(EnterResult(1, 1, Result.WON))
    assert made.refused(Correct(1, Result.WON, "x")) == "result-known"
    assert made.refused(Correct(1, Result.LOST, "two\nlines")) == "not-a-remark"
    made.do(Correct(1, Result.LOST, "wrong slip"))
    assert [getattr(stored.event, "remark", "") for stored in made.log][-1] == "wrong slip"
    assert made.state.pairings[0].is_corrected


def test_a_knock_out_has_no_draws_and_no_late_corrections() -> None:
    made = started(Format.KNOCK_OUT)
    assert made.refused(Forfeit(1, Result.DRAWN)) == "not-a-result"
    for number in (1, 2):
        made.do(EnterResult(number, 1, Result.WON))
    made.do(StartRound())
    assert made.refused(Correct(1, Result.LOST, "x")) == "next-round-begun"
    assert made.refused(DeleteRound(1, "x")) == "next-round-begun"


def test_a_knock_out_of_draws_is_decided_by_lot() -> None:
    made = started(Format.KNOCK_OUT, 2)
    while not made.state.is_over:
        made.do(EnterResult(1, len(made.state.pairings[0].games) + 1, Result.DRAWN))
    pairing = made.state.pairings[0]
    assert (len(pairing.games), pairing.cause) == (11, Cause.LOT)
    assert pairing.result in (Result.WON, Result.LOST)


def test_best_of_three_ends_when_nobody_can_catch_up() -> None:
    made = started(best_of=3, entrants=2)
    made.do(EnterResult(1, 1, Result.WON))
    assert made.state.pairings[0].result is None
    made.do(EnterResult(1, 2, Result.WON))
    assert made.replayed().pairings[0].result is Result.WON
    assert made.replayed().is_over


def test_withdrawing_loses_this_and_later_pairings() -> None:
    made = started()
    made.do(Withdraw(), "p1")
    while not made.state.is_over:
        for pairing in made.state.running_pairings():
            made.do(EnterResult(pairing.number, 1, Result.WON))
        if not made.state.is_over:
            made.do(StartRound())
    lost = [each for each in made.state.kept() if 1 in (each.first, each.second)]
    assert [each.cause for each in lost] == [Cause.WITHDRAWN] * 3
    assert all(each.points_of(each.other(1)) == 2 for each in lost)


def test_a_finished_tournament_is_changed_no_more_but_by_corrections() -> None:
    assert Tournament(setup(Format.SWISS), 2).refused(Finish()) == "tournament-not-begun"
    made = started()
    made.do(EnterResult(1, 1, Result.WON))
    made.do(Cancel())
    for command in (StartRound(), Withdraw(1), Return(1), Finish(), Cancel(), ScheduleRound(None), Forfeit(2, Result.WON)):
        assert made.refused(command) == "tournament-over"
    assert made.refused(EnterResult(2, 1, Result.WON)) == "tournament-over"
    made.do(Correct(1, Result.DRAWN, "both slips say so"))


def test_a_client_sees_what_it_may_do() -> None:
    made = started()
    pairing = made.state.pairings[0]
    own = own_view(made.state, made.state.entrant(pairing.first).identity, made.now)
    assert (own["pairing"], own["may"]) == (1, ["withdraw", "enter-result"])
    assert own_view(made.state, None, made.now)["may"] == []
    assert "delete-round" in own_view(made.state, "organiser", made.now)["may"]


# --- Tie-breaks -----------------------------------------------------------------------------------


def test_tie_breaks_are_those_of_a_table_made_by_hand() -> None:
    """Of four, 1 beats 2 and 3 and loses to 4; 2 beats 3 and draws with 4; 3 beats 4."""
    made = started(tie_breaks=(TieBreak.DIRECT, TieBreak.SONNEBORN_BERGER, TieBreak.BUCHHOLZ, TieBreak.WINS))
    beats = {(1, 2): 2, (1, 3): 2, (1, 4): 0, (2, 3): 2, (2, 4): 1, (3, 4): 2}
    results = {2: Result.WON, 1: Result.DRAWN, 0: Result.LOST}
    while not made.state.is_over:
        for pairing in made.state.running_pairings():
            low, high = sorted((pairing.first, pairing.second))
            points = beats[low, high] if pairing.first == low else 2 - beats[low, high]
            made.do(EnterResult(pairing.number, 1, results[points]))
        if not made.state.is_over:
            made.do(StartRound())
    lines = {line.entrant: line for line in standings(made.state)}
    assert [(each, lines[each].points, lines[each].rank) for each in (1, 4, 2, 3)] == [
        (1, 4, 1),
        (4, 3, 2),
        (2, 3, 3),
        (3, 2, 4),
    ]
    assert lines[1].tie_breaks[1:] == (2.5, 4.0, 2.0)
    assert lines[2].tie_breaks == (0.5, 1.75, 4.5, 1.0)
    assert lines[4].tie_breaks == (0.5, 2.75, 4.5, 1.0)


def test_the_mean_loss_decides_between_equal_entrants() -> None:
    made = Tournament(setup(Format.ROUND_ROBIN, tie_breaks=(TieBreak.MEAN_LOSS,)), 2)
    made.do(StartRound())
    made.open_tables()
    made.end(1, Result.DRAWN)
    assert [line.rank for line in standings(made.state)] == [1, 1]
    measured = LossMeasured(1, 1, (3.0, 1.0), (10, 10))
    state = handlers.measure(made.state, measured, made.now).state
    first = made.state.pairings[0].second
    assert [(line.entrant, line.tie_breaks) for line in standings(state)] == [
        (first, (0.1,)),
        (made.state.pairings[0].first, (0.3,)),
    ]
    assert handlers.measure(state, measured, made.now).events == ()
