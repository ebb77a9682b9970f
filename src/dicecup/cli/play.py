"""`dicecup play [GAME]`: a game in the terminal, line by line."""

from argparse import ArgumentParser, Namespace
from pathlib import Path
from secrets import token_hex
from typing import Final

from dicecup.cli.refusal import refuse
from dicecup.locale import Messages
from dicecup.players import LEVELS
from dicecup.record import RecordError
from dicecup.record.match import MatchGame
from dicecup.table.seats import side_count
from dicecup.terminal import files, setup, tags
from dicecup.terminal.console import Console
from dicecup.terminal.errors import EndOfInput, TableCode, TableError
from dicecup.terminal.loop import Conversation, Quit
from dicecup.terminal.seats import seat_from_text, seats_from_texts
from dicecup.terminal.state import show_standing
from dicecup.terminal.table import Table, open_new, open_next, open_saved

MOST_GAMES: Final = 9999
NEWEST: Final = ""


def add_arguments(parser: ArgumentParser, messages: Messages) -> None:
    """Everything that the first questions ask can be said here instead."""
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
    parser.add_argument("--short", action="store_true", help=messages("cli_play_short"))
    parser.add_argument("--no-color", action="store_true", help=messages("cli_play_no_color"))


def run(arguments: Namespace, messages: Messages) -> int:
    """Plays to the end of the game or of the match; whatever happens, what was shown is saved."""
    console = Console(messages, colour=False if arguments.no_color else None, short=arguments.short)
    if arguments.join is not None:
        return _join(arguments, console)
    try:
        table = _new(arguments, console) if arguments.resume is None else _resumed(arguments)
    except RecordError as error:
        refuse(arguments.resume, error.faults[0], messages)
        return 1
    _play(table, console)
    return 0


def _join(arguments: Namespace, console: Console) -> int:
    """A table on a server. Raises `DicecupError`, also `TableError` (`join-alone`) where a game is described as well."""
    from dicecup.terminal.join import join  # it needs a network, and what comes with it

    others = (arguments.game, arguments.writer, arguments.table, arguments.seed, arguments.save, arguments.resume)
    if any(others) or arguments.games != 1 or len(arguments.seat or ()) > 1:
        raise TableError(TableCode.JOIN_ALONE)
    seat = seat_from_text(arguments.seat[0], LEVELS) if arguments.seat else None
    if seat is not None and not seat.is_human:
        raise TableError(TableCode.JOIN_ALONE)  # the table says who plays there
    try:
        join(console, arguments.join, None if seat is None else seat.name)
    except Quit:
        console.tell("online_left")
    return 0


def _resumed(arguments: Namespace) -> Table:
    """A saved game, or the newest. Raises `TableError` (`resume-alone`) where a new game is described as well."""
    if any((arguments.game, arguments.seat, arguments.writer, arguments.table, arguments.seed, arguments.save)):
        raise TableError(TableCode.RESUME_ALONE)
    file = arguments.resume
    return open_saved(files.newest_unfinished(files.default_folder()) if file == NEWEST else Path(file))


def _new(arguments: Namespace, console: Console) -> Table:
    """A new game, from the command line and, for what it leaves open, from questions."""
    if not 1 <= arguments.games <= MOST_GAMES:
        raise TableError(TableCode.NOT_A_NUMBER_OF_GAMES, text=arguments.games, most=MOST_GAMES)
    if arguments.save is not None and arguments.save.exists():
        raise TableError(TableCode.FILE_EXISTS, file=arguments.save)
    seats = None if arguments.seat is None else seats_from_texts(arguments.seat, LEVELS)
    writers = arguments.writer
    named = arguments.game or setup.ask_game(console)
    game = setup.game_for(named, seats)
    if seats is None:
        seats = setup.ask_seats(console, game, LEVELS)
        game = setup.ask_pairs(console, setup.game_for(named, seats))
        writers = writers or setup.ask_writers(console, game, seats)
    seed = _seed(arguments)
    seats = setup.in_order_of_play(console, game, seats, seed, real_dice=arguments.table)
    match = None
    if arguments.games > 1:
        match = tags.Match(MatchGame(token_hex(4), 1, arguments.games), (0,) * side_count(game))
    dice = tags.TABLE if arguments.table else f"{tags.SEED}{seed}"
    new = tags.new_record(game, seats, dice, writers, match)
    return open_new(arguments.save or files.new_path(game.name), new)


def _seed(arguments: Namespace) -> str:
    """The seed of the dice: given, or drawn by the system. Raises `TableError` (`not-a-seed`)."""
    seed: str | None = arguments.seed
    if seed is None:
        return token_hex(8)
    if not seed or not seed.isprintable() or arguments.table:
        raise TableError(TableCode.NOT_A_SEED, text=seed)
    return seed


def _play(table: Table, console: Console) -> None:
    """One game, or a match to its end. Whoever leaves before is told how to go on."""
    following: Table | None = table
    while following is not None:
        table = following
        try:
            Conversation(table, console).play()
        except Quit:
            console.tell_path("left", table.state.path, quoted=True)
            return
        except (KeyboardInterrupt, EndOfInput):
            console.say()
            console.tell_path("left", table.state.path, quoted=True)
            raise
        state = table.state
        following = open_next(Path(state.path), state.record)
        if "Match" in state.record.tags:
            show_standing(console, state.record)
