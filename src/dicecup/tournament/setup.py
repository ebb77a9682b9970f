"""The setup of a tournament: format, game, dice, clock, rounds and how they begin."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Any, ClassVar, Final

from dicecup import games
from dicecup.core.game import FirstPlayer, Rules
from dicecup.table import codec as wire
from dicecup.table.duplicate import Duplicate
from dicecup.table.names import is_name
from dicecup.table.setup import Clock, DiceOf, SeatSetup, Setup
from dicecup.tournament.errors import TournamentCode, TournamentError

MOST_ENTRANTS: Final = 2048
MOST_IN_ROUND_ROBIN: Final = 64
"""Entrants of a round robin or a league, which meet everybody."""
MOST_IN_SWISS: Final = 128
"""Entrants of a Swiss tournament. Pairing a round of 128 takes nine seconds of a processor, one of
64 less than one."""
MOST_ROUNDS: Final = 30
MOST_GAMES: Final = 15
"""Games of a pairing."""
LONGEST_ARENA: Final = 86_400
"""Seconds."""
LONGEST_ROUND: Final = 60 * 86_400
"""Seconds from the start of a round to its deadline."""
LONGEST_PAUSE: Final = 7 * 86_400
"""Seconds between two rounds."""


class Format(StrEnum):
    """How entrants are paired."""

    SWISS = "swiss"
    ROUND_ROBIN = "round-robin"
    KNOCK_OUT = "knock-out"
    ARENA = "arena"
    LEAGUE = "league"
    """A round robin of which each round has a deadline."""


EVERYBODY_MEETS: Final = (Format.ROUND_ROBIN, Format.LEAGUE)
FIXED_FIELD: Final = (*EVERYBODY_MEETS, Format.KNOCK_OUT)
"""Formats that nobody can enter after the first round has begun."""


class DiceKind(StrEnum):
    """Where the dice of a tournament are thrown."""

    SERVER = "server"
    TABLE = "table"
    """Real dice, which people type at tables of the server."""
    RESULTS = "results"
    """Real dice. The server has no tables, and results are entered."""


class TieBreak(StrEnum):
    """What decides between entrants with equal points; see `standings`."""

    BUCHHOLZ = "buchholz"
    SONNEBORN_BERGER = "sonneborn-berger"
    DIRECT = "direct"
    WINS = "wins"
    MEAN_LOSS = "mean-loss"


class Entries(StrEnum):
    """Who may enter people."""

    OPEN = "open"
    """Everybody who knows the tournament may enter."""
    ORGANISER = "organiser"


DEFAULT_TIE_BREAKS: Final = {
    Format.SWISS: (TieBreak.BUCHHOLZ, TieBreak.SONNEBORN_BERGER, TieBreak.DIRECT, TieBreak.WINS),
    Format.ROUND_ROBIN: (TieBreak.DIRECT, TieBreak.SONNEBORN_BERGER, TieBreak.WINS),
    Format.LEAGUE: (TieBreak.DIRECT, TieBreak.SONNEBORN_BERGER, TieBreak.WINS),
    Format.KNOCK_OUT: (),
    Format.ARENA: (TieBreak.WINS,),
}
"""The tie-breaks of a setup that names none."""


@dataclass(frozen=True)
class TournamentSetup:
    """The setup of a tournament.

    - `game`: the id of a game for two. `clock` and `dice`: as at its tables.
    - `duplicate`: the same dice fall at all tables in the same game of a round. Nobody watches
      these tables before the end of the round.
    - `best_of`: games of a pairing. A pairing ends when nobody can catch up. A knock-out goes on
      until one entrant leads.
    - `rounds` of a Swiss tournament. `cycles`: how often all meet in a round robin or a league.
    - `seconds`: the length of an arena, and otherwise the time from the start of a round to its
      deadline, 0 for none. Pairings without a result are lost by both at the deadline.
    - `pause`: seconds from the end of a round to the next, which then begins by itself; `None`: an
      organiser begins it. In a league the next round begins at the deadline at the latest.
    - `starts`: when the first round begins by itself, in seconds since 1970; `None`: by hand.
    - `late_rounds`: people may enter until this many rounds have begun. An arena stays open.
    - `bye`: half points for a bye.
    - `tie_breaks`: empty for those of the format.
    - `rated`: the games change the ratings of their people, who need accounts where the server asks
      for it.
    - `most`: the most entrants. `listed`: whether the lobby lists the tournament.

    Raises `GameError`, `TableError` (`not-a-clock`) and `TournamentError` (`not-a-tournament`, with
    the field as `text`).
    """

    name: str
    format: Format
    game: str
    dice: DiceKind = DiceKind.SERVER
    clock: Clock | None = None
    duplicate: bool = False
    best_of: int = 1
    rounds: int = 0
    cycles: int = 1
    seconds: int = 0
    pause: int | None = None
    starts: float | None = None
    late_rounds: int = 0
    bye: int = 2
    tie_breaks: tuple[TieBreak, ...] = ()
    entries: Entries = Entries.OPEN
    most: int = MOST_ENTRANTS
    listed: bool = False
    rated: bool = False
    __pydantic_config__: ClassVar[wire.Config] = wire.STRICT

    def __post_init__(self) -> None:
        for field, is_right in self._checks():
            if not is_right:
                raise TournamentError(TournamentCode.NOT_A_TOURNAMENT, text=field)
        if self.dice is not DiceKind.RESULTS:
            table_setup(self, "any" if self.duplicate else "")

    def _checks(self) -> list[tuple[str, bool]]:
        """Return for each field whether its value is possible. Raises `GameError`."""
        rules, is_swiss, is_arena = self.rules, self.format is Format.SWISS, self.format is Format.ARENA
        longest = LONGEST_ARENA if is_arena else LONGEST_ROUND
        needs_time = self.format in (Format.ARENA, Format.LEAGUE)
        has_tables = self.dice is not DiceKind.RESULTS
        return [
            ("name", is_name(self.name)),
            ("game", rules.players == 2 and rules.sides == 2),
            ("best_of", 1 <= self.best_of <= MOST_GAMES and not (is_arena and self.best_of > 1)),
            ("rounds", 1 <= self.rounds <= MOST_ROUNDS if is_swiss else self.rounds == 0),
            ("cycles", self.cycles == 1 or (self.format in EVERYBODY_MEETS and self.cycles == 2)),
            ("seconds", (60 if needs_time else 0) <= self.seconds <= longest),
            ("pause", self.pause is None or (0 <= self.pause <= LONGEST_PAUSE and not is_arena)),
            ("starts", self.starts is None or 0 <= self.starts < 2.0**33),
            ("late_rounds", 0 <= self.late_rounds <= MOST_ROUNDS and (self.late_rounds == 0 or is_swiss)),
            ("bye", 0 <= self.bye <= 2),
            ("tie_breaks", len(set(self.tie_breaks)) == len(self.tie_breaks)),
            ("most", 2 <= self.most <= MOST_ENTRANTS),
            ("clock", has_tables or self.clock is None),
            ("clock", not (is_arena and self.dice is DiceKind.SERVER and self.clock is None)),
            ("duplicate", not self.duplicate or (self.dice is DiceKind.SERVER and not is_arena)),
            ("rated", not self.rated or self.dice is DiceKind.SERVER),
        ]

    @property
    def rules(self) -> Rules:
        """Return the game with its options. Raises `GameError`."""
        return games.from_id(self.game)

    @property
    def chosen_tie_breaks(self) -> tuple[TieBreak, ...]:
        """Return the tie-breaks, those of the format if the setup names none."""
        return self.tie_breaks or DEFAULT_TIE_BREAKS[self.format]

    @property
    def capacity(self) -> int:
        """Return how many people may enter."""
        return min(self.most, _CAPACITY.get(self.format, MOST_ENTRANTS))

    @property
    def has_tables(self) -> bool:
        """Return whether the server makes a table for each game."""
        return self.dice is not DiceKind.RESULTS


_CAPACITY: Final = {
    Format.SWISS: MOST_IN_SWISS,
    Format.ROUND_ROBIN: MOST_IN_ROUND_ROBIN,
    Format.LEAGUE: MOST_IN_ROUND_ROBIN,
}


def table_setup(setup: TournamentSetup, event: str = "") -> Setup:
    """Return the setup of the table of a game, at which the entrant who has the first seat sits on
    seat 0. Where a lot decides who begins, the first seat does. `event` is the id of the event
    whose dice fall there, empty for dice of the table's own. Raises as `Setup`."""
    dice = DiceOf.SERVER if setup.dice is DiceKind.SERVER else DiceOf.TABLE
    first = 0 if setup.rules.first_player is FirstPlayer.LOT else None
    duplicate = Duplicate(event) if event else None
    return Setup(setup.game, (SeatSetup(), SeatSetup()), dice, setup.clock, first=first, rated=setup.rated, duplicate=duplicate)


def tournament_setup_from_json(data: object) -> TournamentSetup:
    """Return the setup of this JSON. Raises `TournamentError` and what `TournamentSetup` raises."""
    return wire.from_json(TournamentSetup, data, TournamentCode.NOT_A_TOURNAMENT, TournamentError)


def tournament_setup_to_json(setup: TournamentSetup) -> dict[str, Any]:
    """Return the setup as JSON, which `tournament_setup_from_json` reads back."""
    return wire.to_json(setup)
