"""The loop of a game: print the news of a session, show the position, and ask the person who has to
act."""

from pathlib import Path
from typing import NoReturn

from dicecup.core.dice import Keep
from dicecup.core.errors import ActionError, DicecupError, TurnCode
from dicecup.core.source import VOID_THROW, Throw, throw_text
from dicecup.players import levels_for
from dicecup.table import commands
from dicecup.terminal import entry, files, owner
from dicecup.terminal.announcements import Announcer
from dicecup.terminal.console import Console, Style
from dicecup.terminal.display import game_title, player_names, show_decision, show_end, show_rules
from dicecup.terminal.entry import Verb, split_verb, words_of
from dicecup.terminal.errors import EndOfInput, StorageError, TerminalCode, TerminalError
from dicecup.terminal.games import action_text, screen_of
from dicecup.terminal.session import Demand, News, Session, Snapshot


class Quit(Exception):  # noqa: N818 no error happened
    """A person quits. The game is saved."""


class GameLoop:
    """The loop of one game."""

    def __init__(self, session: Session, console: Console) -> None:
        self._session = session
        self._console = console
        self._known = words_of(console.messages)
        self._announcer = Announcer(console)
        self._screen = screen_of(session.table.rules)

    def play(self) -> None:
        """Play to the end of the game. Raises `Quit`, `EndOfInput`, `StorageError`."""
        self._greet(self._session.snapshot())
        self._recall(self._session.snapshot())
        while self._session.snapshot().demand is not Demand.OVER:
            news = self._session.next()
            now = self._session.snapshot()
            if news is None and now.demand is not Demand.OVER:
                news = self._ask_person(now)
                now = self._session.snapshot()
            if news is not None:
                self._announcer.announce(news, now)
        self._console.say()
        show_end(self._console, self._session.record())

    def _greet(self, now: Snapshot) -> None:
        """Print the title of the game, the players, the place of the record and the legend."""
        console = self._console
        console.say(game_title(now.table.rules, console.messages), Style.HEAD)
        names = player_names(now.record)
        facts = (
            console.messages("computer", name=name, level=seat.player) if seat.is_computer else name
            for name, seat in zip(names, now.seats, strict=True)
        )
        console.tell("players", names=", ".join(facts))
        if "Match" in now.record.tags:
            console.tell("game_of_match", game=now.record.tags["Match"].rpartition(" ")[2].replace("/", " / "))
        console.tell_path("online_at" if now.online else "saved_in", now.place)
        console.tell("help_hint")
        self._screen.show_legend(console)

    def _recall(self, now: Snapshot) -> None:
        """Print the last turns of a resumed game, and the position unless the next question prints
        it."""
        text = now.record.journal.to_text()
        if text:
            self._console.tell("last_turns")
            self._console.say("\n".join(text.splitlines()[-len(now.seats) :]))
        if text and now.demand is not Demand.ACTION:
            show_decision(self._console, now.record)

    # Asking

    def _ask_person(self, now: Snapshot) -> News | None:
        """Ask until an entry made news, or until news of others have changed what is asked: then
        the result is `None`."""
        if now.demand is not Demand.HELD:
            self._announcer.head(now)
        if now.demand is Demand.ACTION:
            show_decision(self._console, now.record)
        elif now.demand in (Demand.THROW, Demand.DICE):
            self._screen.show_correctable(self._console, now.position)
        while (text := self._entry(now)) is not None:
            try:
                news = self._entered(text, now)
            except (StorageError, EndOfInput):
                raise
            except DicecupError as error:
                self._console.complain(error)
                continue
            if news is not None:
                return news
        return None

    def _entry(self, now: Snapshot) -> str | None:
        """Return an entry. News of others are printed at once; `None` if they have changed what is
        asked."""
        console, asked = self._console, False
        while True:
            console.clear_wake()
            if found := self._session.take_news():
                if asked:
                    console.say()  # the cursor is behind the prompt
                asked = False
                for news in found:
                    self._announcer.announce(news, self._session.snapshot())
            if self._session.question_waits or not self._still_asked(now):
                return None
            text = console.ask_unless_woken("" if asked else self._prompt(now))
            if text is not None:
                return text
            asked = True

    def _still_asked(self, now: Snapshot) -> bool:
        """Return whether the table waits for the same as in this snapshot."""
        latest = self._session.snapshot()
        return (latest.demand, latest.position, latest.actor) == (now.demand, now.position, now.actor)

    def _actor(self, now: Snapshot) -> str:
        return player_names(now.record)[now.actor]

    def _prompt(self, now: Snapshot) -> str:
        """Return the prompt for what the table waits for.

        It names both players if another one writes the result.
        """
        messages, name = self._console.messages, self._actor(now)
        turn = now.position.turn
        if now.demand is Demand.THROW:
            return messages("prompt_go", name=name)
        if now.demand is Demand.HELD:
            assert now.table.last_entry is not None
            return messages("prompt_held", name=name, text=now.table.last_entry.text)
        if now.demand is Demand.DIE:
            return messages("prompt_die", name=name)
        if now.demand is Demand.REPLACEMENT:
            assert now.table.vacancy is not None
            gone = now.table.seats[now.table.vacancy.seat].name
            levels = ", ".join(levels_for(now.table.rules))
            return messages("prompt_replacement" if gone else "prompt_replacement_free", name=gone, levels=levels)
        if now.demand is Demand.DICE:
            assert turn is not None
            key = "prompt_dice" if not turn.dice.count else "prompt_thrown_dice"
            return messages(key, name=name, throw=turn.throws + 1, thrown=5 - turn.dice.count)
        writer = now.order.index(now.table.writer_of_turn(now.position.number))
        if writer == now.actor:
            return messages("prompt", name=name)
        return messages("prompt_writer", name=name, writer=player_names(now.record)[writer])

    def _entered(self, text: str, now: Snapshot) -> News | None:
        """Do what an entry asks for. Return the first news, `None` if the entry only printed
        something."""
        if not text:
            if now.demand in (Demand.THROW, Demand.HELD):
                return self._session.send(commands.Throw())
            self._console.tell("help_hint")
            return None
        verb, rest = split_verb(text, self._known)
        match verb:
            case Verb.HELP:
                self._show_help(now)
            case Verb.RULES:
                show_rules(self._console, now.table.rules)
            case Verb.SHOW:
                self._screen.show(self._console, now.record, rest)
            case Verb.READ:
                self._screen.read(self._console, now.record, rest, self._known)
            case Verb.HISTORY:
                self._console.say(now.record.journal.to_text().rstrip("\n") or self._console.messages("history_none"))
            case Verb.ACTIONS:
                self._list_actions(now)
            case Verb.ODDS:
                self._show_odds(rest, now)
            case Verb.HINT:
                self._show_hints(now)
            case Verb.SAVE:
                self._save(rest, now)
            case Verb.QUIT:
                raise Quit
            case Verb.TAKE_BACK:
                return self._take_back()
            case Verb.RESIGN:
                return self._resign(now)
            case Verb.DRAW:
                return self._offer_draw(now)
            case Verb.FREE_SEAT | Verb.NEW_LINKS | Verb.CLOSE | Verb.OPEN if now.online:
                command = self._session.owner_command(verb, rest)
                return None if command is None else self._session.send(command)
            case Verb.SAY if now.online:
                self._session.talk(rest)
            case _:
                return self._game_entry(verb, rest, text, now)
        return None

    def _game_entry(self, verb: Verb | None, rest: str, text: str, now: Snapshot) -> News | None:
        """Send what the table waits for: dice, a computer's level, or an action of the game."""
        if now.demand is Demand.DIE:
            return self._session.send(commands.EnterDie(entry.face(text)))
        if now.demand is Demand.REPLACEMENT:
            return self._session.send(commands.EndGame() if text == "-" else commands.Replace(text))
        correction = verb is Verb.CORRECT or ">" in text
        if now.demand is Demand.DICE and not correction:
            return self._enter_dice(VOID_THROW if verb is Verb.VOID else text, now)
        if verb is Verb.VOID:
            self._refuse(text)
        return self._act(action_text(verb, rest if verb else text, now.position, self._known), now)

    def _refuse(self, text: str) -> NoReturn:
        raise TerminalError(TerminalCode.NOT_AN_ENTRY, text=text)

    def _enter_dice(self, text: str, now: Snapshot) -> News:
        """Send real dice. If a locked die was knocked over, ask which dice are locked now."""
        throw = entry.throw(text, now.position)
        try:
            return self._session.send(commands.EnterDice(VOID_THROW if throw is None else throw_text(throw)))
        except ActionError as error:
            if throw is None or throw.locked is not None or error.code != TurnCode.KEPT_DIE_LOST:
                raise
        locked = entry.faces(self._console.ask(self._console.messages("prompt_locked", name=self._actor(now))))
        return self._session.send(commands.EnterDice(throw_text(Throw(throw.roll, Keep(locked)))))

    def _act(self, text: str, now: Snapshot) -> News | None:
        """Send an action, after the question that the game asks before it."""
        action = now.table.rules.action(text)
        question = self._screen.question_before(now.position, action, self._console.messages)
        if question is not None and not self._is_yes(question):
            self._console.tell("nothing_done")
            return None
        return self._session.act(str(action))

    def _take_back(self) -> News | None:
        """Take the last entry back. If the computer has thrown since, let it wait from now on."""
        session = self._session
        if not session.holds and session.can_hold():
            session.holds = True
            self._console.tell("undo_holds")
            return None
        return session.send(commands.TakeBack())

    def _is_yes(self, question: str) -> bool:
        return self._console.ask(question).casefold() in self._known.yes

    # Looking

    def _show_help(self, now: Snapshot) -> None:
        """Print what can be typed at this table."""
        self._screen.show_help(self._console)
        if now.real_dice:
            self._console.tell("help_real_dice")
        self._console.tell("help_commands")
        owner.show_help(self._console, self._session.may)
        if "say" in self._session.may:
            self._console.tell("help_talk")

    def _list_actions(self, now: Snapshot) -> None:
        position = now.position
        self._console.say(" ".join(map(str, position.actions)) or self._console.messages("actions_none"))
        if corrections := list(map(str, position.corrections)):
            self._console.tell("corrections", actions="; ".join(corrections))

    def _show_odds(self, rest: str, now: Snapshot) -> None:
        """Print the odds of the turn, with the best dice kept for each aim or with those of the
        entry."""
        kept = entry.keep_text(rest) if rest else None
        if rest and kept is None:
            self._refuse(rest)
        self._screen.show_odds(self._console, now.position, kept)

    def _show_hints(self, now: Snapshot) -> None:
        from dicecup.terminal.hints import show_hints  # loads the engine

        show_hints(self._console, now)

    def _save(self, rest: str, now: Snapshot) -> None:
        """Print where the game is saved, or save a copy."""
        if not rest:
            self._console.tell_path("online_at" if now.online else "saved_in", now.place)
            return
        path = Path(rest).expanduser()
        try:
            files.create(path, now.record)
        except StorageError as error:
            self._console.complain(error)
        else:
            self._console.tell_path("copied_to", path)

    # Ending

    def _resign(self, now: Snapshot) -> News | None:
        """Resign for the seat at this keyboard that acts, after a question."""
        seat = self._own_seat(now)
        name = player_names(now.record)[now.order.index(seat)]
        if not self._is_yes(self._console.messages("ask_resign", name=name)):
            return None
        return self._session.send(commands.Resign(seat=seat))

    def _own_seat(self, now: Snapshot) -> int:
        """Return the seat that resigns or offers a draw. Raises `TerminalError` where nobody would
        win or could agree."""
        seat = now.own_seat
        if now.demand is Demand.DIE or seat is None:
            raise TerminalError(TerminalCode.NOT_AN_ENTRY, text="")
        if len(now.seats) == 1:
            raise TerminalError(TerminalCode.NOBODY_TO_RESIGN_TO)
        return seat

    def _offer_draw(self, now: Snapshot) -> News | None:
        """Offer a draw. At a local table the other players are asked here, and a computer
        declines."""
        seat = self._own_seat(now)
        if not now.online:
            names = player_names(now.record)
            others = [place for place in range(len(now.seats)) if now.order[place] != seat]
            for place in sorted(others, key=lambda place: now.seats[place].is_human):
                question = self._console.messages("ask_draw", name=names[place])
                if not now.seats[place].is_human or not self._is_yes(question):
                    raise TerminalError(TerminalCode.DRAW_DECLINED, name=names[place])
        return self._session.send(commands.OfferDraw(seat=seat))
