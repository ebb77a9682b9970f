"""A table for tests with its events, a clock that the test moves, and commands that are allowed
next."""

import random
from collections.abc import Callable, Iterator
from typing import Any, Final

from dicecup.core.errors import DicecupError
from dicecup.players import create
from dicecup.table.commands import (
    Act,
    AllowTexts,
    AnswerDraw,
    Claim,
    Command,
    CommitSeed,
    EndGame,
    EnterDice,
    EnterDie,
    FreeSeat,
    OfferDraw,
    React,
    Rematch,
    Remedy,
    Replace,
    Resign,
    RevealSeed,
    RotateLinks,
    Say,
    SeatComputer,
    SetAdmission,
    Sit,
    StandUp,
    TakeBack,
    Throw,
    Write,
)
from dicecup.table.computers import command_for, next_task
from dicecup.table.events import Event, Stored
from dicecup.table.fairness import secret_of, seed_commitment
from dicecup.table.game_views import View
from dicecup.table.handlers import Actor, Sitter, close, due, handle, open_next_table, open_table
from dicecup.table.pending import PendingKind
from dicecup.table.setup import Clock, ClockKind, DiceOf, Occupant, SeatSetup, Setup
from dicecup.table.state import TableState
from dicecup.table.talk import Phrase, Reaction
from dicecup.table.transition import Transition
from dicecup.table.views import view

KEY: Final = b"the host key of the tests"
OPEN: Final = SeatSetup()
BEGUN: Final = 1_795_000_000.0

WIDE: Final = "yamm(players=4,pairs=yes)"


def computer(level: str = "random") -> SeatSetup:
    return SeatSetup(Occupant.LEVEL, level)


def people(game: str, count: int = 2, **agreed: Any) -> Setup:
    """Return a setup with people on all seats."""
    return Setup(game, (OPEN,) * count, **agreed)


def identity(seat: int) -> str:
    return f"identity-{seat}-of-a-person"


def seed_of(seat: int) -> bytes:
    return bytes([seat + 1]) * 16


