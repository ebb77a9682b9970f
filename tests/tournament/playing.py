"""Tournaments that play themselves, with results that a seed chooses."""

from collections.abc import Callable
from random import Random

from dicecup.tournament import handlers
from dicecup.tournament.commands import AddEntrant, Enter, StartRound, TournamentCommand
from dicecup.tournament.errors import TournamentCode, TournamentError
from dicecup.tournament.events import Cause, Event, Opened, Result, StoredEvent
from dicecup.tournament.handlers import EndedGame
from dicecup.tournament.setup import Format, TournamentSetup
from dicecup.tournament.state import TournamentState
from dicecup.tournament.swiss import pair as pair_swiss
from dicecup.tournament.transition import Transition

ORGANISER = "organiser"
ENDS = (TournamentCode.NO_PAIRING_LEFT, TournamentCode.TOO_FEW_ENTRANTS, TournamentCode.TOURNAMENT_OVER)
"""Why no further round begins."""
DECIDED = (Result.WON, Result.LOST)


class Tournament:
    """A tournament with its log and a clock that the test sets."""

    def __init__(self, setup: TournamentSetup, entrants: int = 0, seed: str = "seed") -> None:
        self.now = 1000.0
        self.log: list[StoredEvent] = []
        self.state = self.save(handlers.create("t", setup, ORGANISER, seed, self.now)).state
        for number in range(1, entrants + 1):
            self.enter(number)

    def enter(self, number: int) -> None:
        self.do(Enter(f"Player {number}"), f"p{number}")

    def add(self, name: str) -> None:
        self.do(AddEntrant(name))

    def do(self, command: TournamentCommand, identity: str = ORGANISER, accounts: dict[str, str] | None = None) -> None:
        self.save(handlers.handle(self.state, identity, command, self.now, accounts))

    def refused(self, command: TournamentCommand, identity: str = ORGANISER) -> str:
        """Return the code with which a command is refused."""
        before = self.state
        try:
            self.do(command, identity)
        except TournamentError as error:
            assert self.state is before
            return str(error.code)
        raise AssertionError("not refused")

    def pass_time(self, seconds: float) -> None:
        self.now += seconds
        self.save(handlers.due(self.state, self.now))

    def open_tables(self) -> None:
        """Open the tables that are needed, as a server does."""
        games = [Opened(pairing.number, game, f"{pairing.number}.{game}") for pairing, game in self.state.games_to_open]
        if games:
            self.save(handlers.open_tables(self.state, games, self.now))

    def end(self, pairing: int, result: Result, cause: Cause = Cause.RULES, absent: tuple[int, ...] = ()) -> None:
        """End the running game of a pairing."""
        game = self.state.pairings[pairing - 1].game
        assert game is not None
        ended = EndedGame(game.table, pairing, game.number, result, cause, absent=absent)
        self.save(handlers.end_games(self.state, [ended], self.now))

    def play_round(self, choose: Callable[[], Result]) -> None:
        """Play all games of the running round."""
        number = len(self.state.rounds)
        while self.state.running and len(self.state.rounds) == number:
            self.open_tables()
            for pairing in self.state.running_pairings():
                if pairing.game is not None:
                    self.end(pairing.number, choose())

    def start(self) -> bool:
        """Start the next round, and return whether there is one."""
        try:
            self.do(StartRound())
        except TournamentError as error:
            assert error.code in ENDS
            return False
        return True

    def play(self, random: Random, *, draws: bool = True) -> None:
        """Play until no round is left."""
        results = (*DECIDED, Result.DRAWN) if draws else DECIDED
        while not self.state.is_over and self.start():
            self.play_round(lambda: random.choice(results))

    def replayed(self) -> TournamentState:
        """Return the state that follows from the log alone."""
        return TournamentState.from_events(self.log)

    def save(self, transition: Transition) -> Transition:
        """Add the events of a transition to the log."""
        events: tuple[Event, ...] = transition.events
        first = len(self.log) + 1
        self.log += [StoredEvent(number, self.now, event) for number, event in enumerate(events, first)]
        self.state = transition.state
        assert self.state.number == len(self.log)
        return transition


def setup(kind: Format, **changed: object) -> TournamentSetup:
    """Return a setup of a format with sensible values."""
    values: dict[str, object] = {"name": "Club evening", "format": kind, "game": "yam-master"}
    if kind is Format.SWISS:
        values["rounds"] = 5
    if kind is Format.LEAGUE:
        values["seconds"] = 7 * 86_400
    if kind is Format.ARENA:
        from dicecup.table.setup import Clock, ClockKind

        values |= {"seconds": 600, "clock": Clock(ClockKind.GAME, 60)}
    return TournamentSetup(**(values | changed))  # type: ignore[arg-type]


__all__ = ["ORGANISER", "Tournament", "pair_swiss", "setup"]
