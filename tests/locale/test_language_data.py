"""Plural forms and dates of every language are those of CLDR, which Babel knows."""

from datetime import date, timedelta

import pytest
from babel import Locale
from babel.dates import format_date

from dicecup.locale import LANGUAGES, Messages


@pytest.mark.parametrize("language", LANGUAGES)
def test_plural_forms_are_those_of_cldr(language: str) -> None:
    known, messages = Locale(language), Messages(language)
    for count in (*range(1001), 1_000_000, 1_000_001, 2_000_000, -1, -2):
        assert messages.plural_form(count) == known.plural_form(count), count


@pytest.mark.parametrize(
    "count, form", [(0, "many"), (1, "one"), (2, "few"), (4, "few"), (5, "many"), (12, "many"), (22, "few"), (112, "many")]
)
def test_rules_with_remainders_and_ranges_are_read(monkeypatch: pytest.MonkeyPatch, count: int, form: str) -> None:
    polish = (
        "one: i = 1 and v = 0; few: v = 0 and i % 10 = 2..4 and i % 100 != 12..14; "
        "many: v = 0 and i != 1 and i % 10 = 0..1 or v = 0 and i % 10 = 5..9 or v = 0 and i % 100 = 12..14"
    )
    messages = Messages("en")
    monkeypatch.setattr(messages, "_catalogue", {"language_plurals": polish})
    assert messages.plural_form(count) == form


@pytest.mark.parametrize("language", LANGUAGES)
def test_dates_are_those_of_cldr(language: str) -> None:
    messages = Messages(language)
    known = Locale.parse(messages("language_dates"), sep="-")
    for days in range(366):
        day = date(2028, 1, 1) + timedelta(days)
        assert messages.date(day) == format_date(day, "long", known)
