"""Duplicate events over HTTP: the challenges of the day, their results and calendar, pairs and
tables of four."""

import asyncio
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Final

from fastapi import APIRouter, Query, Request, Response

from dicecup.hosting.competition import events, results
from dicecup.hosting.competition.calendar import calendar_of
from dicecup.hosting.competition.duplicates import analysis_of, line_result
from dicecup.hosting.competition.entering import two_people
from dicecup.hosting.competition.events import Entry, Event
from dicecup.hosting.errors import HostingCode, HostingError
from dicecup.hosting.quotas import COMMAND_BYTES, Quota
from dicecup.table import daily
from dicecup.table.duplicate import is_event_id
from dicecup.table.event_file import event_file_to_text
from dicecup.web.bodies import body, takes
from dicecup.web.competition.duplicate_messages import (
    AskEntry,
    CostlyDecision,
    DuplicateEvent,
    EventCalendar,
    EventDay,
    EventEntered,
    EventGame,
    EventPage,
    EventsToday,
    NewEvent,
    OwnEntry,
    OwnEvents,
    RankedEntry,
    SideSum,
)
from dicecup.web.context import AppContext
from dicecup.web.guard import address_of
from dicecup.web.refusals import WebCode, WebError
from dicecup.web.requests import Context, Identity, KnownIdentity, answer

MOST_DAYS: Final = 62
"""Days of a calendar."""
MOST_RANKED: Final = 500
"""Entries of a ranking that are sent."""
router = APIRouter(prefix="/api/events", tags=["events"])
JSON_FILE: Final = {"content": {"application/json": {"schema": {"type": "object"}}}, "description": "The file of the event"}
Day = Annotated[str, Query(pattern="^[0-9]{4}-[0-9]{2}-[0-9]{2}$")]


@router.get("/today", response_model=EventsToday)
async def challenges_of_today(context: Context, identity: KnownIdentity) -> Response:
    """The challenges of today. They begin at midnight UTC."""
    await context.duplicates.make_days()
    now = context.tables.clock()
    day = daily.day_of(now)
    found = await calendar_of(context.tables.store, identity, day, day, now)
    shown = await _events(context, identity, [event for each in found.days for event in each.events])
    return answer(EventsToday(day=daily.day_text(day), events=shown, streak=found.streak))


@router.get("/calendar", response_model=EventCalendar)
async def calendar(context: Context, identity: KnownIdentity, first: Day, last: Day) -> Response:
    """The challenges from one day to another, with your entries."""
    days = [daily.day_from_text(text) for text in (first, last)]
    if None in days or not 0 <= (days[1] or 0) - (days[0] or 0) < MOST_DAYS:
        raise WebError(WebCode.NOT_A_MESSAGE, text="last", why="days")
    found = await calendar_of(context.tables.store, identity, days[0] or 0, days[1] or 0, context.tables.clock())
    shown = await _events(context, identity, [event for day in found.days for event in day.events])
    by_day: dict[str, list[DuplicateEvent]] = {}
    for event in shown:
        by_day.setdefault(event.day or "", []).append(event)
    listed = [EventDay(day=day, events=listed) for day, listed in by_day.items()]
    return answer(EventCalendar(days=listed, streak=found.streak, longest=found.longest))


@router.get("/mine", response_model=OwnEvents)
async def your_events(context: Context, identity: KnownIdentity) -> Response:
    """The pairs and tables of four that you entered."""
    found = [] if identity is None else await events.own_events(context.tables.store, identity)
    return answer(OwnEvents(events=await _events(context, identity, found)))


@router.post("", response_model=EventPage, status_code=201, openapi_extra=takes(NewEvent))
async def invite_to_an_event(
    context: Context, request: Request, identity: Identity, new: Annotated[NewEvent, body(NewEvent)]
) -> Response:
    """Make a pair of duels or a table of four, and enter it."""
    _take(context, request)
    setup = two_people(new.game, new.clock, rated=new.rated)
    event = await context.duplicates.entering.invite(new.kind, identity, new.name, setup)
    return answer(await _page(context, identity, event), 201)


@router.get("/{event}", response_model=EventPage)
async def an_event(context: Context, identity: KnownIdentity, event: str) -> Response:
    """An event with its ranking, which is empty before its end."""
    return answer(await _page(context, identity, await _event(context, event)))


@router.post("/{event}/entries", response_model=EventEntered, status_code=201, openapi_extra=takes(AskEntry))
async def enter_an_event(
    context: Context, request: Request, identity: Identity, event: str, asked: Annotated[AskEntry, body(AskEntry)]
) -> Response:
    """Enter an event, once, and sit down. A second entry is refused with `already-entered`, whose
    details name your table."""
    await context.duplicates.make_days()
    found = await _event(context, event)
    _take(context, request)
    entry = await context.duplicates.entering.enter(found.event, identity, asked.name, asked.key)
    return answer(EventEntered(table=entry.table_id), 201)


@router.post("/{event}/practice", response_model=EventEntered, status_code=201, openapi_extra=takes(AskEntry))
async def practise_an_event(
    context: Context, request: Request, identity: Identity, event: str, asked: Annotated[AskEntry, body(AskEntry)]
) -> Response:
    """Play the dice of a past challenge out of competition."""
    found = await _event(context, event)
    _take(context, request)
    return answer(EventEntered(table=await context.duplicates.entering.practise(found.event, identity, asked.name)), 201)


