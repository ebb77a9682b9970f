"""The pages of the rules, made by the components and the catalogues that the browser client shows
them with."""

import html
import json
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from dicecup import games
from dicecup.locale import catalogue
from dicecup.table.descriptions import description
from dicecup.table.shown import shown
from docs.site.pages import FRONT, RULES, TOP, Page
from ui import build as ui

PART: Final = re.compile(r'<template data-part="(?P<id>[^"]*)" data-title="(?P<title>[^"]*)"></template>')
SETTINGS: Final = re.compile(r"^((?::root|\[data-(?:table|board|dice)=)[^{}]*)\{([^{}]*)\}", re.MULTILINE)
VARIABLE: Final = re.compile(r"^ *(--[\w-]+: (?!url)[^;]*;)", re.MULTILINE)


def rendered(file: Path) -> tuple[list[Page], str]:
    """Return the pages of the rules in all languages, and their styles. `file` is where Node writes
    them. Raises `CalledProcessError`."""
    ui.install()
    program, environment = ui.node()
    listed = [description(games.rules(name), (), analysed=False) for name in games.names()]
    stored = {"dicecup-games": {"games": listed}, "dicecup-board": shown(games.from_id("yam-master").start())["board"]}
    asked = json.dumps(stored).encode()
    subprocess.run([program, "site/rules.mjs", file.resolve()], cwd=ui.UI, env=environment, check=True, input=asked)
    found = json.loads(file.read_text("utf-8"))
    pages = [
        Page(RULES[game], language, FRONT / f"{RULES[game]}.md", text(game, language, body))
        for language, bodies in found["pages"].items()
        for game, body in bodies.items()
    ]
    return pages, found["styles"]


def text(game: str, language: str, body: str) -> str:
    """Return the rules of a game as Markdown. Each part keeps its id."""
    messages = catalogue(language)
    name = messages[f"game_{game.replace('-', '_')}"]
    title = str(messages["guide_title"]).replace("{game}", str(name))
    return "\n".join([f"# {title}\n", *_parts(body)])


def _parts(body: str) -> Iterator[str]:
    _, *parts = PART.split(body)
    for part, title, content in zip(parts[::3], parts[1::3], parts[2::3], strict=True):
        anchored = f'<span id="{part}" class="place"></span>{content.strip()}'
        yield f'## {html.unescape(title)}\n\n```{{raw}} html\n<div class="rules">{anchored}</div>\n```\n'


def colours() -> str:
    """Return the variables of the browser client as a style sheet."""
    source = (TOP / "ui" / "src" / "app.css").read_text("utf-8")
    found = [variable for _, block in SETTINGS.findall(source) for variable in VARIABLE.findall(block)]
    return "".join([":root {\n  color-scheme: light dark;\n", *(f"  {variable}\n" for variable in found), "}\n"])
