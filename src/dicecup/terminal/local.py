"""A local table: the table of the room `table` with a record file as its store.

Every command is handled, its record is saved, and only then the terminal prints the events. A local
table has no clock and no network. The dice follow from the seed that the record names, or people
type what real dice show.
"""

import hmac
from collections.abc import Mapping
from pathlib import Path
from typing import Any, cast

from dicecup.core.source import SeededSource
from dicecup.players import Corrects, Player, create
from dicecup.record import Record
from dicecup.table import commands
from dicecup.table.events import Stored
from dicecup.table.handlers import Actor, due, handle
from dicecup.table.pending import PendingKind
from dicecup.table.permissions import may_end_wait
from dicecup.table.state import TableState
from dicecup.table.transition import Transition
from dicecup.terminal import files, local_record
from dicecup.terminal.errors import TerminalCode, TerminalError
from dicecup.terminal.local_record import PERSON, SECRET, saved_record
from dicecup.terminal.session import News, Session


class LocalSession(Session):
    """A session at a local table. `open_new`, `open_saved` and `open_next` make one.

    `begun`: the tags of the record when the game began.
    """

    def __init__(self, path: Path, saved: Record, table: TableState, begun: Mapping[str, str]) -> None:
        super().__init__(table, path, online=False)
        self.path = path
        self._saved = saved
        self._latest = table
        """The state after the last saved event. `table` follows as the events are printed."""
        self._begun = begun
        self._seed = local_record.seed_of(saved) or ""
        self._players: dict[int, Player] = {}

    @property
    def mine(self) -> frozenset[int]:
        """Return the seats of all people, all seats where only computers play: the keyboard enters
        their real dice."""
        return frozenset(self.table.people or range(len(self.table.seats)))

    def record(self) -> Record:
        """Return the record of the printed events."""
        return self._saved if self.table is self._latest else saved_record(self.table, self._begun)

    def next(self) -> News | None:
        """Return the next throw of the table or action of a computer, `None` where the table waits
        for a person or is over.

        Raises `StorageError`.
        """
        while (news := self._pop()) is None:
            transition = self._by_itself()
            if not transition.events:
                return None
            self._save(transition)
        return news

    def send(self, command: commands.Command) -> News:
        """Handle the command of a person and save the record. Raises `DicecupError`; then the table
        and the file are unchanged."""
        self._save(self._handle(Actor(PERSON, self.mine), command))
        news = self._pop()
        assert news is not None
        return news

    def _handle(self, actor: Actor, command: commands.Command) -> Transition:
        table = self._latest
        return handle(table, actor, command, table.time, SECRET, {}, SeededSource(self._seed, thrown=table.counter))

    def _save(self, transition: Transition) -> None:
        """Save the record after a transition, then queue its events. Raises `StorageError`."""
        record = saved_record(transition.state, self._begun)
        files.replace(self.path, self._saved, record)
        number = self._latest.number
        self._events.extend(Stored(number + at, self._latest.time, event) for at, event in enumerate(transition.events, 1))
        self._saved, self._latest = record, transition.state

    # Throws and computers

    def _by_itself(self) -> Transition:
        """Return what happens without a person: a starting roll, a computer's action, a throw of
        the table's dice."""
        table = self._latest
        kind, seats, _ = table.pending
        if kind is PendingKind.NOTHING:
            return due(table, table.time, SECRET, SeededSource(self._seed, thrown=table.counter))
        if kind in (PendingKind.THROW, PendingKind.DICE) and (correction := self._correction()) is not None:
            return correction
        if kind is PendingKind.THROW and table.corrector not in table.people and not may_end_wait(table, table.people):
            return self._handle(Actor(None, frozenset(seats)), commands.Throw())
        if kind is PendingKind.ACTION and not set(table.people) & set(seats):
            action = self._player(table.seat_of_turn(table.position.number)).choose(table.position)
            return self._handle(Actor(None, frozenset(seats)), commands.Act(str(action)))
        return Transition((), table)

    def _correction(self) -> Transition | None:
        """Return the correction that a computer makes before the throw that makes its
        result final."""
        table = self._latest
        seat, turn = table.corrector, table.position.finalized_turn
        if seat is None or turn is None or seat in table.people:
            return None
        player = self._player(seat)
        if not isinstance(player, Corrects):
            return None
        side = table.rules.side_of_player(table.rules.player_of_turn(turn))
        # a computer that corrects knows its game
        action = player.correct(cast(Any, table.position), side)
        return None if action is None else self._handle(Actor(None, frozenset({seat})), commands.Act(str(action)))

    def _player(self, seat: int) -> Player:
        """Return the computer on a seat. Its seed reveals nothing about the dice."""
        if seat not in self._players:
            place = self._latest.player_of(seat)
            seed = hmac.digest(self._seed.encode(), f"player {place}".encode(), "sha256").hex()
            self._players[seat] = create(self._latest.seats[seat].level, seed)
        return self._players[seat]


def open_new(path: Path, new: Record) -> LocalSession:
    """Save the record of a game that begins and return a session for it. Raises `StorageError`."""
    session = _session(path, new)
    files.create(path, new)
    return session


def open_saved(path: Path) -> LocalSession:
    """Return a session for a saved game, or for the next game of its match.

    Raises `StorageError`, `RecordError`, and `TerminalError` (`not-resumable`) for a game that is
    over or whose dice a server throws.
    """
    saved = files.load(path)
    if "End" not in saved.tags:
        return _session(path, saved)
    session = open_next(path, saved)
    if session is None:
        raise TerminalError(TerminalCode.NOT_RESUMABLE, why=f"{saved.tags['End']} {saved.tags.get('Result', '')}")
    return session


def open_next(path: Path, over: Record) -> LocalSession | None:
    """Return a session for the next game of a match, `None` where the match is over. Raises
    `StorageError`."""
    following = files.next_in_match(path, over.tags)
    new = None if following is None else local_record.next_record(over)
    return None if following is None or new is None else open_new(following, new)


def _session(path: Path, record: Record) -> LocalSession:
    if not record.journal.table and local_record.seed_of(record) is None:
        raise TerminalError(TerminalCode.NOT_RESUMABLE, why=record.tags.get("Dice", "Dice"))
    local_record.match_of(record)  # raises here rather than at the end of the game
    table, begun = local_record.table_of(record)
    return LocalSession(path, record, table, begun)