class Table:
    """A table on whose seats different people sit, or the same person with `one_person`."""

    state: TableState

    def __init__(
        self, setup: Setup, name: str = "table-1", *, one_person: bool = False, sit: bool = True, ready: bool = True
    ) -> None:
        self.secret = secret_of(KEY, name)
        self.earlier: tuple[bytes, ...] = ()
        self.now = BEGUN
        self.offline: dict[int, float] = {}
        self.one_person = one_person
        sitters = [
            Sitter(seat, f"Name {seat}", identity(0 if one_person else seat))
            for seat, held in enumerate(setup.seats)
            if not held.level
        ]
        self.stored: list[Stored] = []
        self.add(open_table(name, setup, self.secret, sitters if sit else [], self.now))
        if sit and ready:
            self.plant_seeds()

    @classmethod
    def after(cls, before: "Table") -> "Table":
        """Return the table of the next game."""
        assert before.state.next is not None
        table = cls.__new__(cls)
        table.secret, table.now, table.offline = secret_of(KEY, before.state.next), before.now, {}
        table.one_person, table.stored, table.earlier = before.one_person, [], ()
        table.add(open_next_table(before.state, table.secret, table.now))
        table.plant_seeds()
        return table

    def add(self, transition: Transition) -> tuple[Event, ...]:
        """Store the events of a transition and go on from its state."""
        for event in transition.events:
            self.stored.append(Stored(len(self.stored) + 1, self.now, event))
        self.state = transition.state
        return transition.events

    def apply(self, *events: Event) -> None:
        """Store events that no handler made."""
        for event in events:
            self.stored.append(Stored(len(self.stored) + 1, self.now, event))
            self.state = self.state.apply(self.stored[-1])

    def send(self, command: Command, *seats: int) -> tuple[Event, ...]:
        """Send a command as the person or computer on these seats."""
        found = [held.identity for seat in seats if (held := self.state.seats[seat]).is_human]
        actor = Actor(found[0] if found else None, frozenset(seats))
        return self.add(handle(self.state, actor, command, self.now, self.secret, self.offline, earlier=self.earlier))

    def refused(self, command: Command, *seats: int) -> str:
        """Return the code with which a command is refused. The table has not changed."""
        before, events = self.state, len(self.stored)
        try:
            self.send(command, *seats)
        except DicecupError as error:
            assert self.state is before
            assert len(self.stored) == events
            return str(error.code)
        raise AssertionError(f"{command} was accepted: {self.stored[events:]}")

    def wait(self, seconds: float) -> tuple[Event, ...]:
        """Let time pass, and append the events that are due."""
        self.now += seconds
        return self.add(due(self.state, self.now, self.secret, earlier=self.earlier))

    def close(self) -> tuple[Event, ...]:
        return self.add(close(self.state, self.now, self.secret, self.earlier))

    def view(self, *seats: int) -> View:
        return view(self.state, seats, self.now, self.offline)

    def plant_seeds(self) -> None:
        """Commit all people's seats to their seeds and reveal these."""
        for wanted, command in ((PendingKind.COMMITMENTS, CommitSeed), (PendingKind.SEEDS, RevealSeed)):
            if self.state.pending.kind is wanted:
                for seat in self.state.pending.seats:
                    seed = seed_of(seat)
                    self.send(command(seed_commitment(seed) if command is CommitSeed else seed.hex(), seat), seat)

    # Commands that are allowed

    def step(self, chance: random.Random) -> tuple[Event, ...]:
        """Send an allowed command from a pending seat."""
        seat, command = self.allowed_command(chance)
        return self.send(command, seat)

    def allowed_command(self, chance: random.Random) -> tuple[int, Command]:
        """Return an allowed command and its seat."""
        state = self.state
        what, seats, _ = state.pending
        task = next_task(state)
        if task is not None:
            decides = task.asks_player and state.pending.kind is PendingKind.ACTION
            chosen = str(create(task.level, "7").choose(state.position)) if decides else None
            command = command_for(state, task, chosen)
            if command is not None:
                return task.seat if command.seat is None else command.seat, command
        match what:
            case PendingKind.SEATS:
                return seats[0], Sit(f"Name {seats[0]}", seats[0])
            case PendingKind.COMMITMENTS:
                return seats[0], CommitSeed(seed_commitment(seed_of(seats[0])), seats[0])
            case PendingKind.SEEDS:
                promised = state.seats[seats[0]].hash  # `any_command` may have chosen another seed
                seed = next(seed for seed in map(seed_of, range(len(state.seats))) if seed_commitment(seed) == promised)
                return seats[0], RevealSeed(seed.hex(), seats[0])
            case PendingKind.LOT | PendingKind.DIE:
                return seats[0], EnterDie(chance.randint(1, 6))
            case PendingKind.THROW:
                return seats[0], Throw()
            case PendingKind.REPLACEMENT:
                assert state.vacancy is not None
                hesitant = [seat for seat in seats if seat not in state.vacancy.agreed]
                return hesitant[0], EndGame() if chance.random() < 0.3 else Replace("random")
            case PendingKind.DICE:
                return seats[0], EnterDice(dice_entry(state, chance))
            case _:
                return allowed_action(state, chance)

    def finish(self, chance: random.Random, most: int = 10_000) -> "Table":
        """Play to the end of the game."""
        for _ in range(most):
            if self.state.end is not None:
                break
            self.step(chance)
        return self


def duel(**agreed: Any) -> Table:
    """Return a game of Yam Master whose first seat is x."""
    return Table(people("yam-master", 2, first=0, **agreed))


def dice_entry(state: TableState, chance: random.Random) -> str:
    """Return an entry of real dice in any order. Some throws are void, some knock a
    kept die over."""
    turn = state.position.turn
    assert turn is not None
    if chance.random() < 0.05:
        return "~"
    locked = "kept_dice=locked" in state.rules.id and turn.throws == 1
    if turn.kept.count and chance.random() < 0.1 and not locked:
        return "".join(str(chance.randint(1, 6)) for _ in range(5))
    faces = [*turn.kept.faces, *(chance.randint(1, 6) for _ in range(5 - turn.kept.count))]
    return "".join(map(str, chance.sample(faces, 5)))


def allowed_action(state: TableState, chance: random.Random) -> tuple[int, Command]:
    """Return an allowed action and its seat. Most actions end the turn."""
    every = list(map(str, state.position.actions))
    ends = [action for action in every if "k" not in action and action != "--"]
    action = chance.choice(ends if ends and chance.random() < 0.6 else every)
    thrower = state.seat_of_turn(state.position.number)
    return (state.writer_of_turn(state.position.number) if "." in action else thrower), Act(
        action, hold=chance.choice([0, 0, 2.5])
    )


