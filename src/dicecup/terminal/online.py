"""The link's end to a table on a server. The same state that the server keeps is folded here, event by event as they are told."""

from collections import deque
from collections.abc import Mapping
from typing import Any, Final

from dicecup.client import SeatAgent, ServerRefusal, TableUpdate
from dicecup.core.source import VOID_THROW, throw_from_text, throw_text
from dicecup.table import commands, events
from dicecup.table.commands import Remedy
from dicecup.table.events import Stored, event_from_json
from dicecup.table.pending import PendingKind
from dicecup.table.seats import Seat as Held
from dicecup.table.seats import player_to_act
from dicecup.table.state import TableState
from dicecup.table.table_record import record_of
from dicecup.terminal.console import Console
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
    Notice,
    Resign,
    State,
    TakeBack,
    TakenBack,
    Thrown,
)
from dicecup.terminal.loop import words_of
from dicecup.terminal.seats import ELSEWHERE, HUMAN, Seat
from dicecup.terminal.wire import Wire

ENDS: Final = ("resign", "agreed", "time", "abandoned")
"""How a game ends otherwise than by its rules."""
SOON: Final = 1.0
"""Seconds: what comes within them is not waited for."""


class OnlineTable:
    """A table on a server. `place`: how people call it, its link."""

    def __init__(self, wire: Wire, console: Console, place: str) -> None:
        self._wire = wire
        self._console = console
        self._place = place
        self._known = words_of(console.messages)
        self._duty = SeatAgent()
        self._view: Mapping[str, Any] = {}
        self._told: deque[Event] = deque()
        self._events: deque[Stored] = deque()
        self._asked = 0
        self._waits: Notice | None = None
        self._hear(self._wire.update())
        self.state = TableState.from_events([self._events.popleft()])
        while self._events:
            self._step()
        self._told.clear()

    # --- What the terminal sees ----------------------------------------------------------------------------------------------

    @property
    def mine(self) -> frozenset[int]:
        """The seats of whoever sits at this keyboard."""
        return frozenset(self._view["you"])

    @property
    def state(self) -> State:
        """How the table stands, as far as it was told."""
        state = self.state
        order = state.order or tuple(range(len(state.seats)))
        seats = tuple(self._seat(seat, state.seats[seat]) for seat in order)
        starting = state.starting if not state.order else None
        actor = player_to_act(state.position)
        if starting is not None and starting.seat is not None:
            actor = starting.seat
        elif state.demand.what is PendingKind.LOT:
            actor = min(self.mine, default=0)
        return State(record_of(state), seats, starting, self._demand(), actor, self._place, online=True)

    def _seat(self, seat: int, held: Held) -> Seat:
        return Seat(held.name, held.level or (HUMAN if seat in self.mine else ELSEWHERE))

    def _demand(self) -> Demand:
        state = self.state
        if state.end is not None:
            return Demand.NOTHING if self._told or self._events else Demand.OVER
        if self._told or self._events or not self.mine & set(state.demand.seats):
            return Demand.NOTHING
        match state.demand.what:
            case PendingKind.THROW:
                return Demand.GO if state.corrector in self.mine else Demand.NOTHING
            case PendingKind.DICE:
                return Demand.DICE
            case PendingKind.LOT | PendingKind.DIE:
                return Demand.DIE
            case PendingKind.ACTION:
                return Demand.ACTION
            case _:
                return Demand.NOTHING

    # --- What happens without anybody here -----------------------------------------------------------------------------------

    def next(self) -> Event | None:
        """Waits for it; the seats' own seeds, and a throw that nobody needs to think about, happen by themselves."""
        while True:
            if (event := self._pop()) is not None:
                return event
            if self.state.end is not None:
                return None
            while self._wire.waiting():
                self._hear(self._wire.update())
            if self._told or self._events:
                continue
            if (answer := self._offered() or self._claim()) is not None:
                return self._do(answer)
            if self._demand() is not Demand.NOTHING:
                return None
            if (command := self._duty.command(self._view, lambda _: "")) is not None:
                self._do_quietly(command)
            else:
                self._wait_for_news()

    def _wait_for_news(self) -> None:
        """Until something is told, or somebody who left may be given up. What a table that has not begun waits for is said, unless it
        comes at once."""
        waits = self._waits_for()
        if waits is not None and waits != self._waits:
            if (soon := self._wire.update_within(SOON)) is None:
                self._waits = waits
                self._told.append(waits)
            else:
                self._hear(soon)
            return
        missed = self._view["claim"]
        patience = None if missed is None else missed["at"] - self._view["now"]
        if patience is None or patience <= 0:
            self._hear(self._wire.update())
        elif (update := self._wire.update_within(patience)) is not None:
            self._hear(update)
        else:
            self._view = self._wire.look(self.state.table)

    def _waits_for(self) -> Notice | None:
        if self.state.started or self.state.end is not None:
            return None
        demand, seats = self.state.demand, self.state.seats
        match demand.what:
            case PendingKind.SEATS:
                return Notice("online_waiting" if self.mine else "online_waiting_seats", {"count": len(demand.seats)})
            case PendingKind.COMMITMENTS | PendingKind.SEEDS:
                return Notice("online_waiting_seeds", {"names": ", ".join(seats[seat].name for seat in demand.seats)})
            case _:
                return None

    def wait(self) -> None:
        """Until something is told of the table."""
        self._told.clear()
        self._hear(self._wire.update())
        self._catch_up()

    def _hear(self, update: TableUpdate) -> None:
        if update.trouble:
            self._told.append(Notice(f"online_{update.trouble.replace('-', '_')}", {}))
            return
        before, self._view = self._view, update.view
        for event in update.events:
            told = {name: value for name, value in event.items() if name not in ("number", "time")}
            if event["type"] == "seated":
                told["identity"] = "here" if event["seat"] in update.view["you"] else ""
            self._events.append(Stored(event["number"], event["time"], event_from_json(told)))
        if before:
            self._told.extend(_presence(before, update.view))

    def _pop(self) -> Event | None:
        """The next event that is worth a line."""
        while not self._told and self._events:
            self._step()
        event = self._told.popleft() if self._told else None
        while self.state.end is not None and self._events:
            self._step()
        return event

    def _step(self) -> None:
        """One event more of the state."""
        stored = self._events.popleft()
        before = self.state
        self.state = before.apply(stored)
        if (event := self._event(before, stored.event)) is not None:
            self._told.append(event)

    def _event(self, before: TableState, event: events.Event) -> Event | None:
        """What the terminal calls it."""
        after, names = self.state, [seat.name for seat in self.state.seats]
        match event:
            case events.DieThrown(face=face):
                assert before.starting is not None
                assert before.starting.seat is not None
                assert after.starting is not None
                seats = tuple(self._seat(seat, held) for seat, held in enumerate(after.seats))
                return DieThrown(seats, before.starting.seat, face, after.starting.starter)
            case events.LotCast(face=face):
                return Notice("online_lot", {"face": face, "name": after.seats[after.order[0]].name})
            case events.Thrown(dice=dice):
                throw = None if dice == VOID_THROW else throw_from_text(dice)
                return Thrown(before.position, after.position, throw)
            case events.Acted(action=action):
                return Acted(before.position, after.position, before.position.game.action(action))
            case events.TakenBack(text=text):
                return TakenBack(text)
            case events.Ended(end=end):
                return Ended() if end in ENDS else None
            case events.Seated(seat=seat):
                return Notice("online_seated", {"name": names[seat]})
            case events.StoodUp(seat=seat):
                return Notice("online_stood_up", {"name": before.seats[seat].name})
            case events.LevelSeated(seat=seat, level=level):
                return Notice("online_level_seated", {"name": names[seat], "level": level})
            case events.DrawOffered(seat=seat):
                return Notice("online_draw_offered", {"name": names[seat]})
            case events.DrawAnswered(seat=seat, accept=accept):
                return Notice("online_draw_accepted" if accept else "online_draw_declined", {"name": names[seat]})
            case events.RematchAsked(seat=seat):
                return Notice("online_rematch_asked", {"name": names[seat]})
            case _:
                return None

    # --- What people here do -------------------------------------------------------------------------------------------------

    def send(self, command: Command) -> Event:
        """Does it. Where something has happened meanwhile, that is answered, and nothing was done."""
        match command:
            case Act(action):
                return self._do(commands.Act(str(action)))
            case Go():
                return self._do(commands.Throw())
            case Dice(throw):
                return self._do(commands.EnterDice(VOID_THROW if throw is None else throw_text(throw)))
            case Die(face):
                return self._do(commands.EnterDie(face))
            case TakeBack():
                return self._do(commands.TakeBack())
            case Resign():
                return self._do(commands.Resign())
            case Agree():
                return self._do(commands.OfferDraw())

    def _do(self, command: commands.Command) -> Event:
        """The first thing that comes of it."""
        number = self.state.number
        try:
            number = self._wire.send(command, number)
        except ServerRefusal as error:
            if error.code != "stale-version":
                raise
            self._console.tell("online_meanwhile")
            number += 1
        self._hear_up_to(number)
        while (event := self._pop()) is None:
            self._hear(self._wire.update())
        return event

    def _do_quietly(self, command: commands.Command) -> None:
        """What the table waits for of everybody, such as seeds: what somebody else did first does no harm."""
        try:
            self._hear_up_to(self._wire.send(command, self.state.number))
        except ServerRefusal as error:
            if error.code != "stale-version":
                raise
            self._hear_up_to(self.state.number + 1)

    def _hear_up_to(self, number: int) -> None:
        while (self._events[-1].number if self._events else self.state.number) < number:
            self._hear(self._wire.update())

    def sit(self, name: str) -> None:
        """Takes the first free seat. Raises `ServerRefusal`."""
        self._insist(commands.Sit(name))

    def rematch(self) -> None:
        """Asks for another game. Raises `ServerRefusal`."""
        self._insist(commands.Rematch())

    def _insist(self, command: commands.Command) -> None:
        """Does it, whatever others do meanwhile."""
        while True:
            try:
                self._hear_up_to(self._wire.send(command, self.state.number))
            except ServerRefusal as error:
                if error.code != "stale-version":
                    raise
                self._hear_up_to(self.state.number + 1)
                self._catch_up()
            else:
                self._catch_up()
                return

    def _catch_up(self) -> None:
        while self._events:
            self._step()

    def _offered(self) -> commands.Command | None:
        """The answer to a draw that somebody offers."""
        offer = self.state.offer
        if offer is None or self.mine <= offer.agreed or self.state.end is not None:
            return None
        name = self.state.seats[offer.seat].name
        return commands.AnswerDraw(
            self._console.ask(self._console.messages("ask_draw_offered", name=name)).casefold() in self._known.yes
        )

    def _claim(self) -> commands.Command | None:
        """What becomes of a game whose player has left, asked once for each time."""
        may = {word.partition(" ")[2] for word in self._view["may"] if word.startswith("claim ")}
        missed = self._view["claim"]
        if not may or missed is None or self._asked == self.state.number:
            return None
        self._asked = self.state.number
        choices = {str(number): remedy for number, remedy in enumerate(Remedy, 1) if remedy in may}
        told = ", ".join(f"{number} {self._console.messages(f'claim_{remedy}')}" for number, remedy in choices.items())
        name = self.state.seats[missed["seat"]].name
        chosen = choices.get(self._console.ask(self._console.messages("ask_claim", name=name, choices=told)))
        if chosen is None:
            return None
        return commands.Claim(chosen, "greedy" if chosen is Remedy.COMPUTER else "")


def _presence(before: Mapping[str, Any], after: Mapping[str, Any]) -> list[Event]:
    """Who came and who went."""
    told: list[Event] = []
    for was, now in zip(before["seats"], after["seats"], strict=True):
        if (
            was["name"] == now["name"]
            and (was["away_since"] is None) != (now["away_since"] is None)
            and now["kind"] == "person"
        ):
            key = "online_back" if now["away_since"] is None else "online_away"
            told.append(Notice(key, {"name": now["name"]}))
    return told
