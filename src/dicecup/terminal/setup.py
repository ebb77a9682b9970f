"""The questions before a game: which game, who plays, who starts. Enter takes the answer in
brackets."""

from collections.abc import Sequence
from typing import Final

from dicecup import games
from dicecup.core.errors import DicecupError
from dicecup.core.game import FirstPlayer, Rules
from dicecup.core.source import SeededSource
from dicecup.players import levels_for
from dicecup.terminal.console import Console
from dicecup.terminal.entry import words_of
from dicecup.terminal.errors import TerminalCode, TerminalError
from dicecup.terminal.games import screen_of
from dicecup.terminal.seats import Seat, seats_from_texts

DEFAULT_LEVEL: Final = "greedy"


def ask_game(console: Console) -> str:
    """Ask for a game, by number, name or id, and return its id."""
    named = games.names()
    titles = [screen_of(games.from_id(name)).title(games.from_id(name), console.messages) for name in named]
    choices = {"": named[0]}
    for number, (name, title) in enumerate(zip(named, titles, strict=True), 1):
        choices |= {str(number): name, title.casefold(): name, title.casefold().replace(" ", ""): name}
    console.say("Dicecup")
    listed = ", ".join(f"{number} {title}" for number, title in enumerate(titles, 1))
    while True:
        entered = console.ask(console.messages("ask_game", games=listed)).casefold()
        try:
            return games.from_id(choices.get(entered, entered)).id
        except DicecupError:
            console.complain(TerminalError(TerminalCode.NOT_A_CHOICE, text=entered))


def ask_seats(console: Console, game: Rules) -> tuple[Seat, ...]:
    """Ask who plays: names separated by commas, a level for a computer."""
    levels = levels_for(game)
    computer = DEFAULT_LEVEL if DEFAULT_LEVEL in levels else levels[0]
    usual = console.messages("you") if game.players == 1 else f"{console.messages('you')}, {computer}"
    console.tell("levels", levels=", ".join(levels))
    while True:
        entered = console.ask(console.messages("ask_seats", usual=usual)) or usual
        try:
            return seats_from_texts([part.strip() for part in entered.split(",")], levels)
        except DicecupError as error:
            console.complain(error)


def game_for(text: str, seats: Sequence[Seat] | None) -> Rules:
    """Return the game of an id. A name without options stands for the game with one player for each
    seat. Raises `GameError`."""
    game = games.from_id(text)
    if text != game.name or seats is None or len(seats) == game.players:
        return game
    counts = next((option.values for option in game.option_list if option.name == "players"), ())
    return games.from_id(f"{text}(players={len(seats)})") if str(len(seats)) in counts else game


def ask_pairs(console: Console, game: Rules) -> Rules:
    """Ask whether the players form pairs, if the game has pairs for this number of players."""
    if game.players == game.sides and any(option.name == "pairs" for option in game.option_list):
        try:
            paired = games.from_id(f"{game.id.removesuffix(')')},pairs=yes)")
        except DicecupError:
            return game
        partners = (
            [str(player + 1) for player in range(paired.players) if paired.side_of_player(player) == side]
            for side in range(paired.sides)
        )
        pairs = ", ".join(map(" & ".join, partners))
        if console.ask(console.messages("ask_pairs", pairs=pairs)).casefold() in words_of(console.messages).yes:
            return paired
    return game


def ask_writers(console: Console, game: Rules, seats: Sequence[Seat]) -> list[str]:
    """Ask which players write for their sides and return their names, none where no side has
    several players."""
    if game.players == game.sides:
        return []
    from dicecup.terminal.local_record import writer_tag  # imports the table, which the first question does not wait for

    while True:
        entered = console.ask(console.messages("ask_writers"))
        named = [part.strip() for part in entered.split(",")] if entered else []
        try:
            if named:
                writer_tag(game, seats, named)
        except DicecupError as error:
            console.complain(error)
        else:
            return named


def in_order_of_play(console: Console, game: Rules, seats: tuple[Seat, ...], seed: str, *, real_dice: bool) -> tuple[Seat, ...]:
    """Return the seats in the order of play where a lot decides it, else the seats unchanged.

    The lot follows from the seed. With real dice the people say who starts.
    """
    if game.first_player is not FirstPlayer.LOT or len(seats) != 2:
        return seats
    first = SeededSource(f"{seed} lot").die() % 2
    if real_dice:
        first = _asked_first(console, seats, first)
    console.tell("begins", name=seats[first].name)
    return seats[first:] + seats[:first]


def _asked_first(console: Console, seats: tuple[Seat, ...], lot: int) -> int:
    """Ask which of two seats starts and return its place. Enter takes the lot."""
    named = {"": lot, "1": 0, "2": 1} | {seat.name.casefold(): place for place, seat in enumerate(seats)}
    while True:
        entered = console.ask(console.messages("ask_first", first=seats[0].name, second=seats[1].name)).casefold()
        if entered in named:
            return named[entered]
        console.complain(TerminalError(TerminalCode.NOT_A_CHOICE, text=entered))
