"""Command line of the plots.

`python -m docs.plots` measures for a few minutes on one core, then writes figures.json, the
pictures, and the tables of the page. `python -m docs.plots draw` uses the existing figures.json.
docs/rules-of-thumb.md has figures of its own: `python -m bench.rules_of_thumb write` measures them.
"""

import json
import sys

from dicecup.analysis.rules_of_thumb import rules_of_thumb
from docs.plots import thumb
from docs.plots.draw import draw
from docs.plots.measure import measure
from docs.plots.tables import FILE, PAGE, page
from docs.plots.thumb_words import WORDS


def main(words: list[str]) -> None:
    """Run one of the two commands. Exit with code 1 and the usage for other words."""
    if words not in ([], ["draw"]):
        sys.exit(__doc__)
    if not words:
        FILE.parent.mkdir(exist_ok=True)
        FILE.write_text(json.dumps(measure(), indent=1) + "\n", encoding="utf-8")
    figures = json.loads(FILE.read_text(encoding="utf-8"))
    draw(figures, FILE.parent)
    PAGE.write_text(page(PAGE.read_text(encoding="utf-8"), figures), encoding="utf-8")
    found = rules_of_thumb()
    for language in WORDS:
        draw(found, FILE.parent, thumb.pictures(language))
        file = thumb.page_in(language)
        file.write_text(page(file.read_text(encoding="utf-8"), found, thumb.tables(language)), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
