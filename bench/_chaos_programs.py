"""People of `bench.chaos` whose program uses `dicecup.client`, as terminal players and bots do."""

import asyncio
from collections.abc import Mapping
from time import monotonic
from typing import Any

from bench._chaos_players import PACE, REMATCH_WITHIN, Ledger, Person, Sent
from dicecup.client import Client, ClientError, RemoteTable, SeatAgent, ServerRefusal
from dicecup.core.errors import DicecupError


class ProgramPerson(Person):
    """A person with `dicecup.client`, which connects again by itself, always to the same worker.

    A drop ends the program; it begins again with the events that it knows, at any worker.
    """

    _following: asyncio.Task[str] | None = None

    def drop(self) -> bool:
        if self._following is None:
            return False
        self._following.cancel()
        return True

    async def play(self, table: str, key: str | None, *, rematch: bool) -> str:
        sitting = ProgramSitting(self.ledger, self, table, rematch)
        left = asyncio.create_task(self._left(sitting))
        try:
            while True:
                async with Client(self.random.choice(self.urls), token=self.token) as client:
                    self._following = asyncio.create_task(sitting.follow(client, key))
                    await asyncio.wait([self._following, left], return_when=asyncio.FIRST_COMPLETED)
                    if not self._following.done():
                        return ""
                    if not self._following.cancelled():
                        return self._following.result()
                await asyncio.sleep(self.random.uniform(0.1, 1.5))
        finally:
            left.cancel()
            if self._following is not None:
                self._following.cancel()
                await asyncio.gather(self._following, return_exceptions=True)
            self._following = None

    async def _left(self, sitting: "ProgramSitting") -> None:
        """Return when the person has finished at the table: no answer is awaited and no next table
        comes."""
        while sitting.sending or not (self.leaving.is_set() or sitting.is_over):  # noqa: ASYNC110 is_over follows from the time
            await asyncio.sleep(0.2)


class ProgramSitting:
    """A program at one table: the newest view and the number of the last event that it saw."""

    def __init__(self, ledger: Ledger, person: Person, table: str, rematch: bool) -> None:
        self.ledger, self.person, self.table, self.rematch = ledger, person, table, rematch
        self.agent = SeatAgent()
        self.view: Mapping[str, Any] = {}
        self.number = 0
        self.sending = False
        self.over_since: float | None = None
        self.changed = asyncio.Event()

    @property
    def is_over(self) -> bool:
        if self.over_since is None:
            return False
        return not self.rematch or monotonic() > self.over_since + REMATCH_WITHIN

    async def follow(self, client: Client, key: str | None) -> str:
        """Follow the table and act until there is a next one. Return its id."""
        async with client.table(self.table, key=key, since=self.number) as remote:
            acting = asyncio.create_task(self._act(remote))
            try:
                async for update in remote:
                    if update.trouble:
                        self.ledger.counts[f"updates with {update.trouble}"] += 1
                        continue
                    numbers = [event["number"] for event in update.events]
                    if update.number < self.number or numbers != list(range(self.number + 1, update.number + 1)):
                        self.ledger.breaks(f"table {self.table}: a program got the events {numbers[:5]}… after {self.number}")
                    for event in update.events:
                        self.ledger.saw(self.table, event)
                    self.number, self.view = update.number, update.view
                    if update.view["result"] is not None and self.over_since is None:
                        self.over_since = monotonic()
                    if update.view["next"]:
                        return str(update.view["next"])
                    self.changed.set()
            except DicecupError as error:
                self.ledger.breaks(f"table {self.table}: a program was refused for good: {error}")
            finally:
                acting.cancel()
                await asyncio.gather(acting, return_exceptions=True)
        return ""

    async def _act(self, remote: RemoteTable) -> None:
        """Send a command whenever the table waits for one."""
        self.changed.set()
        while True:
            await self.changed.wait()
            self.changed.clear()
            if not self._is_wanted(remote):
                continue
            await asyncio.sleep(self.person.random.uniform(*PACE))
            command = self.person.command(self.agent, self.view, rematch=self.rematch)
            if command is None or not self._is_wanted(remote):
                continue
            sent = Sent("", self.table, tries=1)
            self.ledger.of_programs.append(sent)
            self.sending = True
            try:
                sent.number = await remote.send(command, version=self.number)
            except ServerRefusal as refusal:
                self.ledger.refusals[str(refusal.code)] += 1
                sent.refused = refusal.code != "fault"
            except ClientError:
                return
            finally:
                self.sending = False
            self.changed.set()

    def _is_wanted(self, remote: RemoteTable) -> bool:
        is_newest = remote.number <= self.number
        return is_newest and self.person.command(self.agent, self.view, rematch=self.rematch) is not None
