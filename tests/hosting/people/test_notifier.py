"""What is sent when: after a minute, once, to each channel, and not in quiet hours."""

import asyncio

import pytest
from sqlalchemy import update

from dicecup.hosting.lobby import acquaintances
from dicecup.hosting.lobby.person_blocks import BlockedPerson, block_person
from dicecup.hosting.people import channels, outbox
from dicecup.hosting.people.channels import QuietHours
from dicecup.hosting.people.mail_limits import MailLimits
from dicecup.hosting.people.notices import AWAY
from dicecup.hosting.people.notifier import WITHHELD_FOR, Notifier, Outcome
from dicecup.hosting.people.outbox import LEASE
from dicecup.hosting.store.bans import Ban, delete_ban, save_ban
from dicecup.hosting.store.models import CHANNELS, DELIVERIES, NOTICES
from dicecup.hosting.table_host import TableHost
from dicecup.table.commands import Rematch, Resign, Sit
from tests.hosting.guests import entry, go_on, two
from tests.hosting.people.telling import HOUR, Sent, invite, later, mail_to, rows
from tests.hosting.people.test_table_notices import send, started, subscribe, waiting
from tests.hosting.test_timers import Time


@pytest.fixture
def host(telling_host: TableHost) -> TableHost:
    return telling_host


async def test_a_turn_is_told_once_a_minute_after_the_page_was_seen(
    host: TableHost, time: Time, notifier: Notifier, push: Sent
) -> None:
    await subscribe(host, "anna")
    await subscribe(host, "ben")
    table = await started(host)
    mover = await waiting(host, table)
    await later(AWAY - 1, time, host, notifier)
    assert push.take() == []
    await host.look(table, mover)
    await later(AWAY - 1, time, host, notifier)
    assert push.take() == []
    await later(1, time, host, notifier)
    await later(AWAY, time, host, notifier)
    assert push.take() == [(mover, ("turn",))]


async def test_a_person_at_the_table_is_told_nothing(host: TableHost, time: Time, notifier: Notifier, push: Sent) -> None:
    await subscribe(host, "anna")
    await subscribe(host, "ben")
    table = await started(host)
    mover = await waiting(host, table)
    async with host.subscribe(table, mover):
        await later(HOUR, time, host, notifier)
        assert push.take() == []
    await later(AWAY + 1, time, host, notifier)
    assert push.take() == [(mover, ("turn",))]


async def test_taking_the_turn_withdraws_what_was_told(host: TableHost, time: Time, notifier: Notifier, push: Sent) -> None:
    await subscribe(host, "anna")
    await subscribe(host, "ben")
    table = await started(host)
    mover = await waiting(host, table)
    await later(2 * AWAY, time, host, notifier)
    while await waiting(host, table) == mover:
        await go_on(host, table, mover)
    await notifier.run()
    assert push.take() == [(mover, ("turn",)), (mover, ("withdrawn",))]
    other = await waiting(host, table)
    while await waiting(host, table) == other:
        await go_on(host, table, other)
    await notifier.run()
    assert push.take() == []  # the other was told nothing


async def test_an_end_is_told_to_those_who_did_not_see_it(host: TableHost, time: Time, notifier: Notifier, push: Sent) -> None:
    await subscribe(host, "anna")
    await subscribe(host, "ben")
    for sees in (True, False):
        table = await started(host)
        loser = await waiting(host, table)
        winner = {"anna": "ben", "ben": "anna"}[loser]
        await send(host, table, loser, Resign())
        await time.ran(1, host)
        if sees:
            await host.look(table, winner)
        await notifier.run()
        await later(HOUR, time, host, notifier)
        assert push.take() == ([] if sees else [(winner, ("over",))])
    assert {row.kind for row in await rows(host, NOTICES)} <= {"withdrawn"}


