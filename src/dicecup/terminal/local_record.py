"""The record of a local game: what its tags say when it begins, and the state of its table.

Besides the tags that every record has: `[Seats "human greedy"]`, who plays, in the order of play;
`[Starting "4 4"]`, a starting roll that does not yet say who starts, with the players in seating
order; `[Standing "1 0"]`, what the earlier games of a match brought each side: games won, or the
added totals.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

from dicecup.core.game import FirstPlayer, Rules, Scoring
from dicecup.core.start import StartingRoll
from dicecup.players import levels_for
from dicecup.record import Journal, Record
from dicecup.record.journal import split_notes
from dicecup.record.match import MatchGame
from dicecup.table import fairness
from dicecup.table.events import (
    Acted,
    Created,
    DieThrown,
    Event,
    LevelSeated,
    Seated,
    SeedRevealed,
    Started,
    Stored,
    Thrown,
)
from dicecup.table.setup import DiceOf, SeatSetup, Setup
from dicecup.table.state import TableState
from dicecup.table.table_record import record_of
from dicecup.terminal.errors import TerminalCode, TerminalError
from dicecup.terminal.seats import HUMAN, Seat

REAL_DICE: Final = "table"
SEED: Final = "seed:"
PERSON: Final = "here"
"""The identity of all people at this keyboard."""
SECRET: Final = b""
"""The secret of a local table. Its dice follow from a seed that the record names."""


@dataclass(frozen=True, slots=True)
class Match:
    """A game of a match, and what the earlier games brought each side."""

    game: MatchGame
    standing: tuple[int, ...]


# --- The record of a new game ---------------------------------------------------------------------


def new_record(
    game: Rules, seats: Sequence[Seat], dice: str, writers: Sequence[str] = (), match: Match | None = None
) -> Record:
    """Return the record of a game that begins.

    `seats` are in the order of play, in seating order where a starting roll follows. `dice` is the
    record tag. `writers` names the players who write for their sides. Raises `TerminalError`
    (`wrong-number-of-seats`, `not-a-writer`).
    """
    if len(seats) != game.players:
        raise TerminalError(TerminalCode.SEATS, game=game.id, seats=len(seats), expected=game.players)
    tags = {"Game": game.id}
    tags |= {name: seat.name for name, seat in zip(game.player_tags, seats, strict=True)}
    tags["Date"] = datetime.now().astimezone().date().isoformat()
    tags["Dice"] = dice
    tags["Seats"] = " ".join(seat.player for seat in seats)
    if game.first_player is FirstPlayer.STARTING_ROLL and game.players > 1:
        tags["Starting"] = ""
    if writers:
        tags["Writer"] = writer_tag(game, seats, writers)
    if match is not None:
        tags["Match"] = str(match.game)
        tags["Standing"] = " ".join(map(str, match.standing))
    return Record({**tags, "Result": "*"}, Journal.start(game, table=dice == REAL_DICE))


def writer_tag(game: Rules, seats: Sequence[Seat], named: Sequence[str]) -> str:
    """Return the tag `Writer` for players who write for their sides. Raises `TerminalError`
    (`not-a-writer`)."""
    places = [next((place for place, seat in enumerate(seats) if seat.name == name), -1) for name in named]
    if -1 in places or not game.accepts_writers([seat.is_human for seat in seats], places):
        refused = next((name for name, place in zip(named, places, strict=True) if place < 0), named[0])
        raise TerminalError(TerminalCode.WRITER, text=refused)
    return _writer_text(game, places)


def _writer_text(game: Rules, players: Sequence[int]) -> str:
    """Return the tag `Writer` for players."""
    return " ".join(game.player_tags[player] for player in sorted(players))


def seats_of(record: Record) -> tuple[Seat, ...]:
    """Return who plays, in the order of the tags. A record of another program has people on all
    seats.

    Raises `TerminalError` (`not-a-level`, `wrong-number-of-seats`).
    """
    tags, game = record.tags, record.game
    named = [tags.get(name, name) for name in game.player_tags]
    players = tags["Seats"].split(" ") if "Seats" in tags else [HUMAN] * len(named)
    levels = levels_for(game)
    for player in players:
        if player not in (HUMAN, *levels):
            raise TerminalError(TerminalCode.NOT_A_LEVEL, text=player, levels=", ".join(levels))
    if len(players) != len(named):
        raise TerminalError(TerminalCode.SEATS, game=game.id, seats=len(players), expected=len(named))
    return tuple(map(Seat, named, players))


def seed_of(record: Record) -> str | None:
    """Return the seed of drawn dice, `None` for real dice and for dice of a server."""
    dice = record.tags.get("Dice", "")
    return dice.removeprefix(SEED) if dice.startswith(SEED) else None


# --- From the record to the table -----------------------------------------------------------------


def beginning_of(record: Record) -> dict[str, str]:
    """Return the tags as they were when the game began: in seating order, with an open starting
    roll.

    Raises `DicecupError` for a starting roll that cannot be read, and `TerminalError`
    (`not-resumable`) for a tag `Starting` that says who starts.
    """
    tags, game = record.tags, record.game
    if "Starting" in tags:
        text = tags["Starting"]
        if text and StartingRoll.from_text(text, game.players).starter is not None:
            raise TerminalError(TerminalCode.NOT_RESUMABLE, why="Starting")
        return {**tags, "Starting": ""}
    if "Start" not in tags or "Position" in tags:
        return dict(tags)
    starter = StartingRoll.from_text(tags["Start"], game.players).starter or 0
    order = tuple((seat - starter) % game.players for seat in range(game.players))
    begun = _reordered(game, tags, order)
    return {"Starting" if name == "Start" else name: "" if name == "Start" else text for name, text in begun.items()}


def _reordered(game: Rules, tags: Mapping[str, str], order: Sequence[int]) -> dict[str, str]:
    """Return the tags with the players in another order. `order[place]` is the old place of the
    player at `place`."""
    changed = dict(tags)
    for name, place in zip(game.player_tags, order, strict=True):
        changed[name] = tags.get(game.player_tags[place], game.player_tags[place])
    if "Seats" in tags:
        players = tags["Seats"].split(" ")
        changed["Seats"] = " ".join(players[place] for place in order)
    if "Standing" in tags:
        standing = tags["Standing"].split(" ")
        changed["Standing"] = " ".join(
            standing[game.side_of_player(next(place for at, place in enumerate(order) if game.side_of_player(at) == side))]
            for side in range(game.sides)
        )
    if "Writer" in tags:
        changed["Writer"] = _writer_text(game, [order.index(place) for place in _writers(game, tags)])
    return changed


def _writers(game: Rules, tags: Mapping[str, str]) -> tuple[int, ...]:
    """Return the players whom the tag `Writer` names."""
    return tuple(map(game.player_tags.index, tags["Writer"].split(" "))) if "Writer" in tags else ()


def table_of(record: Record) -> tuple[TableState, dict[str, str]]:
    """Return the table of a saved record of a running game, and the tags as they were when the game
    began.

    Every step of the record becomes an event. Raises `TerminalError` (`not-resumable`,
    `not-a-level`, `wrong-number-of-seats`), `TableError` for what the table refuses, and what
    unreadable tags raise.
    """
    begun = beginning_of(record)
    events = [Stored(number, 0.0, event) for number, event in enumerate(_events(record, begun), 1)]
    return _replayed(TableState.from_events(events), record.journal), begun


def _replayed(table: TableState, journal: Journal) -> TableState:
    """Return the table after the turns of a journal."""
    if journal.to_text() and not table.order:
        raise TerminalError(TerminalCode.NOT_RESUMABLE, why="Starting")
    running = [f"{journal.position.number}. {' '.join(journal.words)}"] if journal.words else []
    for line in (*journal.lines, *running):
        body, notes = split_notes(line)
        turn = body.partition(". ")[2]
        for word in [body] if turn.startswith("> ") else turn.split(" "):
            table = table.apply(Stored(table.number + 1, 0.0, _event_of(table, word)))
        if notes:
            table = replace(table, journal=table.journal.note(notes))
    return table


def _event_of(table: TableState, word: str) -> Thrown | Acted:
    """Return the event that a word or a correction of a record stands for."""
    thrower = table.seat_of_turn(table.position.number)
    if table.position.waiting and ">" not in word:
        if not table.real_dice:
            return Thrown(word, counter=table.counter)
        return Thrown(word, seat=thrower if table.seats[thrower].is_human else table.people[0])
    action = table.rules.action(word)
    if action.kept is not None:
        return Acted(thrower, word)
    return Acted(table.writer_of_turn(action.corrects or table.position.number), word)


def _events(record: Record, begun: Mapping[str, str]) -> Iterator[Event]:
    """Yield the events before the first throw of the game."""
    game = record.game
    seats = seats_of(Record(dict(begun), record.journal))
    rolls = "Starting" in begun and "Position" not in begun
    lot = game.first_player is FirstPlayer.LOT
    setup = Setup(
        game.id,
        (SeatSetup(),) * game.players,
        dice=DiceOf.TABLE if record.journal.table else DiceOf.SERVER,
        writers=_writers(game, begun),
        first=0 if lot and "Position" not in begun else None,
        start=begun.get("Position", "" if rolls or lot or game.players == 1 else str(game.start())),
    )
    yield Created("local", setup, "" if record.journal.table else fairness.commitment(SECRET))
    for seat, held in enumerate(seats):
        if held.is_human:
            yield Seated(seat, held.name, PERSON)
        else:
            yield LevelSeated(seat, held.player, held.name)
    if not record.journal.table:
        for seat, held in enumerate(seats):
            if held.is_human:
                yield SeedRevealed(seat, "")
    yield Started()
    if rolls:
        yield from _starting_dice(record, seats)


def _starting_dice(record: Record, seats: Sequence[Seat]) -> Iterator[DieThrown]:
    """Yield the dice of the starting roll that the record holds."""
    text = record.tags.get("Start", record.tags.get("Starting", ""))
    roll = StartingRoll(len(seats))
    for counter, face in enumerate(text.replace(";", "").split()):
        if record.journal.table:
            assert roll.seat is not None
            typed = roll.seat if seats[roll.seat].is_human else _first_person(seats)
            yield DieThrown(int(face), seat=typed)
        else:
            yield DieThrown(int(face), counter=counter)
        roll = roll.throw(int(face))


def _first_person(seats: Sequence[Seat]) -> int:
    return next(place for place, seat in enumerate(seats) if seat.is_human)


# --- From the table to the record -----------------------------------------------------------------


def saved_record(table: TableState, begun: Mapping[str, str]) -> Record:
    """Return the record of a local table as it is saved. `begun`: the tags as they were when the
    game began."""
    found = record_of(table).tags
    game = table.rules
    ordered = _reordered(game, begun, table.order) if "Starting" in begun and table.order else dict(begun)
    tags = {}
    for name, text in ordered.items():
        if name == "Starting":
            tags["Start" if table.order else "Starting"] = str(table.starting or "")
        else:
            tags[name] = found[name] if name in ("Seats", "Result") else text
    tags["Result"] = found["Result"]
    tags |= {name: found[name] for name in ("End", "Winners") if name in found}
    return Record(tags, table.journal)


# --- Matches --------------------------------------------------------------------------------------


def match_of(record: Record) -> Match | None:
    """Return the game of a match that a record is. Raises `TerminalError` (`not-resumable`) for an
    unreadable standing."""
    if "Match" not in record.tags:
        return None
    sides = record.game.sides
    standing = record.tags.get("Standing", " ".join("0" * sides)).split(" ")
    if len(standing) != sides or not all(re.fullmatch("[0-9]{1,9}", text) for text in standing):
        raise TerminalError(TerminalCode.NOT_RESUMABLE, why="Standing")
    return Match(MatchGame.from_text(record.tags["Match"]), tuple(map(int, standing)))


def match_standing(record: Record) -> tuple[int, ...]:
    """Return what the games of a match brought each side so far, with the finished game of this
    record."""
    match, game, result = match_of(record), record.game, record.tags["Result"]
    assert match is not None
    if game.scoring is Scoring.TOTALS:
        brought = tuple(map(int, result.split(" ")))
    else:
        brought = tuple(int(result == game.result(record.journal.position, (side,))) for side in range(game.sides))
    return tuple(map(sum, zip(match.standing, brought, strict=True)))


def next_record(record: Record) -> Record | None:
    """Return the record of the next game of a match, `None` after the last game.

    The start alternates where a lot decided it. Otherwise a new starting roll decides it.
    """
    match = match_of(record)
    if match is None or match.game.number == match.game.games:
        return None
    game = MatchGame(match.game.match, match.game.number + 1, match.game.games)
    seats, standing = seats_of(record), match_standing(record)
    writers = [seats[player].name for player in _writers(record.game, record.tags)]
    if record.game.first_player is FirstPlayer.LOT:
        seats, standing = seats[::-1], standing[::-1]
    dice = record.tags["Dice"]
    if dice != REAL_DICE:
        seed = dice.removeprefix(SEED).removesuffix(f" {match.game.number}/{match.game.games}")
        dice = f"{SEED}{seed} {game.number}/{game.games}"
    return new_record(record.game, seats, dice, writers, Match(game, standing))
