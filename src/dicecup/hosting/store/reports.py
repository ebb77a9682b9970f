"""Reports of people, and of what they wrote, until an administrator has resolved them."""

import json
from typing import Any, Final, NamedTuple

from sqlalchemy import Connection, delete, func, insert, select, update

from dicecup.hosting.errors import HostingCode, HostingError
from dicecup.hosting.store.audit import AuditEntry, note
from dicecup.hosting.store.driver_errors import translated
from dicecup.hosting.store.models import REPORTS
from dicecup.hosting.store.store import Store

MOST_LISTED: Final = 50
"""Reports in a list."""


class Report(NamedTuple):
    """A report with what the server knew of the table at that time.

    - `number`: 0 for a report that is not saved yet.
    - `event`: the number of the event that was reported, `None` for the person.
    - `remark`: what the reporter wrote, or empty.
    - `context`: JSON, see `hosting.reporting`.
    - `resolved`: seconds since 1970, `None` for an open report. Then `note` says what was done.
    """

    number: int
    time: float
    reporter: str
    reported: str
    reason: str
    table_id: str
    event: int | None
    context: dict[str, Any]
    resolved: float | None = None
    note: str = ""
    remark: str = ""


async def save_report(store: Store, report: Report) -> bool:
    """Save a report, and return whether it is new: the same report counts once while it is open.
    Another remark is added to it. Raises `StoreError`."""
    row = {**report._asdict(), "context": json.dumps(report.context, ensure_ascii=False)}
    del row["number"]
    same = [REPORTS.c[name] == row[name] for name in ("reporter", "reported", "table_id", "reason")]
    same += [REPORTS.c.event.is_(None) if report.event is None else REPORTS.c.event == report.event]

    still_open = select(REPORTS.c.number, REPORTS.c.remark).where(*same, REPORTS.c.resolved.is_(None))

    def work(connection: Connection) -> bool:
        found = connection.execute(still_open).first()
        if found is None:
            connection.execute(insert(REPORTS), row)
        elif report.remark not in found.remark:
            remark = f"{found.remark}\n{report.remark}".strip()
            connection.execute(update(REPORTS).where(REPORTS.c.number == found.number).values(remark=remark))
        return found is None

    return await store.writer.work(work)


async def reports_of(store: Store, *, resolved: bool = False) -> list[Report]:
    """Return the open reports, the oldest first, or the resolved ones, the last resolved first.
    Raises `StoreError`."""
    with translated():
        async with store.engines.readers.connect() as connection:
            rows = await connection.execute(_RESOLVED if resolved else _OPEN)
            return [Report(*row)._replace(context=json.loads(row.context)) for row in rows]


async def open_reports(store: Store) -> int:
    """Return the number of open reports. Raises `StoreError`."""
    with translated():
        async with store.engines.readers.connect() as connection:
            return int((await connection.execute(_COUNT)).scalar_one())


async def resolve_report(store: Store, number: int, text: str, entry: AuditEntry) -> None:
    """Resolve an open report with a note. Raises `HostingError` (`no-such-report`) and
    `StoreError`."""
    found = update(REPORTS).where(REPORTS.c.number == number, REPORTS.c.resolved.is_(None))

    def work(connection: Connection) -> None:
        if not connection.execute(found.values(resolved=entry.time, note=text)).rowcount:
            raise HostingError(HostingCode.NO_SUCH_REPORT, text=number)
        note(connection, entry)

    await store.writer.work(work)


async def delete_reports(store: Store, resolved_before: float) -> int:
    """Delete the reports that were resolved before a time, and return their number. Raises
    `StoreError`."""
    old = delete(REPORTS).where(REPORTS.c.resolved < resolved_before)
    return await store.writer.work(lambda connection: connection.execute(old).rowcount)


_FIELDS: Final = select(*(REPORTS.c[name] for name in Report._fields))
_OPEN: Final = _FIELDS.where(REPORTS.c.resolved.is_(None)).order_by(REPORTS.c.number).limit(MOST_LISTED)
_RESOLVED: Final = (
    _FIELDS.where(REPORTS.c.resolved.is_not(None)).order_by(REPORTS.c.resolved.desc(), REPORTS.c.number).limit(MOST_LISTED)
)
_COUNT: Final = select(func.count()).select_from(REPORTS).where(REPORTS.c.resolved.is_(None))
