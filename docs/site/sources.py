"""The folders that Sphinx reads: one for each language, with Markdown, pictures and files."""

import json
import posixpath
import re
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from docs.site.pages import LANGUAGES, TOP, Page, groups
from docs.site.texts import TEXTS

FENCE: Final = re.compile(r"^(```.*?^```$)", re.MULTILINE | re.DOTALL)
LINK: Final = re.compile(r"(!?)\[([^\[\]]*)\]\(([^()\s]+)\)|`?\bdocs/(?P<named>[\w-]+\.md|decisions/\d{4})`?")
"""A link, or the name of a page of docs/ or of a decision."""
TRANSLATIONS: Final = re.compile(r"^\*[^*\n]+: \[[^*\n]+\)\*\n", re.MULTILINE)
"""The line with links to a page in other languages. The site has it in every header."""
README: Final = {"use-it-as-a-library": "library", "figures": "figures"}
"""The sections of the README that are pages."""
TOCTREE: Final = "```{{toctree}}\n:hidden:\n\n{names}\n```\n"


class DeadLinkError(Exception):
    """A link of a page to a file that does not exist. `page` is the file, `link` the address."""

    def __init__(self, page: Path, link: str) -> None:
        super().__init__(f"{page.relative_to(TOP)}: {link}")
        self.page = page
        self.link = link


def write(pages: Sequence[Page], folder: Path, styles: Mapping[str, str]) -> None:
    """Write the sources of each language into a folder of its name.

    `styles` are style sheets by file name. Raises `DeadLinkError`.
    """
    known = {(page.language, page.name): page for page in pages}
    for language in LANGUAGES:
        target = folder / language
        shutil.rmtree(target, ignore_errors=True)
        for page in pages:
            if page.language == language:
                text = relinked(page, pages, known, target)
                if page.name == "index":
                    text += "\n" + "\n".join(TOCTREE.format(names="\n".join(names)) for _, names in groups(pages, language))
                if page.name == "decisions/index":
                    text += "\n" + TOCTREE.format(names="*").replace(":hidden:", ":hidden:\n:glob:")
                place = target / f"{page.name}.md"
                place.parent.mkdir(parents=True, exist_ok=True)
                place.write_text(text, "utf-8")
        for name, style in styles.items():
            place = target / "_static" / name
            place.parent.mkdir(exist_ok=True)
            place.write_text(style, "utf-8")
        described = {
            "texts": TEXTS[language],
            "groups": [{"title": TEXTS[language][group], "pages": names} for group, names in groups(pages, language)],
            "names": {other: [page.name for page in pages if page.language == other] for other in LANGUAGES},
            "languages": {other: TEXTS[other]["language"] for other in LANGUAGES},
        }
        (target / "site.json").write_text(json.dumps(described, ensure_ascii=False), "utf-8")


def relinked(page: Page, pages: Sequence[Page], known: Mapping[tuple[str, str], Page], folder: Path) -> str:
    """Return the text of a page with the links of the site, and copy the files that it links to.
    Raises `DeadLinkError`."""
    sources = {other.source: other for other in pages if other.source.name != "README.md"}

    def mention(found: re.Match[str]) -> str:
        name = found["named"].removesuffix(".md")
        names = [other.name for other in pages if other.language == page.language]
        to = next((other for other in names if other == name or (other.startswith(f"{name}-") and "/" in name)), None)
        return found[0] if to is None else f"[]({_way(page, f'{to}.md')})"

    def link(found: re.Match[str]) -> str:
        if found["named"] is not None:
            return mention(found)
        picture, text, address, _ = found.groups()
        if re.match(r"https?:|mailto:|site:|#", address):
            return found[0]
        path, _, anchor = address.partition("#")
        file = (page.source.parent / path).resolve()
        to = sources.get(file)
        if file == TOP / "README.md":
            to, anchor = known["en", README.get(anchor, "index")], ""
        if to is not None:
            to = known.get((page.language, to.name), to)
            shown = "" if text.strip("`").endswith(".md") else text
            if to.language == page.language:
                there = _way(page, f"{to.name}.md")
                return f"[{shown}]({there}{anchor and '#' + anchor})"
            return f"[{shown or to.title}](site{anchor and '-at'}:{to.language}/{to.name}.html{anchor and '#' + anchor})"
        if file.is_dir():
            return text
        if not file.is_file():
            raise DeadLinkError(page.source, address)
        copied = folder / file.relative_to(TOP)
        copied.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(file, copied)
        return f"{picture}[{text}]({_way(page, file.relative_to(TOP).as_posix())})"

    # A text between fences is code.
    parts = FENCE.split(TRANSLATIONS.sub("", page.text))
    return "".join(part if part.startswith("```") else LINK.sub(link, part) for part in parts)


def _way(page: Page, path: str) -> str:
    """Return the address of a file in the folder of a language, as seen from a page."""
    return posixpath.relpath(path, posixpath.dirname(page.name) or ".")
