"""Quiet hours and daily mails in the time zone of a person."""

from datetime import datetime

import pytest

from dicecup.hosting.errors import HostingCode, HostingError
from dicecup.hosting.people.channels import QuietHours
from dicecup.hosting.people.quiet_hours import next_daily_mail, quiet_hours, quiet_until

NIGHT = QuietHours("Europe/Zurich", 22 * 60, 7 * 60)
LATE = QuietHours("Europe/Zurich", 23 * 60, 2 * 60 + 30)
NOON = QuietHours("America/New_York", 12 * 60, 13 * 60)


def at(text: str) -> float:
    return datetime.fromisoformat(text).timestamp()


@pytest.mark.parametrize(
    "quiet, now, until",
    [
        (NIGHT, "2026-11-24T21:59+01:00", None),
        (NIGHT, "2026-11-24T22:00+01:00", "2026-11-25T07:00+01:00"),
        (NIGHT, "2026-11-25T06:59+01:00", "2026-11-25T07:00+01:00"),
        (NIGHT, "2026-11-25T07:00+01:00", None),
        (NIGHT, "2026-03-29T01:30+01:00", "2026-03-29T07:00+02:00"),  # summer time begins
        (NIGHT, "2026-10-25T01:30+02:00", "2026-10-25T07:00+01:00"),  # and ends
        (LATE, "2026-10-25T01:00+02:00", "2026-10-25T02:30+02:00"),
        (LATE, "2026-10-25T02:15+01:00", "2026-10-25T02:30+01:00"),  # the hour from 2 to 3 comes twice
        (NOON, "2026-11-24T11:59-05:00", None),
        (NOON, "2026-11-24T12:30-05:00", "2026-11-24T13:00-05:00"),
        (NOON, "2026-11-24T13:00-05:00", None),
        (QuietHours("UTC", 60, 60), "2026-11-24T01:00+00:00", None),
        (None, "2026-11-24T01:00+00:00", None),
    ],
)
def test_quiet_hours_end_in_the_time_zone_of_the_person(quiet: QuietHours | None, now: str, until: str | None) -> None:
    assert quiet_until(quiet, at(now)) == (None if until is None else at(until))


@pytest.mark.parametrize(
    "quiet, now, due",
    [
        (NIGHT, "2026-11-24T07:59+01:00", "2026-11-24T08:00+01:00"),
        (NIGHT, "2026-11-24T08:00+01:00", "2026-11-25T08:00+01:00"),
        (QuietHours("UTC", 0, 9 * 60), "2026-11-24T07:00+00:00", "2026-11-24T09:00+00:00"),
        (None, "2026-11-24T09:00+00:00", "2026-11-25T08:00+00:00"),
    ],
)
def test_the_daily_mail_comes_in_the_morning(quiet: QuietHours | None, now: str, due: str) -> None:
    assert next_daily_mail(quiet, at(now)) == at(due)


def test_a_time_zone_that_the_system_has_lost_is_utc() -> None:
    assert quiet_until(QuietHours("Mars/Olympus", 0, 60), at("2026-01-05T00:30+00:00")) == at("2026-01-05T01:00+00:00")


def test_a_time_zone_must_exist() -> None:
    assert quiet_hours("Europe/Paris", 0, 60) == QuietHours("Europe/Paris", 0, 60)
    with pytest.raises(HostingError) as refused:
        quiet_hours("../../etc/passwd", 0, 60)
    assert refused.value.code is HostingCode.NOT_A_ZONE
