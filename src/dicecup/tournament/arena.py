"""Pairings of an arena: everybody who is free is paired again at once."""

from collections.abc import Sequence
from typing import Final

from dicecup.tournament.lots import seated
from dicecup.tournament.state import TournamentState
from dicecup.tournament.swiss import Pairs
from dicecup.tournament.values import Entrant

SAME_AGAIN: Final = 10.0
"""Seconds after which two entrants who have just met are paired again, if both are still free."""


def free_entrants(state: TournamentState) -> list[Entrant]:
    """Return the entrants who are free to play, in order."""
    return [entrant for entrant in state.active if state.running_of(entrant.number) is None]


def arena_pairs(state: TournamentState, now: float) -> Pairs:
    """Return pairs of free entrants with similar points who have not just met.

    If one person stays alone, it is the one who became free last. Two who have just met are paired
    if both have been free for `SAME_AGAIN` seconds.
    """
    free = free_entrants(state)
    if len(free) < 2:
        return Pairs(())
    if len(free) % 2:
        last = max(free, key=lambda entrant: (entrant.free_since, entrant.number))
        found, left = _paired(state, [entrant for entrant in free if entrant is not last], now)
        more, _ = _paired(state, [*left, last], now)
        found += more
    else:
        found, _ = _paired(state, free, now)
    return Pairs(tuple(seated(state, pair) for pair in found))


def next_pairs_at(state: TournamentState) -> float | None:
    """Return when two entrants who have just met can be paired again, `None` if nobody waits for
    it."""
    waiting = sorted(entrant.free_since for entrant in free_entrants(state))
    return waiting[1] + SAME_AGAIN if len(waiting) > 1 else None


def _paired(state: TournamentState, free: Sequence[Entrant], now: float) -> tuple[list[tuple[int, int]], list[Entrant]]:
    """Return pairs of neighbours in the standings, and who stays alone."""
    points = state.points
    waiting = sorted(free, key=lambda entrant: (-points[entrant.number], entrant.free_since, entrant.number))
    found, left = list[tuple[int, int]](), list[Entrant]()
    while waiting:
        one = waiting.pop(0)
        other = next((each for each in waiting if _may_meet(one, each, now)), None)
        if other is None:
            left.append(one)
        else:
            waiting.remove(other)
            found.append((one.number, other.number))
    return found, left


def _may_meet(one: Entrant, other: Entrant, now: float) -> bool:
    just_met = one.last == other.number or other.last == one.number
    return not just_met or now >= max(one.free_since, other.free_since) + SAME_AGAIN
