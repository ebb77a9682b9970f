"""The verifier page: one file that runs offline, in three languages, with nothing in it that it would have to ask for.

Its sentences come from the catalogues, and what it computes with from the browser client, whose pages check dice too:
`python -m dicecup.web.verifier` writes both into the page, and a test keeps them equal.
"""

import json
import re
from pathlib import Path
from typing import Final

from dicecup.locale import LANGUAGES, catalogue

PAGE: Final = Path(__file__).with_name("static") / "verify.html"
PROGRAM: Final = Path(__file__).parents[3] / "ui" / "src" / "verify" / "verifier.js"
"""In a source tree; what is installed holds the page as it was written."""
MESSAGES: Final = (
    "verify_compare",
    "verify_counts",
    "verify_dice",
    "verify_page_about",
    "verify_page_check",
    "verify_page_false",
    "verify_page_kept",
    "verify_page_language",
    "verify_page_line",
    "verify_page_open",
    "verify_page_paste",
    "verify_page_recomputed",
    "verify_page_result",
    "verify_page_right",
    "verify_page_shown",
    "verify_page_start",
    "verify_page_throw",
    "verify_page_throws",
    "verify_page_title",
    "verify_page_unchecked",
    "verify_page_unproven",
    "verify_page_wrong",
    "verify_position",
    "verify_right",
    "verify_seeds",
)
"""What the page says, besides its refusals."""
CODES: Final = (
    "after-the-end-of-turn",
    "blank-line",
    "cannot-read",
    "dice-unchecked",
    "kept-die-lost",
    "no-blank-line",
    "no-throw-left",
    "not-a-game",
    "not-a-tag",
    "not-a-turn",
    "not-ascending",
    "not-these-dice",
    "not-utf8",
    "note-in-mid-turn",
    "nothing-to-check",
    "other",
    "record-too-large",
    "secret-missing",
    "spacing",
    "start-mismatch",
    "tag-missing",
    "tag-twice",
    "tag-value",
    "throw-mismatch",
    "turn-number",
    "unfinished-turn",
    "void-throw-not-table",
    "wrong-secret",
)
"""Why it refuses a record, or says that dice are wrong."""

_TABLE: Final = re.compile(r'(?<=<script type="application/json" id="messages">).*?(?=</script>)', re.DOTALL)
_PROGRAM: Final = re.compile(r'(?<=<script id="verifier">).*?(?=</script>)', re.DOTALL)


def with_program(page: str, module: str) -> str:
    """The page with this module as its program: pages that are opened from a disk may not load one."""
    _, _, program = module.partition("\n")
    return _PROGRAM.sub(lambda _: f'\n"use strict";\n{program.replace("export const", "const", 1)}', page)


def with_messages(page: str) -> str:
    """The page with its sentences as the catalogues hold them now."""
    keys = sorted((*MESSAGES, *(f"error_{code.replace('-', '_')}" for code in CODES)))
    table = {language: {key: catalogue(language)[key] for key in keys} for language in LANGUAGES}
    text = json.dumps(table, ensure_ascii=False, indent=0).replace("<", "\\u003c")
    return _TABLE.sub(lambda _: text, page)


if __name__ == "__main__":
    PAGE.write_text(with_messages(with_program(PAGE.read_text("utf-8"), PROGRAM.read_text("utf-8"))), "utf-8")
