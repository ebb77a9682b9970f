"""The ranking of a challenge of a day as lines of text, as the page of the challenge has it."""

from collections.abc import Iterator, Sequence
from typing import Final

from dicecup.hosting.competition import results
from dicecup.hosting.competition.duplicates import analysis_of, line_result
from dicecup.hosting.competition.events import Entry, Event
from dicecup.hosting.competition.lines import LINE
from dicecup.locale import Messages
from dicecup.web.sharing.embedded import RankedLine

MOST_LISTED: Final = 80
"""The most entries in a frame. With more of the longest names a page could exceed its limit."""
NONE: Final = "–"
"""Stands for a rank or a result that is missing."""
DUEL: Final = "duel"
TIE: Final = "\u00a0"
"""A space at which no line is broken."""


def lines_of(event: Event, entries: Sequence[Entry], messages: Messages) -> Iterator[RankedLine]:
    """Yield the line of `master` where it is known, and the first entries, which are in order."""
    analysis = analysis_of(event)
    if analysis is not None:
        result = result_text(event, line_result(analysis), messages)
        yield RankedLine(NONE, messages(f"level_{LINE}"), messages("ui_event_line"), result)
    for entry, rank in list(zip(entries, results.ranks(entries), strict=True))[:MOST_LISTED]:
        yield RankedLine(
            NONE if rank is None else str(rank),
            entry.name,
            "" if entry.finished else messages("ui_event_unfinished"),
            result_text(event, entry.result, messages) if entry.result else NONE,
        )


def summary_of(event: Event, entries: Sequence[Entry], messages: Messages) -> str:
    """Return how many people entered, and how many of them are listed where not all are."""
    if not entries:
        return messages("ui_event_missed" if event.created >= event.closes else "ui_event_nobody")
    if len(entries) > MOST_LISTED:
        return messages("share_first", shown=MOST_LISTED, count=len(entries))
    return messages("ui_event_entrants", count=len(entries))


def result_text(event: Event, result: str, messages: Messages) -> str:
    """Return a result of a record in words: the points, or in a duel whether the person won. People
    are x on every other day (`dicecup.table.daily`)."""
    if event.kind != DUEL:
        return result
    is_x = (event.day or 0) % 2 == 0
    winner, _, points = result.partition(" ")
    first, _, second = points.partition("-")
    score = (f"{first} : {second}" if is_x else f"{second} : {first}").replace(" ", TIE)
    ending = "drawn" if winner == "draw" else "won" if (winner == "x") == is_x else "lost"
    return messages(f"ui_event_{ending}", score=score)