@pytest.mark.parametrize("muted", [False, True])
async def test_the_end_of_a_game_withdraws_the_turn_from_who_saw_it(
    host: TableHost, time: Time, notifier: Notifier, push: Sent, *, muted: bool
) -> None:
    for identity in ("anna", "ben"):
        await subscribe(host, identity)
    table = await started(host)
    mover = await waiting(host, table)
    other = {"anna": "ben", "ben": "anna"}[mover]
    await later(2 * AWAY, time, host, notifier)
    assert push.take() == [(mover, ("turn",))]
    if muted:
        await channels.set_muted(host.store, mover, table, muted=True)
        await send(host, table, other, Resign())
        await later(AWAY, time, host, notifier)
    else:
        async with host.subscribe(table, mover):
            await send(host, table, other, Resign())
            await later(1, time, host, notifier)
    assert (mover, ("withdrawn",)) in push.take()


async def test_an_invitation_is_withdrawn_by_sitting_down_and_not_told_when_the_table_is_full(
    host: TableHost, time: Time, notifier: Notifier, push: Sent
) -> None:
    for identity in ("ben", "carla"):
        await subscribe(host, identity)
    made = await host.create("anna", two(first=0), name="Anna")  # so that no turn of Ben replaces it
    await invite(host, "ben", made.table)
    await later(1, time, host, notifier)
    assert push.take() == [("ben", ("invitation",))]
    await channels.set_quiet_hours(host.store, "carla", QuietHours("UTC", 0, 1439), time())
    await invite(host, "carla", made.table)
    await later(1, time, host, notifier)
    await host.send(made.table, "ben", Sit("Ben"), version=2, command_id="sit", key=made.join)
    await later(2 * 24 * HOUR, time, host, notifier)
    told = push.take()
    assert ("ben", ("withdrawn",)) in told
    assert not [each for each in told if each[0] == "carla"]


async def test_what_was_told_of_an_invitation_is_withdrawn_when_others_take_the_seats(
    host: TableHost, time: Time, notifier: Notifier, push: Sent
) -> None:
    await subscribe(host, "ben")
    made = await host.create("anna", two(), name="Anna")
    invitation = acquaintances.Invitation(made.table, "ben", "anna", "Anna", "yam-master", 0, time())
    await acquaintances.invite(host.store, host.settings.host_key, invitation)
    await later(1, time, host, notifier)
    assert push.take() == [("ben", ("invitation",))]
    await host.send(made.table, "carla", Sit("Carla"), version=2, command_id="sit", key=made.join)
    await host.tasks.finish()
    await later(1, time, host, notifier)
    assert push.take() == [("ben", ("withdrawn",))]


async def test_a_block_withdraws_the_invitations_of_the_blocked_person(
    host: TableHost, time: Time, notifier: Notifier, push: Sent
) -> None:
    await subscribe(host, "ben")
    made = await host.create("anna", two(), name="Anna")
    invitation = acquaintances.Invitation(made.table, "ben", "anna", "Anna", "yam-master", 0, time())
    await acquaintances.invite(host.store, host.settings.host_key, invitation)
    await later(1, time, host, notifier)
    assert push.take() == [("ben", ("invitation",))]
    await block_person(host.store, BlockedPerson("ben", "anna", "Anna", time()))
    await later(1, time, host, notifier)
    assert push.take() == [("ben", ("withdrawn",))]


async def test_a_rematch_that_was_agreed_to_is_withdrawn(host: TableHost, time: Time, notifier: Notifier, push: Sent) -> None:
    for identity in ("anna", "ben"):
        await subscribe(host, identity)
    table = await started(host)
    await send(host, table, "anna", Resign())
    await send(host, table, "anna", Rematch())
    await later(AWAY, time, host, notifier)
    assert ("ben", ("rematch",)) in push.take()
    await send(host, table, "ben", Rematch())
    await later(1, time, host, notifier)
    assert ("ben", ("withdrawn",)) in push.take()


async def test_a_fault_of_one_channel_stops_no_other(host: TableHost, time: Time, notifier: Notifier, push: Sent) -> None:
    push.breaks_for = "eve"
    for identity in ("anna", "eve", "ben"):
        await subscribe(host, identity)
        await invite(host, identity)
    for _ in range(3):
        await later(LEASE, time, host, notifier)
    assert push.take() == [("anna", ("invitation",)), ("ben", ("invitation",))]
    push.breaks_for = ""
    await later(HOUR, time, host, notifier)
    assert push.take() == [("eve", ("invitation",))]


