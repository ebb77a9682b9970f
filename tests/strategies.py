"""Hypothesis strategies for dice, actions, positions of played games, and records.

A strategy draws a seed and plays a game from it, because one draw is much cheaper than one draw for
each step. A failing example shows the position or the record.
"""

import random
from collections.abc import Iterator, Sequence
from itertools import product
from typing import Final

from hypothesis import strategies as st

from dicecup.core.dice import KEEPS, NO_DICE, ROLLS, Keep
from dicecup.core.game import Action, FirstPlayer, Position, Rules, Scoring
from dicecup.core.source import Throw
from dicecup.core.start import StartingRoll
from dicecup.core.turn import KeptDice
from dicecup.record import OTHER_ENDS, Journal, Record, concluded
from dicecup.yam_master import Captured, End, FailedDefi, YamMaster, small_board
from dicecup.yam_master import Options as YamMasterOptions
from dicecup.yamm import Options as YammOptions
from dicecup.yamm import Position as YammPosition
from dicecup.yamm import Row, SheetSpec, Yamm
from dicecup.yamm.sheet import Column

# Games

YAM_MASTER: Final = tuple(YamMaster(YamMasterOptions(*values)) for values in product(KeptDice, FailedDefi, Captured, End))
"""Yam Master with every combination of its options."""
BOARD_3: Final = small_board("1 Full 6/Sec Yam Suite/2 <=8 Defi", tokens=3)
BOARD_2: Final = small_board("Yam Defi/Sec 6", tokens=2)
SMALL_BOARDS: Final = tuple(
    YamMaster(YamMasterOptions(captured=captured, end=end), board)
    for board in (BOARD_2, BOARD_3)
    for captured, end in product(Captured, End)
)
"""Yam Master on boards that a game fills in a few turns."""
YAMM: Final = tuple(
    Yamm(YammOptions(players, kept_dice, pairs))
    for players, kept_dice, pairs in (
        (1, KeptDice.FREE, False),
        (2, KeptDice.FREE, False),
        (2, KeptDice.LOCKED, False),
        (4, KeptDice.FREE, True),
        (6, KeptDice.LOCKED, True),
    )
)
"""Yamm with one player, several players and pairs."""
SMALL_SHEETS: Final = tuple(
    Yamm(YammOptions(players, kept_dice, pairs), SheetSpec(columns, rows))
    for columns, rows in (
        ((Column("d1"), Column("u1"), Column("f1")), (Row.ONE, Row.HIGH, Row.LOW, Row.YAMM)),
        ((Column("f1"),), (Row.HIGH, Row.LOW)),
    )
    for players, kept_dice, pairs in ((1, KeptDice.FREE, False), (3, KeptDice.LOCKED, False), (4, KeptDice.FREE, True))
)
"""Yamm on sheets that a game fills in a few turns."""
NAMED: Final[tuple[Rules, ...]] = YAM_MASTER + YAMM
"""Every game that a game id names, with the options that matter."""
GAMES: Final[tuple[Rules, ...]] = NAMED + SMALL_BOARDS + SMALL_SHEETS


def size(game: Rules) -> str:
    """Return columns and rows of the board or the sheet, which no game id holds."""
    match game:
        case YamMaster():
            return f"{game.board.columns}x{game.board.rows}"
        case Yamm():
            return f"{len(game.sheet.columns)}x{len(game.sheet.rows)}"
        case _:
            return ""


# Dice

rolls: Final = st.sampled_from(ROLLS)
keeps: Final = st.sampled_from(KEEPS)

# Playing


def choices(position: Position) -> tuple[Action, ...]:
    """Return the allowed actions and corrections."""
    return (*position.actions, *position.corrections)


def allowed(position: Position, action: object) -> bool:
    """Return whether the position's views hold the action or its text."""
    return action in position.actions or action in position.corrections


def following(position: Position) -> Iterator[Position]:
    """Yield the positions after every action and correction, and after the first and the last
    possible roll."""
    for shown, _ in (*position.chances[:1], *position.chances[-1:]):
        yield position.roll(shown)
    for action in choices(position):
        yield position.play(action)


