"""Before the first throw: which game, who plays, who begins. Enter takes what stands in brackets."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from dicecup import games, yam_master, yamm
from dicecup.core.errors import DicecupError
from dicecup.core.game import Rules
from dicecup.core.source import SeededSource
from dicecup.terminal.console import Console
from dicecup.terminal.errors import TableCode, TableError
from dicecup.terminal.loop import words_of
from dicecup.terminal.seats import Seat, seats_from_texts
from dicecup.terminal.tags import writers_tag
from dicecup.yamm.seats import players_of_sheet

DEFAULT_LEVEL: Final = "greedy"


def ask_game(console: Console) -> str:
    """The id of the game that somebody chooses, by number or name."""
    choices = {"": "yam-master", "1": "yam-master", "2": "yamm", "yam master": "yam-master", "yammaster": "yam-master"}
    console.say("Dicecup")
    while True:
        entered = console.ask(console.messages("ask_game")).casefold()
        try:
            return games.from_id(choices.get(entered, entered)).id
        except DicecupError:
            console.complain(TableError(TableCode.NOT_A_CHOICE, text=entered))


def ask_seats(console: Console, game: Rules, levels: Sequence[str]) -> tuple[Seat, ...]:
    """Who plays: names with commas between, a level for the computer."""
    usual = f"{console.messages('you')}, {DEFAULT_LEVEL}"
    if isinstance(game, yamm.Yamm) and game.options.players == 1:
        usual = console.messages("you")
    console.tell("levels", levels=", ".join(levels))
    while True:
        entered = console.ask(console.messages("ask_seats", usual=usual)) or usual
        try:
            return seats_from_texts([part.strip() for part in entered.split(",")], levels)
        except DicecupError as error:
            console.complain(error)


def game_for(text: str, seats: Sequence[Seat] | None) -> Rules:
    """The game of an id. The bare `yamm` takes as many players as there are seats. Raises `GameError`."""
    game = games.from_id(text)
    if isinstance(game, yamm.Yamm) and text == game.name and seats is not None:
        return yamm.Yamm(replace(game.options, players=len(seats)))
    return game


def ask_pairs(console: Console, game: Rules) -> Rules:
    """Return the game with the option `pairs` as answered; ask only where pairs are possible."""
    if not isinstance(game, yamm.Yamm) or game.options.players < 4 or game.options.players % 2:
        return game
    in_pairs = replace(game.options, pairs=True)
    partners = (players_of_sheet(in_pairs, sheet) for sheet in range(in_pairs.sheets))
    pairs = ", ".join(f"{first + 1} & {second + 1}" for first, second in partners)
    answer = console.ask(console.messages("ask_pairs", pairs=pairs))
    return yamm.Yamm(in_pairs) if answer.casefold() in words_of(console.messages).yes else game


def ask_writers(console: Console, game: Rules, seats: Sequence[Seat]) -> list[str]:
    """Who writes for both of a pair, by name; nobody is named where there are no pairs."""
    if not isinstance(game, yamm.Yamm) or not game.options.pairs:
        return []
    while True:
        entered = console.ask(console.messages("ask_writers"))
        named = [part.strip() for part in entered.split(",")] if entered else []
        try:
            writers_tag(game, seats, named)
        except DicecupError as error:
            console.complain(error)
        else:
            return named


def in_order_of_play(console: Console, game: Rules, seats: tuple[Seat, ...], seed: str, *, real_dice: bool) -> tuple[Seat, ...]:
    """Yam Master: x first, by lot, or with real dice as the people say. Yamm rolls for it at the table."""
    if not isinstance(game, yam_master.YamMaster) or len(seats) != 2:
        return seats
    first = SeededSource(f"{seed} lot").die() % 2
    if real_dice:
        first = _asked_first(console, seats, first)
    console.tell("begins", name=seats[first].name)
    return seats[first:] + seats[:first]


def _asked_first(console: Console, seats: tuple[Seat, ...], lot: int) -> int:
    named = {"": lot, "1": 0, "2": 1} | {seat.name.casefold(): place for place, seat in enumerate(seats)}
    while True:
        entered = console.ask(console.messages("ask_first", first=seats[0].name, second=seats[1].name)).casefold()
        if entered in named:
            return named[entered]
        console.complain(TableError(TableCode.NOT_A_CHOICE, text=entered))