def any_command(state: TableState, chance: random.Random, kind: type[Command] | None = None) -> Command:
    """Return a command of a type or of any, allowed or not."""
    seat = chance.choice([None, None, *range(-1, len(state.seats) + 1)])
    makers: dict[type[Command], Callable[[], Command]] = {
        Sit: lambda: Sit(chance.choice(["Anna", "Ben", "", " x", "a" * 41]), seat),
        StandUp: lambda: StandUp(seat),
        SeatComputer: lambda: SeatComputer(chance.choice(["greedy", "nobody"]), seat),
        FreeSeat: lambda: FreeSeat(chance.choice(range(-1, len(state.seats) + 1)), seat),
        RotateLinks: lambda: RotateLinks(seat),
        SetAdmission: lambda: SetAdmission(chance.random() < 0.5, seat),
        CommitSeed: lambda: CommitSeed(chance.choice([seed_commitment(seed_of(0)), "0" * 63]), seat),
        RevealSeed: lambda: RevealSeed(chance.choice([seed_of(0).hex(), seed_of(1).hex(), "zz", ""]), seat),
        Throw: lambda: Throw(seat),
        EnterDice: lambda: EnterDice(
            chance.choice([dice_entry(state, chance) if state.position.turn else "1", "11|346", "", "7", "1" * 99, "~"]), seat
        ),
        EnterDie: lambda: EnterDie(chance.choice([0, 1, 3, 6, 7]), seat),
        Act: lambda: Act(_any_action(state, chance), seat, chance.choice([0, 10, 10.5, -1])),
        TakeBack: lambda: TakeBack(seat),
        Resign: lambda: Resign(seat),
        Replace: lambda: Replace(chance.choice(["random", "greedy", "nobody"]), seat),
        EndGame: lambda: EndGame(seat),
        OfferDraw: lambda: OfferDraw(seat),
        AnswerDraw: lambda: AnswerDraw(chance.random() < 0.5, seat),
        Claim: lambda: Claim(chance.choice(list(Remedy)), chance.choice(["", "", "greedy", "nobody"]), seat),
        Rematch: lambda: Rematch(seat),
        Say: lambda: Say(chance.choice(list(Phrase)), seat),
        React: lambda: React(chance.choice(list(Reaction)), chance.choice([1, *(one.number for one in state.throws)]), seat),
        Write: lambda: Write(chance.choice(["Hello", "", " x", "\u202ex", "a" * 201]), seat),
        AllowTexts: lambda: AllowTexts(chance.random() < 0.7, seat),
    }
    return makers[kind or chance.choice(list(makers))]()


def _any_action(state: TableState, chance: random.Random) -> str:
    """Return the text of an action or a correction, allowed or not."""
    listed = list(map(str, state.position.actions)) or ["c3"]
    corrections = list(map(str, getattr(state.position, "corrections", ()))) or ["1. > f1.FH"]
    return chance.choice([*listed, *corrections, "k", "", "f1.FH" * 20])


def setups() -> Iterator[Setup]:
    """Return setups of every kind."""
    yield people("yam-master")
    yield people("yam-master(kept_dice=locked,captured=out,end=full_round)", dice=DiceOf.TABLE, first=1)
    yield people("yam-master", dice=DiceOf.TABLE, clock=Clock(ClockKind.GAME, 300, 5), games=3)
    yield Setup("yam-master", (OPEN, computer("greedy")), clock=Clock(ClockKind.TURN, 60))
    yield people("yamm(players=1)", 1)
    yield people("yamm", clock=Clock(ClockKind.DAYS, 86_400), games=2)
    yield people("yamm(players=3,kept_dice=locked)", 3, dice=DiceOf.TABLE)
    yield people("yamm(players=3)", 3, clock=Clock(ClockKind.GAME, 300, 5))
    yield people("yamm(players=6,pairs=yes)", 6)
    yield people(WIDE, 4, writers=(2,))
    yield Setup(WIDE, (OPEN, computer(), OPEN, computer()), dice=DiceOf.TABLE, writers=(0,))
    yield Setup(WIDE, (OPEN, computer(), computer(), OPEN))
    yield people("yam-master", start="xx1x1/o4/5/5/xxxx1 o 1:11??? 5-11 16")
    yield people("yamm(players=1)", 1, start="1,2,.9/.11/.11/.11/.11/.11/.11/.11/.11~f1.6=1:66666 0:????? 4", dice=DiceOf.TABLE)
    yield people("yamm", start='[Game "yamm"]\n[P1 "Anna"]\n\n1. 11346 k11 11123 f1.FH\n2. 33456 k33\n')


def summary(setup: object) -> str:
    """Return a setup as the name of a test."""
    assert isinstance(setup, Setup)
    seats = " ".join(seat.level or "person" for seat in setup.seats)
    return f"{setup.game} {setup.dice} {seats}{' start' if setup.start else ''}"
