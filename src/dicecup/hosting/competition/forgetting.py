"""Taking a person whose account is deleted out of tournaments (docs/decisions/0035)."""

from collections.abc import Collection, Sequence
from dataclasses import replace

from dicecup.hosting.competition.tournaments import Tournaments
from dicecup.hosting.people.handles import DELETED
from dicecup.table.names import free_name, replace_name
from dicecup.tournament import handlers
from dicecup.tournament.events import (
    Corrected,
    Entered,
    Event,
    OrganiserNamed,
    Renamed,
    RoundDeleted,
    StoredEvent,
    tournament_event_to_text,
)
from dicecup.tournament.handlers import LONGEST_REMARK
from dicecup.tournament.progress import pair_later
from dicecup.tournament.state import TournamentState
from dicecup.tournament.transition import Transition


async def forget_person(tournaments: Tournaments, identity: str) -> None:
    """Withdraw a person from all tournaments, as an entrant and as an organiser, and take the name
    from their logs. Raises `DicecupError`; then it can be called again."""
    for tournament in await tournaments.store.ids_of(identity):
        await _forget(tournaments, tournament, identity)


async def _forget(tournaments: Tournaments, tournament: str, identity: str) -> None:
    """Take a person out of one tournament.

    The events `renamed` and `organiser-left` change the state of every worker, also of one that has
    the tournament in memory. Then nothing needs the name in the earlier events any more.
    """

    async def handler(state: TournamentState, now: float) -> Transition:
        return handlers.forget(state, identity, _new_name(state, identity), now, pair_later)

    await tournaments.change(tournaments.cache.get(tournament), handler)
    name = _new_name(await tournaments.state_of(tournament), identity)
    events = await tournaments.store.events(tournament)
    await tournaments.store.forget(tournament, identity, _rewritten(events, identity, name))


def _new_name(state: TournamentState, identity: str) -> str:
    """Return the name of a deleted account, unlike the other names of the tournament."""
    return free_name(DELETED, [entrant.name for entrant in state.entrants if entrant.identity != identity])


def _rewritten(events: Sequence[StoredEvent], identity: str, name: str) -> dict[int, str]:
    """Return by number the new bodies of the events in which a person has a name: the entry, the
    nomination as an organiser, and the reasons that organisers wrote."""
    entrants, old, bodies = set[int](), set[str](), dict[int, str]()
    for _, _, event in events:
        match event:
            case Entered(entrant, had, of) if of == identity:
                entrants.add(entrant)
                old.add(had)
            case OrganiserNamed(handle, of) if of == identity:
                old.add(handle)
    for number, _, event in events:
        if (new := _without(event, entrants, identity, old - {name, DELETED}, name)) != event:
            bodies[number] = tournament_event_to_text(new)
    return bodies


def _without(event: Event, entrants: Collection[int], identity: str, old: Collection[str], name: str) -> Event:
    """Return an event with another name in place of the `old` ones of a person."""
    match event:
        case Entered(entrant) | Renamed(entrant) if entrant in entrants:
            return replace(event, name=name)
        case OrganiserNamed(_, named) if named == identity:
            return replace(event, handle=DELETED)
        case Corrected(remark=remark) | RoundDeleted(remark=remark):
            for each in sorted(old):
                remark = replace_name(remark, each, name)
            return replace(event, remark=remark[:LONGEST_REMARK].strip())
        case _:
            return event
