"""A table in this process: one record, saved after every step and before anybody sees what it brought.

A table holds nothing but its record: the dice of a seed follow from how many were thrown, and a computer's choice from the
position, so a table that is opened again goes on as it would have gone.
"""

import hmac
from pathlib import Path

from dicecup import record, yamm
from dicecup.core.game import Action, Position
from dicecup.core.source import SeededSource, Throw
from dicecup.players import LEVELS, Corrects, create
from dicecup.players.player import Player
from dicecup.record import Record
from dicecup.table.outcomes import all_sides
from dicecup.table.seats import player_to_act, wet_turn
from dicecup.terminal import files, tags
from dicecup.terminal.errors import TableCode, TableError
from dicecup.terminal.link import (
    Act,
    Acted,
    Agree,
    Command,
    Demand,
    Dice,
    Die,
    DieThrown,
    Ended,
    Event,
    Go,
    Resign,
    State,
    TakeBack,
    TakenBack,
    Thrown,
)
from dicecup.terminal.seats import Seat
from dicecup.terminal.takeback import without_last_entry
from dicecup.yamm import Correct
from dicecup.yamm.seats import writer_of_turn


class Table:
    """The link's end in this process. Get one from `open_new` or `open_saved`."""

    def __init__(self, path: Path, kept: Record) -> None:
        self._path = path
        self._record = kept
        self._can_take_back = kept.journal.table
        """Real dice only, and one entry back only."""
        self._players: dict[int, Player] = {}
        seed = tags.seed_of(kept)
        if not kept.journal.table and seed is None:
            raise TableError(TableCode.NOT_RESUMABLE, why=kept.tags.get("Dice", "Dice"))
        self._seed = seed or ""
        tags.seats_of(kept, LEVELS)  # raises here rather than in the middle of the game
        tags.starting_of(kept)
        tags.match_of(kept)

    # What the terminal sees

    @property
    def state(self) -> State:
        """How the table stands."""
        seats = tags.seats_of(self._record, LEVELS)
        starting = tags.starting_of(self._record)
        position = self._record.journal.position
        actor = player_to_act(position)
        if starting is not None and starting.seat is not None:
            actor = starting.seat
        demand = self._demand(seats, starting is not None, position, actor)
        return State(self._record, seats, starting, demand, actor, self._path)

    def _demand(self, seats: tuple[Seat, ...], starting: bool, position: Position, actor: int) -> Demand:
        real = self._record.journal.table
        if "End" in self._record.tags:
            return Demand.OVER
        if starting:
            return Demand.DIE if real else Demand.NOTHING
        if position.waiting:
            if real:
                return Demand.DICE
            writer = self._writer_of_wet_result(position)
            return Demand.GO if writer is not None and seats[writer].is_human else Demand.NOTHING
        return Demand.ACTION if seats[actor].is_human else Demand.NOTHING

    def _writer_of_wet_result(self, position: Position) -> int | None:
        """Who may still move the result that the throw now due would make final, if it would any."""
        turn = wet_turn(position)
        if turn is None or not isinstance(position, yamm.Position):
            return None
        return writer_of_turn(position.game.options, turn, tags.writers_of(self._record))

    # What happens by itself

    def next(self) -> Event | None:
        """A throw of the table's own dice, or what a computer does; `None` where a person is to act."""
        state = self.state
        position = state.position
        if state.demand in (Demand.NOTHING, Demand.DICE) and (correction := self._second_thought(state)) is not None:
            return self._act(position, correction)
        if state.demand is not Demand.NOTHING:
            return None
        if state.starting is not None:
            return self._die(state, self._source().die())
        if position.waiting:
            return self._draw(position)
        return self._act(position, self._player(state.seats, state.actor).choose(position))

    def _second_thought(self, state: State) -> Correct | None:
        """Where a computer moves its last result, just before the throw that makes it final."""
        position = state.position
        writer = self._writer_of_wet_result(position)
        if writer is None or state.seats[writer].is_human or not isinstance(position, yamm.Position) or position.sheet is None:
            return None
        player = self._player(state.seats, writer)
        return player.correct(position, position.sheet) if isinstance(player, Corrects) else None

    def _source(self) -> SeededSource:
        return SeededSource(self._seed, thrown=tags.dice_before(self._record))

    def _player(self, seats: tuple[Seat, ...], place: int) -> Player:
        """The computer at a place. It is told nothing from which dice could be foretold."""
        if place not in self._players:
            seed = hmac.digest(self._seed.encode(), f"player {place}".encode(), "sha256").hex()
            self._players[place] = create(seats[place].player, seed)
        return self._players[place]

    # What people do

    def send(self, command: Command) -> Event:
        """Does what a person here wants. Raises `DicecupError`; then all is as it was, the file too."""
        state = self.state
        event = self._do(command, state)
        self._can_take_back = self._record.journal.table and not isinstance(command, TakeBack)
        return event

    def _do(self, command: Command, state: State) -> Event:
        position = state.position
        match command:
            case Act(action):
                given = position.game.action(action) if isinstance(action, str) else action
                self._check_correction(state, given)
                return self._act(position, given)
            case Go():
                return self._draw(position)
            case Dice(throw):
                return self._throw(position, throw)
            case Die(face):
                return self._die(state, face)
            case TakeBack():
                return self._take_back()
            case Resign():
                return self._end("resign", tags.others(position, state.actor))
            case Agree():
                return self._end("agreed", all_sides(position))

    def _check_correction(self, state: State, action: Action) -> None:
        """A person moves no result of the computer's."""
        position = state.position
        if isinstance(action, Correct) and isinstance(position, yamm.Position) and action in position.corrections:
            writer = writer_of_turn(position.game.options, action.turn, tags.writers_of(state.record))
            if not state.seats[writer].is_human:
                raise TableError(TableCode.NOT_YOUR_RESULT, turn=action.turn, name=state.seats[writer].name)

    # Every step: checked, saved, and only then told

    def _act(self, position: Position, action: Action) -> Event:
        journal = self._record.journal.play(action)
        self._keep(record.concluded(Record(self._record.tags, journal)))
        return Acted(position, journal.position, action)

    def _draw(self, position: Position) -> Event:
        """The table's own dice fall."""
        assert position.turn is not None
        return self._throw(position, self._source().throw(position.turn.kept))

    def _throw(self, position: Position, throw: Throw | None) -> Event:
        journal = self._record.journal.throw(throw)
        self._keep(Record(self._record.tags, journal))
        return Thrown(position, journal.position, throw)

    def _die(self, state: State, face: int) -> Event:
        assert state.starting is not None
        starting = state.starting.throw(face)
        self._keep(tags.with_starting(self._record, starting))
        return DieThrown(state.seats, state.actor, face, starting.starter)

    def _end(self, end: str, winners: tuple[int, ...]) -> Event:
        self._keep(tags.ended(self._record, end, winners))
        return Ended()

    def _take_back(self) -> Event:
        if not self._can_take_back:
            raise TableError(TableCode.NOTHING_TO_TAKE_BACK)
        before, text = without_last_entry(self._record, self.state.seats)
        self._keep(before)
        return TakenBack(text)

    def _keep(self, new: Record) -> None:
        """Saves and then believes it. Raises `StorageError`."""
        files.replace(self._path, self._record, new)
        self._record = new


def open_new(path: Path, new: Record) -> Table:
    """A table for a game that begins. Raises `StorageError`."""
    files.create(path, new)
    return Table(path, new)


def open_saved(path: Path) -> Table:
    """A table for a game that was saved; for a match whose next game has not begun, that one.

    Raises `StorageError`, `RecordError`, and `TableError` (`not-resumable` where the game is over or its dice are not ours)."""
    kept = files.load(path)
    if "End" not in kept.tags:
        return Table(path, kept)
    table = open_next(path, kept)
    if table is None:
        raise TableError(TableCode.NOT_RESUMABLE, why=f"{kept.tags['End']} {kept.tags.get('Result', '')}")
    return table


def open_next(path: Path, over: Record) -> Table | None:
    """A table for the next game of a match; `None` where that was the last. Raises `StorageError`."""
    following = files.next_in_match(path, over.tags)
    match = tags.match_of(over)
    if following is None or match is None:
        return None
    return open_new(following, tags.next_record(over, tags.seats_of(over, LEVELS), match))
