"""Finished games that people played on their devices without the server (docs/decisions/0028).

A device hands in the record of a game under the id of its table. The record is checked, the game is
stored once, and it joins the list and the statistics of its identity. It is no table: it counts in
nothing that compares people, because the dice were thrown where nobody else could see them.
"""

import json
from typing import Final

from dicecup import record
from dicecup.hosting.store import Digest, SeatedIdentity
from dicecup.record import Fault, Record, RecordCode
from dicecup.record.codes import record_error
from dicecup.table.errors import TableCode, TableError
from dicecup.table.fairness import FairnessCode
from dicecup.table.table_record import HUMAN
from dicecup.table.verify import check

LONGEST_RECORD: Final = 100_000
"""Characters of a record. The longest game, 16 players with three throws in each turn, has about
66 000 without comments, and the longest record fits into a request (`Config.body_bytes`)."""
_DRAWN: Final = "committed:"
"""How the tag `Dice` of a game with drawn dice begins."""


def read_game(text: str) -> Record:
    """Return the record of a finished game on a device.

    The rules allow every step, and the dice are real ones or follow from their commitment.
    Throws before the record from which a game went on cannot be repeated and are accepted. Raises
    `RecordError`, and `TableError` (`game-not-over`).
    """
    if (at := text.find("\0")) >= 0:  # PostgreSQL stores none
        raise record_error([Fault(text.count("\n", 0, at) + 1, RecordCode.NOT_A_TAG, {"text": "\0"})])
    played = record.read(text)
    if "End" not in played.tags:
        raise TableError(TableCode.GAME_NOT_OVER)
    dice = played.tags.get("Dice", "")
    if dice == "table":
        return played
    if not dice.startswith(_DRAWN):
        raise record_error([Fault(0, FairnessCode.NOTHING_TO_CHECK, {"dice": dice})])
    fault = check(played).fault
    if fault is not None and fault.code is not FairnessCode.DICE_UNCHECKED:
        raise record_error([fault])
    return played


def digest_of_record(played: Record, table: str, identity: str, created: float) -> Digest:
    """Return the digest of a game whose people are all `identity`. Its seats are in the order of
    play."""
    levels = levels_of(played)
    own = tuple(seat for seat, level in enumerate(levels) if not level)
    summary = {
        "seats": [{"name": name, "level": level} for name, level in zip(names_of(played), levels, strict=True)],
        "waits_for": [],
        "turn": played.journal.position.number,
        "result": played.tags["Result"],
        "end": played.tags["End"],
        "next": None,
    }
    return Digest(
        table,
        played.game.id,
        "over",
        created,
        None,
        None,
        json.dumps(summary, ensure_ascii=False, separators=(",", ":")),
        (SeatedIdentity(identity, own, _outcome(played, own)),),
    )


def names_of(played: Record) -> tuple[str, ...]:
    """Return the names of the players, empty where the record has none."""
    return tuple(played.tags.get(tag, "") for tag in played.game.player_tags)


def levels_of(played: Record) -> tuple[str, ...]:
    """Return the level of each player, empty for people."""
    seats = played.tags.get("Seats", "").split(" ")
    known = len(seats) == played.game.players and all(seat == HUMAN or seat in played.game.levels for seat in seats)
    return tuple("" if seat == HUMAN else seat for seat in seats) if known else ("",) * played.game.players


def _outcome(played: Record, own: tuple[int, ...]) -> str | None:
    """Return the outcome of a game for these players, as `dicecup.table.summaries.outcome`."""
    won = record.winners(played)
    if played.game.players == 1:
        return None
    if not won:
        return "drawn"
    outcomes = {"won" if played.game.side_of_player(seat) in won else "lost" for seat in own}
    return outcomes.pop() if len(outcomes) == 1 else None
