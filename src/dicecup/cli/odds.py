"""`dicecup odds`: print the exact probability of every figure for a player who plays only for that
figure, from any point of a turn.
"""

import json
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from fractions import Fraction
from typing import Final, TypeAlias

from dicecup import games
from dicecup.analysis.odds_json import to_json
from dicecup.core.game import Rules
from dicecup.core.turn import THROWS
from dicecup.engine.turn.odds import Moment, Odds, means, moment, probabilities
from dicecup.locale import Messages
from dicecup.yam_master.figures import Figure

Table: TypeAlias = list[tuple[str, ...]]
SUMS: Final = ("H", "T")
"""Rows that any dice fill. They have mean points and no probability."""


def add_arguments(parser: ArgumentParser, messages: Messages) -> None:
    """Add the game, the point of the turn, and `--json` for programs."""
    parser.add_argument("game", metavar="GAME", nargs="?", default="yam-master", help=messages("odds_game"))
    parser.add_argument("--dice", metavar="11346", help=messages("odds_dice"))
    parser.add_argument("--throws-left", metavar="N", type=int, choices=range(THROWS + 1), help=messages("odds_throws_left"))
    parser.add_argument("--keep", metavar="11", help=messages("odds_keep"))
    parser.add_argument("--defi", action="store_true", help=messages("odds_defi"))
    parser.add_argument("--json", action="store_true", help=messages("odds_json"))


def run(arguments: Namespace, messages: Messages) -> int:
    """Print the tables or one JSON object, and return 0."""
    game = games.from_id(arguments.game)
    now = moment(game, dice=arguments.dice, throws_left=arguments.throws_left, kept=arguments.keep, declared=arguments.defi)
    if arguments.json:
        print(json.dumps(to_json(game, now)))
    elif now.shown is None and now.kept is None and arguments.throws_left is None:
        _print_tables(_turn_tables(game, now, messages))
    else:
        _print_tables(_moment_tables(game, now, messages))
    return 0


def _turn_tables(game: Rules, now: Moment, messages: Messages) -> Iterator[Table]:
    """Yield the table of probabilities for turns of one, two and three throws, and the table of
    mean points.
    """
    lengths = range(1 + now.declared, THROWS + 1)
    turns = [probabilities(game, Moment(throws, declared=now.declared)) for throws in lengths]
    heading = (messages("odds_aim"), *(messages("odds_throws", count=throws) for throws in lengths), messages("odds_fraction"))
    yield [heading] + [
        (_board_word(name), *(_decimal(turn[name].value) for turn in turns), str(chance.value))
        for name, chance in turns[-1].items()
        if name not in SUMS
    ]
    rows = [(name, _decimal(best.value), str(best.value)) for name, best in means(game, now).items()]
    if rows:
        yield [(messages("odds_row"), messages("odds_mean"), messages("odds_fraction")), *rows]


def _moment_tables(game: Rules, now: Moment, messages: Messages) -> Iterator[Table]:
    """Yield the tables of probabilities and mean points at this point of a turn, with the best keep
    of each aim.
    """
    titles = (("odds_aim", "odds_probability", probabilities), ("odds_row", "odds_mean", means))
    for aim, value, calculated in titles:
        rows = [
            (_board_word(name), _decimal(chance.value), str(chance.value), _kept(chance, now, messages))
            for name, chance in calculated(game, now).items()
            if calculated is means or name not in SUMS
        ]
        if rows:
            yield [(messages(aim), messages(value), messages("odds_fraction"), messages("odds_best")), *rows]


def _kept(chance: Odds, now: Moment, messages: Messages) -> str:
    """Return the best keep as text, the word for ending the turn, or an empty text where nothing
    can be chosen.
    """
    if chance.keep is not None:
        return chance.keep.text or "-"
    return messages("odds_end") if now.throws_left and now.shown is not None and chance.value else ""


def _board_word(name: str) -> str:
    """Return the word on the board for the ASCII name of a figure."""
    return next((figure.value for figure in Figure if figure.ascii == name), name)


def _decimal(value: Fraction) -> str:
    """Return a fraction with six decimals."""
    return f"{float(value):.6f}"


def _print_tables(tables: Iterator[Table]) -> None:
    """Print tables with an empty line between them. A column is as wide as its longest entry, and
    numbers are aligned right.
    """
    for number, table in enumerate(tables):
        if number:
            print()
        widths = [max(map(len, column)) for column in zip(*table, strict=True)]
        for name, *cells in table:
            padded = [cell.rjust(width) for cell, width in zip(cells, widths[1:], strict=True)]
            print("  ".join([name.ljust(widths[0]), *padded]).rstrip())
