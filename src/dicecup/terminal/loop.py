"""The conversation: tells what happens at a table, shows how it stands, and asks whoever is to act."""

from pathlib import Path
from typing import Final, NoReturn

from dicecup import yam_master, yamm
from dicecup.core.dice import Keep
from dicecup.core.errors import ActionError, DicecupError, TurnCode
from dicecup.core.source import Throw
from dicecup.locale import Messages
from dicecup.terminal import board, entry, files, help_texts, sheet
from dicecup.terminal.console import Console, Style
from dicecup.terminal.entry import Verb, Vocabulary, split_verb
from dicecup.terminal.errors import EndOfInput, StorageError, TableCode, TableError
from dicecup.terminal.link import Act, Agree, Demand, Dice, Die, Event, Go, Link, Resign, State, TakeBack
from dicecup.terminal.sheet import cell_name, column_name
from dicecup.terminal.state import game_title, player_names, show_decision, show_end, show_sheets, show_wet_result
from dicecup.terminal.telling import Teller
from dicecup.yamm import Correct, Write

ENGLISH: Final = "en"


class Quit(Exception):  # noqa: N818 somebody leaves; nothing went wrong
    """Somebody leaves; the game is saved."""


class Conversation:
    """One game at one link."""

    def __init__(self, link: Link, console: Console) -> None:
        self._link = link
        self._console = console
        self._known = words_of(console.messages)
        self._teller = Teller(console)

    def play(self) -> None:
        """To the end of the game. Raises `Quit`, `EndOfInput`, `StorageError`."""
        self._greet(self._link.state)
        self._recall(self._link.state)
        while (state := self._link.state).demand is not Demand.OVER:
            event = self._link.next()
            if event is None:
                state = self._link.state
                if state.demand is Demand.OVER:
                    break
                event = self._somebody(state)
            after = self._link.state
            self._teller.tell(event, after, decision_follows=after.demand is Demand.ACTION)
        self._console.say()
        show_end(self._console, state.record)

    def _greet(self, state: State) -> None:
        console = self._console
        console.say(game_title(state.record.game, console.messages), Style.HEAD)
        names = player_names(state.record)
        told = (
            console.messages("computer", name=name, level=seat.player) if seat.is_computer else name
            for name, seat in zip(names, state.seats, strict=True)
        )
        console.tell("players", names=", ".join(told))
        if "Match" in state.record.tags:
            console.tell("game_of_match", game=state.record.tags["Match"].rpartition(" ")[2].replace("/", " / "))
        console.tell_path("online_at" if state.online else "saved_in", state.path)
        console.tell("help_hint")
        if isinstance(state.position, yamm.Position) and not console.short:
            console.tell("sheet_legend")

    def _recall(self, state: State) -> None:
        """Of a game that goes on: its last turns, and how it stands if that is not shown anyway."""
        text = state.record.journal.to_text()
        if text:
            self._console.tell("last_turns")
            self._console.say("\n".join(text.splitlines()[-len(state.seats) :]))
        if text and state.demand is not Demand.ACTION:
            show_decision(self._console, state.record)

    # Asking

    def _somebody(self, state: State) -> Event:
        """Asks until something has happened."""
        self._teller.head(state)
        if state.demand is Demand.ACTION:
            show_decision(self._console, state.record)
        elif isinstance(state.position, yamm.Position) and state.demand is not Demand.DIE:
            show_wet_result(self._console, state.position)
        while True:
            text = self._console.ask(self._prompt(state))
            try:
                event = self._entered(text, state)
            except (StorageError, EndOfInput):
                raise
            except DicecupError as error:
                self._console.complain(error)
                continue
            if event is not None:
                return event

    def _actor(self, state: State) -> str:
        return player_names(state.record)[state.actor]

    def _prompt(self, state: State) -> str:
        messages, name = self._console.messages, self._actor(state)
        position = state.position
        if state.demand is Demand.GO:
            return messages("prompt_go", name=name)
        if state.demand is Demand.DIE:
            return messages("prompt_die", name=name)
        if state.demand is Demand.DICE:
            assert position.turn is not None
            key = "prompt_dice" if not position.turn.dice.count else "prompt_thrown_dice"
            return messages(key, name=name, throw=position.turn.throws + 1, thrown=5 - position.turn.dice.count)
        writer = self._writer(state)
        return messages("prompt", name=name) if writer is None else messages("prompt_writer", name=name, writer=writer)

    def _writer(self, state: State) -> str | None:
        """Who writes for whoever throws, if that is another."""
        from dicecup.terminal.tags import writers_of
        from dicecup.yamm.seats import writer_of_turn

        if not isinstance(state.position, yamm.Position):
            return None
        writer = writer_of_turn(state.position.game.options, state.position.number, writers_of(state.record))
        return None if writer == state.actor else player_names(state.record)[writer]

    def _entered(self, text: str, state: State) -> Event | None:
        """What an entry does; `None` where it only told something."""
        if not text:
            if state.demand is Demand.GO:
                return self._link.send(Go())
            self._console.tell("help_hint")
            return None
        verb, rest = split_verb(text, self._known)
        match verb:
            case Verb.HELP:
                help_texts.show_help(self._console, state)
            case Verb.RULES:
                help_texts.show_rules(self._console, state)
            case Verb.SHOW:
                self._show(rest, state)
            case Verb.READ:
                self._read(rest, state)
            case Verb.HISTORY:
                self._console.say(state.record.journal.to_text().rstrip("\n") or self._console.messages("history_none"))
            case Verb.ACTIONS:
                self._list_actions(state)
            case Verb.ODDS:
                self._show_odds(rest, state)
            case Verb.HINT:
                self._show_hints(state)
            case Verb.SAVE:
                self._save(rest, state)
            case Verb.QUIT:
                raise Quit
            case Verb.TAKE_BACK:
                return self._link.send(TakeBack())
            case Verb.RESIGN:
                return self._resign(state)
            case Verb.DRAW:
                return self._draw(state)
            case _:
                return self._game_entry(verb, rest, text, state)
        return None

    def _game_entry(self, verb: Verb | None, rest: str, text: str, state: State) -> Event | None:
        """Dice where they are due, else an action of the game."""
        if state.demand is Demand.DIE:
            return self._link.send(Die(entry.face(text)))
        correction = verb is Verb.CORRECT or ">" in text
        if state.demand is Demand.DICE and not correction:
            return self._dice("~" if verb is Verb.VOID else text, state)
        if verb is Verb.VOID:
            self._refuse(text)
        return self._act(entry.action_text(verb, rest if verb else text, state.position, self._known), state)

    def _refuse(self, text: str) -> NoReturn:
        raise TableError(TableCode.NOT_AN_ENTRY, text=text)

    def _dice(self, text: str, state: State) -> Event:
        """Real dice. Where dice are locked and one was knocked over, asks which are locked now."""
        throw = entry.throw(text, state.position)
        try:
            return self._link.send(Dice(throw))
        except ActionError as error:
            if throw is None or throw.locked is not None or error.code != TurnCode.KEPT_DIE_LOST:
                raise
        locked = entry.faces(self._console.ask(self._console.messages("prompt_locked", name=self._actor(state))))
        return self._link.send(Dice(Throw(throw.roll, Keep(locked))))

    def _act(self, text: str, state: State) -> Event | None:
        """An action; one that strikes H and T of a column is asked about first."""
        position = state.position
        action = position.game.action(text)
        if isinstance(position, yamm.Position) and isinstance(action, Write | Correct):
            preview = position.preview(action)
            column = column_name(action.cell.partition(".")[0], self._console.messages)
            if preview.strikes_both and not self._sure("ask_strike_both", cell=self._cell(action.cell), column=column):
                self._console.tell("nothing_done")
                return None
        return self._link.send(Act(action))

    def _cell(self, cell: str) -> str:
        return cell_name(cell, self._console.messages)

    def _sure(self, key: str, **values: object) -> bool:
        return self._console.ask(self._console.messages(key, **values)).casefold() in self._known.yes

    # Looking

    def _show(self, rest: str, state: State) -> None:
        """The board, or a sheet: one's own, or that of the player who is named."""
        position = state.position
        if isinstance(position, yam_master.Position):
            board.show_board(self._console, position)
        else:
            show_sheets(self._console, state.record, position, self._sheet(rest, state))

    def _sheet(self, rest: str, state: State) -> int:
        """The sheet of a player, by name or number; without either the one to be written. Raises `TableError` (`not-a-choice`)."""
        position = state.position
        assert isinstance(position, yamm.Position)
        if not rest:
            return position.sheet or 0
        sheets = len(position.sheets)
        for place, name in enumerate(player_names(state.record)):
            if rest.casefold() in (name.casefold(), str(place + 1)):
                return place % sheets
        raise TableError(TableCode.NOT_A_CHOICE, text=rest)

    def _read(self, rest: str, state: State) -> None:
        """The board square by square or one square; a sheet column by column or one column."""
        position, console = state.position, self._console
        if isinstance(position, yam_master.Position):
            place = position.game.board.index.get(rest.casefold())
            if place is None and rest:
                raise TableError(TableCode.NOT_A_CHOICE, text=rest)
            if place is None:
                board.read_board(console, position)
            else:
                console.say(f"{board.square_text(console.messages, position, place)}.")
            return
        column, row = entry.column_text(rest, self._known)
        if column is not None and not row:
            own = position.sheet or 0
            names = {str(name): name for name in position.sheets[own].spec.columns}
            sheet.read_column(console, position, own, names[column])
        else:
            sheet.read_sheet(console, position, self._sheet(rest, state))

    def _list_actions(self, state: State) -> None:
        position = state.position
        listed = list(map(str, position.actions))
        corrections = list(map(str, position.corrections)) if isinstance(position, yamm.Position) else []
        self._console.say(" ".join(listed) or self._console.messages("actions_none"))
        if corrections:
            self._console.tell("corrections", actions="; ".join(corrections))

    def _show_odds(self, rest: str, state: State) -> None:
        """The odds of this turn: with the best dice kept for each aim, or with those that somebody names."""
        from dicecup.terminal.odds import show_odds  # only where odds are asked for

        if not rest:
            show_odds(self._console, state.position, None)
            return
        kept = entry.keep_text(rest)
        if kept is None:
            self._refuse(rest)
        show_odds(self._console, state.position, kept)

    def _show_hints(self, state: State) -> None:
        from dicecup.terminal.hints import show_hints  # it loads the engine

        show_hints(self._console, state)

    def _save(self, rest: str, state: State) -> None:
        """Where the game is saved; or a copy of it as it stands."""
        if not rest:
            self._console.tell_path("online_at" if state.online else "saved_in", state.path)
            return
        path = Path(rest).expanduser()
        try:
            files.create(path, state.record)
        except StorageError as error:
            self._console.complain(error)
        else:
            self._console.tell_path("copied_to", path)

    # Ending

    def _resign(self, state: State) -> Event | None:
        if state.demand is Demand.DIE:
            raise TableError(TableCode.NOT_AN_ENTRY, text="")
        if len(state.seats) == 1:
            raise TableError(TableCode.NOBODY_TO_RESIGN_TO)
        return self._link.send(Resign()) if self._sure("ask_resign", name=self._actor(state)) else None

    def _draw(self, state: State) -> Event | None:
        """All others must agree, one by one; a computer never does. At a table on a server they are asked there."""
        if state.demand is Demand.DIE:
            raise TableError(TableCode.NOT_AN_ENTRY, text="")
        if len(state.seats) == 1:
            raise TableError(TableCode.NOBODY_TO_RESIGN_TO)
        if state.online:
            return self._link.send(Agree())
        others = [place for place in range(len(state.seats)) if place != state.actor]
        names = player_names(state.record)
        for place in sorted(others, key=lambda place: state.seats[place].is_human):
            if not state.seats[place].is_human or not self._sure("ask_draw", name=names[place]):
                raise TableError(TableCode.DRAW_DECLINED, name=names[place])
        return self._link.send(Agree())


def words_of(messages: Messages) -> Vocabulary:
    """The words that are understood: English ones, and before them those of the person's language."""
    return entry.vocabulary(Messages(ENGLISH), messages)
