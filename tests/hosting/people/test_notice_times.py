"""When people are told: as the clock of a turn runs, not in quiet hours, again after a failure."""

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from dicecup.hosting.people import channels
from dicecup.hosting.people.channels import QuietHours
from dicecup.hosting.people.deliveries import pause_after
from dicecup.hosting.people.notices import AWAY
from dicecup.hosting.people.notifier import Notifier, Outcome
from dicecup.hosting.store.devices import Credential
from dicecup.hosting.store.models import DELIVERIES
from dicecup.hosting.table_host import TableHost
from dicecup.table.commands import Sit
from dicecup.table.pending import NOTHING, PendingKind
from dicecup.table.setup import SeatSetup, Setup
from tests.hosting.guests import first, go_on, play
from tests.hosting.people.telling import HOUR, Sent, invite, later, mail_to, rows
from tests.hosting.people.test_table_notices import DAYS, started, subscribe, waiting
from tests.hosting.test_timers import Time

OFF = QuietHours("UTC", 0, 0)


@pytest.fixture
def host(telling_host: TableHost) -> TableHost:
    return telling_host


def keep(actions: Sequence[Mapping[str, Any]]) -> Mapping[str, Any]:
    """Choose to keep dice."""
    return next(action for action in actions if action["action"].startswith("k"))


