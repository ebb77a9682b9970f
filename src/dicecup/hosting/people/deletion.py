"""Deleting an account: its person can sign in no more, and other people's games lose the name.

First the name goes from the event logs, then the account. So a deletion that was interrupted can be
asked for again by its person, and does what is left.
"""

import json
from collections.abc import Collection, Iterable, Sequence
from functools import partial
from secrets import token_hex
from typing import Any, Final

from sqlalchemy import Connection, bindparam, delete, or_, select, update

from dicecup.hosting.competition.forgetting import forget_person
from dicecup.hosting.competition.tournaments import Tournaments
from dicecup.hosting.lobby.seeks import hold_pairing
from dicecup.hosting.people import outbox
from dicecup.hosting.people.handles import DELETED
from dicecup.hosting.store import EventRow, Store
from dicecup.hosting.store.competition_models import ENTRIES
from dicecup.hosting.store.devices import end_devices
from dicecup.hosting.store.driver_errors import translated
from dicecup.hosting.store.learning_models import CARD_ANSWERS, CARDS
from dicecup.hosting.store.models import (
    ACCOUNTS,
    ADMINS,
    CHALLENGES,
    CHANNELS,
    DELIVERIES,
    DEVICE_GAMES,
    EVENTS,
    INVITATIONS,
    LOGINS,
    MUTES,
    NOTICES,
    PASSKEYS,
    PERSON_BLOCKS,
    QUIET_HOURS,
    REPORTS,
    REVIEWS,
    SEEKS,
    SHOWN_ONLINE,
    TOKENS,
)
from dicecup.hosting.store.rating_models import RATED_GAMES, RATING_CHANGES, RATINGS
from dicecup.hosting.table_host import TableHost
from dicecup.table.handlers import rename
from dicecup.table.names import free_name
from dicecup.table.talk import Wrote, without_name

SEATED: Final = "seated"
WROTE: Final = "wrote"
LEAVING: Final = ("stood-up", "seat-freed", "level-seated")
"""Events after which nobody, or a computer, is on the seat."""
_OWN: Final = (
    ACCOUNTS,
    ADMINS,
    PASSKEYS,
    LOGINS,
    TOKENS,
    DEVICE_GAMES,
    CHANNELS,
    QUIET_HOURS,
    MUTES,
    NOTICES,
    SEEKS,
    PERSON_BLOCKS,
    SHOWN_ONLINE,
    CARDS,
    CARD_ANSWERS,
)
"""Tables of what belongs to one identity alone."""


async def delete_account(host: TableHost, tournaments: Tournaments, identity: str) -> None:
    """Take a person out of all tournaments and the name from all games, delete the account, and
    sign the person out everywhere. Raises `DicecupError`; then it can be called again."""
    await forget_person(tournaments, identity)
    await _rename_everywhere(host, identity)
    await host.store.writer.work(partial(_delete_own, identity=identity, now=host.clock()))
    await host.credentials.publish_end(identity)
    await forget_person(tournaments, identity)  # where the person joined meanwhile
    await _rename_everywhere(host, identity)


async def _rename_everywhere(host: TableHost, identity: str) -> None:
    """Replace the name of a person at all tables, in the log and in what derives from it.

    The event `renamed` gives every worker the new name, also one that has the table in memory.
    Then nothing needs the name in the earlier events any more.
    """
    for table in await _tables_with_name(host.store, identity):
        rows = await host.store.events(table)
        names, state = _new_names(rows, identity), await host.cache.state_of(table)
        now = {(seat, state.seats[seat].name) for seat in state.seats_of(identity)}
        await host.changes.change(host.cache.get(table), partial(rename, identity=identity, names=names))
        rows = await host.store.events(table)
        bodies = _renamed(rows, identity, names)
        old = {(body["seat"], body["name"]) for body in (json.loads(row.body) for row in rows if _sits(row, identity))}
        work = partial(_rewrite, table=table, bodies=bodies, identity=identity, names=names, old=old)
        await host.store.writer.work(work)
        if not old <= now:  # what the person said under another name, or before leaving, is in memory with it
            host.invalidations.forget_rewritten(table)


