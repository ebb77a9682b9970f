"""Lots of a tournament: choices that follow from its seed, so that anyone can repeat them."""

import hashlib
from collections.abc import Iterable

from dicecup.tournament.state import TournamentState
from dicecup.tournament.values import Entrant


def lot(seed: str, *parts: object) -> bytes:
    """Return the lot for these parts: the SHA-256 of the seed and the parts, joined by spaces."""
    return hashlib.sha256(" ".join(map(str, (seed, *parts))).encode()).digest()


def start_order(state: TournamentState, entrants: Iterable[Entrant]) -> list[int]:
    """Return the numbers of entrants in the order of the first round: the highest strength first,
    among equal ones by lot."""
    ordered = sorted(entrants, key=lambda entrant: (-entrant.strength, lot(state.seed, "order", entrant.number)))
    return [entrant.number for entrant in ordered]


def is_first_by_lot(state: TournamentState, one: int, other: int) -> bool:
    """Return whether `one` gets the first seat against `other`. The order of both does not
    matter."""
    low, high = sorted((one, other))
    low_is_first = lot(state.seed, "seat", len(state.pairings), low, high)[0] % 2 == 0
    return low_is_first == (one == low)


def seated(state: TournamentState, pair: tuple[int, int]) -> tuple[int, int]:
    """Return a pair with the entrant of the first seat first: who had it less often, or else not
    last time, or else by lot."""
    one, other = pair
    balance, last = state.seat_counts
    key_one, key_other = (balance[one], last[one]), (balance[other], last[other])
    if key_one == key_other:
        return pair if is_first_by_lot(state, one, other) else (other, one)
    return pair if key_one < key_other else (other, one)


def winner_by_lot(state: TournamentState, pairing: int) -> bool:
    """Return whether the first entrant of a pairing wins it by lot."""
    return lot(state.seed, "winner", pairing)[0] % 2 == 0
