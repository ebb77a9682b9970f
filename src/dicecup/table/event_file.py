"""The file of a duplicate event with the records of all its games, and its verification.

Everybody can check with it that all entrants had the dice of the published secret.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Final

from dicecup import record
from dicecup.core.errors import DicecupError
from dicecup.record import Fault, RecordCode, RecordError
from dicecup.table import codec as wire
from dicecup.table.duplicate import is_event_id
from dicecup.table.errors import TableCode, TableError
from dicecup.table.fairness import FairnessCode, commitment, secret_from_text
from dicecup.table.verify import check

FORMAT: Final = "dicecup-event-1"


@dataclass(frozen=True, slots=True)
class EventGame:
    """A game of an event. `entry` is the number of its entry, from 1; the games of a pair or of a
    table of four belong to one entry. `record` is its record."""

    entry: int
    record: str
    __pydantic_config__: ClassVar[wire.Config] = wire.STRICT


@dataclass(frozen=True, slots=True)
class EventFile:
    """A duplicate event after its end.

    `opens` and `closes`: between these times, in seconds since 1970, people could enter.
    `commitment`: the SHA-256 of `secret` that was published before the first entry.
    """

    format: str
    event: str
    game: str
    commitment: str
    secret: str
    opens: float
    closes: float
    games: tuple[EventGame, ...]
    __pydantic_config__: ClassVar[wire.Config] = wire.STRICT


@dataclass(frozen=True, slots=True)
class GameFault:
    """The first fault of an event. `place`: the number of its game in the file, from 1, or 0 for
    the event itself. `line`: in the record."""

    place: int
    fault: Fault


@dataclass(frozen=True, slots=True)
class EventReport:
    """The result of a verification: how many games there are, how many of their throws could be
    repeated and are right or wrong, and the first fault, `None` if every die is right."""

    games: int
    throws: int
    right: int
    wrong: int
    fault: GameFault | None


def event_file_from_text(text: str) -> EventFile:
    """Return the file of an event. Raises `TableError` (`not-an-event-file`)."""
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        raise TableError(TableCode.NOT_AN_EVENT_FILE, text="", why="JSON") from None
    found = wire.from_json(EventFile, data, TableCode.NOT_AN_EVENT_FILE)
    if found.format != FORMAT or not is_event_id(found.event):
        raise TableError(TableCode.NOT_AN_EVENT_FILE, text="format", why=found.format)
    return found


def event_file_to_text(file: EventFile) -> str:
    """Return the file as JSON, which `event_file_from_text` reads."""
    return json.dumps(wire.to_json(file), ensure_ascii=False, indent=1) + "\n"


def check_event(file: EventFile) -> EventReport:
    """Repeat every throw of every game of an event.

    The secret must fit the commitment, and each game must name this event, its game and its
    commitment. Faults of the event come first, then those of the games in their order.
    """
    faults: list[GameFault] = []
    throws = right = wrong = 0
    if (fault := _fault_of_secret(file)) is not None:
        faults.append(GameFault(0, fault))
    for place, game in enumerate(file.games, 1):
        try:
            played = record.read(game.record)
        except RecordError as error:
            faults.append(GameFault(place, error.faults[0]))
            continue
        report = check(played)
        throws, right, wrong = throws + report.throws, right + report.right, wrong + report.wrong
        found = _foreign_tag(file, played.tags) or report.fault
        if found is not None:
            faults.append(GameFault(place, found))
    return EventReport(len(file.games), throws, right, wrong, next(iter(faults), None))


def _fault_of_secret(file: EventFile) -> Fault | None:
    """Return why the secret of an event is not the one to which it committed."""
    try:
        secret = secret_from_text(file.secret)
    except DicecupError as error:
        return Fault(0, FairnessCode.NOT_A_SECRET, error.details)
    if commitment(secret) != file.commitment:
        return Fault(0, FairnessCode.WRONG_SECRET, {"text": file.secret, "committed": file.commitment})
    return None


def _foreign_tag(file: EventFile, tags: Mapping[str, str]) -> Fault | None:
    """Return the fault of a record that is not a game of this event."""
    expected = {
        "Game": file.game,
        "Dice": f"duplicate:{file.commitment}",
        "Event": file.event,
        "Secret": file.secret,
    }
    for tag, value in expected.items():
        if tag not in tags:
            return Fault(0, RecordCode.TAG_MISSING, {"tag": tag, "expected": value})
        if tags[tag] != value:
            details = {"tag": tag, "value": tags[tag], "expected": value}
            return Fault(list(tags).index(tag) + 1, RecordCode.TAG_WRONG, details)
    return None
