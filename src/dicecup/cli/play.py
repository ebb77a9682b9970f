"""`dicecup play [GAME]`: play a game in the terminal.

Only functions that run after the first question import the table: the import takes longer than
everything before that question.
"""

from argparse import ArgumentParser, Namespace
from pathlib import Path
from secrets import token_hex
from typing import TYPE_CHECKING, Final

from dicecup.cli.refusal import refuse
from dicecup.locale import Messages
from dicecup.players import LEVELS
from dicecup.record import RecordError
from dicecup.terminal import files, setup
from dicecup.terminal.console import Console
from dicecup.terminal.errors import EndOfInput, TerminalCode, TerminalError
from dicecup.terminal.seats import seat_from_text, seats_from_texts

if TYPE_CHECKING:
    from dicecup.terminal.local import LocalSession

MOST_GAMES: Final = 9999
NEWEST: Final = ""


def add_arguments(parser: ArgumentParser, messages: Messages) -> None:
    """Add the options. They answer the questions before a game, which are then not asked."""
    parser.add_argument("game", metavar="GAME", nargs="?", help=messages("cli_play_game"))
    parser.add_argument(
        "--seat", metavar="NAME[=WHO]", action="append", help=messages("cli_play_seat", levels=", ".join(LEVELS))
    )
    parser.add_argument("--writer", metavar="NAME", action="append", default=[], help=messages("cli_play_writer"))
    parser.add_argument("--table", action="store_true", help=messages("cli_play_table"))
    parser.add_argument("--seed", metavar="TEXT", help=messages("cli_play_seed"))
    parser.add_argument("--games", metavar="N", type=int, default=1, help=messages("cli_play_games"))
    parser.add_argument("--save", metavar="FILE", type=Path, help=messages("cli_play_save"))
    parser.add_argument("--resume", metavar="FILE", nargs="?", const=NEWEST, help=messages("cli_play_resume"))
    parser.add_argument("--join", metavar="LINK", help=messages("cli_play_join"))
    parser.add_argument("--lobby", metavar="URL", help=messages("cli_play_lobby"))
    parser.add_argument("--rated", action="store_true", help=messages("cli_play_rated"))
    parser.add_argument("--short", action="store_true", help=messages("cli_play_short"))
    parser.add_argument("--no-color", action="store_true", help=messages("cli_play_no_color"))


def run(arguments: Namespace, messages: Messages) -> int:
    """Play to the end of the game or of the match. Everything that was printed is saved.

    Raises `DicecupError`, and `TerminalError` (`rated-needs-lobby`) for a rated game elsewhere.
    """
    if arguments.rated and arguments.lobby is None:
        raise TerminalError(TerminalCode.RATED_NEEDS_LOBBY)
    console = Console(messages, colour=False if arguments.no_color else None, short=arguments.short)
    if arguments.join is not None:
        return _join(arguments, console)
    if arguments.lobby is not None:
        return _seek(arguments, console)
    try:
        session = _new(arguments, console) if arguments.resume is None else _resumed(arguments)
    except RecordError as error:
        refuse(arguments.resume, error.faults[0], messages)
        return 1
    _play(session, console)
    return 0


def _join(arguments: Namespace, console: Console) -> int:
    """Play at a table on a server.

    Raises `DicecupError`, and `TerminalError` (`join-alone`) if options of a new game are given.
    """
    from dicecup.terminal.join import join
    from dicecup.terminal.loop import Quit

    others = (arguments.game, arguments.writer, arguments.table, arguments.seed, arguments.save, arguments.resume)
    if any(others) or arguments.games != 1 or len(arguments.seat or ()) > 1:
        raise TerminalError(TerminalCode.JOIN_ALONE)
    seat = seat_from_text(arguments.seat[0], LEVELS) if arguments.seat else None
    if seat is not None and not seat.is_human:
        raise TerminalError(TerminalCode.JOIN_ALONE)  # only a person joins
    try:
        join(console, arguments.join, None if seat is None else seat.name)
    except Quit:
        console.tell("online_left")
    return 0


