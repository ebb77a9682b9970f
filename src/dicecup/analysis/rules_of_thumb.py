"""Rules of thumb as `bench/rules_of_thumb.py` measured them.

>>> rules_of_thumb()["yamm"]["keeps"]["11346"]["best"][0]
'k'
"""

import json
from functools import cache
from pathlib import Path
from typing import Any, Final

FILE: Final = Path(__file__).with_name("rules_of_thumb.json")


@cache
def rules_of_thumb() -> dict[str, Any]:
    """Return the measured figures. docs/rules-of-thumb.md describes them."""
    found: dict[str, Any] = json.loads(FILE.read_text(encoding="utf-8"))
    return found
