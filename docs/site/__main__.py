"""Command line of the docs site: `python -m docs.site [FOLDER]` builds it, in build/site unless
another folder is named."""

import sys
from pathlib import Path

from docs.site.build import build
from docs.site.pages import TOP

if __name__ == "__main__":
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else TOP / "build" / "site"
    build(folder)
    print(folder / "index.html")
