"""URLs in messages and logs: no part that may be a password is shown."""

import pytest

from dicecup.core.shown_url import shown_url


@pytest.mark.parametrize(
    "url, shown",
    [
        ("postgresql://anna:secret@db.example.org/dicecup", "postgresql://anna:***@db.example.org/dicecup"),
        ("postgresql://anna:se@cret@db.example.org/dicecup", "postgresql://anna:***@db.example.org/dicecup"),
        ("postgresql://anna@db.example.org:5433/dicecup", "postgresql://anna@db.example.org:5433/dicecup"),
        ("postgresql://db.example.org:secret/dicecup", "postgresql://db.example.org:***/dicecup"),
        ("postgresql://db/dicecup?password=secret&sslmode=require", "postgresql://db/dicecup?password=***&sslmode=require"),
        ("anna:secret@db.example.org", "anna:***@db.example.org"),
        ("sqlite:////var/lib/dicecup/tables.sqlite", "sqlite:////var/lib/dicecup/tables.sqlite"),
    ],
)
def test_a_password_is_hidden_also_in_a_mistyped_url(url: str, shown: str) -> None:
    assert shown_url(url) == shown
