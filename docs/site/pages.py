"""Which pages the site has, in which language and order."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

TOP: Final = Path(__file__).resolve().parent.parent.parent
DOCS: Final = TOP / "docs"
FRONT: Final = Path(__file__).resolve().parent / "pages"
LANGUAGES: Final = ("en", "de", "fr")

PLAYERS: Final = (
    "first-steps-yam-master",
    "first-steps-yamm",
    "rules-yam-master",
    "rules-yamm",
    "real-dice",
    "reading-a-review",
    "club-night",
    "browser",
    "playing",
    "learning",
    "camera",
    "competition",
    "sharing",
    "privacy",
)
HOSTS: Final = ("hosting", "scaling")
PROGRAMMERS: Final = (
    "library",
    "rules",
    "notation",
    "protocol",
    "http",
    "websockets",
    "fairness",
    "engines",
    "environments",
    "arena",
    "adding-a-game",
)
MEASURED: Final = ("figures", "analysis", "rules-of-thumb", "bound")
PROJECT: Final = ("architecture", "contributing", "changelog", "decisions/index")
GROUPS: Final = {"players": PLAYERS, "hosts": HOSTS, "programmers": PROGRAMMERS, "measured": MEASURED, "project": PROJECT}
"""The groups of the navigation. A page that is not listed here follows the others: with a
translation it is for players, without one for programmers."""
RULES: Final = {"yam-master": "rules-yam-master", "yamm": "rules-yamm"}
"""The pages of the rules, which `rules` makes from the catalogues."""


@dataclass(frozen=True)
class Page:
    """A page of the site: its name, its language, its file in the project, and its Markdown.

    `name` is its address within the language, without the ending. Links in `text` are those of the
    file.
    """

    name: str
    language: str
    source: Path
    text: str

    @property
    def title(self) -> str:
        """The heading of the page. Raises `ValueError` without one."""
        found = re.search(r"^# (.+)$", self.text, re.MULTILINE)
        if found is None:
            raise ValueError(self.source)
        return found[1]


def project_pages() -> list[Page]:
    """Return the pages that are files of the project, in all languages."""
    readme = TOP / "README.md"
    text = readme.read_text("utf-8")
    pages = [
        *(_page(path, path.stem) for path in sorted(FRONT.glob("*.md"))),
        *(_page(path, path.stem) for path in sorted(DOCS.glob("*.md"))),
        *(_page(TOP / f"{name.upper()}.md", name) for name in ("architecture", "contributing", "changelog")),
        Page("library", "en", readme, section(text, "Use it as a library")),
        Page("figures", "en", readme, section(text, "Figures")),
    ]
    decisions = [_page(path, f"decisions/{path.stem}") for path in sorted((DOCS / "decisions").glob("*.md"))[1:]]
    listed = "".join(f"- [{page.title}]({page.source.name})\n" for page in decisions)
    index = Page("decisions/index", "en", DOCS / "decisions" / "index.md", f"# Decisions\n\n{listed}")
    return [*pages, index, *decisions]


def _page(path: Path, stem: str) -> Page:
    """Return a page; the ending of its file name is its language: `club-night.de.md`."""
    name, _, language = stem.partition(".")
    return Page(name, language or "en", path, path.read_text("utf-8"))


def section(text: str, title: str) -> str:
    """Return a section of the second level as a page. Raises `ValueError` if there is none."""
    found = re.search(rf"^## {re.escape(title)}\n.*?(?=^## |\Z)", text, re.MULTILINE | re.DOTALL)
    if found is None:
        raise ValueError(title)
    return re.sub(r"^#(#+ )", r"\1", found[0], flags=re.MULTILINE)


def groups(pages: Sequence[Page], language: str) -> Iterator[tuple[str, list[str]]]:
    """Yield each group of the navigation of a language with the names of its pages."""
    names = [page.name for page in pages if page.language == language]
    translated = {page.name for page in pages if page.language != "en"}
    listed = {name for group in GROUPS.values() for name in group}
    others = [name for name in names if name not in listed and name != "index" and "/" not in name]
    for group, order in GROUPS.items():
        found = [name for name in order if name in names]
        found += [name for name in others if {True: "players", False: "programmers"}[name in translated] == group]
        if found:
            yield group, found
