"""What a table writes into the tags of its records, and reads from them again.

Besides the known tags: `[Seats "human greedy"]`, who plays, in the order of play; `[Starting "4 4"]`, a starting roll that is
not settled, the players still in seating order; `[Standing "1 0"]`, what a match's earlier games brought: games won by x and o,
or the added totals of the sheets.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from dicecup import yamm
from dicecup.core.game import Position, Rules
from dicecup.core.start import StartingRoll
from dicecup.record import Journal, Record
from dicecup.record.match import MatchGame
from dicecup.table.outcomes import result_of, sides_without
from dicecup.table.seats import named_writers, player_tags, side_count
from dicecup.terminal.errors import TableCode, TableError
from dicecup.terminal.seats import HUMAN, Seat
from dicecup.yamm.seats import Writers, writers_from_text, writers_text

TABLE: Final = "table"
SEED: Final = "seed:"


@dataclass(frozen=True, slots=True)
class Match:
    """Which game of a match this is, and what the earlier ones brought, for x and o or sheet by sheet."""

    game: MatchGame
    standing: tuple[int, ...]


def new_record(
    game: Rules, seats: Sequence[Seat], dice: str, writers: Sequence[str] = (), match: Match | None = None
) -> Record:
    """The record of a game that begins. `seats` in the order of play, in Yamm in seating order; `dice` as the tag says it;
    `writers` by name. Raises `TableError` (`wrong-number-of-seats`, `not-a-writer`)."""
    if len(seats) != len(player_tags(game)):
        raise TableError(TableCode.SEATS, game=game.id, seats=len(seats), expected=len(player_tags(game)))
    tags = {"Game": game.id}
    tags |= {name: seat.name for name, seat in zip(player_tags(game), seats, strict=True)}
    tags |= {
        "Date": datetime.now().astimezone().date().isoformat(),
        "Dice": dice,
        "Seats": " ".join(seat.player for seat in seats),
    }
    if isinstance(game, yamm.Yamm) and game.options.players > 1:
        tags["Starting"] = ""
    written = writers_tag(game, seats, writers)
    if written:
        tags["Writer"] = written
    if match is not None:
        tags["Match"] = str(match.game)
        tags["Standing"] = " ".join(map(str, match.standing))
    return Record({**tags, "Result": "*"}, Journal.start(game, table=dice == TABLE))


def writers_tag(game: Rules, seats: Sequence[Seat], named: Sequence[str]) -> str:
    """The tag `Writer`. Whoever writes for two is a person if, and only if, the other one is. Raises `TableError` (`not-a-writer`)."""
    if not named:
        return ""
    places = [next((place for place, seat in enumerate(seats) if seat.name == name), -1) for name in named]
    people = [seat.is_human for seat in seats]
    if isinstance(game, yamm.Yamm) and (writers := named_writers(game.options, people, places)) is not None:
        return writers_text(writers)
    refused = next((name for name, place in zip(named, places, strict=True) if place < 0), named[0])
    raise TableError(TableCode.WRITER, text=refused)


def seats_of(record: Record, levels: Sequence[str]) -> tuple[Seat, ...]:
    """Who plays. A record from elsewhere has people in all seats. Raises `TableError` (`not-a-level`, `wrong-number-of-seats`)."""
    tags = record.tags
    named = [tags.get(name, name) for name in player_tags(record.game)]
    players = tags["Seats"].split(" ") if "Seats" in tags else [HUMAN] * len(named)
    for player in players:
        if player not in (HUMAN, *levels):
            raise TableError(TableCode.NOT_A_LEVEL, text=player, levels=", ".join(levels))
    if len(players) != len(named):
        raise TableError(TableCode.SEATS, game=record.game.id, seats=len(players), expected=len(named))
    return tuple(map(Seat, named, players))


def starting_of(record: Record) -> StartingRoll | None:
    """The starting roll while it is open. Raises `DicecupError` for a tag that is none, or that is settled."""
    text = record.tags.get("Starting")
    if text is None or not isinstance(record.game, yamm.Yamm):
        return None
    players = record.game.options.players
    starting = StartingRoll.from_text(text, players) if text else StartingRoll(players)
    if starting.starter is not None:
        raise TableError(TableCode.NOT_RESUMABLE, why="Starting")
    return starting


def seed_of(record: Record) -> str | None:
    """The seed of drawn dice."""
    dice = record.tags.get("Dice", "")
    return dice.removeprefix(SEED) if dice.startswith(SEED) else None


def dice_before(record: Record) -> int:
    """How many throws the game's source has made: those of the turns, and the single dice of the starting roll."""
    rounds = record.tags.get("Start", record.tags.get("Starting", "")).split("; ")
    return record.journal.throws + sum(len(faces.split()) for faces in rounds)


