"""What a person at a table on a server can say to the others: numbered phrases, reactions on the
last throw, and words once all people allow them."""

from collections.abc import Mapping
from typing import Any, Final

from dicecup.locale import Messages
from dicecup.table.commands import AllowTexts, React, Say, TalkCommand, Write
from dicecup.table.errors import TableCode, TableError
from dicecup.table.state import TableState
from dicecup.table.talk import Phrase, Reacted, Reaction, Said, TalkEvent, TextsAllowed, Wrote
from dicecup.terminal.errors import TerminalCode, TerminalError
from dicecup.terminal.session import Notice

REACTIONS: Final = len(Phrase) + 1
"""The number of the first reaction."""
ALLOW: Final = REACTIONS + len(Reaction)
"""The number that allows written messages, or no longer."""


def choices(view: Mapping[str, Any], messages: Messages) -> str:
    """Return what can be said now, with its numbers. Raises `TableError` (`nobody-to-talk-to`)."""
    if "say" not in view["may"]:
        raise TableError(TableCode.NOBODY_TO_TALK_TO)
    listed = [f"{number} {_phrase(phrase, messages)}" for number, phrase in enumerate(Phrase, 1)]
    if view["throw"] is not None:
        dice = view["throw"]["dice"]
        listed += [f"{number} {dice}: {_reaction(each, messages)}" for number, each in enumerate(Reaction, REACTIONS)]
    allow = messages("say_forbid" if _allows(view) else "say_allow")
    return messages("say_list", choices="; ".join([*listed, f"{ALLOW} {allow}"]))


def command(text: str, view: Mapping[str, Any]) -> TalkCommand:
    """Return the command for a number or for words.

    Raises `TerminalError` (`not-a-choice`).
    """
    if not text.isdecimal():
        return Write(text)
    number = int(text)
    if 1 <= number < REACTIONS:
        return Say(list(Phrase)[number - 1])
    if REACTIONS <= number < ALLOW and view["throw"] is not None:
        return React(list(Reaction)[number - REACTIONS], view["throw"]["number"])
    if number == ALLOW:
        return AllowTexts(not _allows(view))
    raise TerminalError(TerminalCode.NOT_A_CHOICE, text=text)


def notice(event: TalkEvent, table: TableState, messages: Messages) -> Notice:
    """Return the sentence about a line of talk."""
    name = table.seats[event.seat].name
    match event:
        case Said(phrase=phrase):
            return Notice("ui_talk_line", {"name": name, "text": _phrase(phrase, messages)})
        case Reacted(reaction=reaction, thrower=thrower, dice=dice):
            values = {"name": name, "thrower": table.seats[thrower].name, "dice": dice}
            return Notice("ui_talk_line_throw", values | {"text": _reaction(reaction, messages)})
        case Wrote(text=text):
            return Notice("ui_talk_line", {"name": name, "text": text})
        case TextsAllowed(allowed=allowed):
            return Notice("ui_talk_line_allows" if allowed else "ui_talk_line_forbids", {"name": name})


def _allows(view: Mapping[str, Any]) -> bool:
    return not set(view["you"]).isdisjoint(view["texts"])


def _phrase(phrase: Phrase, messages: Messages) -> str:
    return messages(f"ui_talk_phrase_{phrase.replace('-', '_')}")


def _reaction(reaction: Reaction, messages: Messages) -> str:
    return messages(f"ui_talk_reaction_{reaction}")
