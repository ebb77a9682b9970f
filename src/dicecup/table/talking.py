"""Handlers of commands with which people talk, see `talk`."""

from math import ceil
from typing import Final

from dicecup.table.errors import TableCode, TableError
from dicecup.table.permissions import Actor, check, own_seat, talk_refusal, texts_refusal
from dicecup.table.talk import Phrase, Reacted, Reaction, Said, TalkEvent, TextsAllowed, Wrote, is_plain, is_text
from dicecup.table.transition import Draft

AT_ONCE: Final = 4
"""The most lines of a seat within `PERIOD`."""
PERIOD: Final = 20.0
"""Seconds."""


def say(draft: Draft, actor: Actor, phrase: Phrase, named: int | None) -> None:
    """Say a quick phrase."""
    _append(draft, actor, Said(own_seat(draft.state, actor, named), phrase))


def react(draft: Draft, actor: Actor, reaction: Reaction, throw: int, named: int | None) -> None:
    """React on one of the last throws. Raises `TableError` (`no-such-throw`) for another one."""
    found = next((recent for recent in draft.state.throws if recent.number == throw), None)
    check(talk_refusal(draft.state, actor.seats, draft.now))
    if found is None:
        raise TableError(TableCode.NO_SUCH_THROW, text=throw)
    _append(draft, actor, Reacted(own_seat(draft.state, actor, named), reaction, throw, found.seat, found.dice))


def write(draft: Draft, actor: Actor, text: str, named: int | None) -> None:
    """Write a text. Raises `TableError` (`texts-off`, `not-a-text`, `hidden-in-text`)."""
    check(talk_refusal(draft.state, actor.seats, draft.now) or texts_refusal(draft.state))
    if not is_text(text):
        raise TableError(TableCode.NOT_A_TEXT, text=text)
    if not is_plain(text):
        raise TableError(TableCode.HIDDEN_IN_TEXT, text=text)
    _append(draft, actor, Wrote(own_seat(draft.state, actor, named), text))


def allow_texts(draft: Draft, actor: Actor, *, allowed: bool) -> None:
    """Allow texts for all seats of the actor, or no longer."""
    changed = [seat for seat in sorted(actor.seats) if draft.state.seats[seat].texts is not allowed]
    check(talk_refusal(draft.state, actor.seats, draft.now))
    if not changed:
        raise TableError(TableCode.NOT_A_COMMAND, text="allowed", why="unchanged")
    for seat in changed:
        _append(draft, actor, TextsAllowed(seat, allowed))


def _append(draft: Draft, actor: Actor, event: TalkEvent) -> None:
    """Append an event of talk.

    Raises `TableError`: what `talk_refusal` returns, and `too-fast` with the `seconds` to wait.
    """
    check(talk_refusal(draft.state, actor.seats, draft.now))
    times = [line.time for line in draft.state.talk if line.event.seat == event.seat][-AT_ONCE:]
    if len(times) == AT_ONCE and (wait := times[0] + PERIOD - draft.now) > 0:
        raise TableError(TableCode.TOO_FAST, seconds=ceil(wait))
    draft.append(event)