def locks_dice(position: Position) -> bool:
    """Return whether the throw that is due locks the dice that were kept."""
    if position.turn is None or not position.waiting or position.turn.throws != 1:
        return False
    after = position.roll_unchecked(position.chances[0][0])
    return after.turn is not None and after.turn.locked is not NO_DICE


def _shown(position: Position, chance: random.Random, *, table: bool) -> Throw:
    """Return a throw that is possible now. Five equal dice are more likely than with fair dice.

    With real dice (`table`) kept dice are sometimes knocked over.
    """
    kept = position.turn.dice if position.turn is not None else NO_DICE
    if chance.random() < 0.15:
        equal = [shown for shown, _ in position.chances if len(set(shown.faces)) == 1]
        if equal:
            return Throw(chance.choice(equal))
    if table and kept.count and chance.random() < 0.3:
        shown = chance.choice(ROLLS)
        if not locks_dice(position):
            return Throw(shown)
        locked = [part for part in sorted(shown.parts) if part.count == kept.count]
        named = Keep(chance.choice(locked))
        return Throw(shown, None if kept in shown else named)
    return Throw(chance.choice(position.chances)[0])


def _chosen(position: Position, chance: random.Random) -> Action:
    """Return one of the choices. The turn ends more often than at random, and a pass is rare."""
    every = choices(position)
    ends = [action for action in every if action.kept is None and str(action) != "--"]
    return chance.choice(ends) if ends and chance.random() < 0.6 else chance.choice(every)


def steps(game: Rules, chance: random.Random, *, table: bool = False) -> Iterator[tuple[Throw | Action | None, Position]]:
    """Yield every throw and action of a game with the position after it, the start first with
    `None`.

    A game of Yam Master may take long, because a player may always pass.
    """
    position = game.start()
    yield None, position
    while position.turn is not None:
        if position.waiting:
            thrown = _shown(position, chance, table=table)
            position = position.roll(thrown.roll, table=table, locked=thrown.locked)
            yield thrown, position
        else:
            action = _chosen(position, chance)
            position = position.play(action)
            yield action, position


seeds: Final = st.integers(0, 2**32 - 1)


@st.composite
def games_begun(draw: st.DrawFn, game: Rules, most: int = 400) -> list[Position]:
    """Draw the first positions of a game, at most `most` steps. About half of the games are played
    with real dice."""
    chance = random.Random(draw(seeds))
    length = draw(st.integers(0, most))
    played = steps(game, chance, table=chance.random() < 0.5)
    return [position for (_, position), _ in zip(played, range(length + 1), strict=False)]


def positions(game: Rules, most: int = 400) -> st.SearchStrategy[Position]:
    """Return a strategy for positions of played games."""
    return games_begun(game, most).map(lambda played: played[-1])


# Texts

ALPHABET: Final = "0123456789abcdefiuxokHTFSYI!?-.:|/+~=>, \n١é≤"
"""The characters of the notation, and characters that resemble them."""

KEEP_TEXTS: Final = tuple(f"k{kept.text or '-'}" for kept in KEEPS)
"""The texts of all actions that keep dice, in their pinned order."""


def candidates(position: Position) -> list[str]:
    """Return every text that can be an action of this game in any position, in the order of
    docs/notation.md.

    Corrections come last.
    """
    if isinstance(position, YammPosition):
        cells = [f"{order}{number}.{row}" for order in "duf" for number in range(1, 10) for row in Row]
        turns = range(max(1, position.number - len(position.sheets) - 1), position.number + 2)
        return [*KEEP_TEXTS, *cells, *(f"{turn}. > {cell}" for turn in turns for cell in cells)]
    squares = [f"{column}{row}" for row in range(1, 10) for column in "abcdefghi"]
    return [*KEEP_TEXTS, *(f"!{text}" for text in KEEP_TEXTS), *squares, *(f"-{square}" for square in squares), "--"]


def action_texts(texts: Sequence[str]) -> st.SearchStrategy[str]:
    """Return a strategy for the texts of actions, the same texts with characters changed, and
    random texts."""
    known = st.sampled_from(texts)
    return st.one_of(st.text(ALPHABET, max_size=8), st.text(max_size=4), known, mutations(known))


