"""Building the site: sources, Sphinx for each language, the API reference, the first page."""

import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Final

from docs.site import reference, rules
from docs.site.pages import LANGUAGES, project_pages
from docs.site.sources import write

HERE: Final = Path(__file__).resolve().parent
MODULES: Final = (
    "dicecup",
    "dicecup.core",
    "dicecup.players",
    "dicecup.envs",
    "dicecup.line_protocol",
    "dicecup.client",
    "dicecup.table.setup",
    "dicecup.table.commands",
    "dicecup.tournament.setup",
    "dicecup.tournament.commands",
)
"""What the API reference describes."""


def build(folder: Path) -> None:
    """Build the site in a folder, which is replaced.

    Raises `CalledProcessError` if Sphinx warns or Node fails, and `DeadLinkError`.
    """
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    with tempfile.TemporaryDirectory() as name:
        work = Path(name)
        pages, styles = rules.rendered(work / "rules.json")
        made = reference.documents()
        write([*project_pages(), *pages, *reference.pages(made)], work, {"colours.css": rules.colours(), "rules.css": styles})
        for language in LANGUAGES:
            sphinx(work / language, folder / language, language)
    api(folder / "api")
    reference.write(made, folder)
    for file in ("index.html", "first.js"):
        shutil.copyfile(HERE / "theme" / file, folder / file)


def sphinx(sources: Path, folder: Path, language: str) -> None:
    """Build the pages of a language. Raises `CalledProcessError` at a warning."""
    options: list[str | Path] = [
        "-b",
        "html",
        "-q",
        "-W",
        "--keep-going",
        "-c",
        HERE,
        "-d",
        sources / ".doctrees",
        "-D",
        f"language={language}",
    ]
    subprocess.run([sys.executable, "-m", "sphinx", *options, sources, folder], check=True)


def api(folder: Path) -> None:
    """Write the API reference. Raises `CalledProcessError` at a warning."""
    options: list[str | Path] = [
        "--no-show-source",
        "--template-directory",
        HERE / "theme" / "pdoc",
        "--output-directory",
        folder,
    ]
    subprocess.run([sys.executable, "-W", "error:::pdoc", "-m", "pdoc", *options, *MODULES], check=True)
    for page in folder.rglob("*.html"):
        page.write_text(without_dead_anchors(page.read_text("utf-8")), "utf-8")


def without_dead_anchors(page: str) -> str:
    """Return a page of the reference with the text of each link to a place that it does not have:
    pdoc links names of base classes from other packages, which it does not describe."""
    ids = set(re.findall(r' id="([^"]+)"', page))
    return re.sub(r'<a href="#([^"]+)">(.*?)</a>', lambda found: found[0 if found[1] in ids else 2], page)