async def test_a_notice_that_cannot_be_decided_stops_no_other(
    host: TableHost, time: Time, notifier: Notifier, push: Sent
) -> None:
    for identity in ("anna", "ben"):
        await subscribe(host, identity)
        await invite(host, identity)
    damaged = update(NOTICES).where(NOTICES.c.identity == "anna").values(kind="clock-hour", details="{")
    await host.store.writer.work(lambda connection: connection.execute(damaged))
    for _ in range(3):
        await later(LEASE, time, host, notifier)
    assert push.take() == [("ben", ("invitation",))]


async def test_a_banned_person_is_told_nothing_until_the_ban_is_over_or_lifted(
    host: TableHost, time: Time, notifier: Notifier, mail: Sent
) -> None:
    for identity in ("anna", "ben"):
        await mail_to(host, identity)
    now = time()
    await save_ban(host.store, Ban("ben", now, now + WITHHELD_FOR + 600, "insults"), entry(now, "ban"))
    await host.credentials.bans.refresh()
    for identity in ("anna", "ben"):
        await invite(host, identity)
    await later(0, time, host, notifier)
    assert mail.take() == [("anna", ("invitation",))]
    await later(WITHHELD_FOR, time, host, notifier)
    assert mail.take() == []
    await later(600, time, host, notifier)
    assert mail.take() == [("ben", ("invitation",))]
    now = time()
    await save_ban(host.store, Ban("ben", now, now + 99 * HOUR, "more"), entry(now, "ban"))
    await host.credentials.bans.refresh()
    await invite(host, "ben", "u")
    await later(0, time, host, notifier)
    await delete_ban(host.store, "ben", entry(now, "unban"))
    await host.credentials.bans.refresh()
    await later(WITHHELD_FOR, time, host, notifier)
    assert mail.take() == [("ben", ("invitation",))]


async def test_a_mail_that_waits_is_not_sent_to_a_person_who_was_banned_meanwhile(
    host: TableHost, time: Time, notifier: Notifier, mail: Sent
) -> None:
    await mail_to(host, "ben", daily=True)
    await invite(host, "ben")
    await later(0, time, host, notifier)
    (waits,) = await rows(host, DELIVERIES)
    now = time()
    await save_ban(host.store, Ban("ben", now, now + 99 * HOUR, "insults"), entry(now, "ban"))
    await host.credentials.bans.refresh()
    await later(waits.due - now, time, host, notifier)
    assert mail.take() == []
    await delete_ban(host.store, "ben", entry(now, "unban"))
    await host.credentials.bans.refresh()
    await later(WITHHELD_FOR, time, host, notifier)
    assert mail.take() == [("ben", ("invitation",))]


async def test_after_a_day_nobody_tries_again(host: TableHost, time: Time, notifier: Notifier, push: Sent) -> None:
    await subscribe(host, "anna")
    push.outcomes = [Outcome.FAILED] * 100
    await invite(host, "anna")
    await notifier.run()
    await later(86_401, time, host, notifier)
    assert await rows(host, DELIVERIES) == []
    assert len(push.outcomes) == 99


async def test_a_dead_subscription_is_removed(host: TableHost, notifier: Notifier, push: Sent) -> None:
    await subscribe(host, "anna")
    push.outcomes = [Outcome.GONE]
    await invite(host, "anna")
    await notifier.run()
    assert (await rows(host, CHANNELS), await rows(host, DELIVERIES)) == ([], [])
    assert not host.recipients.among(["anna"])


async def test_a_later_event_replaces_what_could_not_be_sent(
    host: TableHost, time: Time, notifier: Notifier, push: Sent
) -> None:
    await subscribe(host, "anna")
    push.outcomes = [Outcome.FAILED]
    await invite(host, "anna")
    await notifier.run()
    await host.store.writer.work(lambda connection: outbox.withdraw(connection, to="anna", topic="t", now=time.now))
    await notifier.run()
    await later(HOUR, time, host, notifier)
    assert push.take() == [("anna", ("withdrawn",))]