@router.get("/{event}/games/{number}", response_model=EventGame)
async def a_game_of_an_event(context: Context, event: str, number: int) -> Response:
    """The game of the entry with this number, or of `master` for 0, after the end of the event."""
    name, text = await context.duplicates.game((await _event(context, event)).event, number)
    return answer(EventGame(name=name, record=text))


@router.get("/{event}/file", response_class=Response, responses={200: JSON_FILE})
async def the_file_of_an_event(context: Context, event: str) -> Response:
    """All games of an event that is over, for `dicecup verify`."""
    found = await context.duplicates.file((await _event(context, event)).event)
    headers = {"Content-Disposition": f'attachment; filename="{found.event}.json"'}
    text = await asyncio.to_thread(event_file_to_text, found)
    return Response(text, headers=headers, media_type="application/json")


def _take(context: AppContext, request: Request) -> None:
    """Count a table for the network of a request. Raises `HostingError` (`too-much-today`)."""
    address = address_of(request.scope)
    context.take(Quota.BYTES, address, COMMAND_BYTES)
    context.take(Quota.TABLES, address)


async def _event(context: AppContext, event: str) -> Event:
    """Return an event. Raises `HostingError` (`no-such-event`) and `StoreError`."""
    if not is_event_id(event):
        raise HostingError(HostingCode.NO_SUCH_EVENT, text=event)
    return await events.event_of(context.tables.store, event)


async def _events(context: AppContext, identity: str | None, found: Sequence[Event]) -> list[DuplicateEvent]:
    """Return events as messages for a person. Raises `StoreError`."""
    store, names = context.tables.store, [event.event for event in found]
    counts = await events.counts_of(store, names)
    entries: Mapping[str, Entry] = {} if identity is None else await events.entries_by(store, identity, names)
    return [_message(context, event, counts.get(event.event, 0), _own(entries.get(event.event))) for event in found]


def _message(context: AppContext, event: Event, entrants: int, mine: OwnEntry | None) -> DuplicateEvent:
    setup = event.table_setup
    return DuplicateEvent(
        event=event.event,
        kind=event.kind,  # type: ignore[arg-type]
        day=None if event.day is None else daily.day_text(event.day),
        game=setup.rules.id,
        start=setup.start,
        rated=setup.rated,
        turn_seconds=None if setup.clock is None else setup.clock.seconds,
        commitment=event.commitment,
        secret=context.duplicates.secret_of(event) if event.is_over else None,
        opens=event.opens,
        closes=event.closes,
        over=event.is_over,
        analysed=event.state == events.ANALYSED,
        missed=event.day is not None and event.created >= event.closes,
        entrants=entrants,
        mine=mine,
    )


def _own(entry: Entry | None, number: int | None = None, rank: int | None = None) -> OwnEntry | None:
    if entry is None:
        return None
    return OwnEntry(
        table=entry.table_id,
        place=entry.place,
        counts=entry.counts,
        number=number,
        rank=rank,
        finished=entry.finished,
        result=entry.result,
    )


async def _page(context: AppContext, identity: str | None, event: Event) -> EventPage:
    """Return the page of an event for a person. Raises `StoreError`."""
    entries = await events.entries_of(context.tables.store, event.event)
    ranks = results.ranks(entries)
    mine = None
    ranking = []
    for number, (entry, rank) in enumerate(zip(entries, ranks, strict=True), 1):
        own = identity is not None and entry.identity == identity
        if own:
            mine = _own(entry, number, rank) if event.is_over else _own(entry)
        if event.is_over and event.places is None and (own or number <= MOST_RANKED):
            finished = bool(entry.finished)
            ranking.append(
                RankedEntry(number=number, rank=rank, name=entry.name, result=entry.result or "", finished=finished, mine=own)
            )
    analysis = analysis_of(event)
    return EventPage(
        event=_message(context, event, len(entries), mine),
        ranking=ranking,
        line=None if analysis is None else line_result(analysis),
        costly=None if analysis is None or analysis["costly"] is None else CostlyDecision(**analysis["costly"]),
        **await _of_places(context, identity, event, sorted(entries, key=lambda entry: entry.place)),
    )


async def _of_places(context: AppContext, identity: str | None, event: Event, entries: Sequence[Entry]) -> dict[str, Any]:
    """Return what a page says of a pair or of a table of four only. Raises `StoreError`."""
    if event.places is None:
        return {"people": [], "tables": [], "sums": [], "key": None, "link": None}
    tables = context.tables
    mine = next((entry for entry in entries if entry.identity == identity), None)
    key = events.invitation_key(tables.settings.host_key, event.event) if mine is not None and not event.is_over else None
    boards = await events.boards_of(tables.store, event.event)
    own = [table for table in boards if identity and (await tables.cache.state_of(table)).seats_of(identity)]
    side = None if mine is None else results.side_of_place(mine.place, event.places)
    sums = await context.duplicates.sums(event) if event.is_over or mine is not None else []
    return {
        "people": [entry.name for entry in entries],
        "tables": own,
        "sums": [
            SideSum(names=list(each.names), wins=each.wins, points=each.points, mine=number == side)
            for number, each in enumerate(sums)
        ],
        "key": key,
        "link": None if key is None else context.base.event(event.event, key),
    }
