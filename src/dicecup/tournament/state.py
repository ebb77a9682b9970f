"""The state of a tournament: a value that follows from its events alone."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property

from dicecup.tournament.errors import TournamentCode, TournamentError
from dicecup.tournament.events import (
    Corrected,
    Created,
    Entered,
    Event,
    Finished,
    Forfeited,
    GameEnded,
    How,
    LossMeasured,
    OrganiserLeft,
    OrganiserNamed,
    Paired,
    Renamed,
    Returned,
    RoundDeleted,
    RoundStarted,
    Scheduled,
    StoredEvent,
    TablesOpened,
    TimeHeld,
    Withdrawn,
)
from dicecup.tournament.setup import FIXED_FIELD, Format, TournamentSetup
from dicecup.tournament.values import Entrant, Pairing, Round, TournamentGame


@dataclass(frozen=True)
class TournamentState:
    """The state of a tournament after event `number`, which happened at `time` (seconds since
    1970).

    `from_events` and `apply` make states. A state is never changed.
    """

    tournament: str
    setup: TournamentSetup
    seed: str
    number: int
    time: float
    created: float
    advanced: int
    """The number of the last event that began, deleted or planned a round, or ended the
    tournament."""
    organisers: tuple[str, ...]
    """Identities, that of the person who created the tournament first. Empty once all have deleted
    their accounts."""
    handles: tuple[str, ...] = ()
    """The handles of the organisers who were named, the last ones of `organisers`."""
    entrants: tuple[Entrant, ...] = ()
    rounds: tuple[Round, ...] = ()
    pairings: tuple[Pairing, ...] = ()
    """All pairings by number, those of deleted rounds too."""
    running: frozenset[int] = frozenset()
    """The numbers of the pairings without a result."""
    deleted: frozenset[int] = frozenset()
    """The numbers of the pairings of deleted rounds."""
    next_start: float | None = None
    """When the next round begins by itself."""
    how: How | None = None
    """How the tournament ended, `None` before."""
    finished: float | None = None

    @classmethod
    def from_events(cls, events: Iterable[StoredEvent]) -> "TournamentState":
        """Return the state after all events of a tournament.

        Raises `TournamentError` (`not-a-tournament-event`) unless the first event is `Created` and
        the numbers have no gap.
        """
        remaining = iter(events)
        first = next(remaining, None)
        if first is None or not isinstance(first.event, Created):
            raise TournamentError(TournamentCode.NOT_A_TOURNAMENT_EVENT, text="created", why="missing")
        created, number, time = first.event, first.number, first.time
        organisers = (created.identity,)
        state = cls(
            created.tournament,
            created.setup,
            created.seed,
            number,
            time,
            time,
            number,
            organisers,
            next_start=created.setup.starts,
        )
        for stored in remaining:
            state = state.apply(stored)
        return state

    def apply(self, stored: StoredEvent) -> "TournamentState":
        """Return the state after the next event, which a handler made for this state.

        Raises `TournamentError` (`not-a-tournament-event`) if the event's number is not the next.
        """
        if stored.number != self.number + 1:
            raise TournamentError(TournamentCode.NOT_A_TOURNAMENT_EVENT, text=str(stored.number), why="number")
        return _applied(_changed(self, number=stored.number, time=stored.time), stored.event)

    # --- Entrants ---------------------------------------------------------------------------------

    def entrant(self, number: int) -> Entrant:
        """Return an entrant. Raises `TournamentError` (`no-such-entrant`)."""
        if not 1 <= number <= len(self.entrants):
            raise TournamentError(TournamentCode.NO_SUCH_ENTRANT, text=number)
        return self.entrants[number - 1]

    def entrant_of(self, identity: str | None) -> Entrant | None:
        """Return the entrant with this identity, `None` if there is none."""
        return None if identity is None else self._by_identity.get(identity)

    @cached_property
    def _by_identity(self) -> dict[str, Entrant]:
        return {entrant.identity: entrant for entrant in self.entrants if entrant.identity is not None}

    def player(self, number: int) -> str:
        """Return the identity that plays for an entrant: that of an organiser for a person without
        a device, and without organisers the id of the tournament, which nobody has."""
        return self.entrant(number).identity or next(iter(self.organisers), self.tournament)

    @property
    def active(self) -> list[Entrant]:
        """Return the entrants who are paired."""
        return [entrant for entrant in self.entrants if entrant.is_active]

    # --- Rounds and pairings ----------------------------------------------------------------------

    @property
    def round(self) -> Round | None:
        """Return the last round that has begun, `None` before the first."""
        return self.rounds[-1] if self.rounds else None

    @property
    def has_begun(self) -> bool:
        """Return whether the first round has begun."""
        return bool(self.rounds)

    @property
    def is_over(self) -> bool:
        """Return whether the tournament has ended."""
        return self.how is not None

    @property
    def is_round_running(self) -> bool:
        """Return whether a round has begun and not ended."""
        return self.round is not None and self.round.ended is None and not self.is_over

    def pairing(self, number: int) -> Pairing:
        """Return a pairing. Raises `TournamentError` (`no-such-pairing`, `round-deleted`)."""
        if not 1 <= number <= len(self.pairings):
            raise TournamentError(TournamentCode.NO_SUCH_PAIRING, text=number)
        if number in self.deleted:
            raise TournamentError(TournamentCode.ROUND_DELETED, text=number)
        return self.pairings[number - 1]

    def pairings_of(self, played: Round) -> list[Pairing]:
        """Return the pairings of a round."""
        return [self.pairings[number - 1] for number in played.pairings]

    def kept(self) -> Iterator[Pairing]:
        """Yield the pairings of all rounds that were not deleted."""
        for played in self.rounds:
            yield from self.pairings_of(played)

    def running_pairings(self) -> list[Pairing]:
        """Return the pairings without a result, in order."""
        return [self.pairings[number - 1] for number in sorted(self.running)]

    def running_of(self, entrant: int) -> Pairing | None:
        """Return the pairing in which an entrant plays now, `None` if there is none."""
        return self._running_by_entrant.get(entrant)

    @cached_property
    def _running_by_entrant(self) -> dict[int, Pairing]:
        found = self.running_pairings()
        return {pairing.first: pairing for pairing in found} | {pairing.second: pairing for pairing in found}

    @cached_property
    def games_to_open(self) -> list[tuple[Pairing, int]]:
        """Return the pairings whose next game needs a table, each with the number of the game."""
        if not self.setup.has_tables or self.is_over:
            return []
        return [(pairing, len(pairing.games) + 1) for pairing in self.running_pairings() if pairing.game is None]

    def dice_event(self, pairing: Pairing, game: int) -> str:
        """Return the id of the event whose dice fall in a game of a pairing, empty where each table
        has its own. A round that is played again after it was deleted has other dice."""
        first = self.rounds[pairing.round - 1].pairings[0]
        return f"{self.tournament}-{first}-{game}" if self.setup.duplicate else ""

    def has_secret_dice(self, pairing: Pairing) -> bool:
        """Return whether the dice of a pairing may not be seen yet, because others still play with
        them."""
        return self.setup.duplicate and not self.is_over and self.rounds[pairing.round - 1].ended is None

    @property
    def most_rounds(self) -> int:
        """Return how many rounds there are. A round robin knows it once it has begun, a knock-out
        too; an arena has one."""
        setup, field = self.setup, self.field
        if setup.format is Format.SWISS:
            return setup.rounds
        if setup.format is Format.ARENA:
            return 1
        if setup.format is Format.KNOCK_OUT:
            return max(1, (field - 1).bit_length())
        return max(1, (field - 1 + field % 2) * setup.cycles)

    @property
    def field(self) -> int:
        """Return the number of entrants, for a format that nobody can enter later those at the
        start of the first round."""
        return len(self.starters) if self.setup.format in FIXED_FIELD else len(self.entrants)

    @cached_property
    def starters(self) -> tuple[int, ...]:
        """Return the entrants of a fixed field: before the start those who are paired, afterwards
        those who were paired in the first round or got a bye."""
        if not self.rounds:
            return tuple(entrant.number for entrant in self.active)
        first = self.rounds[0]
        paired = [each for pairing in self.pairings_of(first) for each in (pairing.first, pairing.second)]
        return tuple(sorted((*paired, *first.byes)))

    @cached_property
    def points(self) -> Counter[int]:
        """Return the half points of each entrant, with those of byes."""
        points = Counter[int]()
        for played in self.rounds:
            for entrant in played.byes:
                points[entrant] += self.setup.bye
            for pairing in self.pairings_of(played):
                points[pairing.first] += pairing.points_of(pairing.first)
                points[pairing.second] += pairing.points_of(pairing.second)
        return points

    @cached_property
    def seat_counts(self) -> tuple[Counter[int], Counter[int]]:
        """Return for each entrant how much more often it had the first seat than the second in
        pairings that were played, and 1 if the last one was the first, -1 if it was the second."""
        balance, last = Counter[int](), Counter[int]()
        for pairing in self.kept():
            if pairing.is_played:
                balance[pairing.first] += 1
                balance[pairing.second] -= 1
                last[pairing.first], last[pairing.second] = 1, -1
        return balance, last


def _changed(state: TournamentState, **fields: object) -> TournamentState:
    """Return the state with other values in some fields, without those that it has computed."""
    made = object.__new__(TournamentState)
    known = {name: value for name, value in vars(state).items() if name not in _COMPUTED}
    vars(made).update(known, **fields)
    return made


_COMPUTED = frozenset(name for name, value in vars(TournamentState).items() if isinstance(value, cached_property))


def _applied(state: TournamentState, event: Event) -> TournamentState:
    """Return the state after an event, whose number and time it has already."""
    match event:
        case Entered(number, name, identity, strength):
            new = Entrant(number, name, identity, strength, len(state.rounds), free_since=state.time)
            return _changed(state, entrants=(*state.entrants, new))
        case Withdrawn(number):
            return _with_entrant(state, replace(state.entrant(number), is_active=False))
        case Returned(number):
            return _with_entrant(state, replace(state.entrant(number), is_active=True, free_since=state.time))
        case Renamed(number, name):
            return _with_entrant(state, replace(state.entrant(number), name=name))
        case OrganiserNamed(handle, identity):
            return _changed(state, organisers=(*state.organisers, identity), handles=(*state.handles, handle))
        case OrganiserLeft(identity):
            return _without_organiser(state, identity)
        case Scheduled(at):
            return _changed(state, next_start=at, advanced=state.number)
        case RoundStarted(number, deadline):
            begun = Round(number, state.time, deadline)
            return _changed(state, rounds=(*state.rounds, begun), next_start=None, advanced=state.number)
        case Paired():
            return _paired(state, event)
        case TablesOpened(games):
            for opened in games:
                pairing = state.pairings[opened.pairing - 1]
                state = _with_pairing(state, pairing.with_game(TournamentGame(opened.game, opened.table), state.number))
            return state
        case GameEnded() | LossMeasured():
            return _with_game(state, event)
        case Forfeited(number, result, cause):
            decided = replace(state.pairings[number - 1], result=result, cause=cause, changed=state.number)
            return _decided(state, decided)
        case Corrected(number, _, result, _):
            before = state.pairings[number - 1]
            return _with_pairing(state, replace(before, result=result, is_corrected=True, changed=state.number))
        case RoundDeleted():
            last = state.rounds[-1]
            return _changed(
                state,
                rounds=state.rounds[:-1],
                deleted=state.deleted | frozenset(last.pairings),
                running=state.running - frozenset(last.pairings),
                advanced=state.number,
            )
        case TimeHeld(seconds):
            return _held(state, seconds)
        case Finished(how):
            return _changed(state, how=how, finished=state.time, running=frozenset(), next_start=None, advanced=state.number)
        case Created():
            raise TournamentError(TournamentCode.NOT_A_TOURNAMENT_EVENT, text="created", why="twice")


def _with_entrant(state: TournamentState, entrant: Entrant) -> TournamentState:
    place = entrant.number - 1
    return _changed(state, entrants=(*state.entrants[:place], entrant, *state.entrants[place + 1 :]))


def _without_organiser(state: TournamentState, identity: str) -> TournamentState:
    left, unnamed = state.organisers.index(identity), len(state.organisers) - len(state.handles)
    handles = tuple(handle for place, handle in enumerate(state.handles, unnamed) if place != left)
    return _changed(state, organisers=(*state.organisers[:left], *state.organisers[left + 1 :]), handles=handles)


def _with_pairing(state: TournamentState, pairing: Pairing) -> TournamentState:
    place = pairing.number - 1
    return _changed(state, pairings=(*state.pairings[:place], pairing, *state.pairings[place + 1 :]))


def _with_round(state: TournamentState, changed: Round) -> TournamentState:
    return _changed(state, rounds=(*state.rounds[:-1], changed))


def _paired(state: TournamentState, event: Paired) -> TournamentState:
    """Return the state with new pairings and byes in the running round."""
    last, entrants = state.rounds[-1], list(state.entrants)
    made = [Pairing(duel.pairing, last.number, duel.first, duel.second, state.number) for duel in event.duels]
    for pairing in made:
        for number in (pairing.first, pairing.second):
            entrants[number - 1] = replace(entrants[number - 1], last=pairing.other(number))
    numbers = tuple(pairing.number for pairing in made)
    paired = replace(last, pairings=last.pairings + numbers, byes=last.byes + event.byes)
    running, pairings = state.running | frozenset(numbers), (*state.pairings, *made)
    state = _changed(state, entrants=tuple(entrants), pairings=pairings, running=running)
    return _with_end_of_round(_with_round(state, paired))


def _with_game(state: TournamentState, event: GameEnded | LossMeasured) -> TournamentState:
    """Return the state with what is known of a game, and the result of its pairing if the game
    decides it."""
    pairing = state.pairings[event.pairing - 1]
    known = pairing.games[event.game - 1] if event.game <= len(pairing.games) else TournamentGame(event.game)
    if isinstance(event, LossMeasured):
        game = replace(known, losses=event.losses, decisions=event.decisions)
        return _with_pairing(state, pairing.with_game(game, pairing.changed))
    game = replace(known, result=event.result, cause=event.cause, points=event.points)
    pairing = pairing.with_game(game, state.number)
    result = pairing.decision(state.setup)
    is_lot = result is not None and state.setup.format is Format.KNOCK_OUT and result.value == "drawn"
    if result is None or is_lot or pairing.number not in state.running:
        return _with_pairing(state, pairing)
    return _decided(state, replace(pairing, result=result, cause=event.cause))


def _decided(state: TournamentState, pairing: Pairing) -> TournamentState:
    """Return the state with the result of a pairing. The round ends with its last pairing, except
    in an arena."""
    state = _changed(_with_pairing(state, pairing), running=state.running - {pairing.number})
    if state.setup.format is Format.ARENA:
        for number in (pairing.first, pairing.second):
            state = _with_entrant(state, replace(state.entrant(number), free_since=state.time))
        return state
    return _with_end_of_round(state)


def _with_end_of_round(state: TournamentState) -> TournamentState:
    """Return the state with the end of the running round if all its pairings are decided."""
    last = state.rounds[-1] if state.rounds else None
    if last is None or last.ended is not None or state.running or state.setup.format is Format.ARENA:
        return state
    pause, is_last = state.setup.pause, last.number >= state.most_rounds
    following = state.next_start
    if following is None and not is_last:
        following = last.deadline if state.setup.format is Format.LEAGUE else None
        following = following if pause is None else state.time + pause
    return _changed(_with_round(state, replace(last, ended=state.time)), next_start=following)


def _held(state: TournamentState, seconds: float) -> TournamentState:
    """Return the state with its deadlines later by some seconds."""
    last = state.round
    if last is not None and last.deadline is not None and state.is_round_running:
        state = _with_round(state, replace(last, deadline=last.deadline + seconds))
    if state.next_start is not None and last is not None:
        state = _changed(state, next_start=state.next_start + seconds)
    return state
