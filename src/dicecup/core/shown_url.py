"""URLs as messages and logs show them: without a password, also if the URL is mistyped."""

import re
from typing import Final

HIDDEN: Final = "***"
_PORT_WITH_LETTERS: Final = re.compile(r"^([^/?:\[]*|\[[^\]/?]*\]?):(?!\d*(?:[/?]|$))[^/?]*")
_IN_QUERY: Final = re.compile(r"([?&][^=&]*pass[^=&]*=)[^&]*", re.IGNORECASE)


def shown_url(url: str) -> str:
    """Return a URL with `***` for everything that may be a password.

    A mistyped URL cannot be parsed. So everything before the last `@`, a port that is no number and
    parameters named like a password count as one.

    >>> shown_url("postgresql://anna:secret@db.example.org/dicecup")
    'postgresql://anna:***@db.example.org/dicecup'
    """
    scheme, separator, rest = url.partition("://") if "://" in url else ("", "", url)
    before, at, after = rest.rpartition("@")
    user, colon, _ = before.partition(":")
    hidden = f":{HIDDEN}" if colon else ""
    after = _PORT_WITH_LETTERS.sub(rf"\1:{HIDDEN}", after)
    return f"{scheme}{separator}" + _IN_QUERY.sub(rf"\1{HIDDEN}", f"{user}{hidden}{at}{after}")
