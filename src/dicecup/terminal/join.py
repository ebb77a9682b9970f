"""A table on a server from the link to it: sit down, wait for the others, play, and go on to the next game."""

from pathlib import Path

from dicecup.client import ServerRefusal, TableLink
from dicecup.terminal import files
from dicecup.terminal.console import Console
from dicecup.terminal.loop import Conversation, words_of
from dicecup.terminal.online import OnlineTable
from dicecup.terminal.telling import Teller
from dicecup.terminal.wire import TOKENS, Wire


def join(console: Console, text: str, name: str | None) -> None:
    """To the end of the last game that is played there. Raises `DicecupError`, and as `Conversation.play`."""
    link = TableLink.read(text)
    wire = Wire(link, tokens_file(), console.messages.language)
    try:
        table = OnlineTable(wire, console, str(link))
        if link.joins and not table.mine:
            _sit(console, table, name)
        while True:
            _wait_for_the_start(console, table)
            Conversation(table, console).play()
            following = _next_table(console, table)
            if following is None:
                return
            if table.mine:
                link = TableLink(link.url, following)
            else:
                link = wire.next(link.table, link.key)
                console.tell_path("online_next", str(link))
            wire.move(link.table, link.key)
            table = OnlineTable(wire, console, str(link))
    finally:
        wire.close()


def tokens_file() -> Path:
    """Where it is kept who this keyboard is at which server."""
    return files.default_folder().parent / TOKENS


def _sit(console: Console, table: OnlineTable, name: str | None) -> None:
    while not table.mine:
        try:
            table.sit(name or console.ask(console.messages("ask_name")))
        except ServerRefusal as error:
            if name is not None or error.code not in ("not-a-name", "name-twice"):
                raise
            console.complain(error)


def _wait_for_the_start(console: Console, table: OnlineTable) -> None:
    """Tells who comes and goes until there is a game. Seeds of fair dice are exchanged meanwhile."""
    teller = Teller(console)
    while not table.state.started and table.state.end is None:
        event = table.next()
        if event is not None:
            teller.tell(event, table.state, decision_follows=False)


def _next_table(console: Console, table: OnlineTable) -> str | None:
    """Where the next game is played: of a match by itself, else if all want another."""
    if table.state.next is None and table.mine and not table.state.rematch >= table.mine:
        if console.ask(console.messages("ask_rematch")).casefold() not in words_of(console.messages).yes:
            return None
        table.rematch()
        if table.state.next is None:
            console.tell("online_waiting")
    while table.state.next is None and table.mine:
        table.wait()
    return table.state.next
