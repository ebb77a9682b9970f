"""Where tables are kept."""

from dicecup.service.store.rows import Append, Digest, Raced, Row
from dicecup.service.store.store import Store

__all__ = ["Append", "Digest", "Raced", "Row", "Store"]
