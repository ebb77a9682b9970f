"""The setup of a tournament from the options of `dicecup tournament create`."""

import re
from argparse import ArgumentParser, Namespace
from typing import TYPE_CHECKING, Final

from dicecup.locale import Messages

if TYPE_CHECKING:
    from dicecup.table.setup import Clock
    from dicecup.tournament.setup import TournamentSetup

FORMATS: Final = ("swiss", "round-robin", "league", "knock-out", "arena")
DICE: Final = ("results", "table", "server")
TIE_BREAKS: Final = ("buchholz", "sonneborn-berger", "direct", "wins", "mean-loss")
BYES: Final = {"1": 2, "0.5": 1, "0": 0}
"""How the points of a bye are typed, and half points."""
SWISS_ROUNDS: Final = 5
MINUTES: Final = {"arena": 60, "league": 7 * 24 * 60}
"""Minutes of an arena, and of a round of a league, unless others are given."""
SERVER_CLOCK: Final = "10+0"
NO_CLOCK: Final = "none"
_CLOCK: Final = re.compile(r"(?P<turn>\d{1,6})|(?P<minutes>\d{1,5})\+(?P<increment>\d{1,5})|(?P<days>\d{1,5})d", re.ASCII)


def add_setup_arguments(parser: ArgumentParser, messages: Messages) -> None:
    """Add the options of a new tournament."""
    add = parser.add_argument_group(messages("cli_tournament_create")).add_argument
    add("--format", choices=FORMATS, default="swiss", help=messages("cli_tournament_format"))
    add("--game", metavar="GAME", default="yam-master", help=messages("cli_tournament_game"))
    add("--dice", choices=DICE, default="results", help=messages("cli_tournament_dice"))
    add("--clock", metavar="TIME", help=messages("cli_tournament_clock", clock=SERVER_CLOCK))
    add("--rounds", metavar="N", type=int, help=messages("cli_tournament_rounds", rounds=SWISS_ROUNDS))
    add("--cycles", metavar="N", type=int, default=1, help=messages("cli_tournament_cycles"))
    add("--best-of", metavar="N", type=int, default=1, help=messages("cli_tournament_best_of"))
    add("--minutes", metavar="N", type=int, help=messages("cli_tournament_minutes"))
    add("--starts", metavar="TIME", help=messages("cli_tournament_starts"))
    add("--pause", metavar="N", type=int, help=messages("cli_tournament_pause"))
    add("--late", metavar="N", type=int, help=messages("cli_tournament_late"))
    add("--bye", choices=BYES, default="1", help=messages("cli_tournament_bye"))
    add("--tie-break", choices=TIE_BREAKS, action="append", default=[], help=messages("cli_tournament_tie_break"))
    add("--most", metavar="N", type=int, help=messages("cli_tournament_most"))
    add("--closed", action="store_true", help=messages("cli_tournament_closed"))
    add("--duplicate", action="store_true", help=messages("cli_tournament_duplicate"))
    add("--rated", action="store_true", help=messages("cli_tournament_rated"))
    add("--public", action="store_true", help=messages("cli_tournament_public"))


def setup_of(name: str, arguments: Namespace) -> "TournamentSetup":
    """Return the setup that the options ask for. Raises `GameError`, `HostingError` (`not-a-time`),
    `TableError` (`not-a-clock`) and `TournamentError` (`not-a-tournament`)."""
    from dicecup.cli.times import time_of
    from dicecup.tournament.setup import MOST_ENTRANTS, DiceKind, Entries, Format, TieBreak, TournamentSetup

    kind = Format(arguments.format)
    is_swiss = kind is Format.SWISS
    minutes = MINUTES.get(arguments.format, 0) if arguments.minutes is None else arguments.minutes
    rounds, late = arguments.rounds, arguments.late
    return TournamentSetup(
        name,
        kind,
        arguments.game,
        DiceKind(arguments.dice),
        clock_of(arguments.clock or (SERVER_CLOCK if arguments.dice == "server" else NO_CLOCK)),
        duplicate=arguments.duplicate,
        best_of=arguments.best_of,
        rounds=(SWISS_ROUNDS if is_swiss else 0) if rounds is None else rounds,
        cycles=arguments.cycles,
        seconds=60 * minutes,
        pause=None if arguments.pause is None else 60 * arguments.pause,
        starts=None if arguments.starts is None else time_of(arguments.starts),
        late_rounds=int(is_swiss) if late is None else late,
        bye=BYES[arguments.bye],
        tie_breaks=tuple(map(TieBreak, arguments.tie_break)),
        entries=Entries.ORGANISER if arguments.closed else Entries.OPEN,
        most=MOST_ENTRANTS if arguments.most is None else arguments.most,
        listed=arguments.public,
        rated=arguments.rated,
    )


def clock_of(text: str) -> "Clock | None":
    """Return the clock of a text: `60` seconds a turn, `10+5` minutes for the game and seconds a
    turn, `3d` days a turn, `none`. Raises `TableError` (`not-a-clock`)."""
    from dicecup.table.errors import TableCode, TableError
    from dicecup.table.setup import DAY, Clock, ClockKind

    if text == NO_CLOCK:
        return None
    found = _CLOCK.fullmatch(text)
    if found is None:
        raise TableError(TableCode.NOT_A_CLOCK, text=text)
    if found["turn"]:
        return Clock(ClockKind.TURN, int(found["turn"]))
    if found["days"]:
        return Clock(ClockKind.DAYS, DAY * int(found["days"]))
    return Clock(ClockKind.GAME, 60 * int(found["minutes"]), int(found["increment"]))
