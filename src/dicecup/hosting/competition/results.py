"""Results of duplicate events as values: scores, ranks, and the sums of pairs and tables
of four."""

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from dicecup.core.game import Scoring
from dicecup.hosting.competition.events import Entry
from dicecup.table.state import TableState
from dicecup.table.summaries import outcome

OUTCOMES: Final = {"won": 2, "drawn": 1, "lost": 0}
"""Twice the wins for which an outcome counts."""
WIDE: Final = 1000
"""More points than any game of wins has, so that the outcome comes before the points."""


class Score(NamedTuple):
    """The score of a person in a game: `finished` games come first, then higher scores.

    In games of totals the score is the total of the person. In games of wins an outcome counts more
    than any points, and equal outcomes compare by the difference of the points. `result`: as in the
    record.
    """

    finished: bool
    score: float
    result: str


def score_of(state: TableState, identity: str) -> Score | None:
    """Return the score of a person in a finished game, `None` for a person who is not at the
    table."""
    seats = sorted(state.seats_of(identity))
    if state.end is None or not seats:
        return None
    own, others = points_of(state, seats[0])
    if state.rules.scoring is Scoring.TOTALS:
        return Score(state.position.outcome is not None, float(own), str(own))
    return Score(state.end.end != "abandoned", WIDE * _twice_wins(state, seats[0]) + own - others, state.end.result)


def points_of(state: TableState, seat: int) -> tuple[int, int]:
    """Return the points of a seat's side, and the most points of another side."""
    side = state.side_of(seat)
    scores = list(state.position.scores)
    return scores[side], max((points for other, points in enumerate(scores) if other != side), default=0)


def _twice_wins(state: TableState, seat: int) -> int:
    return OUTCOMES[outcome(state, [seat]) or "drawn"]


def ranks(entries: Iterable[Entry]) -> list[int | None]:
    """Return the rank of each entry, which are in order. Equal entries share a rank. An entry that
    does not count has none."""
    found: list[int | None] = []
    place, before, rank = 0, None, 0
    for entry in entries:
        if not entry.counts:
            found.append(None)
            continue
        place += 1
        if (key := (entry.finished, entry.score)) != before:
            before, rank = key, place
        found.append(rank)
    return found


class Sum(NamedTuple):
    """What a side of a pair or of a table of four has in both games: `wins`, a drawn game counts
    one half, and `points`. `names` are those of its people."""

    names: tuple[str, ...]
    wins: float
    points: int


def sums(entries: Sequence[Entry], boards: Iterable[TableState]) -> list[Sum]:
    """Return the sums of both sides over the finished games.

    In a pair each person is a side, at a table of four the people on places 0 and 1.
    """
    played = [state for state in boards if state.end is not None]
    found = []
    for side in (0, 1):
        people = [entry for entry in entries if side_of_place(entry.place, len(entries)) == side]
        seats = [(state, seat) for state in played for entry in people for seat in state.seats_of(entry.identity)]
        wins = sum(_twice_wins(state, seat) for state, seat in seats) / 2
        found.append(Sum(tuple(entry.name for entry in people), wins, sum(points_of(*each)[0] for each in seats)))
    return found


def side_of_place(place: int, people: int) -> int:
    """Return the side of a place in a pair or at a table of four."""
    return place if people <= 2 else place // 2
