"""A room without a server in this process: a store in memory, and a clock that the test moves."""

import json
from collections.abc import Iterable, Iterator, Sequence
from itertools import count
from typing import Any, Self

from dicecup.offline.engine import Engine, WholeEngine
from dicecup.offline.errors import OfflineCode, OfflineError
from dicecup.offline.room import Room
from dicecup.offline.store import Append, Row

Json = dict[str, Any]
KEY = bytes(range(32))
BEGUN = 1_795_000_000.0


class MemoryStore:
    """A store whose rooms can end: what was appended stays. `refusal` is the code of the error that
    the next appends raise, `unreadable` that of the next reads."""

    def __init__(self) -> None:
        self.events: dict[str, list[Row]] = {}
        self.listed: dict[str, str] = {}
        self.joining: dict[str, str] = {}
        self.returning: dict[str, str] = {}
        self.refusal: OfflineCode | None = None
        self.unreadable: OfflineCode | None = None

    async def append(self, appends: Sequence[Append]) -> bool:
        if self.refusal is not None:
            raise OfflineError(self.refusal)
        missing = [each.rows[0].number - 1 - len(self.events.get(each.table, ())) for each in appends]
        if max(missing) > 0:
            raise OfflineError(OfflineCode.TABLE_INCOMPLETE)
        if min(missing) < 0:
            return False
        for each in appends:
            self.events.setdefault(each.table, []).extend(each.rows)
            self.listed[each.table] = each.line
            self.joining |= {} if each.joins is None or each.origin else {each.table: each.joins}
            self.returning |= {} if each.returns is None else {each.table: each.returns}
        return True

    async def rows(self, table: str, after: int) -> list[Row]:
        self._refuse_reading()
        return [row for row in self.events.get(table, ()) if row.number > after]

    async def lines(self) -> list[str]:
        self._refuse_reading()
        return list(self.listed.values())

    def _refuse_reading(self) -> None:
        if self.unreadable is not None:
            raise OfflineError(self.unreadable)


class Device:
    """A page at a room. `now` is the time of its clock."""

    def __init__(self, store: MemoryStore | None = None, engine: Engine | None = None) -> None:
        self.store = store or MemoryStore()
        self.now = BEGUN
        self.received: dict[int, list[Json]] = {}
        self.ended: dict[int, int] = {}
        self._ids: Iterator[str] = (f"{number:020x}" for number in count(len(self.store.events) + 1))
        self.room = Room(
            self.store,
            KEY,
            engine or WholeEngine(),
            lambda: self.now,
            lambda: next(self._ids),
            lambda connection, text: self.received.setdefault(connection, []).append(json.loads(text)),
            self.ended.__setitem__,
        )

    def new_ids(self, ids: Iterable[str]) -> None:
        """Give the next tables these ids."""
        self._ids = iter(ids)

    async def ask(self, method: str, path: str, body: object = None, language: str = "en") -> Json:
        text = "" if body is None else json.dumps(body)
        answer: Json = json.loads(await self.room.request(method, path, text, language))
        return answer

    async def make(self, setup: Json, name: str = "Anna", seats: Sequence[Json] = ()) -> str:
        made = await self.ask("POST", "/api/tables", {"setup": setup, "name": name, "seats": list(seats)})
        assert made["status"] == 201, made
        table: str = made["json"]["table"]
        return table

    async def play_on(self) -> None:
        """Let computers play until the room waits for people or for time."""
        while self.room.seconds_to_tick() == 0:
            await self.room.tick()


class Page:
    """A connection to a table, with the whole view of the newest update."""

    def __init__(self, device: Device, table: str, number: int = 1) -> None:
        self.device, self.table, self.number = device, table, number
        self.view: Json = {}
        self.updates: list[Json] = []
        self._commands = count(1)

    @classmethod
    async def open(cls, device: Device, table: str, number: int = 1, **hello: Any) -> Self:
        page = cls(device, table, number)
        device.room.open(number, table, "en")
        await device.room.receive(number, json.dumps({"type": "hello"} | hello))
        page.read()
        return page

    def read(self) -> list[Json]:
        """Return the messages since the last call."""
        found = self.device.received.pop(self.number, [])
        for message in found:
            if message["type"] == "update":
                if message["view"]:
                    self.view = message["view"] = {**self.view, **message["view"]}
                self.updates.append(message)
        return found

    async def do(self, command: Json, version: int | None = None, command_id: str | None = None) -> Json:
        """Send a command and return its answer."""
        self.read()
        named = command_id or f"c{self.number}.{next(self._commands)}"
        seen = self.view["number"] if version is None else version
        await self.device.room.receive(
            self.number, json.dumps({"type": "command", "id": named, "version": seen, "command": command})
        )
        (answer,) = (message for message in self.read() if message.get("id") == named)
        return answer

    @property
    def events(self) -> list[Json]:
        return [event for update in self.updates for event in update["events"]]
