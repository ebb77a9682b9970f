"""Where tables are kept."""

from dicecup.hosting.store.rows import Append, Digest, Raced, Row
from dicecup.hosting.store.store import Store

__all__ = ["Append", "Digest", "Raced", "Row", "Store"]