async def test_a_worker_that_dies_leaves_its_work_to_another(
    host: TableHost, time: Time, notifier: Notifier, push: Sent
) -> None:
    await subscribe(host, "anna")
    await invite(host, "anna")
    assert len(await outbox.claim(host.store, time.now)) == 1
    await notifier.run()
    assert push.take() == []
    await later(LEASE, time, host, notifier)
    assert push.take() == [("anna", ("invitation",))]


async def test_mails_of_a_day_are_one_mail(host: TableHost, time: Time, notifier: Notifier, mail: Sent) -> None:
    await mail_to(host, "anna", daily=True)
    for table in ("t", "u", "v"):
        await invite(host, "anna", table)
    await notifier.run()
    await host.store.writer.work(lambda connection: outbox.withdraw(connection, to="anna", topic="u", now=time.now))
    await notifier.run()
    assert mail.take() == []
    await later(86_400, time, host, notifier)
    assert mail.take() == [("anna", ("invitation", "invitation"))]


async def test_a_mail_of_the_day_says_nothing_of_a_deleted_table(
    host: TableHost, time: Time, notifier: Notifier, mail: Sent
) -> None:
    await mail_to(host, "ben", daily=True)
    made = await host.create("anna", two(), name="Anna")
    await invite(host, "ben", made.table)
    await later(1, time, host, notifier)
    assert len(await rows(host, DELIVERIES)) == 1
    await host.store.delete(made.table)
    await later(24 * HOUR, time, host, notifier)
    assert mail.take() == []


async def test_mails_of_an_hour_are_limited(host: TableHost, time: Time, notifier: Notifier, mail: Sent) -> None:
    for identity in ("anna", "ben", "cleo", "dora"):
        await mail_to(host, identity)
        for table in ("t", "u", "v"):
            await invite(host, identity, table)
    await notifier.run()
    sent = mail.take()
    assert len(sent) == 5
    assert max(sent.count(each) for each in sent) <= 2
    await later(HOUR, time, host, notifier)
    assert len(mail.take()) == 5
    await later(HOUR, time, host, notifier)
    assert len(mail.take()) == 2


async def test_an_address_that_nobody_confirms_is_forgotten(
    host: TableHost, time: Time, notifier: Notifier, mail: Sent
) -> None:
    made = await channels.set_mail(host.store, "anna", "anna@example.org", "en", daily=True, now=time.now)
    await invite(host, "anna")
    await notifier.run()
    assert mail.take() == [("anna", ("confirm",))]
    await later(86_401, time, host, notifier)
    assert await channels.confirm(host.store, made.id, time.now) is None
    assert (await rows(host, CHANNELS), mail.take()) == ([], [])


async def test_two_workers_tell_each_notice_once(host: TableHost, notifier: Notifier, push: Sent) -> None:
    other = Notifier(host, notifier.senders, MailLimits())
    other._settled = 0.0
    for number in range(60):
        await subscribe(host, f"p{number}")
        await invite(host, f"p{number}")
    await asyncio.gather(notifier.run(), other.run())
    assert sorted(push.take()) == sorted((f"p{number}", ("invitation",)) for number in range(60))


async def test_everything_about_a_person_is_forgotten(host: TableHost, notifier: Notifier, push: Sent) -> None:
    await subscribe(host, "anna")
    await mail_to(host, "anna")
    await channels.set_quiet_hours(host.store, "anna", QuietHours("UTC", 1, 2), host.clock())
    await channels.set_muted(host.store, "anna", "m", muted=True)
    await invite(host, "anna")
    await host.store.writer.work(lambda connection: channels.forget_person(connection, "anna"))
    await host.recipients.changed("anna")
    await notifier.run()
    assert push.take() == []
    wishes = await channels.wishes_of(host.store, "anna")
    assert (wishes.channels, wishes.quiet, await rows(host, NOTICES)) == ((), None, [])
    assert await channels.muted(host.store, {("anna", "m")}) == set()
