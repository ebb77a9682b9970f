"""Laws of all formats, on random tournaments."""

import json
from collections import Counter
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from dicecup.tournament.commands import Return, StartRound, TournamentCommand, Withdraw
from dicecup.tournament.errors import TournamentError
from dicecup.tournament.events import Result, StoredEvent, tournament_event_from_json, tournament_event_to_text
from dicecup.tournament.progress import wake_at
from dicecup.tournament.setup import Format
from dicecup.tournament.standings import crosstable, standings
from dicecup.tournament.state import TournamentState
from dicecup.tournament.views import crosstable_view, own_view, view
from tests.tournament.playing import Tournament, setup

PLAYED_IN_ROUNDS = (Format.SWISS, Format.ROUND_ROBIN, Format.KNOCK_OUT, Format.LEAGUE)
seeds = st.integers(0, 2**32)
fields = st.integers(2, 12)


def played(kind: Format, entrants: int, seed: int, *, leaving: float = 0.0, **changed: object) -> Tournament:
    """Return a tournament of rounds that was played. Before each round some withdraw or return."""
    random, made = Random(seed), Tournament(setup(kind, **changed), entrants, str(seed))
    while not made.state.is_over:
        for entrant in made.state.entrants:
            if made.state.has_begun and random.random() < leaving:
                made.do(Withdraw(entrant.number) if entrant.is_active else Return(entrant.number))
                if made.replayed().is_over:
                    return made
        if not made.start():
            break
        made.play_round(lambda: random.choice(list(Result)[:3]))
    return made


def arena(entrants: int, seed: int) -> Tournament:
    """Return an arena that was played to its end. Now and then a person comes late or pauses."""
    random, made = Random(seed), Tournament(setup(Format.ARENA), entrants, str(seed))
    made.do(StartRound())
    while not made.state.is_over:
        made.open_tables()
        for pairing in made.state.running_pairings():
            if pairing.game is not None and random.random() < 0.3:
                made.end(pairing.number, random.choice(list(Result)[:3]))
        chosen = random.choice(made.state.entrants)
        if random.random() < 0.1 and not made.state.is_over:
            made.do(Withdraw(chosen.number) if chosen.is_active else Return(chosen.number))
        made.pass_time(7)
    return made


def check_always(made: Tournament) -> None:
    """Check what holds for every tournament."""
    state = made.state
    assert made.replayed() == state
    read = [
        StoredEvent(number, time, tournament_event_from_json(json.loads(tournament_event_to_text(event))))
        for number, time, event in made.log
    ]
    assert TournamentState.from_events(read) == state
    lines = standings(state)
    assert standings(made.replayed()) == lines
    assert sorted(line.entrant for line in lines) == [entrant.number for entrant in state.entrants]
    assert [line.rank for line in lines] == sorted(line.rank for line in lines)
    assert {line.entrant: line.points for line in lines} == {each.number: state.points[each.number] for each in state.entrants}
    meetings = crosstable(state)
    assert all(sum(each.points or 0 for each in meetings[line.entrant]) == line.points for line in lines)
    for each in state.rounds:
        busy = [number for pairing in state.pairings_of(each) for number in (pairing.first, pairing.second)]
        assert state.setup.format is Format.ARENA or len(set(busy) | set(each.byes)) == len(busy) + len(each.byes)
    assert not state.is_over or wake_at(state) is None
    json.dumps([view(state, str), crosstable_view(state), own_view(state, "p1", made.now)])


@settings(max_examples=25, deadline=None)
@given(st.sampled_from(PLAYED_IN_ROUNDS), fields, seeds)
def test_every_tournament_is_its_log(kind: Format, entrants: int, seed: int) -> None:
    check_always(played(kind, entrants, seed, leaving=0.1))


@settings(max_examples=20, deadline=None)
@given(fields, seeds)
def test_in_a_swiss_tournament_nobody_meets_twice_and_seats_are_balanced(entrants: int, seed: int) -> None:
    made = played(Format.SWISS, entrants, seed, rounds=5)
    pairs = [frozenset((pairing.first, pairing.second)) for pairing in made.state.kept()]
    assert len(set(pairs)) == len(pairs)
    byes = Counter(entrant for each in made.state.rounds for entrant in each.byes)
    assert max(byes.values(), default=0) <= 1 or entrants < 10, "a small field runs out of opponents"
    assert max(abs(line.seats) for line in standings(made.state)) <= 3


@settings(max_examples=20, deadline=None)
@given(fields, st.sampled_from([1, 2]), seeds)
def test_in_a_round_robin_everybody_meets_everybody(entrants: int, cycles: int, seed: int) -> None:
    made = played(Format.ROUND_ROBIN, entrants, seed, cycles=cycles)
    met = Counter(frozenset((pairing.first, pairing.second)) for pairing in made.state.kept())
    assert len(met) == entrants * (entrants - 1) // 2
    assert set(met.values()) == {cycles}
    firsts = Counter(pairing.first for pairing in made.state.kept())
    seconds = Counter(pairing.second for pairing in made.state.kept())
    assert all(abs(firsts[each] - seconds[each]) <= 1 for each in range(1, entrants + 1))


@settings(max_examples=20, deadline=None)
@given(st.integers(2, 20), st.sampled_from([1, 3]), seeds)
def test_a_knock_out_leaves_one(entrants: int, best_of: int, seed: int) -> None:
    made = played(Format.KNOCK_OUT, entrants, seed, best_of=best_of)
    state = made.state
    assert state.is_over
    assert len(state.rounds) == state.most_rounds
    assert len(list(state.kept())) == entrants - 1
    losers = Counter(
        each for pairing in state.kept() for each in (pairing.first, pairing.second) if not pairing.points_of(each)
    )
    assert max(losers.values()) == 1
    best, *others = standings(state)
    assert best.rank == 1
    assert best.entrant not in losers
    assert not others or others[0].rank == 2


@settings(max_examples=10, deadline=None)
@given(fields, seeds)
def test_an_arena_pairs_who_is_free(entrants: int, seed: int) -> None:
    made = arena(entrants, seed)
    check_always(made)
    times = {number: time for number, time, _ in made.log}
    deadline = made.state.rounds[0].deadline
    assert deadline is not None
    for stored in made.log:
        if stored.event.type == "paired":
            assert times[stored.number] < deadline
    assert max(abs(line.seats) for line in standings(made.state)) <= 3


@settings(max_examples=20, deadline=None)
@given(st.sampled_from(PLAYED_IN_ROUNDS), fields, seeds)
def test_a_refused_command_changes_nothing(kind: Format, entrants: int, seed: int) -> None:
    random, made = Random(seed), Tournament(setup(kind), entrants, str(seed))
    for _ in range(20):
        before = made.state
        able: list[TournamentCommand] = [StartRound(), Withdraw(random.randint(0, 14)), Return(random.randint(0, 14))]
        try:
            made.do(random.choice(able), random.choice(["organiser", "p1", "nobody"]))
        except TournamentError:
            assert made.state is before
    check_always(made)
