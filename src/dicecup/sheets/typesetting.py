"""Typesetting of values as PDF or PNG, by the Typst pages in `paper/`.

Text is passed as JSON and never read as markup. Only the fonts that are part of Typst are used, so
a page looks the same on every machine. A character that none of these fonts has is printed as a
box.
"""

import json
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from typst import Fonts

PAPER: Final = Path(__file__).with_name("paper")
ACCESSIBLE: Final = "ua-1"
"""The PDF standard PDF/UA-1: tagged, with title and language."""


def typeset(page: str, values: dict[str, Any]) -> bytes:
    """Return the PDF of `paper/PAGE.typ` with these values."""
    from typst import TypstError

    given = {"values": json.dumps(values, ensure_ascii=False)}
    try:
        return _compiled(page, given, [ACCESSIBLE])
    except TypstError:
        # PDF/UA forbids characters without a glyph, and a name may hold one. The file is tagged all
        # the
        # same, but does not claim the standard.
        return _compiled(page, given, [])


def drawn_pages(page: str, values: dict[str, Any], pixels_per_inch: float) -> list[bytes]:
    """Return the pages of `paper/PAGE.typ` with these values, each as a PNG."""
    import typst

    given = {"values": json.dumps(values, ensure_ascii=False)}
    made: Any = typst.compile(  # a list where there are several pages
        PAPER / f"{page}.typ",
        root=PAPER,
        font_paths=_fonts(),
        ignore_system_fonts=True,
        format="png",
        ppi=pixels_per_inch,
        sys_inputs=given,
    )
    return made if isinstance(made, list) else [made]


def _compiled(page: str, given: dict[str, str], standards: list[Any]) -> bytes:
    """Return a PDF without a date, so that the same values give the same bytes."""
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
