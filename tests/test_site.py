"""What the docs site is made of; tests/browser/test_site.py builds it."""

import re
from itertools import chain
from pathlib import Path
from typing import Any

import pytest

from dicecup.locale import LANGUAGES as CATALOGUES
from dicecup.locale import catalogue
from docs.site import pages, rules, sources
from docs.site.texts import TEXTS

GUIDES = ("first-steps-yam-master", "first-steps-yamm", "real-dice", "reading-a-review")
LABEL = {"en": r"\*([^*\n|]+)\*", "de": r"«([^»]+)»", "fr": r"«\u00a0([^»]+)\u00a0»"}
"""How the guides write the words on buttons."""


def texts(message: Any) -> list[str]:
    return [message] if isinstance(message, str) else list(chain(*(each["match"].values() for each in message)))


@pytest.mark.parametrize("language", pages.LANGUAGES)
@pytest.mark.parametrize("guide", GUIDES)
def test_the_words_of_buttons_are_those_of_the_page(guide: str, language: str) -> None:
    text = next(page.text for page in pages.project_pages() if (page.name, page.language) == (guide, language))
    known = {
        text.replace("{game}", game)
        for each in catalogue(language).values()
        for text in texts(each)
        for game in ("Yam Master", "Yamm")
    }
    body = re.sub(r"^\*.+\*$|\*\*", "", text, flags=re.MULTILINE)
    named = re.findall(LABEL[language], body)
    assert named
    assert [label for label in named if label not in known] == []


def test_each_guide_is_there_in_every_language() -> None:
    found = pages.project_pages()
    translated = {page.name for page in found if page.language != "en"}
    assert translated >= {*GUIDES, "club-night", "index"}
    for language in pages.LANGUAGES:
        assert {page.name for page in found if page.language == language} >= translated


def test_the_site_has_the_languages_of_the_catalogues() -> None:
    assert set(pages.LANGUAGES) == set(CATALOGUES) == set(TEXTS)
    assert all(list(words) == list(TEXTS["en"]) for words in TEXTS.values())


def page(name: str, text: str, language: str = "en") -> pages.Page:
    return pages.Page(name, language, pages.DOCS / f"{name}.md", text)


def relinked(text: str, folder: Path, *others: pages.Page, language: str = "en") -> str:
    found = [page("here", text, language), *others]
    return sources.relinked(found[0], found, {(each.language, each.name): each for each in found}, folder)


def test_links_lead_to_pages_in_the_same_language_if_there_is_one(tmp_path: Path) -> None:
    english, german = page("club-night", "# A club night"), page("club-night", "# Ein Spielabend", "de")
    assert relinked("[it](club-night.md#rounds)", tmp_path, english, german) == "[it](club-night.md#rounds)"
    assert relinked("[es](club-night.md)", tmp_path, german, language="de") == "[es](club-night.md)"
    assert relinked("[club-night.md](club-night.md#rounds)", tmp_path, english, language="de") == (
        "[A club night](site-at:en/club-night.html#rounds)"
    )


def test_every_link_of_the_docs_leads_to_a_file(tmp_path: Path) -> None:
    made = [
        pages.Page(name, language, pages.FRONT / f"{name}.md", "# Rules")
        for name in pages.RULES.values()
        for language in pages.LANGUAGES
    ]
    sources.write([*pages.project_pages(), *made], tmp_path, {})
    listed = (tmp_path / "de" / "index.md").read_text("utf-8")
    assert "\nclub-night\n" in listed
    assert (tmp_path / "fr" / "docs" / "images" / "yamm-phone.fr.png").is_file()


def test_code_is_left_alone(tmp_path: Path) -> None:
    text = "```\n[x](nowhere.md)\n```"
    assert relinked(text, tmp_path) == text


def test_a_dead_link_is_refused(tmp_path: Path) -> None:
    with pytest.raises(sources.DeadLinkError, match="nowhere"):
        relinked("[x](nowhere.md)", tmp_path)


def test_a_linked_file_is_copied(tmp_path: Path) -> None:
    assert relinked("[C](examples/engine.c)", tmp_path) == "[C](docs/examples/engine.c)"
    assert (tmp_path / "docs" / "examples" / "engine.c").is_file()


def test_rules_become_sections_with_their_ids() -> None:
    body = '<template data-part="sec" data-title="Sec &amp; so"></template><p>Text</p>'
    made = rules.text("yamm", "fr", body)
    assert made.startswith("# Règles d")
    assert "## Sec & so\n" in made
    assert '<div class="rules"><span id="sec" class="place"></span><p>Text</p></div>' in made
