"""Command line of the plots.

`python -m docs.plots` measures for a few minutes on one core, then writes figures.json, the
pictures, and the tables of the page. `python -m docs.plots draw` uses the existing figures.json.
"""

import json
import sys

from docs.plots.draw import draw
from docs.plots.measure import measure
from docs.plots.tables import FILE, PAGE, page


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


if __name__ == "__main__":
    main(sys.argv[1:])
