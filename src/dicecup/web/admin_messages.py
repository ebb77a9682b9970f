"""Requests and answers of administrators, reports, and the message of the host to everybody."""

from typing import Annotated, Any, Literal, TypeAlias

from pydantic import Field, StringConstraints

from dicecup.hosting.ban_list import LONGEST_REASON
from dicecup.hosting.reporting import Reason
from dicecup.web.http_messages import MOST_SECONDS
from dicecup.web.messages import Incoming, Language, Number, Outgoing

Time: TypeAlias = Annotated[float, Field(ge=0, le=MOST_SECONDS)]
"""Seconds since 1970."""
PersonText: TypeAlias = Annotated[str, Field(min_length=1, max_length=64)]
"""An identity or a handle."""
LONGEST_TEXT = 300
"""Characters of a note and of a message to everybody."""


LONGEST_REMARK = 500
"""Characters of a remark in a report."""


class AskReport(Incoming):
    """The person on a seat of a table is reported, or what was said with event number `event`; one
    of both. The server attaches what it knows of the table, and the administrators read the
    `remark`."""

    table: str = Field(pattern="^[0-9a-f]{20}$")
    seat: Number | None = None
    event: Number | None = None
    reason: Reason
    remark: str = Field("", max_length=LONGEST_REMARK)


class AskBan(Incoming):
    """A ban of a person until a time, for a reason that the person reads."""

    person: PersonText
    until: Time
    reason: str = Field(min_length=1, max_length=LONGEST_REASON)


class AskPerson(Incoming):
    """A person."""

    person: PersonText


class AskBlock(Incoming):
    """A block of an address or of a network in CIDR form, until a time or for ever."""

    network: str = Field(min_length=1, max_length=64)
    until: Time | None = None


class AskUnblock(Incoming):
    """A network that is blocked."""

    network: str = Field(min_length=1, max_length=64)


class AskResolution(Incoming):
    """What was done about a report."""

    note: str = Field(max_length=LONGEST_TEXT)


AnnouncementText: TypeAlias = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=LONGEST_TEXT)]


class AskAnnouncement(Incoming):
    """A message to everybody until a time, in one language or several."""

    until: Time
    texts: dict[Language, AnnouncementText] = Field(min_length=1)


class AskSeat(Incoming):
    """A seat of a table, from 0."""

    seat: Number


class Administration(Outgoing):
    """The administrator who asks, the time of the server, and the number of open reports."""

    you: str
    now: float
    open_reports: int


class ChangedTable(Outgoing):
    """Whether an action changed anything."""

    changed: bool


class SeatOfTable(Outgoing):
    """A seat: the name on it, the level of a computer, and the identity of a person."""

    name: str
    level: str
    identity: str | None


class FoundTable(Outgoing):
    """A table that an administrator looked for. `admits`: whether newcomers are let in."""

    table: str
    game: str
    state: Literal["open", "running", "over"]
    admits: bool
    created: float
    result: str | None
    seats: list[SeatOfTable]


class FoundTables(Outgoing):
    """Tables, the newest first. `more`: there are earlier ones; ask `before` the last `created`."""

    tables: list[FoundTable]
    more: bool


class BanOfPerson(Outgoing):
    """A ban."""

    since: float
    until: float
    reason: str


class FoundPerson(Outgoing):
    """A person: the handle, empty without an account, the newest names, the numbers of tables and
    devices, the first and the last trace, the ban if there is one, and whether the person is an
    administrator."""

    identity: str
    handle: str
    names: list[str]
    tables: int
    devices: int
    since: float
    seen: float
    ban: BanOfPerson | None
    admin: bool


class FoundPeople(Outgoing):
    """People that an administrator looked for, or those who are banned."""

    people: list[FoundPerson]


class FoundReport(Outgoing):
    """A report with its context: the `game`, the `number` of the last event, the `seat`, the
    `names` on all seats, and the last lines of `talk`, as in a view. `event` is the number of the
    line that was reported, null for a person. `remark` is what the reporter wrote, or empty.
    `resolved` is null for an open report."""

    number: int
    time: float
    reporter: str
    reported: str
    reason: Reason
    table: str
    event: int | None
    context: dict[str, Any]
    resolved: float | None
    note: str
    remark: str


class Reports(Outgoing):
    """Reports: the open ones, the oldest first, or the resolved ones, the newest first."""

    reports: list[FoundReport]


class BlockedNetwork(Outgoing):
    """A blocked network. `until` is null for ever."""

    network: str
    until: float | None


class Blocks(Outgoing):
    """The networks that are blocked now."""

    blocks: list[BlockedNetwork]


class Announcement(Outgoing):
    """A message of the host to everybody, by language. A client shows a `number` once."""

    number: int
    since: float
    until: float
    texts: dict[str, str]


class Announced(Outgoing):
    """The message that is shown now, if there is one."""

    announcement: Announcement | None


class DayCounts(Outgoing):
    """What happened on each of the last days, from the day `first` (days since 1970, UTC) to today:
    tables that were begun, games that ended, people at the tables that were begun, new accounts,
    and phrases, reactions and texts of people at tables."""

    first: int
    tables: list[int]
    games: list[int]
    people: list[int]
    accounts: list[int]
    messages: list[int]


class AuditLine(Outgoing):
    """An entry of the audit log. `operator` is an identity, or a user of the operating system. A
    `subject` may have several lines."""

    number: int
    time: float
    command: str
    subject: str
    operator: str
    outcome: str


class AuditLog(Outgoing):
    """Entries of the audit log, the newest first. `more`: there are earlier ones; ask `before` the
    last `number`."""

    entries: list[AuditLine]
    more: bool
