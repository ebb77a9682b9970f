"""Storage of tables, identities and presence in SQLite or PostgreSQL."""

from dicecup.hosting.store.rows import Append, AppendConflict, Digest, EventRow, Notice, SeatedIdentity
from dicecup.hosting.store.store import Store

__all__ = ["Append", "AppendConflict", "Digest", "EventRow", "Notice", "SeatedIdentity", "Store"]
