"""Standings of a tournament, with tie-breaks, and its crosstable.

- Buchholz: the sum of the points of all opponents. A round without a played pairing counts as a
  game against an opponent with the entrant's own points.
- Sonneborn–Berger: the points of the opponents that the entrant has beaten, and half of those with
  whom it drew, in played pairings.
- Direct: the points among entrants who are equal so far, if all of them have met; otherwise 0.
- Wins: the number of pairings won, without byes and forfeits.
- Mean loss: the loss a decision in all reviewed games, the smallest first. Entrants without a
  reviewed game come last.

Byes have the points that the setup gives them. A knock-out is ordered by the rounds survived.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final, TypeAlias

from dicecup.tournament.events import Result
from dicecup.tournament.setup import Format, TieBreak
from dicecup.tournament.state import TournamentState
from dicecup.tournament.values import Pairing, TournamentGame

Values: TypeAlias = Mapping[int, float]
"""The value of a tie-break for each entrant."""
NO_LOSS: Final = float("inf")
"""The mean loss of an entrant without a reviewed game."""


@dataclass(frozen=True, slots=True)
class Line:
    """A line of the standings. Equal entrants share a `rank`, from 1.

    `points` are half points. `tie_breaks` are those of the setup, in order; `None` for a mean loss
    that is not known. `seats`: how much more often the entrant had the first seat.
    """

    rank: int
    entrant: int
    points: int
    played: int
    won: int
    drawn: int
    lost: int
    tie_breaks: tuple[float | None, ...]
    seats: int


def standings(state: TournamentState) -> list[Line]:
    """Return the standings, the best entrant first."""
    pairings = _pairings_by_entrant(state)
    points = state.points
    survived = _survived(state)
    groups = _groups([entrant.number for entrant in state.entrants], lambda each: (-survived[each], -points[each]))
    kinds, values = state.setup.chosen_tie_breaks, list[Values]()
    for kind in kinds:
        value = _VALUES[kind]
        found: dict[int, float] = {}
        following = list[list[int]]()
        for group in groups:
            own = value(state, pairings, points, group)
            found |= own
            sign = 1 if kind is TieBreak.MEAN_LOSS else -1
            following += _groups(group, partial(_signed, own, sign))
        groups = following
        values.append(found)
    balance, _ = state.seat_counts
    lines, rank = list[Line](), 1
    for group in groups:
        for entrant in sorted(group):
            results = Counter(_own(pairing, entrant) for pairing in pairings[entrant] if pairing.result is not None)
            ties = tuple(None if value[entrant] == NO_LOSS else value[entrant] for value in values)
            counts = results[Result.WON], results[Result.DRAWN], results[Result.LOST] + results[Result.NEITHER]
            lines.append(Line(rank, entrant, points[entrant], results.total(), *counts, ties, balance[entrant]))
        rank += len(group)
    return lines


def games_to_measure(state: TournamentState) -> list[tuple[Pairing, TournamentGame]]:
    """Return the games at tables of the server that were played and whose losses are not known."""
    return [
        (pairing, game)
        for pairing in state.kept()
        for game in pairing.games
        if game.table and game.result is not None and not game.decisions
    ]


def _signed(values: Values, sign: int, entrant: int) -> tuple[float, ...]:
    return (sign * values[entrant],)


def _groups(entrants: Sequence[int], key: Callable[[int], tuple[float, ...]]) -> list[list[int]]:
    """Return the entrants in groups with equal keys, the smallest key first."""
    groups: dict[tuple[float, ...], list[int]] = defaultdict(list)
    for entrant in entrants:
        groups[key(entrant)].append(entrant)
    return [groups[each] for each in sorted(groups)]


def _pairings_by_entrant(state: TournamentState) -> dict[int, list[Pairing]]:
    found: dict[int, list[Pairing]] = {entrant.number: [] for entrant in state.entrants}
    for pairing in state.kept():
        found[pairing.first].append(pairing)
        found[pairing.second].append(pairing)
    return found


def _survived(state: TournamentState) -> Counter[int]:
    """Return how many rounds of a knock-out each entrant has survived; nothing for other
    formats."""
    survived = Counter[int]()
    if state.setup.format is Format.KNOCK_OUT:
        for played in state.rounds:
            survived.update(played.byes)
            for pairing in state.pairings_of(played):
                survived.update(each for each in (pairing.first, pairing.second) if _own(pairing, each) is Result.WON)
    return survived


def _own(pairing: Pairing, entrant: int) -> Result | None:
    """Return the result of a pairing as an entrant sees it."""
    if entrant == pairing.first or pairing.result in (None, Result.DRAWN, Result.NEITHER):
        return pairing.result
    return Result.LOST if pairing.result is Result.WON else Result.WON


# --- Tie-breaks -----------------------------------------------------------------------------------

_Pairings: TypeAlias = Mapping[int, Sequence[Pairing]]


def _buchholz(state: TournamentState, pairings: _Pairings, points: Counter[int], group: Sequence[int]) -> Values:
    rounds = len(state.rounds) if state.setup.format is not Format.ARENA else 0
    values = {}
    for entrant in group:
        opponents = [points[pairing.other(entrant)] for pairing in pairings[entrant] if _counts(pairing)]
        running = sum(pairing.result is None for pairing in pairings[entrant])
        missing = max(0, rounds - len(opponents) - running)
        values[entrant] = (sum(opponents) + missing * points[entrant]) / 2
    return values


def _sonneborn_berger(_: TournamentState, pairings: _Pairings, points: Counter[int], group: Sequence[int]) -> Values:
    return {
        entrant: sum(
            pairing.points_of(entrant) * points[pairing.other(entrant)] for pairing in pairings[entrant] if _counts(pairing)
        )
        / 4
        for entrant in group
    }


def _direct(_: TournamentState, pairings: _Pairings, points: Counter[int], group: Sequence[int]) -> Values:
    del points
    members = set(group)
    values, met = dict.fromkeys(group, 0.0), dict[int, set[int]]()
    for entrant in group:
        among = [each for each in pairings[entrant] if each.result is not None and each.other(entrant) in members]
        values[entrant] = sum(each.points_of(entrant) for each in among) / 2
        met[entrant] = {each.other(entrant) for each in among}
    complete = all(met[entrant] == members - {entrant} for entrant in group)
    return values if complete else dict.fromkeys(group, 0.0)


def _wins(_: TournamentState, pairings: _Pairings, points: Counter[int], group: Sequence[int]) -> Values:
    del points
    return {
        entrant: float(sum(_counts(each) and _own(each, entrant) is Result.WON for each in pairings[entrant]))
        for entrant in group
    }


def _mean_loss(_: TournamentState, pairings: _Pairings, points: Counter[int], group: Sequence[int]) -> Values:
    del points
    values = {}
    for entrant in group:
        reviewed = [
            (game.losses[place], game.decisions[place])
            for pairing in pairings[entrant]
            for place in (0 if pairing.first == entrant else 1,)
            for game in pairing.games
            if game.decisions
        ]
        decisions = sum(count for _, count in reviewed)
        values[entrant] = sum(loss for loss, _ in reviewed) / decisions if decisions else NO_LOSS
    return values


def _counts(pairing: Pairing) -> bool:
    """Return whether a pairing was played to its end."""
    return pairing.result is not None and pairing.is_played


_VALUES: Final[Mapping[TieBreak, Callable[[TournamentState, _Pairings, Counter[int], Sequence[int]], Values]]] = {
    TieBreak.BUCHHOLZ: _buchholz,
    TieBreak.SONNEBORN_BERGER: _sonneborn_berger,
    TieBreak.DIRECT: _direct,
    TieBreak.WINS: _wins,
    TieBreak.MEAN_LOSS: _mean_loss,
}


# --- Crosstable -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Meeting:
    """What an entrant did in a round. `opponent` is `None` for a bye. `points` are half points,
    `None` while the pairing is played."""

    round: int
    opponent: int | None
    is_first: bool
    points: int | None
    is_played: bool


def crosstable(state: TournamentState) -> dict[int, list[Meeting]]:
    """Return what each entrant did, in the order of the rounds."""
    found: dict[int, list[Meeting]] = {entrant.number: [] for entrant in state.entrants}
    for played in state.rounds:
        for entrant in played.byes:
            found[entrant].append(Meeting(played.number, None, False, state.setup.bye, False))
        for pairing in state.pairings_of(played):
            for entrant in (pairing.first, pairing.second):
                points = None if pairing.result is None else pairing.points_of(entrant)
                first = entrant == pairing.first
                found[entrant].append(Meeting(played.number, pairing.other(entrant), first, points, pairing.is_played))
    return found