async def be_quiet(host: TableHost, identity: str, seconds: float, length: float) -> None:
    """Set quiet hours that begin in so many seconds and have this length, in whole minutes."""
    begins = int((host.clock() + seconds) % 86_400 // 60)
    quiet = QuietHours("UTC", begins, int(begins + length // 60) % 1440)
    await channels.set_quiet_hours(host.store, identity, quiet, host.clock())


async def test_a_clock_warns_until_the_turn_is_taken(host: TableHost, time: Time, notifier: Notifier, push: Sent) -> None:
    await subscribe(host, "anna")
    await subscribe(host, "ben")
    table = await started(host, DAYS)
    mover = await waiting(host, table)
    await later(2 * AWAY, time, host, notifier)
    assert push.take() == [(mover, ("turn",))]
    await later(18 * HOUR, time, host, notifier)
    assert push.take() == [(mover, ("clock-quarter",))]
    await later(5 * HOUR, time, host, notifier)
    assert push.take() == [(mover, ("clock-hour",))]
    assert len(set(push.keys)) == 3
    while await waiting(host, table) == mover:
        await go_on(host, table, mover)
    await notifier.run()
    assert push.take() == [(mover, ("withdrawn",))]


async def test_an_outage_delays_the_warnings_of_a_clock(host: TableHost, time: Time, notifier: Notifier, push: Sent) -> None:
    await subscribe(host, "anna")
    await subscribe(host, "ben")
    table = await started(host, DAYS)
    mover = await waiting(host, table)
    await later(2 * AWAY, time, host, notifier)
    push.take()
    time.now += 5 * HOUR  # the server does not run
    await host.outages.heartbeat()
    await host.scheduler.run_due(table)
    await later(13.5 * HOUR, time, host, notifier)
    assert push.take() == []
    await later(5 * HOUR, time, host, notifier)
    assert push.take() == [(mover, ("clock-quarter",))]


async def test_quiet_hours_delay_and_muted_tables_are_silent(
    host: TableHost, time: Time, notifier: Notifier, push: Sent
) -> None:
    await subscribe(host, "anna")
    begins = int(time.now % 86_400 // 60)
    await channels.set_quiet_hours(host.store, "anna", QuietHours("UTC", begins, (begins + 60) % 1440), time())
    await invite(host, "anna")
    await notifier.run()
    assert push.take() == []
    await later(HOUR, time, host, notifier)
    assert push.take() == [("anna", ("invitation",))]
    await channels.set_muted(host.store, "anna", "m", muted=True)
    await invite(host, "anna", "m")
    await notifier.run()
    assert push.take() == []


async def test_a_failed_delivery_is_tried_again_with_growing_pauses(
    host: TableHost, time: Time, notifier: Notifier, push: Sent, mail: Sent
) -> None:
    await subscribe(host, "anna")
    await mail_to(host, "anna")
    push.outcomes = [Outcome.FAILED] * 3
    await invite(host, "anna")
    await notifier.run()
    assert (push.take(), mail.take()) == ([], [("anna", ("invitation",))])  # one channel does not wait for the other
    for attempts in (1, 2, 3):
        await later(pause_after(attempts) - 1, time, host, notifier)
        assert push.take() == []
        await later(1, time, host, notifier)
    assert (push.take(), mail.take()) == ([("anna", ("invitation",))], [])
    assert [pause_after(n) for n in (1, 2, 3, 9)] == [15, 60, 240, 3600]
    assert await rows(host, DELIVERIES) == []


async def test_the_end_of_quiet_hours_in_the_settings_is_one_for_what_waits(
    host: TableHost, time: Time, notifier: Notifier, push: Sent
) -> None:
    await subscribe(host, "anna")
    await be_quiet(host, "anna", 0, 8 * HOUR)
    await invite(host, "anna")
    await later(HOUR, time, host, notifier)
    assert push.take() == []
    await channels.set_quiet_hours(host.store, "anna", OFF, time())
    await later(0, time, host, notifier)
    assert push.take() == [("anna", ("invitation",))]


async def test_a_turn_that_has_just_begun_is_not_told_earlier_because_of_new_quiet_hours(
    host: TableHost, time: Time, notifier: Notifier, push: Sent
) -> None:
    for identity in ("anna", "ben"):
        await subscribe(host, identity)
    table = await started(host)
    mover = await waiting(host, table)
    await later(AWAY / 2, time, host, notifier)
    await channels.set_quiet_hours(host.store, mover, OFF, time())
    await later(AWAY / 2 - 1, time, host, notifier)
    assert push.take() == []
    await later(1, time, host, notifier)
    assert push.take() == [(mover, ("turn",))]


async def test_a_failed_delivery_is_not_tried_again_in_quiet_hours(
    host: TableHost, time: Time, notifier: Notifier, push: Sent
) -> None:
    await subscribe(host, "anna")
    time.now += 55 - time.now % 60
    await be_quiet(host, "anna", 60, HOUR)  # they begin in five seconds
    push.outcomes = [Outcome.FAILED]
    await invite(host, "anna")
    await notifier.run()
    assert push.outcomes == []
    await later(HOUR - 60, time, host, notifier)
    assert push.take() == []
    await later(65, time, host, notifier)
    assert push.take() == [("anna", ("invitation",))]


async def test_of_the_warnings_that_waited_the_last_one_is_told(
    host: TableHost, time: Time, notifier: Notifier, push: Sent
) -> None:
    for identity in ("anna", "ben"):
        await subscribe(host, identity)
    table = await started(host, DAYS)
    mover = await waiting(host, table)
    await later(2 * AWAY, time, host, notifier)
    assert push.take() == [(mover, ("turn",))]
    await be_quiet(host, mover, 17 * HOUR, 6.5 * HOUR)  # from 7 hours to half an hour before the end
    await later(18 * HOUR, time, host, notifier)
    assert push.take() == []
    await later(5.5 * HOUR, time, host, notifier)
    assert push.take() == [(mover, ("clock-hour",))]


async def test_the_writer_of_a_pair_is_told_after_the_last_throw_and_warned_of_the_clock(
    host: TableHost, time: Time, notifier: Notifier, push: Sent
) -> None:
    people = ("anna", "ben", "cleo", "dora")
    for identity in people:
        await subscribe(host, identity)
    setup = Setup("yamm(players=4,pairs=yes)", (SeatSetup(),) * 4, clock=DAYS, writers=(2, 3))
    made = await host.create("anna", setup, name="Anna")
    for identity in people[1:]:
        number = (await host.look(made.table, identity, made.join)).number
        sit = Sit(identity.title())
        await host.send(made.table, identity, sit, version=number, command_id=identity, key=made.join)
    pending = NOTHING
    while (pending.kind, len(pending.seats)) != (PendingKind.ACTION, 2):  # the writer may end the partner's turn
        await play(host, made.table, people, 1, first)
        pending = (await host.cache.state_of(made.table)).pending
    thrower, writer = (people[seat] for seat in pending.seats)
    await later(2 * AWAY, time, host, notifier)
    assert {identity for identity, kinds in push.take() if kinds == ("turn",)} >= {writer}
    while len((await host.cache.state_of(made.table)).pending.seats) == 2:
        assert await go_on(host, made.table, thrower, keep) is not None
        await go_on(host, made.table, thrower)
    await later(2 * AWAY, time, host, notifier)
    assert (writer, ("turn",)) in push.take()
    await later(18 * HOUR, time, host, notifier)
    assert push.take() == [(writer, ("clock-quarter",))]


async def test_a_browser_that_another_person_uses_shows_nothing_of_the_earlier_one(
    host: TableHost, time: Time, notifier: Notifier, push: Sent
) -> None:
    await subscribe(host, "anna")
    push.outcomes = [Outcome.FAILED]
    await invite(host, "anna")
    await notifier.run()
    await channels.add_push(host.store, Credential("ben"), "https://push.example/anna", "p.a", "en", time())
    for identity in ("anna", "ben"):
        await host.recipients.changed(identity)
    await later(HOUR, time, host, notifier)
    assert push.take() == []
