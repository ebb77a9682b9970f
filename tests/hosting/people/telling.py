"""A notifier with senders that keep what they send, and people who want to be told something."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import select

from dicecup.hosting.people import channels, outbox
from dicecup.hosting.people.channels import Channel
from dicecup.hosting.people.notifier import Notifier, Outcome
from dicecup.hosting.people.outbox import Delivery
from dicecup.hosting.table_host import TableHost
from tests.hosting.test_timers import Time

HOUR = 3600.0


class Sent:
    """A sender that keeps what it sends. `outcomes` holds those of the next attempts. It has a
    fault for the identity `breaks_for`."""

    def __init__(self) -> None:
        self.sent: list[tuple[str, tuple[str, ...]]] = []
        self.keys: list[str] = []
        self.outcomes: list[Outcome] = []
        self.breaks_for = ""

    async def send(self, channel: Channel, told: Sequence[Delivery]) -> Outcome:
        if channel.identity == self.breaks_for:
            raise ValueError(channel.address)
        outcome = self.outcomes.pop(0) if self.outcomes else Outcome.SENT
        if outcome is Outcome.SENT:
            self.sent.append((channel.identity, tuple(each.kind for each in told)))
            self.keys += [each.key for each in told]
        return outcome

    async def close(self) -> None:
        """Close nothing: nothing is open."""

    def take(self) -> list[tuple[str, tuple[str, ...]]]:
        taken, self.sent = self.sent, []
        return taken


async def later(seconds: float, time: Time, host: TableHost, notifier: Notifier) -> None:
    """Let time pass in which nobody looks at a table, and tell what is due."""
    await time.ran(seconds, host)
    await notifier.run()


async def mail_to(host: TableHost, identity: str, *, daily: bool = False) -> Channel:
    """Give an identity a confirmed mail address."""
    made = await channels.set_mail(host.store, identity, f"{identity}@example.org", "fr", daily=daily, now=host.clock())
    confirmed = await channels.confirm(host.store, made.id, host.clock())
    assert confirmed is not None
    await host.recipients.changed(identity)
    return confirmed


async def invite(host: TableHost, to: str, table: str = "t") -> None:
    await host.store.writer.work(
        lambda connection: outbox.invitation(
            connection, to=to, by="Dora", table=table, game="yamm", path="/", now=host.clock()
        )
    )  # fmt: skip


async def rows(host: TableHost, table: Any) -> list[Any]:
    async with host.store.engines.readers.connect() as connection:
        return list(await connection.execute(select(table)))
