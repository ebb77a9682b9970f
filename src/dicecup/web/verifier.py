"""The page of the verifier: one file that runs offline, in all languages.

Its sentences come from the catalogues and its program from the browser client, which verifies dice,
too. `python -m dicecup.web.verifier` writes both into the page. A test compares them.
"""

import json
import re
from html import escape
from pathlib import Path
from typing import Final

from dicecup.locale import LANGUAGES, catalogue

PAGE: Final = Path(__file__).with_name("static") / "verify.html"
PROGRAM: Final = Path(__file__).parents[3] / "ui" / "src" / "verify" / "verifier.js"
"""Program in a source tree. An installed package contains only the written page."""
MESSAGES: Final = (
    "verify_compare",
    "verify_counts",
    "verify_dice",
    "verify_page_about",
    "verify_page_check",
    "verify_page_false",
    "verify_on_device",
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
    "verify_renewed",
    "verify_right",
    "verify_seeds",
)
"""Keys of the sentences of the page, without errors."""
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
"""Codes of the errors that the page explains."""

_LANGUAGES: Final = re.compile(r'(?<=<select id="language">).*?(?=</select>)')
_TABLE: Final = re.compile(r'(?<=<script type="application/json" id="messages">).*?(?=</script>)', re.DOTALL)
_PROGRAM: Final = re.compile(r'(?<=<script id="verifier">).*?(?=</script>)', re.DOTALL)


def with_program(page: str, module: str) -> str:
    """Return the page with a module as an inline program: a page from a disk must not load one."""
    _, _, program = module.partition("\n")
    return _PROGRAM.sub(lambda _: f'\n"use strict";\n{program.replace("export const", "const", 1)}', page)


def with_messages(page: str) -> str:
    """Return the page with the current languages and sentences of the catalogues."""
    choice = "".join(
        f'<option value="{language}" lang="{language}">{escape(catalogue(language)["language_name"])}</option>'
        for language in LANGUAGES
    )
    keys = sorted((*MESSAGES, *(f"error_{code.replace('-', '_')}" for code in CODES)))
    table = {language: {key: catalogue(language)[key] for key in keys} for language in LANGUAGES}
    text = json.dumps(table, ensure_ascii=False, indent=0).replace("<", "\\u003c")
    return _TABLE.sub(lambda _: text, _LANGUAGES.sub(lambda _: choice, page))


if __name__ == "__main__":
    PAGE.write_text(with_messages(with_program(PAGE.read_text("utf-8"), PROGRAM.read_text("utf-8"))), "utf-8")
