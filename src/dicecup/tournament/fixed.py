"""Pairings of a fixed field: round robin and knock-out."""

from collections.abc import Sequence

from dicecup.tournament.events import Result
from dicecup.tournament.lots import seated, start_order
from dicecup.tournament.state import TournamentState
from dicecup.tournament.swiss import Pairs


def round_robin_pairs(state: TournamentState, number: int) -> Pairs:
    """Return the pairings of round `number` of a round robin or a league, by Berger's tables.

    With an odd number of entrants one has a bye. In the second cycle the seats are exchanged.
    """
    order = start_order(state, [state.entrant(entrant) for entrant in state.starters])
    places: list[int | None] = [*order, *([None] if len(order) % 2 else [])]
    size = len(places)
    cycle, place = divmod(number - 1, size - 1)
    duels, byes = list[tuple[int, int]](), list[int]()
    for one, other in _berger(size, place):
        first, second = (places[one], places[other]) if cycle % 2 == 0 else (places[other], places[one])
        if first is None or second is None:
            byes += [each for each in (first, second) if each is not None]
        else:
            duels.append((first, second))
    return Pairs(tuple(duels), tuple(byes))


def _berger(size: int, number: int) -> list[tuple[int, int]]:
    """Return the pairs of round `number`, from 0, of Berger's table for an even number of places,
    from 0, with the first seat first.

    The last place stays and changes its seat from round to round. All others move on by half of
    the places.
    """
    last, turning = size - 1, size - 1
    fixed = number * (size // 2) % turning
    pairs = [(fixed, last) if number % 2 == 0 else (last, fixed)]
    pairs += [((fixed + step) % turning, (fixed - step) % turning) for step in range(1, size // 2)]
    return pairs


def knock_out_pairs(state: TournamentState) -> Pairs:
    """Return the pairings of the next round of a knock-out.

    In the first round the strongest entrants get the byes, and the strongest two can meet in the
    last round at the earliest. Later the winners of neighbouring pairings meet. The opponent of
    nobody, because both had lost, has a bye.
    """
    rest = bracket(state)
    duels, byes = list[tuple[int, int]](), list[int]()
    for one, other in zip(rest[::2], rest[1::2], strict=True):
        if one is not None and other is not None:
            duels.append(seated(state, (one, other)))
        else:
            byes += [each for each in (one, other) if each is not None]
    return Pairs(tuple(duels), tuple(byes))


def bracket(state: TournamentState) -> list[int | None]:
    """Return the entrants who are left, in the order of the bracket. `None` is an empty place."""
    order = start_order(state, [state.entrant(number) for number in state.starters])
    size = 2 ** max(1, (len(order) - 1).bit_length())
    rest: Sequence[int | None] = [order[place] if place < len(order) else None for place in _places(size)]
    for played in state.rounds:
        winners = {number: number for number in played.byes}
        for pairing in state.pairings_of(played):
            winner = {Result.WON: pairing.first, Result.LOST: pairing.second}.get(pairing.result or Result.NEITHER)
            if winner is not None:
                winners[winner] = winner
        rest = [
            next((each for each in pair if each is not None and each in winners), None)
            for pair in zip(rest[::2], rest[1::2], strict=True)
        ]
    return list(rest)


def _places(size: int) -> list[int]:
    """Return for each place of a bracket the entrant of that strength, from 0, so that the
    strongest meet last."""
    places = [0]
    while len(places) < size:
        places = [each for place in places for each in (place, 2 * len(places) - 1 - place)]
    return places
