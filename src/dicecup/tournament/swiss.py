"""Pairings of a Swiss tournament: the FIDE (Dutch) System of the package `caissify-pairings`.

The extra `tournaments` installs the package. No two entrants meet twice, nobody gets a second bye
while another can have it, and the balance of first and second seats is that of the colours of
chess.
"""

from collections import Counter
from typing import Any, Final, NamedTuple

from dicecup.tournament.errors import TournamentCode, TournamentError
from dicecup.tournament.lots import start_order
from dicecup.tournament.setup import Format
from dicecup.tournament.state import TournamentState
from dicecup.tournament.values import Pairing

SEATS: Final = ("white", "black")
"""What the package calls the first and the second seat."""


class Field(NamedTuple):
    """What the pairings of a round follow from. `players` are those of the package."""

    round: int
    rounds: int
    players: tuple[tuple[tuple[str, Any], ...], ...]
    met: frozenset[tuple[int, int]]


class Pairs(NamedTuple):
    """Pairings of a round, each with the entrant of the first seat first, and the byes."""

    duels: tuple[tuple[int, int], ...]
    byes: tuple[int, ...] = ()


def is_installed() -> bool:
    """Return whether the package that pairs Swiss rounds is installed."""
    from importlib.util import find_spec

    return find_spec("caissify_pairings") is not None


def field_of(state: TournamentState) -> Field | None:
    """Return what the next round of a Swiss tournament follows from, `None` for another format."""
    if state.setup.format is not Format.SWISS:
        return None
    active = state.active
    order = {number: place for place, number in enumerate(start_order(state, active), 1)}
    history = _history(state)
    players = [
        (
            ("id", entrant.number),
            ("name", str(entrant.number)),
            ("rating", 0),
            ("starting_number", order[entrant.number]),
            *sorted(history[entrant.number].items()),
        )
        for entrant in active
    ]
    met = frozenset((min(pair), max(pair)) for pair in ((each.first, each.second) for each in state.kept()))
    return Field(len(state.rounds) + 1, max(state.setup.rounds, len(state.rounds) + 1), tuple(players), met)


def pair(field: Field) -> Pairs:
    """Return the pairings of a round.

    Raises `TournamentError` (`no-pairing-left`) if there are none in which no two entrants meet
    twice.
    """
    from caissify_pairings import generate_pairings

    players = [{name: list(value) if isinstance(value, tuple) else value for name, value in player} for player in field.players]
    found = generate_pairings("dutch", players, set(field.met), field.round, field.rounds)
    byes = tuple(each["white_id"] for each in found if each["black_id"] is None)
    duels = tuple((each["white_id"], each["black_id"]) for each in found if each["black_id"] is not None)
    if not _is_complete(field, duels, byes):
        raise TournamentError(TournamentCode.NO_PAIRING_LEFT, text=field.round)
    return Pairs(duels, byes)


def _is_complete(field: Field, duels: tuple[tuple[int, int], ...], byes: tuple[int, ...]) -> bool:
    """Return whether everybody is paired once, at most one has a bye, and no two meet twice."""
    numbers = sorted(dict(player)["id"] for player in field.players)
    paired = sorted([*(number for duel in duels for number in duel), *byes])
    again = any((min(duel), max(duel)) in field.met for duel in duels)
    return paired == numbers and len(byes) == len(numbers) % 2 and not again


def _history(state: TournamentState) -> dict[int, dict[str, Any]]:
    """Return for each entrant the points, and by round the seats, the floats and the byes.

    A float is a meeting of two entrants with different points. Pairings that were not played count
    as no seat and no float for the loser and as a downward float for the winner, as a bye does.
    """
    points: Counter[int] = Counter()
    seats: dict[int, list[str]] = {entrant.number: [] for entrant in state.entrants}
    floats: dict[int, list[str]] = {entrant.number: [] for entrant in state.entrants}
    byes: Counter[int] = Counter()
    forfeits: Counter[int] = Counter()
    for played in state.rounds:
        before = points.copy()
        seen: dict[int, tuple[str, str, int]] = {}
        for pairing in state.pairings_of(played):
            for entrant, seat in zip((pairing.first, pairing.second), SEATS, strict=True):
                won = pairing.points_of(entrant)
                if pairing.is_played:
                    seen[entrant] = seat, _float(before, entrant, pairing), won
                else:
                    seen[entrant] = "none", "down" if won else "none", won
                    forfeits[entrant] += won == 2
        for entrant in played.byes:
            byes[entrant] += 1
            seen[entrant] = "none", "down", state.setup.bye
        for entrant, own in seats.items():
            seat, floated, won = seen.get(entrant, ("none", "none", 0))
            own.append(seat)
            floats[entrant].append(floated)
            points[entrant] += won
    return {
        entrant: {
            "score": points[entrant] / 2,
            "color_hist": tuple(seats[entrant]),
            "float_history": tuple(floats[entrant]),
            "bye_count": byes[entrant],
            "forfeit_win_count": forfeits[entrant],
        }
        for entrant in seats
    }


def _float(points: Counter[int], entrant: int, pairing: Pairing) -> str:
    own, others = points[entrant], points[pairing.other(entrant)]
    return "none" if own == others else "down" if own > others else "up"