async def _tables_with_name(store: Store, identity: str) -> list[str]:
    """Return the tables at which a person sat down under a name. It reads all events: no index
    names those who left a seat."""
    like = EVENTS.c.body.contains(json.dumps(identity), autoescape=True) & EVENTS.c.body.contains(f'"{SEATED}"')
    query = select(EVENTS.c.table_id, EVENTS.c.number, EVENTS.c.time, EVENTS.c.body).where(like)
    with translated():
        async with store.engines.readers.connect() as connection:
            rows = [EventRow(*row) for row in await connection.execute(query)]
    named = {row.table for row in rows if _sits(row, identity) and not _is_deleted(json.loads(row.body)["name"])}
    return sorted(named)


def _sits(row: EventRow, identity: str) -> bool:
    body = json.loads(row.body)
    return bool(body["type"] == SEATED and body["identity"] == identity)


def _is_deleted(name: str) -> bool:
    """Return whether a name is that of a deleted account, with a number or without."""
    word, _, number = name.partition(" ")
    return word == DELETED and (not number or number.isdecimal())


def _new_names(rows: Sequence[EventRow], identity: str) -> dict[int, str]:
    """Return the new name for each seat on which a person sat, unlike all other names at the
    table."""
    bodies = [json.loads(row.body) for row in rows]
    own = sorted({body["seat"] for row, body in zip(rows, bodies, strict=True) if _sits(row, identity)})
    taken = [body["name"] for row, body in zip(rows, bodies, strict=True) if "name" in body and not _sits(row, identity)]
    names: dict[int, str] = {}
    for seat in own:
        names[seat] = free_name(DELETED, [*taken, *names.values()])
    return names


def _renamed(rows: Sequence[EventRow], identity: str, names: dict[int, str]) -> dict[int, str]:
    """Return by number the new bodies of the events with which a person sat down or wrote, without
    the names that the person had on the seat."""
    bodies, sits, had = dict[int, str](), dict[int, str](), set[tuple[int, str]]()
    for row in rows:
        body = json.loads(row.body)
        seat, kind = body.get("seat"), body["type"]
        if kind == SEATED:
            sits[seat] = body["identity"]
        elif kind in LEAVING:
            sits.pop(seat, None)
        if kind not in (SEATED, WROTE) or sits.get(seat) != identity:
            continue
        if kind == SEATED:
            had.add((seat, body["name"]))
            new = body | {"name": names[seat]}
        else:
            new = _without_names(body, [name for at, name in had if at == seat], names[seat])
        bodies[row.number] = json.dumps(new, ensure_ascii=False, separators=(",", ":"))
    return bodies


def _without_names(body: dict[str, Any], old: Iterable[str], new: str) -> dict[str, Any]:
    """Return the JSON of something that a person said, without the names of the person in it."""
    for name in old:
        if body["type"] == WROTE:
            body = body | {"text": without_name(Wrote(body["seat"], body["text"]), name, new).text}
    return body


def _rewrite(
    connection: Connection,
    table: str,
    bodies: dict[int, str],
    identity: str,
    names: dict[int, str],
    old: Collection[tuple[int, str]],
) -> None:
    """Write new bodies of events, and the names into the review of the table, the reports about it
    and what others are told of it. `old`: the seats of the person with the names there."""
    _rename_in_notices(connection, table, {name: names[seat] for seat, name in old})
    rows = [{"table": table, "event": number, "text": body} for number, body in bodies.items()]
    connection.execute(_NEW_BODY, rows)
    for report in connection.execute(select(REPORTS.c.number, REPORTS.c.context).where(REPORTS.c.table_id == table)).all():
        context = json.dumps(_context_without(json.loads(report.context), names, old), ensure_ascii=False)
        connection.execute(update(REPORTS).where(REPORTS.c.number == report.number).values(context=context))
    found = connection.execute(select(REVIEWS.c.facts).where(REVIEWS.c.table_id == table)).scalar_one_or_none()
    if found is not None:
        facts = json.loads(found)
        own = iter(names.values())
        for seat in facts["seats"]:
            if seat["identity"] == identity:
                seat["name"] = next(own, DELETED)
        written = json.dumps(facts, separators=(",", ":"))
        connection.execute(update(REVIEWS).where(REVIEWS.c.table_id == table).values(facts=written))


