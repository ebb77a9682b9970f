"""Parts of the state of a tournament: entrants, games, pairings and rounds."""

from dataclasses import dataclass, replace

from dicecup.tournament.events import FORFEITS, Cause, Result
from dicecup.tournament.setup import Format, TournamentSetup

SWAPPED = {Result.WON: Result.LOST, Result.LOST: Result.WON}
"""The result for the other entrant, where it is not the same."""
POINTS = {Result.WON: 2, Result.DRAWN: 1, Result.LOST: 0, Result.NEITHER: 0}
"""Half points of a result for the first entrant."""
MOST_EXTRA_GAMES = 10
"""Further games of a knock-out whose games were all drawn. Then the lot decides."""


@dataclass(frozen=True, slots=True)
class Entrant:
    """A person who has entered.

    - `joined`: the number of rounds that had begun before.
    - `is_active`: whether the entrant is paired.
    - `free_since`: the time from which on the entrant can be paired in an arena.
    - `last`: the last opponent.
    """

    number: int
    name: str
    identity: str | None
    strength: int
    joined: int
    is_active: bool = True
    free_since: float = 0.0
    last: int | None = None


@dataclass(frozen=True, slots=True)
class TournamentGame:
    """A game of a pairing. `result`, `points`, `losses` and `decisions` are those of the pairing's
    first and second entrant. `table` is empty if the server has no table for it."""

    number: int
    table: str = ""
    result: Result | None = None
    cause: Cause | None = None
    points: tuple[int, ...] = ()
    losses: tuple[float, ...] = ()
    decisions: tuple[int, ...] = ()

    def seats(self, first: int, second: int) -> tuple[int, int]:
        """Return the entrants on the first and the second seat: they change places in every
        game."""
        return (first, second) if self.number % 2 else (second, first)


@dataclass(frozen=True, slots=True)
class Pairing:
    """Two entrants who play each other. `result` is `None` while they play. `changed` is the number
    of the last event that concerned the pairing."""

    number: int
    round: int
    first: int
    second: int
    changed: int
    games: tuple[TournamentGame, ...] = ()
    result: Result | None = None
    cause: Cause | None = None
    is_corrected: bool = False

    @property
    def is_played(self) -> bool:
        """Return whether the pairing counts as played: tie-breaks and the balance of seats leave
        the others out."""
        return self.is_corrected or self.cause not in FORFEITS or any(game.result is not None for game in self.games)

    @property
    def game(self) -> TournamentGame | None:
        """Return the game that is being played, `None` before the first and after the last."""
        last = self.games[-1] if self.games else None
        return last if last is not None and last.result is None else None

    def other(self, entrant: int) -> int:
        """Return the opponent of an entrant."""
        return self.second if entrant == self.first else self.first

    def points_of(self, entrant: int) -> int:
        """Return the half points of an entrant, 0 without a result."""
        if self.result is None:
            return 0
        return POINTS[self.result if entrant == self.first else SWAPPED.get(self.result, self.result)]

    def with_game(self, game: TournamentGame, changed: int) -> "Pairing":
        """Return the pairing with a new game, or with another value of one."""
        return replace(self, games=(*self.games[: game.number - 1], game, *self.games[game.number :]), changed=changed)

    def score(self) -> tuple[int, int]:
        """Return the half points of both entrants in the games."""
        first = sum(POINTS[game.result] for game in self.games if game.result is not None)
        second = sum(POINTS[SWAPPED.get(game.result, game.result)] for game in self.games if game.result is not None)
        return first, second

    def decision(self, setup: TournamentSetup) -> Result | None:
        """Return the result that the games have brought, `None` if another game is needed.

        A pairing ends when nobody can catch up. A knock-out goes on until one entrant leads, for at
        most `MOST_EXTRA_GAMES`; then the result is `drawn`, and the lot decides.
        """
        ended = [game for game in self.games if game.result is not None]
        first, second = self.score()
        left = 2 * max(0, setup.best_of - len(ended))
        if first > second + left:
            return Result.WON
        if second > first + left:
            return Result.LOST
        if left:
            return None
        if first != second:
            return Result.WON if first > second else Result.LOST
        if all(game.result is Result.NEITHER for game in ended):
            return Result.NEITHER
        if setup.format is Format.KNOCK_OUT and len(ended) < setup.best_of + MOST_EXTRA_GAMES:
            return None
        return Result.DRAWN


@dataclass(frozen=True, slots=True)
class Round:
    """A round. `ended` is the time at which its last pairing was decided."""

    number: int
    started: float
    deadline: float | None
    pairings: tuple[int, ...] = ()
    byes: tuple[int, ...] = ()
    ended: float | None = None