def with_starting(record: Record, starting: StartingRoll) -> Record:
    """The record after one more die. Once it is settled who starts, that player becomes P1 and the others follow."""
    tags = {**record.tags, "Starting": str(starting)}
    if starting.starter is not None:
        tags = {
            "Start" if name == "Starting" else name: text for name, text in _turned(record.game, tags, starting.starter).items()
        }
    return Record(tags, record.journal)


def without_last_die(record: Record) -> Record:
    """The record before the last die of the starting roll, which nothing followed."""
    tags, game = record.tags, record.game
    if "Start" in tags:
        settled = StartingRoll.from_text(tags["Start"], len(player_tags(game)))
        back = {"Starting" if name == "Start" else name: text for name, text in tags.items()}
        tags = _turned(game, back, len(player_tags(game)) - (settled.starter or 0))
    return Record({**tags, "Starting": tags["Starting"][:-1].rstrip("; ")}, record.journal)


def _turned(game: Rules, tags: dict[str, str], first: int) -> dict[str, str]:
    """The tags after the seats were counted anew, so that the seat `first` is P1."""
    assert isinstance(game, yamm.Yamm)
    players, sheets = game.options.players, game.options.sheets
    order = [(first + place) % players for place in range(players)]
    turned = dict(tags)
    for name, place in zip(player_tags(game), order, strict=True):
        turned[name] = tags.get(player_tags(game)[place], player_tags(game)[place])
    if "Seats" in tags:
        kinds = tags["Seats"].split(" ")
        turned["Seats"] = " ".join(kinds[place] for place in order)
    if "Standing" in tags:
        totals = tags["Standing"].split(" ")
        turned["Standing"] = " ".join(totals[order[sheet] % sheets] for sheet in range(sheets))
    if "Writer" in tags:
        before = writers_from_text(game.options, tags["Writer"])
        turned["Writer"] = writers_text(tuple(order.index(place) for place in before if place is not None))
    return turned


def writers_of(record: Record) -> Writers:
    """Of each sheet the player who was named its writer."""
    if "Writer" not in record.tags or not isinstance(record.game, yamm.Yamm):
        return ()
    return writers_from_text(record.game.options, record.tags["Writer"])


def others(position: Position, actor: int) -> tuple[int, ...]:
    """Who wins when this player resigns. Raises `TableError` (`nobody-to-resign-to`)."""
    winners = sides_without(position, actor)
    if not winners:
        raise TableError(TableCode.NOBODY_TO_RESIGN_TO)
    return winners


def ended(record: Record, end: str, winners: Sequence[int]) -> Record:
    """The record of a game that ended by agreement or because somebody resigned. `winners`: sides, or sheets; x and o both: a draw."""
    tags = {**record.tags, "End": end, "Result": result_of(record.journal.position, winners)}
    if isinstance(record.game, yamm.Yamm):
        tags["Winners"] = " ".join(map(str, winners))
    return Record(tags, record.journal)


def match_of(record: Record) -> Match | None:
    """Which game of a match this is. Raises `TableError` (`not-resumable`) for a standing that is none."""
    if "Match" not in record.tags:
        return None
    standing = record.tags.get("Standing", " ".join("0" * side_count(record.game))).split(" ")
    if len(standing) != side_count(record.game) or not all(re.fullmatch("[0-9]{1,9}", text) for text in standing):
        raise TableError(TableCode.NOT_RESUMABLE, why="Standing")
    return Match(MatchGame.from_text(record.tags["Match"]), tuple(map(int, standing)))


def standing_after(record: Record) -> tuple[int, ...]:
    """What the match's games brought so far, the one of this record, which is over, included."""
    match = match_of(record)
    result = record.tags["Result"]
    if isinstance(record.game, yamm.Yamm):
        brought = tuple(map(int, result.split(" ")))
    else:
        brought = (int(result[0] == "x"), int(result[0] == "o"))
    before = match.standing if match else (0,) * len(brought)
    return tuple(map(sum, zip(before, brought, strict=True)))


def next_record(record: Record, seats: Sequence[Seat], match: Match) -> Record:
    """The next game of a match: in Yam Master the start alternates, in Yamm it is rolled for again."""
    game = MatchGame(match.game.match, match.game.number + 1, match.game.games)
    standing = standing_after(record)
    writers = [seats[place].name for place in writers_of(record) if place is not None]
    if not isinstance(record.game, yamm.Yamm):
        seats, standing = seats[::-1], standing[::-1]
    dice = record.tags["Dice"]
    if dice != TABLE:
        seed = dice.removeprefix(SEED).removesuffix(f" {match.game.number}/{match.game.games}")
        dice = f"{SEED}{seed} {game.number}/{game.games}"
    return new_record(record.game, seats, dice, writers, Match(game, standing))
