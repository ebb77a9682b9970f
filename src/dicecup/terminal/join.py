"""Playing at a table on a server: take a seat, wait for the start, play, and go on to the next
game."""

from collections.abc import Iterable
from pathlib import Path

from dicecup.client import ServerRefusal, TableLink
from dicecup.terminal import files
from dicecup.terminal.announcements import Announcer
from dicecup.terminal.connection import TOKENS, Connection
from dicecup.terminal.console import Console
from dicecup.terminal.entry import words_of
from dicecup.terminal.errors import EndOfInput
from dicecup.terminal.loop import GameLoop
from dicecup.terminal.online import OnlineSession
from dicecup.terminal.session import News


def join(console: Console, text: str, name: str | None) -> None:
    """Play or watch at the table of a link until the last game there is over. Raises `DicecupError`
    and as `GameLoop.play`.

    `name`: the name of the person who takes a seat; `None`: the terminal asks for it.
    """
    link = TableLink.read(text)
    connection = Connection(link, tokens_file(), console.messages.language)
    console.watch(connection.wake)
    try:
        session = OnlineSession(connection, console, str(link))
        if link.joins and not session.mine:
            _sit(console, session, name)
        while True:
            _wait_for_start(console, session)
            GameLoop(session, console).play()
            following = _next_table(console, session)
            if following is None:
                return
            if session.mine:
                link = TableLink(link.url, following)
            else:
                link = connection.next(link.table, link.key)
                console.tell_path("online_next", str(link))
            connection.move(link.table, link.key)
            session = OnlineSession(connection, console, str(link))
    finally:
        console.watch(None)
        connection.close()


def tokens_file() -> Path:
    """Return the file with the token of this keyboard for each server."""
    return files.default_folder().parent / TOKENS


def _sit(console: Console, session: OnlineSession, name: str | None) -> None:
    """Take a seat under `name`, or ask for a name until the server accepts one.

    Raises `ServerRefusal` if `name` is refused, or for a reason other than the name.
    """
    while not session.mine:
        try:
            session.sit(name or console.ask(console.messages("ask_name")))
        except ServerRefusal as error:
            if name is not None or error.code not in ("not-a-name", "hidden-in-name", "name-twice"):
                raise
            console.complain(error)


def _wait_for_start(console: Console, session: OnlineSession) -> None:
    """Print the news until the game starts. The seeds of fair dice are exchanged meanwhile."""
    announcer = Announcer(console)
    while not session.table.started and session.table.end is None:
        news = session.next()
        if news is not None:
            announcer.announce(news, session.snapshot())


def _next_table(console: Console, session: OnlineSession) -> str | None:
    """Return the id of the table of the next game: of the match, or of a rematch that all people
    want."""
    if session.next_table() is not None:
        return session.next_table()
    if not session.mine:
        return _watched_rematch(console, session)
    if not session.table.rematch >= session.mine:
        if console.ask(console.messages("ask_rematch")).casefold() not in words_of(console.messages).yes:
            return None
        session.ask_for_rematch()
        if session.next_table() is None:
            console.tell("online_waiting")
    while (following := session.next_table()) is None:
        _announce(console, session, session.wait())
    return following


def _announce(console: Console, session: OnlineSession, found: Iterable[News]) -> None:
    announcer = Announcer(console)
    for news in found:
        announcer.announce(news, session.snapshot())


def _watched_rematch(console: Console, session: OnlineSession) -> str | None:
    """Wait until the players agree on a rematch, or until the watcher enters a line or ends the
    input."""
    console.tell("watching_on")
    try:
        while True:
            console.clear_wake()
            _announce(console, session, session.take_news())
            if session.next_table() is not None:
                return session.next_table()
            if console.ask_unless_woken("") is not None:
                return None
    except EndOfInput:
        return None
