"""Records: one game a file, every throw and every action, read and written back to the same text (NOTATION, Records)."""

from dicecup.record.codes import Fault, RecordCode, RecordError
from dicecup.record.files import LIMIT, load, load_stream, save
from dicecup.record.journal import Journal
from dicecup.record.record import Record, concluded, read
from dicecup.record.state import state
from dicecup.record.tags import OTHER_ENDS, RULES_ENDS

__all__ = [
    "LIMIT",
    "OTHER_ENDS",
    "RULES_ENDS",
    "Fault",
    "Journal",
    "Record",
    "RecordCode",
    "RecordError",
    "concluded",
    "load",
    "load_stream",
    "read",
    "save",
    "state",
]