@st.composite
def mutations(draw: st.DrawFn, texts: st.SearchStrategy[str]) -> str:
    """Draw a text and change it once or twice: insert, drop, replace or swap characters."""
    text = draw(texts)
    for _ in range(draw(st.integers(1, 2))):
        at = draw(st.integers(0, max(0, len(text) - 1)))
        new = draw(st.one_of(st.sampled_from(ALPHABET), st.characters()))
        text = draw(
            st.sampled_from(
                (
                    text[:at] + new + text[at:],
                    text[:at] + text[at + 1 :],
                    text[:at] + new + text[at + 1 :],
                    text[:at] + text[at + 1 : at + 2] + text[at : at + 1] + text[at + 2 :],
                )
            )
        )
    return text


# Records

notes: Final = st.lists(st.sampled_from(("%clock=1:30", "%eval=+0.25", "%k=é;~")), max_size=2).flatmap(
    lambda values: st.sampled_from(("", "; so close", ";", "; [x] %a=b ; 1. --")).map(
        lambda end: " ".join([*values, end]).strip(" ")
    )
)
"""The notes of a turn, often none."""


@st.composite
def records(draw: st.DrawFn, game: Rules, most: int = 60) -> Record:
    """Draw a record of at most `most` steps, with names, notes and every kind of end.

    Records with real dice have void throws and dice that were knocked over.
    """
    chance = random.Random(draw(seeds))
    table = draw(st.booleans())
    journal = Journal.start(game, table=table)
    for (step, _), _ in zip(steps(game, chance, table=table), range(draw(st.integers(0, most)) + 1), strict=False):
        if isinstance(step, Throw):
            if table and chance.random() < 0.1:
                journal = journal.throw(None)
            journal = journal.throw(step)
        elif step is not None:
            lines = len(journal.lines)
            journal = journal.play(step)
            if len(journal.lines) > lines and not journal.words and chance.random() < 0.2:
                note = draw(notes)
                journal = journal.note(note) if note else journal
    tags = {
        "Game": game.id,
        **draw(_people),
        "Dice": "table" if table else draw(st.sampled_from(_DICE)),
        **draw(_more_tags(game)),
    }
    record = Record(tags, journal)
    if journal.position.outcome is not None or draw(st.booleans()):
        return concluded(record)
    return Record({**tags, **draw(_broken_off(game))}, journal)


_DICE: Final = ("seed:2026", "seed: é\\", f"committed:{'0f' * 32}")
_names: Final = st.text(st.characters(codec="utf-8", exclude_characters="\n\r"), max_size=6)
_people: Final = st.dictionaries(st.sampled_from(("X", "O", "P1", "P2", "Date", "Event", "Seeds")), _names, max_size=4)


def _more_tags(game: Rules) -> st.SearchStrategy[dict[str, str]]:
    tags = {"Match": st.sampled_from(("a 1/1", "é-7 2/5"))}
    if game.first_player is FirstPlayer.STARTING_ROLL:
        tags["Start"] = seeds.map(lambda seed: str(_starting_roll(game.players, random.Random(seed)))).filter(bool)
    if isinstance(game, Yamm) and game.options.pairs:
        tags["Writer"] = st.sampled_from(("P1", "P2", f"P1 P{game.options.players}"))
    return st.fixed_dictionaries({}, optional=tags)


def _starting_roll(players: int, chance: random.Random) -> StartingRoll:
    start = StartingRoll(players)
    while start.starter is None:
        start = start.throw(chance.choice((1, 2, 3, 3, 4, 4, 5, 6)))
    return start


def _broken_off(game: Rules) -> st.SearchStrategy[dict[str, str]]:
    """Return a strategy for the tags of a game that the rules did not end."""
    ends = st.sampled_from(OTHER_ENDS)
    if game.scoring is Scoring.WINS:
        results = st.sampled_from(("x 5-3", "o 0-2", "draw 2-2", "x 0-12"))
        return st.fixed_dictionaries({"Result": results, "End": ends})
    totals = st.lists(st.integers(0, 21510), min_size=game.sides, max_size=game.sides).map(
        lambda each: " ".join(map(str, each))
    )
    winners = st.sets(st.integers(0, game.sides - 1), min_size=1).map(lambda each: " ".join(map(str, sorted(each))))
    return st.fixed_dictionaries({"Result": totals, "End": ends, "Winners": winners})