def _seek(arguments: Namespace, console: Console) -> int:
    """Find an opponent on a server, and play.

    Raises `DicecupError`, and `TerminalError` (`join-alone`) if other options of a new game than
    the game are given.
    """
    from dicecup.terminal.loop import Quit
    from dicecup.terminal.seek import seek

    others = (arguments.writer, arguments.table, arguments.seed, arguments.save, arguments.resume)
    if any(others) or arguments.games != 1 or len(arguments.seat or ()) > 1:
        raise TerminalError(TerminalCode.JOIN_ALONE)
    game = arguments.game or setup.ask_game(console)
    try:
        seek(console, arguments.lobby, game, arguments.seat[0] if arguments.seat else None, rated=arguments.rated)
    except Quit:
        console.tell("online_left")
    return 0


def _resumed(arguments: Namespace) -> "LocalSession":
    """Return a session for the named or the newest saved game.

    Raises `TerminalError` (`resume-alone`) if options of a new game are given.
    """
    if any((arguments.game, arguments.seat, arguments.writer, arguments.table, arguments.seed, arguments.save)):
        raise TerminalError(TerminalCode.RESUME_ALONE)
    from dicecup.terminal.local import open_saved

    file = arguments.resume
    return open_saved(files.newest_unfinished(files.default_folder()) if file == NEWEST else Path(file))


def _new(arguments: Namespace, console: Console) -> "LocalSession":
    """Return a session for a new game. Questions ask for what the command line leaves open."""
    if not 1 <= arguments.games <= MOST_GAMES:
        raise TerminalError(TerminalCode.NOT_A_NUMBER_OF_GAMES, text=arguments.games, most=MOST_GAMES)
    if arguments.save is not None and arguments.save.exists():
        raise TerminalError(TerminalCode.FILE_EXISTS, file=arguments.save)
    seats = None if arguments.seat is None else seats_from_texts(arguments.seat, LEVELS)
    writers = arguments.writer
    named = arguments.game or setup.ask_game(console)
    game = setup.game_for(named, seats)
    if seats is None:
        seats = setup.ask_seats(console, game)
        game = setup.ask_pairs(console, setup.game_for(named, seats))
        writers = writers or setup.ask_writers(console, game, seats)
    seed = _seed(arguments)
    seats = setup.in_order_of_play(console, game, seats, seed, real_dice=arguments.table)
    from dicecup.record.match import MatchGame
    from dicecup.terminal.local import open_new
    from dicecup.terminal.local_record import REAL_DICE, SEED, Match, new_record

    match = None
    if arguments.games > 1:
        match = Match(MatchGame(token_hex(4), 1, arguments.games), (0,) * game.sides)
    dice = REAL_DICE if arguments.table else f"{SEED}{seed}"
    new = new_record(game, seats, dice, writers, match)
    return open_new(arguments.save or files.new_path(game.name), new)


def _seed(arguments: Namespace) -> str:
    """Return the given seed of the dice or a random one. Raises `TerminalError` (`not-a-seed`)."""
    seed: str | None = arguments.seed
    if seed is None:
        return token_hex(8)
    if not seed or not seed.isprintable() or arguments.table:
        raise TerminalError(TerminalCode.NOT_A_SEED, text=seed)
    return seed


def _play(session: "LocalSession", console: Console) -> None:
    """Play one game, or a match to its end. Print how to resume if the person leaves before."""
    from dicecup.terminal.display import show_standing
    from dicecup.terminal.local import open_next
    from dicecup.terminal.local_record import match_of, match_standing
    from dicecup.terminal.loop import GameLoop, Quit

    following: LocalSession | None = session
    while following is not None:
        session = following
        try:
            GameLoop(session, console).play()
        except Quit:
            console.tell_path("left", session.path, quoted=True)
            return
        except (KeyboardInterrupt, EndOfInput):
            console.say()
            console.tell_path("left", session.path, quoted=True)
            raise
        over = session.record()
        following = open_next(session.path, over)
        if (match := match_of(over)) is not None:
            show_standing(console, over, match.game.number, match.game.games, match_standing(over))
