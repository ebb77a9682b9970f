"""Configuration of Sphinx. The language and the sources are given by `build.sphinx`."""

import json
import re
from pathlib import Path
from typing import Any

project = "Dicecup"
extensions = ["myst_parser"]
exclude_patterns = ["site.json"]
html_theme = "dicecup"
html_theme_path = ["theme"]
html_title = "Dicecup"
html_static_path = ["../../ui/public/icon.svg"]
html_copy_source = False
html_show_sourcelink = False
html_permalinks = False  # a screen reader would read them with every heading
html_use_index = False
highlight_language = "none"
suppress_warnings = ["misc.highlighting_failure"]  # examples leave parts out: {"view": {…}}
myst_heading_anchors = 4
myst_enable_extensions = ["colon_fence"]
myst_url_schemes: dict[str, Any] = {
    "http": None,
    "https": None,
    "mailto": None,
    "site": {"url": "../{{path}}"},
    "site-at": {"url": "../{{path}}#{{fragment}}"},
}
"""`site:de/club-night.html` is a page in another language."""


def tables(body: str) -> str:
    """Return the HTML of a page in which tables scroll by themselves and no heading is empty."""
    body = re.sub(r'<th class="head[^"]*"><p></p></th>', "<td></td>", body)
    return re.sub(r'<table class="docutils.*?</table>', r'<div class="scroll">\g<0></div>', body, flags=re.DOTALL)


def below(toc: str) -> str:
    """Return a table of contents without the title of its page, empty if nothing is left."""
    found = re.search(r"<ul>.*?(<ul>.*</ul>)\s*</li>\s*</ul>", toc, re.DOTALL)
    return found[1] if found and "href" in found[1] else ""


def setup(app: Any) -> None:
    """Give the templates the navigation and the words of the site."""
    described = json.loads((Path(app.srcdir) / "site.json").read_text("utf-8"))
    app.config.html_static_path.append(str(Path(app.srcdir) / "_static"))

    def words(_: Any, page: str, __: str, context: dict[str, Any], ___: Any) -> None:
        context["body"] = tables(context.get("body", ""))
        context["toc"] = below(context.get("toc", ""))
        context["words"] = described["texts"]
        context["groups"] = [
            {"title": group["title"], "pages": [(name, app.env.titles[name].astext()) for name in group["pages"]]}
            for group in described["groups"]
        ]
        up = "../" * (1 + page.count("/"))
        context["site"] = up
        context["translations"] = [
            (code, name, f"{up}{code}/{page if page in described['names'][code] or page == 'search' else 'index'}.html")
            for code, name in described["languages"].items()
        ]

    app.connect("html-page-context", words)
