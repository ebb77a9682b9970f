"""From values to a PDF: the pages stand in `paper/`, in Typst's language, and draw what they are given.

All text travels as JSON and is never read as markup. Only the fonts that Typst brings along are used, so that a page looks the same
on every machine; a character that none of them has is a box.
"""

import json
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from typst import Fonts

PAPER: Final = Path(__file__).with_name("paper")
ACCESSIBLE: Final = "ua-1"
"""PDF/UA-1: tagged, with title and language."""


def typeset(page: str, values: dict[str, Any]) -> bytes:
    """The PDF of `paper/PAGE.typ` with these values."""
    from typst import TypstError

    given = {"values": json.dumps(values, ensure_ascii=False)}
    try:
        return _compiled(page, given, [ACCESSIBLE])
    except TypstError:
        # PDF/UA forbids a character without a glyph, as a name may hold one: then the file is tagged all the same, but claims nothing.
        return _compiled(page, given, [])


def _compiled(page: str, given: dict[str, str], standards: list[Any]) -> bytes:
    """No date goes in, so that the same values give the same bytes."""
    import typst

    return typst.compile(
        PAPER / f"{page}.typ",
        root=PAPER,
        font_paths=_fonts(),
        ignore_system_fonts=True,
        format="pdf",
        sys_inputs=given,
        pdf_standards=standards,
        timestamp=0,
    )


@cache
def _fonts() -> "Fonts":
    from typst import Fonts

    return Fonts(include_system_fonts=False)
