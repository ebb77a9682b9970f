"""The session of a table on a server. It applies the same events to the same state as the server
does."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from time import monotonic
from typing import Any, Final

from dicecup.client import ClientError, SeatAgent, ServerRefusal, TableUpdate
from dicecup.core.errors import DicecupError
from dicecup.record import Record
from dicecup.table import commands, events
from dicecup.table.commands import Remedy
from dicecup.table.events import Stored, event_from_json
from dicecup.table.pending import PendingKind
from dicecup.table.state import TableState
from dicecup.table.table_record import record_of
from dicecup.table.talk import Reacted, Said, TextsAllowed, Wrote
from dicecup.terminal import owner, talk
from dicecup.terminal.connection import Connection
from dicecup.terminal.console import Console
from dicecup.terminal.entry import Verb, split_verb, words_of
from dicecup.terminal.errors import EndOfInput, TerminalCode, TerminalError
from dicecup.terminal.loop import Quit
from dicecup.terminal.session import Demand, News, Notice, Session

SOON: Final = 1.0
"""Seconds. A wait that ends within them is not announced."""
WARNING: Final = 180.0
"""Seconds before others may claim against a slow player at which all are told."""


class OnlineSession(Session):
    """A session at a table on a server. `link` is the text of the link to the table."""

    def __init__(self, connection: Connection, console: Console, link: str) -> None:
        self._connection = connection
        self._console = console
        self._known = words_of(console.messages)
        self._agent = SeatAgent()
        self._view: Mapping[str, Any] = {}
        self._asked = 0
        """The number of the event after which a claim was asked for. Talk does not count."""
        self._announced: Notice | None = None
        self._hinted = False
        """Whether the owner knows what can be typed before the game."""
        self._received = 0.0
        """When the view came, by `monotonic`."""
        self._warned: float | None = None
        """The time of the claim that was announced."""
        update = connection.update()
        created, *following = _stored(update)
        super().__init__(TableState.from_events([created]), link, online=True)
        self._show(update.view)
        self._events.extend(following)
        self._catch_up()
        self._news.clear()
        if self.table.links:
            self._find_link()

    @property
    def mine(self) -> frozenset[int]:
        """Return the seats of the person at this keyboard."""
        return frozenset(self._view["you"])

    def next_table(self) -> str | None:
        """Return the id of the table of the next game, once it is known."""
        return self.table.next

    def record(self) -> Record:
        """Return the record of the printed events."""
        return record_of(self.table)

    # --- News -------------------------------------------------------------------------------------

    def next(self) -> News | None:
        """Wait for news and return it, `None` where the table waits for the person here or the game
        is over.

        Seeds are exchanged and throws that need no thought are made meanwhile. An offered draw and
        a claim are asked about.
        """
        while True:
            if (news := self._pop()) is not None:
                return news
            if self.table.end is not None:
                return None
            self._receive_waiting()
            if self._news or self._events:
                continue
            if (answer := self._answer_to_offer() or self._claim()) is not None:
                return self.send(answer)
            if self._demand() is not Demand.NOTHING:
                return None
            if (command := self._agent.command(self._view, lambda _: "")) is not None:
                self._send_unless_stale(command)
            elif self._owner_waits():
                if (news := self._owner_entry()) is not None:
                    return news
            else:
                self._wait()

    def take_news(self) -> list[News]:
        """Return the news that have come while a person is at the prompt."""
        self._receive_waiting()
        self._warn_of_claim()
        found = []
        while (news := self._pop()) is not None:
            found.append(news)
        return found

    @property
    def question_waits(self) -> bool:
        """Return whether an offered draw or a claim is to be answered here."""
        return self._is_offered() or bool(self._remedies())

    def _receive_waiting(self) -> None:
        while self._connection.waiting():
            self._receive(self._connection.update())

    def _wait(self) -> None:
        """Wait for an update, or until a claim is allowed. Announce what a table waits for that has
        not begun."""
        waits = self._waits_for()
        if waits is not None and waits != self._announced:
            if (soon := self._connection.update_within(SOON)) is None:
                self._announced = waits
                self._news.append(waits)
                if not self._hinted and "set-admission" in self.may:
                    self._hinted = True
                    self._news.append(Notice("online_owner", {}))
            else:
                self._receive(soon)
            return
        self._warn_of_claim()
        if self._news:
            return
        patience = self._patience()
        if patience is None or self._view["now"] >= self._view["claim"]["at"]:
            self._receive(self._connection.update())
        elif (update := self._connection.update_within(max(0.0, self._until_warning(patience)))) is not None:
            self._receive(update)
        elif patience <= WARNING:
            self._show(self._connection.look(self.table.table))

    def _patience(self) -> float | None:
        """Return the seconds until others may claim, `None` if the table waits for nobody."""
        claim = self._view["claim"]
        return None if claim is None else claim["at"] - self._view["now"] - (monotonic() - self._received)

    def _until_warning(self, patience: float) -> float:
        """Return the seconds until a slow player is warned, or else until others may claim."""
        warns = self._view["claim"].get("reason") == "slow" and patience > WARNING
        return patience - WARNING if warns else patience

    def _warn_of_claim(self) -> None:
        """Announce, once for a turn, that others may soon claim against a slow player."""
        claim, patience = self._view["claim"], self._patience()
        if patience is None or claim.get("reason") != "slow" or not 0 < patience <= WARNING or self._warned == claim["at"]:
            return
        self._warned = claim["at"]
        mine = claim["seat"] in self.mine
        name, minutes = self.table.seats[claim["seat"]].name, max(1, round(patience / 60))
        self._news.append(Notice("online_slow_you" if mine else "online_slow", {"name": name, "minutes": minutes}))

    def _waits_for(self) -> Notice | None:
        """Return the notice of what a table waits for that has not begun."""
        if self.table.started or self.table.end is not None:
            return None
        pending, seats = self.table.pending, self.table.seats
        match pending.kind:
            case PendingKind.SEATS:
                return Notice("online_waiting" if self.mine else "online_waiting_seats", {"count": len(pending.seats)})
            case PendingKind.COMMITMENTS | PendingKind.SEEDS:
                return Notice("online_waiting_seeds", {"names": ", ".join(seats[seat].name for seat in pending.seats)})
            case _:
                return None

    def _owner_waits(self) -> bool:
        """Return whether the owner of a table that has not begun knows what it waits for."""
        waits = self._waits_for()
        return waits is not None and waits == self._announced and "set-admission" in self.may

    def _owner_entry(self) -> News | None:
        """Wait for an update, or for an entry of the owner before the game. Return the first news
        of the entry, `None` if there are none. Raises `Quit` and `EndOfInput`."""
        self._console.clear_wake()
        if self._connection.waiting():
            return None
        text = self._console.ask_unless_woken("")
        if not text:
            return None
        verb, rest = split_verb(text, self._known)
        try:
            match verb:
                case Verb.QUIT:
                    raise Quit
                case Verb.HELP:
                    owner.show_help(self._console, self.may)
                    if "say" in self.may:
                        self._console.tell("help_talk")
                    self._console.tell("help_before_game")
                case Verb.SAY:
                    self.talk(rest)
                case Verb.FREE_SEAT | Verb.NEW_LINKS | Verb.CLOSE | Verb.OPEN:
                    command = self.owner_command(verb, rest)
                    return None if command is None else self.send(command)
                case _:
                    raise TerminalError(TerminalCode.NOT_AN_ENTRY, text=text)
        except EndOfInput:
            raise
        except DicecupError as error:
            self._console.complain(error)
        return None

    def wait(self) -> list[News]:
        """Wait for an update and return its news."""
        self._receive(self._connection.update())
        return self.take_news()

    def _receive(self, update: TableUpdate) -> None:
        """Queue the events of an update, and notices of people who went offline or came back."""
        if update.trouble:
            self._news.append(Notice(f"online_{update.trouble.replace('-', '_')}", {}))
            return
        before = self._view
        self._show(update.view)
        self._events.extend(_stored(update))
        self._news.extend(_presence(before, update.view))

    def _show(self, view: Mapping[str, Any]) -> None:
        """Adopt a view. The person here is woken in time for the warning about a slow turn."""
        self._view, self._received = view, monotonic()
        patience = self._patience()
        if patience is not None and view["claim"].get("reason") == "slow" and view["claim"]["seat"] in view["you"]:
            self._connection.wake_after(max(0.0, patience - WARNING))

    def _catch_up(self) -> None:
        while self._events:
            self._apply_next()

    def _apply_next(self) -> None:
        """Apply the oldest waiting event. The people at the table see its new links."""
        links = self.table.links
        super()._apply_next()
        if self.table.links != links and self._find_link():
            self._news.append(Notice("online_link", {"path": self.place}))

    def _find_link(self) -> bool:
        """Fetch the newest link to join and return whether the server gave it: people who watch and
        people whose seat was freed have none."""
        if not self.mine:
            return False
        with suppress(ServerRefusal, ClientError):
            self.place = self._connection.link_to_join(self.table.table)
            return True
        return False

    def _news_of(self, before: TableState, event: events.Event) -> News | None:
        """Return the news of an event, `None` for an event that is not printed.

        More events are news here than at a local table.
        """
        names = [seat.name for seat in self.table.seats]
        match event:
            case events.LotCast(face=face):
                return Notice("online_lot", {"face": face, "name": names[self.table.order[0]]})
            case events.Seated(seat=seat):
                return Notice("online_seated", {"name": names[seat]})
            case events.StoodUp(seat=seat):
                return Notice("online_stood_up", {"name": before.seats[seat].name})
            case events.SeatFreed(seat=seat):
                return Notice("online_seat_freed", {"name": before.seats[seat].name})
            case events.LinksRotated():
                return Notice("online_links_rotated", {})
            case events.AdmissionSet(admits=admits):
                return Notice("online_opened" if admits else "online_closed", {})
            case events.DrawOffered(seat=seat):
                return Notice("online_draw_offered", {"name": names[seat]})
            case events.DrawAnswered(seat=seat, accept=accept):
                return Notice("online_draw_accepted" if accept else "online_draw_declined", {"name": names[seat]})
            case events.RematchAsked(seat=seat):
                return Notice("online_rematch_asked", {"name": names[seat]})
            case events.ClockHeld(seconds=seconds):
                return Notice("online_clock_held", {"seconds": round(seconds)})
            case Said() | Reacted() | Wrote() | TextsAllowed():
                return talk.notice(event, self.table, self._console.messages)
            case _:
                return super()._news_of(before, event)

    # --- Commands ---------------------------------------------------------------------------------

    @property
    def may(self) -> Sequence[str]:
        """Return the commands that the view allows."""
        found: Sequence[str] = self._view["may"]
        return found

    def owner_command(self, verb: Verb, rest: str) -> commands.Command | None:
        """Return the command for what the owner of the table typed. Freeing a seat needs a yes.

        Raises as `owner.command`.
        """
        if verb is Verb.FREE_SEAT:  # time allows it, and no update says so
            self._show(self._connection.look(self.table.table))
        command = owner.command(verb, rest, self._view)
        if isinstance(command, commands.FreeSeat):
            question = self._console.messages("ask_free_seat", name=self.table.seats[command.taken].name)
            if self._console.ask(question).casefold() not in self._known.yes:
                self._console.tell("nothing_done")
                return None
        return command

    def talk(self, text: str) -> None:
        """Say something to the others, or without a text print what can be said. The line is
        printed with the next news. Raises `DicecupError`."""
        if not text:
            self._console.say(talk.choices(self._view, self._console.messages))
        else:
            self._receive_up_to(self._connection.send(talk.command(text, self._view), self.table.number))

    def send(self, command: commands.Command) -> News:
        """Send a command and return the first news that follows.

        If events came in between, the server refuses the command as stale. Then their news is
        returned.
        """
        number = self.table.number
        try:
            number = self._connection.send(command, number)
        except ServerRefusal as error:
            if error.code != "stale-version":
                raise
            self._console.tell("online_meanwhile")
            number += 1
        self._receive_up_to(number)
        while (news := self._pop()) is None:
            self._receive(self._connection.update())
        return news

    def _send_unless_stale(self, command: commands.Command) -> None:
        """Send a command that nobody typed, such as a seed. If it is stale, receive the events that
        came in between."""
        try:
            self._receive_up_to(self._connection.send(command, self.table.number))
        except ServerRefusal as error:
            if error.code != "stale-version":
                raise
            self._receive_up_to(self.table.number + 1)

    def _receive_up_to(self, number: int) -> None:
        while (self._events[-1].number if self._events else self.table.number) < number:
            self._receive(self._connection.update())

    def sit(self, name: str) -> None:
        """Take the first free seat. Raises `ServerRefusal`."""
        self._send_until_done(commands.Sit(name))

    def ask_for_rematch(self) -> None:
        """Ask for another game. Raises `ServerRefusal`."""
        self._send_until_done(commands.Rematch())

    def _send_until_done(self, command: commands.Command) -> None:
        """Send a command again as long as events of other people make it stale."""
        done = False
        while not done:
            try:
                self._receive_up_to(self._connection.send(command, self.table.number))
                done = True
            except ServerRefusal as error:
                if error.code != "stale-version":
                    raise
                self._receive_up_to(self.table.number + 1)
            self._catch_up()

    # --- Questions --------------------------------------------------------------------------------

    def _is_offered(self) -> bool:
        offer = self.table.offer
        return offer is not None and not self.mine <= offer.agreed and self.table.end is None

    def _answer_to_offer(self) -> commands.Command | None:
        """Ask about an offered draw and return the answer."""
        offer = self.table.offer
        if offer is None or not self._is_offered():
            return None
        question = self._console.messages("ask_draw_offered", name=self.table.seats[offer.seat].name)
        return commands.AnswerDraw(self._console.ask(question).casefold() in self._known.yes)

    def _remedies(self) -> list[Remedy]:
        """Return what can be claimed against a person who is offline or slow. Nobody is asked about
        it twice."""
        allowed = {word.partition(" ")[2] for word in self._view["may"] if word.startswith("claim ")}
        if self._view["claim"] is None or self._asked == self.table.commanded:
            return []
        return [remedy for remedy in Remedy if remedy in allowed]

    def _claim(self) -> commands.Command | None:
        """Ask, once after each event, what to claim against a person who is offline or slow."""
        remedies = self._remedies()
        if not remedies:
            return None
        self._asked = self.table.commanded
        choices = {str(number): remedy for number, remedy in enumerate(Remedy, 1) if remedy in remedies}
        listed = ", ".join(f"{number} {self._console.messages(f'claim_{remedy}')}" for number, remedy in choices.items())
        seat = self._view["claim"]["seat"]
        frees = str(len(Remedy) + 1) if seat in owner.freeable(self.may) else None
        if frees is not None:
            listed += f", {frees} {self._console.messages('claim_free_seat')}"
        name = self.table.seats[seat].name
        question = "ask_claim_slow" if self._view["claim"].get("reason") == "slow" else "ask_claim"
        answer = self._console.ask(self._console.messages(question, name=name, choices=listed))
        if answer == frees:
            return commands.FreeSeat(seat)
        chosen = choices.get(answer)
        if chosen is None:
            return None
        return commands.Claim(chosen, "greedy" if chosen is Remedy.COMPUTER else "")


def _stored(update: TableUpdate) -> list[Stored]:
    """Return the events of an update. The identities of people are unknown here, so they are made
    up."""
    found = []
    for event in update.events:
        data = {name: value for name, value in event.items() if name not in ("number", "time")}
        if event["type"] == "seated":
            data["identity"] = "here" if event["seat"] in update.view["you"] else ""
        found.append(Stored(event["number"], event["time"], event_from_json(data)))
    return found


def _presence(before: Mapping[str, Any], after: Mapping[str, Any]) -> list[News]:
    """Return a notice for each person who went offline or came back."""
    found: list[News] = []
    for was, now in zip(before["seats"], after["seats"], strict=True):
        changed = (was["away_since"] is None) != (now["away_since"] is None)
        if was["name"] == now["name"] and changed and now["kind"] == "person":
            found.append(Notice("online_back" if now["away_since"] is None else "online_away", {"name": now["name"]}))
    return found
