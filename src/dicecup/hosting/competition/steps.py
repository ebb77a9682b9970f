"""What is saved with the events of a tournament."""

import json
from collections.abc import Collection, Sequence

from dicecup.hosting.competition.tournament_store import RoundNotice, Step, TournamentDigest, TournamentTable
from dicecup.hosting.event_rows import CommandKey
from dicecup.hosting.store import Append
from dicecup.tournament.events import Created, Entered, Event, Finished, OrganiserNamed, Paired, StoredEvent
from dicecup.tournament.progress import wake_at
from dicecup.tournament.setup import Format, TieBreak
from dicecup.tournament.standings import games_to_measure
from dicecup.tournament.state import TournamentState
from dicecup.tournament.transition import Transition
from dicecup.tournament.views import stage, summary

MEASURE_AGAIN = 60.0
"""Seconds after which another worker measures losses whose worker may be gone."""


def step_of(
    before: TournamentState | None,
    transition: Transition,
    now: float,
    command: CommandKey | None = None,
    opened: Sequence[tuple[TournamentTable, Append]] = (),
    collected: Collection[str] = (),
) -> Step:
    """Return the step that saves a transition. `before` is `None` for a new tournament."""
    after, number = transition.state, 0 if before is None else before.number
    events = tuple(StoredEvent(each, now, event) for each, event in enumerate(transition.events, number + 1))
    open_before = set() if before is None else _open_tables(before)
    return Step(
        after.tournament,
        number,
        events,
        digest_of(after),
        command,
        people=_people(transition.events),
        opened=[table for table, _ in opened],
        appends=[append for _, append in opened],
        closing=open_before - _open_tables(after) - set(collected),
        publishing=_secret_tables(before) - _secret_tables(after),
        collected=collected,
        notices=_notices(after, transition.events),
        name=after.setup.name,
    )


def digest_of(state: TournamentState) -> TournamentDigest:
    """Return the digest of a tournament."""
    listed = json.dumps(summary(state), ensure_ascii=False, separators=(",", ":"))
    setup = state.setup
    return TournamentDigest(
        stage(state),
        state.created,
        next(iter(state.organisers), ""),
        setup.listed,
        due_at(state),
        state.finished,
        listed,
    )


def due_at(state: TournamentState) -> float | None:
    """Return when a worker has to look at the tournament if nothing happens before."""
    times = [wake_at(state), state.time if state.games_to_open else None]
    if TieBreak.MEAN_LOSS in state.setup.chosen_tie_breaks and games_to_measure(state):
        times.append(state.time + MEASURE_AGAIN)
    return min((time for time in times if time is not None), default=None)


def _open_tables(state: TournamentState) -> set[str]:
    """Return the tables of the games that are being played."""
    games = (pairing.game for pairing in state.running_pairings())
    return {game.table for game in games if game is not None and game.table}


def _secret_tables(state: TournamentState | None) -> set[str]:
    """Return the tables of the last round whose dice others still play with."""
    if state is None or not state.setup.duplicate or state.round is None:
        return set()
    secret = [pairing for pairing in state.pairings_of(state.round) if state.has_secret_dice(pairing)]
    return {game.table for pairing in secret for game in pairing.games if game.table}


def _people(events: Sequence[Event]) -> set[str]:
    named = {event.identity for event in events if isinstance(event, Created | Entered | OrganiserNamed)}
    return {identity for identity in named if identity is not None}


def _notices(state: TournamentState, events: Sequence[Event]) -> list[RoundNotice]:
    """Return what people are told: their round begins, and nothing any more after the end."""
    if any(isinstance(event, Finished) for event in events):
        return [RoundNotice(each.identity, None) for each in state.entrants if each.identity is not None]
    is_arena = state.setup.format is Format.ARENA
    if is_arena and not any(event.type == "round-started" for event in events):
        return []
    paired = [
        number for event in events if isinstance(event, Paired) for duel in event.duels for number in (duel.first, duel.second)
    ]
    entrants = state.active if is_arena else [state.entrant(number) for number in sorted(set(paired))]
    return [RoundNotice(each.identity, len(state.rounds)) for each in entrants if each.identity is not None]
