"""Records: files with the tags, throws and actions of one game (docs/notation.md, Records)."""

from dicecup.record.codes import Fault, RecordCode, RecordError
from dicecup.record.files import LIMIT, load, load_stream, save
from dicecup.record.journal import Journal
from dicecup.record.match import MatchGame
from dicecup.record.record import Record, concluded, position_after, positions, read, winners
from dicecup.record.state import state
from dicecup.record.tags import OTHER_ENDS

__all__ = [
    "LIMIT",
    "OTHER_ENDS",
    "Fault",
    "Journal",
    "MatchGame",
    "Record",
    "RecordCode",
    "RecordError",
    "concluded",
    "load",
    "load_stream",
    "position_after",
    "positions",
    "read",
    "save",
    "state",
    "winners",
]
