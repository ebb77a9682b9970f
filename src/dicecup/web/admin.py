"""Administration of tables over HTTP, the numbers of the last days and the audit log. The commands
of `dicecup admin` call the same functions."""

import json
from time import time
from typing import Annotated, Any, Final, Literal, TypeAlias

from fastapi import APIRouter, Depends, Query, Response

from dicecup.hosting import administration
from dicecup.hosting.found_tables import MOST_FOUND, closed_to_newcomers, tables_found
from dicecup.hosting.link_keys import TableKeys, keys_of
from dicecup.hosting.store import Digest
from dicecup.hosting.store.audit import AuditEntry, newest_entries, save_entry
from dicecup.hosting.store.reports import open_reports
from dicecup.web.admin_messages import (
    Administration,
    AskSeat,
    AuditLine,
    AuditLog,
    ChangedTable,
    DayCounts,
    FoundTable,
    FoundTables,
    SeatOfTable,
)
from dicecup.web.administrators import Admin, administrator, audited
from dicecup.web.bodies import body, takes
from dicecup.web.context import AppContext
from dicecup.web.http_messages import Links
from dicecup.web.messages import Number
from dicecup.web.requests import Context, answer
from dicecup.web.tables import checked_id, links

ENTRIES: Final = 100
"""Entries of the audit log in an answer."""
Text: TypeAlias = Annotated[str, Query(max_length=64)]

router = APIRouter(prefix="/api/admin", tags=["administration"], dependencies=[Depends(administrator)])


@router.get("", response_model=Administration)
async def administration_of_the_server(context: Context, admin: Admin) -> Response:
    """Whether you may look after the server. Everybody else gets `no-such-page` here and at all
    addresses below."""
    return answer(Administration(you=admin, now=time(), open_reports=await open_reports(context.tables.store)))


@router.get("/tables", response_model=FoundTables)
async def find_tables(
    context: Context,
    text: Text = "",
    state: Literal["open", "running", "over"] | None = None,
    person: Annotated[str | None, Query(max_length=64)] = None,
    before: float | None = None,
) -> Response:
    """Tables, the newest first. `text` begins an id or a game, or is part of a name; `person` is
    the identity of a person who sits there."""
    store = context.tables.store
    found = await tables_found(store, text.strip(), state, person, before)
    closed = await closed_to_newcomers(store, [digest.table for digest in found])
    tables = [_found(digest, admits=digest.table not in closed) for digest in found]
    return answer(FoundTables(tables=tables, more=len(found) == MOST_FOUND))


def _found(digest: Digest, *, admits: bool) -> FoundTable:
    summary = json.loads(digest.summary)
    people = {seat: held.identity for held in digest.seats or () for seat in held.seats}
    seats = [
        SeatOfTable(name=seat["name"], level=seat["level"], identity=people.get(number))
        for number, seat in enumerate(summary["seats"])
    ]
    return FoundTable(
        table=digest.table,
        game=digest.game,
        state=digest.state,  # type: ignore[arg-type]
        admits=admits,
        created=digest.created,
        result=summary["result"],
        seats=seats,
    )


@router.post("/tables/{table}/watch", response_model=Links)
async def watch_a_table(context: Context, admin: Admin, table: str) -> Response:
    """The links of a table, to look at it. This is in the audit log, too."""
    tables = context.tables

    async def watch(entry: AuditEntry) -> TableKeys:
        state = await administration.state_of(tables.store, checked_id(table))
        await save_entry(tables.store, entry)
        return keys_of(tables.settings.host_key, table, state.links)

    return answer(links(context, await audited(context, admin, "watch", table, watch)))


@router.post("/tables/{table}/close", response_model=ChangedTable)
async def close_a_table(context: Context, admin: Admin, table: str) -> Response:
    """End the game of a table as abandoned, and publish the secret of its dice."""
    return answer(ChangedTable(changed=await _change(context, admin, "close", table, administration.close_table)))


@router.post("/tables/{table}/shut", response_model=ChangedTable)
async def close_a_table_to_newcomers(context: Context, admin: Admin, table: str) -> Response:
    """Let nobody in any more."""
    changed = await _change(context, admin, "shut", table, administration.set_admission, admits=False)
    return answer(ChangedTable(changed=changed))


@router.post("/tables/{table}/admit", response_model=ChangedTable)
async def open_a_table_to_newcomers(context: Context, admin: Admin, table: str) -> Response:
    """Let newcomers in again."""
    changed = await _change(context, admin, "admit", table, administration.set_admission, admits=True)
    return answer(ChangedTable(changed=changed))


@router.post("/tables/{table}/rotate", response_model=Links)
async def replace_the_links(context: Context, admin: Admin, table: str) -> Response:
    """Replace the links of a table."""
    return answer(links(context, await _change(context, admin, "rotate", table, administration.rotate_links)))


@router.post("/tables/{table}/free", response_model=Links, openapi_extra=takes(AskSeat))
async def free_a_seat(context: Context, admin: Admin, table: str, sent: Annotated[AskSeat, body(AskSeat)]) -> Response:
    """Take a seat back from its person, in a running game too, and replace the links."""
    keys = await _change(context, admin, "free", table, administration.free_seat, sent.seat, about=f"{table} {sent.seat + 1}")
    return answer(links(context, keys))


async def _change(
    context: AppContext, admin: str, command: str, table: str, change: Any, *given: Any, about: str = "", **more: Any
) -> Any:
    """Return the result of a change of `administration`, and load the table again."""
    tables = context.tables

    async def work(entry: AuditEntry) -> Any:
        done = await change(tables.store, tables.settings.host_key, checked_id(table), *given, entry, **more)
        await tables.cache.reload(table)
        return done

    return await audited(context, admin, command, about or table, work)


@router.get("/numbers", response_model=DayCounts)
async def numbers_of_the_last_days(context: Context) -> Response:
    """What happened on each of the last 30 days, at most five minutes old."""
    return answer(DayCounts(**await context.numbers.read()))


@router.get("/audit", response_model=AuditLog)
async def audit_log(context: Context, before: Number | None = None) -> Response:
    """What administrators did, in the browser and with `dicecup admin`."""
    found = await newest_entries(context.tables.store, before, ENTRIES)
    entries = [AuditLine(number=number, **entry._asdict()) for number, entry in found]
    return answer(AuditLog(entries=entries, more=len(found) == ENTRIES))