def _rename_in_notices(connection: Connection, table: str, names: dict[str, str]) -> None:
    """Put new names in place of old ones into what is told about a table."""
    for kind in (NOTICES, DELIVERIES):
        for told in connection.execute(select(kind).where(kind.c.topic == table)).all():
            details = json.loads(told.details)
            if "names" not in details:
                continue
            details["names"] = [names.get(name, name) for name in details["names"]]
            same = [column == getattr(told, column.name) for column in kind.primary_key]
            connection.execute(update(kind).where(*same).values(details=outbox.json_of(details)))


def _context_without(context: dict[str, Any], names: dict[int, str], old: Collection[tuple[int, str]]) -> dict[str, Any]:
    """Return the context of a report without the names of a person."""
    named = [names[seat] if (seat, name) in old else name for seat, name in enumerate(context["names"])]
    talk = [
        _without_names(line, [line["name"]], names[line["seat"]]) | {"name": names[line["seat"]]}
        if (line["seat"], line["name"]) in old
        else line
        for line in context["talk"]
    ]
    return context | {"names": named, "talk": talk}


def _delete_own(connection: Connection, identity: str, now: float) -> None:
    """Delete all that belongs to an identity alone, and end its browsers.

    It waits until transactions that pair people have ended: the table of a pair that has the name
    is saved before the tables are searched for it again.
    """
    hold_pairing(connection)
    channels = select(CHANNELS.c.id).where(CHANNELS.c.identity == identity)
    connection.execute(delete(DELIVERIES).where(DELIVERIES.c.channel.in_(channels)))
    for table in _OWN:
        connection.execute(delete(table).where(table.c.identity == identity))
    connection.execute(delete(PERSON_BLOCKS).where(PERSON_BLOCKS.c.other == identity))
    connection.execute(update(ENTRIES).where(ENTRIES.c.identity == identity).values(name=DELETED))
    connection.execute(delete(CHALLENGES).where(CHALLENGES.c.data.contains(identity, autoescape=True)))
    outbox.withdraw_invitations(connection, by=identity, now=now)
    connection.execute(delete(INVITATIONS).where(or_(INVITATIONS.c.invited == identity, INVITATIONS.c.inviter == identity)))
    connection.execute(delete(REPORTS).where(or_(REPORTS.c.reporter == identity, REPORTS.c.reported == identity)))
    _leave_ratings(connection, identity)
    end_devices(connection, identity, now)


def _leave_ratings(connection: Connection, identity: str) -> None:
    """Put a random name in place of a person in the log of rated games, from which the ratings of
    the opponents follow."""
    other = f"{DELETED} {token_hex(8)}"
    games = select(RATED_GAMES.c.table_id, RATED_GAMES.c.body).where(
        RATED_GAMES.c.body.contains(json.dumps(identity), autoescape=True)
    )
    for row in connection.execute(games).all():
        body = row.body.replace(json.dumps(identity), json.dumps(other))
        connection.execute(update(RATED_GAMES).where(RATED_GAMES.c.table_id == row.table_id).values(body=body))
    for table in (RATINGS, RATING_CHANGES):
        connection.execute(update(table).where(table.c.identity == identity).values(identity=other))


_NEW_BODY: Final = (
    update(EVENTS)
    .where(EVENTS.c.table_id == bindparam("table"), EVENTS.c.number == bindparam("event"))
    .values(body=bindparam("text"))
)
