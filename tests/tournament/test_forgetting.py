"""A person whose account is deleted leaves a tournament, as an entrant and as an organiser."""

from random import Random

import pytest

from dicecup.tournament import handlers
from dicecup.tournament.commands import AddEntrant, Correct, Enter, EnterResult, NameOrganiser, Return, StartRound
from dicecup.tournament.events import Cause, How, OrganiserLeft, Renamed, Result, Why, Withdrawn, public_event
from dicecup.tournament.setup import DiceKind, Format
from dicecup.tournament.standings import standings
from tests.tournament.playing import ORGANISER, Tournament, setup


def forget(made: Tournament, identity: str) -> list[object]:
    """Take a person out of a tournament, and return the new events."""
    known = len(made.log)
    made.save(handlers.forget(made.state, identity, "deleted", made.now))
    assert made.replayed() == made.state
    return [stored.event for stored in made.log[known:]]


def with_second_organiser(kind: Format, entrants: int, **changed: object) -> Tournament:
    made = Tournament(setup(kind, **changed), entrants)
    made.do(NameOrganiser("helga"), accounts={"helga": "h"})
    return made


def test_an_entrant_is_withdrawn_before_the_start() -> None:
    made = Tournament(setup(Format.SWISS), 3)
    assert forget(made, "p2") == [Renamed(2, "deleted"), Withdrawn(2, Why.OWN)]
    assert [entrant.number for entrant in made.state.active] == [1, 3]
    assert forget(made, "p2") == []


@pytest.mark.parametrize("kind", [Format.SWISS, Format.ROUND_ROBIN, Format.KNOCK_OUT, Format.LEAGUE])
def test_the_opponent_wins_a_running_pairing(kind: Format) -> None:
    made = Tournament(setup(kind), 4)
    made.do(StartRound())
    made.open_tables()
    pairing = made.state.running_of(2)
    assert pairing is not None
    forget(made, "p2")
    decided = made.state.pairing(pairing.number)
    assert (decided.cause, decided.points_of(2), decided.points_of(pairing.other(2))) == (Cause.WITHDRAWN, 0, 2)


def test_a_game_of_an_arena_goes_on() -> None:
    made = Tournament(setup(Format.ARENA), 2)
    made.do(StartRound())
    made.open_tables()
    forget(made, "p2")
    assert len(made.state.running) == 1
    made.end(1, Result.WON)
    made.pass_time(30)
    assert made.state.running == frozenset()


def test_a_finished_tournament_keeps_its_standings() -> None:
    made = Tournament(setup(Format.ROUND_ROBIN), 3)
    made.play(Random(1))
    before = standings(made.state)
    assert forget(made, "p2") == [Renamed(2, "deleted")]
    assert forget(made, ORGANISER) == [OrganiserLeft(ORGANISER)]
    assert standings(made.state) == before
    assert made.state.how is How.ROUNDS


def test_other_organisers_carry_on() -> None:
    made = with_second_organiser(Format.ROUND_ROBIN, 2, dice=DiceKind.RESULTS)
    assert forget(made, ORGANISER) == [OrganiserLeft(ORGANISER)]
    assert (made.state.organisers, made.state.handles) == (("h",), ("helga",))
    assert made.refused(StartRound(), ORGANISER) == "not-the-organiser"
    made.do(StartRound(), "h")
    made.do(EnterResult(1, 1, Result.WON), "h")
    made.do(Correct(1, Result.LOST, "mistyped"), "h")


def test_a_named_organiser_leaves_with_the_handle() -> None:
    made = with_second_organiser(Format.ROUND_ROBIN, 2)
    made.do(NameOrganiser("igor"), accounts={"igor": "i"})
    assert forget(made, "h") == [OrganiserLeft("h")]
    assert (made.state.organisers, made.state.handles) == ((ORGANISER, "i"), ("igor",))
    assert public_event(OrganiserLeft("h")) == {"type": "organiser-left"}


def test_a_tournament_that_has_not_begun_is_cancelled_with_its_last_organiser() -> None:
    made = Tournament(setup(Format.LEAGUE, starts=5000.0), 4)
    forget(made, ORGANISER)
    assert made.state.how is How.CANCELLED


def test_entered_results_end_with_the_last_organiser() -> None:
    made = Tournament(setup(Format.SWISS, dice=DiceKind.RESULTS), 4)
    made.do(StartRound())
    made.do(EnterResult(1, 1, Result.WON))
    forget(made, ORGANISER)
    assert made.state.how is How.ORGANISER
    assert max(line.points for line in standings(made.state)) == 2


def test_a_round_is_played_to_its_end_without_organisers_and_is_the_last_one() -> None:
    made = Tournament(setup(Format.ROUND_ROBIN), 4)
    made.do(StartRound())
    assert forget(made, ORGANISER) == [OrganiserLeft(ORGANISER)]
    made.play_round(lambda: Result.WON)
    assert (made.state.how, len(made.state.rounds)) == (How.ROUNDS, 1)


def test_between_two_rounds_that_are_started_by_hand_a_tournament_ends_with_its_last_organiser() -> None:
    made = Tournament(setup(Format.ROUND_ROBIN), 4)
    made.do(StartRound())
    made.play_round(lambda: Result.WON)
    forget(made, ORGANISER)
    assert made.state.how is How.ROUNDS


@pytest.mark.parametrize("changed", [{"format": Format.LEAGUE}, {"format": Format.ROUND_ROBIN, "pause": 60}])
def test_rounds_that_begin_by_themselves_go_on_without_organisers(changed: dict[str, object]) -> None:
    made = Tournament(setup(Format.LEAGUE, **changed), 4)
    made.do(StartRound())
    forget(made, ORGANISER)
    for number in (1, 2, 3):
        assert len(made.state.rounds) == number
        made.play_round(lambda: Result.WON)
        made.pass_time(7 * 86_400)
    assert made.state.how is How.ROUNDS


def test_a_planned_round_that_cannot_begin_ends_a_tournament_without_organisers() -> None:
    made = Tournament(setup(Format.SWISS, pause=60), 2)
    made.do(StartRound())
    forget(made, ORGANISER)
    made.play_round(lambda: Result.WON)
    made.pass_time(60)
    assert made.state.how is How.ROUNDS


def test_people_without_a_device_are_withdrawn_with_the_last_organiser() -> None:
    made = with_second_organiser(Format.ROUND_ROBIN, 3)
    made.do(AddEntrant("Anna"))
    made.do(StartRound())
    forget(made, ORGANISER)
    assert (made.state.entrant(4).is_active, made.state.player(4), made.state.player(1)) == (True, "h", "p1")
    forget(made, "h")
    pairing = next(each for each in made.state.pairings if 4 in (each.first, each.second))
    assert (pairing.cause, pairing.points_of(4)) == (Cause.WITHDRAWN, 0)
    assert made.state.entrant(4).name == "Anna"
    assert made.state.player(4) == "t"


def test_who_has_left_neither_enters_again_nor_is_an_organiser() -> None:
    made = with_second_organiser(Format.SWISS, 2)
    forget(made, "p1")
    assert made.refused(Enter("Zoe"), "p1") == "entered-twice"
    made.do(Return(1), "h")
    assert made.state.entrant(1).is_active, "organisers bring back a person who is still there"
