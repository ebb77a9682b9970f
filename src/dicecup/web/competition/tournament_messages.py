"""Messages about tournaments, over HTTP and the WebSocket of a tournament.

Times are seconds since 1970, lengths are seconds, and points are 1 for a win and 0.5 for a draw.
Results are those of the first entrant of a pairing.
"""

from typing import Annotated, Any, Final, Literal, TypeAlias

from pydantic import Field, TypeAdapter

from dicecup.table.setup import Clock
from dicecup.tournament.commands import TournamentCommand
from dicecup.tournament.events import Cause, How, Result
from dicecup.tournament.setup import DiceKind, Format, TieBreak, TournamentSetup
from dicecup.web.messages import CommandId, Incoming, Language, Number, Outgoing, Ping, Pong, Refused, Told

AnyTournamentCommand: TypeAlias = Annotated[TournamentCommand, Field(discriminator="type")]
Stage: TypeAlias = Literal["open", "running", "over"]


class NewTournament(Incoming):
    """A new tournament. Who creates it is its organiser."""

    setup: TournamentSetup


class MadeTournament(Outgoing):
    """A new tournament, and the link to its page."""

    tournament: str
    link: str
    reach: Literal["everywhere", "local-network", "this-device"]


class SendToTournament(Incoming):
    """A command for a tournament.

    `id` is chosen by the client. A command with a known `id` is answered again, not handled again.
    `version` is the number of the view that the client saw.
    """

    id: CommandId
    version: Number
    command: AnyTournamentCommand


class TournamentSent(Outgoing):
    """The number of the last event of a command."""

    number: int


class TournamentSummary(Outgoing):
    """A tournament in a list. `seconds`: the length of an arena or the time for each round, 0 for
    no limit. `entrants` counts those who are paired. `rounds` is how many there will be as far as
    it is known."""

    tournament: str
    name: str
    format: Format
    game: str
    clock: Clock | None
    dice: DiceKind
    seconds: int
    stage: Stage
    entrants: int
    round: int
    rounds: int
    created: float
    next_start: float | None
    finished: float | None


class TournamentList(Outgoing):
    """The tournaments that you have entered or organise, and public ones that are not over, the
    newest first. `formats`: those of new tournaments on this server."""

    own: list[TournamentSummary]
    listed: list[TournamentSummary]
    formats: list[Format]


class TournamentOfTable(Outgoing):
    """The tournament of a table, `null` for a table of no tournament, or of one that you have
    neither entered nor organise."""

    tournament: str | None


class TournamentEntrant(Outgoing):
    """An entrant. `joined`: how many rounds had begun before. `active`: whether the entrant is
    paired."""

    entrant: int
    name: str
    strength: int
    active: bool
    joined: int


class TournamentRound(Outgoing):
    """A round. `ended` is null while pairings are played. `byes` are entrants."""

    round: int
    started: float
    deadline: float | None
    ended: float | None
    byes: list[int]


class PairingGame(Outgoing):
    """A game of a pairing. `table` is null where results are entered. `watch_key` is the key of the
    link to watch it, null while others play with the same dice. `points` of the first and second
    entrant, or empty."""

    game: int
    table: str | None
    watch_key: str | None
    result: Result | None
    cause: Cause | None
    points: list[int]


class TournamentPairing(Outgoing):
    """Two entrants who play each other. `first` has the first seat in odd games. `result` is null
    while they play. `corrected`: an organiser replaced the result."""

    pairing: int
    round: int
    first: int
    second: int
    result: Result | None
    cause: Cause | None
    corrected: bool
    games: list[PairingGame]


class StandingsLine(Outgoing):
    """A line of the standings. Equal entrants share a `rank`. `tie_breaks` are in the order of the
    view's; null for a mean loss that is not known. `seats`: how much more often the entrant had the
    first seat than the second."""

    rank: int
    entrant: int
    points: float
    played: int
    won: int
    drawn: int
    lost: int
    tie_breaks: list[float | None]
    seats: int


class OwnTournament(Outgoing):
    """What concerns you: your number if you have entered, whether you are an organiser, the pairing
    in which you play now and the table of its game, and the types of the commands that you may
    send."""

    entrant: int | None
    organiser: bool
    pairing: int | None
    table: str | None
    may: list[str]


class TournamentView(Outgoing):
    """A tournament as everybody may see it.

    `number` is that of its last event. `organisers` are the handles of named ones. `pairings` are
    those of the last round; an arena has those that are played and the 50 newest that ended.
    """

    tournament: str
    number: int
    time: float
    created: float
    stage: Stage
    how: How | None
    finished: float | None
    next_start: float | None
    most_rounds: int
    setup: TournamentSetup
    organisers: list[str]
    entrants: list[TournamentEntrant]
    rounds: list[TournamentRound]
    pairings: list[TournamentPairing]
    tie_breaks: list[TieBreak]
    standings: list[StandingsLine]


class SeenTournament(Outgoing):
    """The view of a tournament, what concerns you, and the link to its page with its reach."""

    view: TournamentView
    you: OwnTournament
    link: str
    reach: Literal["everywhere", "local-network", "this-device"]


class RoundOfTournament(TournamentRound):
    """A round with all its pairings."""

    pairings: list[TournamentPairing]


class CrosstableMeeting(Outgoing):
    """What an entrant did in a round. `opponent` is null for a bye, `points` while the pairing is
    played. `first`: whether the entrant had the first seat. `played`: neither a bye nor a
    forfeit."""

    round: int
    opponent: int | None
    first: bool
    points: float | None
    played: bool


class CrosstableLine(StandingsLine):
    """A line of the crosstable."""

    meetings: list[CrosstableMeeting]


class Crosstable(Outgoing):
    """The crosstable after event `number`, in the order of the standings."""

    number: int
    lines: list[CrosstableLine]


class LoggedTournamentEvent(Outgoing):
    """An event of a tournament with its number and time (docs/protocol.md lists the types). No
    event names the identity of a person."""

    number: int
    time: float
    event: dict[str, Any]


class TournamentLog(Outgoing):
    """The events of a tournament after a number."""

    events: list[LoggedTournamentEvent]


# --- The WebSocket of a tournament ----------------------------------------------------------------


class TournamentHello(Incoming):
    """The first message. `language` of the sentences in refusals, by default that of the
    handshake's `Accept-Language`, which pages cannot set."""

    type: Literal["hello"]
    language: Language | None = None


class TournamentChanged(Outgoing):
    """The tournament has event `number` now, and `you` is what concerns you. The first message of a
    connection is one of these. Changes within a second share a message."""

    type: Literal["tournament"]
    number: int
    stage: Stage
    round: int
    you: OwnTournament


TournamentFromClient: TypeAlias = Annotated[TournamentHello | Ping, Field(discriminator="type")]
TOURNAMENT_FROM_CLIENT: Final[TypeAdapter[TournamentHello | Ping]] = TypeAdapter(TournamentFromClient)
TournamentFromServer: TypeAlias = Annotated[TournamentChanged | Refused | Pong | Told, Field(discriminator="type")]
