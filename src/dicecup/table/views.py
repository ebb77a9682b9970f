"""A table as somebody may see it, as JSON: all that a client needs to show it and to offer what may be done.

Nobody sees an identity, a secret that is one, or dice to come, and a seat's seed only once it was revealed. Times are seconds
since 1970, lengths are seconds. Parts are shared between views: to be read only.
"""

from collections.abc import Collection, Mapping
from typing import Final

from dicecup import yam_master, yamm
from dicecup.table.consequences import seeds_due_at
from dicecup.table.effects import corrections, effects
from dicecup.table.endings import standing_after
from dicecup.table.game_views import View, board_view, sheets_view, turn_view
from dicecup.table.leaving import claimable_at, remedies
from dicecup.table.pending import PendingKind
from dicecup.table.playing import entry_to_take_back
from dicecup.table.state import TableState
from dicecup.yamm import Result, Sheet, Write
from dicecup.yamm.seats import sheet_of_turn


def view(state: TableState, seats: Collection[int], now: float, away: Mapping[int, float]) -> View:
    """The table for whoever holds these seats; for somebody who watches: none. `away`: of each seat whose person is not there,
    since when."""
    return Views(state, now, away).whole(seats)


class Views:
    """`view` for many: what everybody sees is made once. `before`: the state that they have seen, if any; where others sit now, what
    they have seen is no measure."""

    def __init__(self, state: TableState, now: float, away: Mapping[int, float], before: TableState | None = None) -> None:
        self._story, self._now, self._away = state, now, away
        self._before = before if before is not None and before.seats == state.seats else None
        self._shared = shared_view(state, now, away)
        lies_as_before = self._before is not None and _what_lies(self._before) == _what_lies(state)
        self._laid = None if lies_as_before else laid_view(state)

    def whole(self, seats: Collection[int]) -> View:
        """All that whoever holds these seats sees."""
        laid = laid_view(self._story) if self._laid is None else self._laid
        history, moves = list(self._story.journal.lines), _corrections(self._story, seats)
        return self._always(seats) | laid | {"corrections": moves, "history": history}

    def changed(self, seats: Collection[int]) -> View:
        """The same without the board or the sheets, the corrections, the history, each where it is as it was before."""
        if self._before is None:
            return self.whole(seats)
        seen = self._always(seats)
        if self._laid is not None:
            seen |= self._laid
        if _movable(self._before, seats) != _movable(self._story, seats):
            seen["corrections"] = _corrections(self._story, seats)
        if self._before.journal.lines != self._story.journal.lines:
            seen["history"] = list(self._story.journal.lines)
        return seen

    def _always(self, seats: Collection[int]) -> View:
        return self._shared | own_view(self._story, seats, self._now, self._away)


def _what_lies(state: TableState) -> tuple[object, ...]:
    """All that `laid_view` depends on; a law of tests/table/test_laws.py holds it to that."""
    position = state.position
    if isinstance(position, yam_master.Position):
        return position.x, position.o, position.supplies
    return position.sheets, position.wet, position.number, state.order


def laid_view(state: TableState) -> View:
    """The board or the sheets."""
    position = state.position
    if isinstance(position, yam_master.Position):
        return {"board": board_view(position)}
    return {"sheets": sheets_view(position, state.order or range(len(state.seats)))}


def shared_view(state: TableState, now: float, away: Mapping[int, float]) -> View:
    """What everybody sees, but for what lies on the table."""
    position = state.position
    running = state.end is None and bool(state.order)
    names = state.setup.names
    return {
        "table": state.table,
        "number": state.number,
        "now": now,
        "game": state.rules.id,
        "dice_of": state.setup.dice.value,
        "seats": [_seat(state, seat, name, now, away) for seat, name in enumerate(names)],
        "order": list(state.order),
        "demand": _demand(state),
        "turn": turn_view(position, state.order, _writing(state)) if running else None,
        "position": str(position),
        "starting": _starting(state),
        "clock": _clock(state),
        "draw": state.offer and {"seat": state.offer.seat, "agreed": sorted(state.offer.agreed)},
        "claim": _claim(state, away),
        "match": _match(state),
        "fairness": _fairness(state),
        "result": state.end and {"end": state.end.end, "result": state.end.result, "winners": list(state.end.winners)},
        "next": state.next,
        "running": list(state.journal.words),
    }


def own_view(state: TableState, seats: Collection[int], now: float, away: Mapping[int, float]) -> View:
    """What whoever holds these seats sees besides: which they are, and what they may do."""
    return {
        "you": sorted(seats),
        "actions": _actions(state, seats),
        "may": may(state, seats, now, away),
    }


def _writing(state: TableState) -> int | None:
    """The seat that ends the turn that runs."""
    running = state.end is None and bool(state.order) and state.position.turn is not None
    return state.writer_of_turn(state.position.number) if running else None


def _seat(state: TableState, seat: int, called: str, now: float, away: Mapping[int, float]) -> View:
    """Who sits here. `called`: the name in the record that the game goes on from; `place` and `side` in the order of play."""
    held = state.seats[seat]
    place = state.player_of(seat) if state.order else None
    return {
        "seat": seat,
        "name": held.name,
        "kind": "person" if held.is_human else "computer" if held.level else "free",
        "level": held.level,
        "called": called,
        "place": place,
        "side": None if place is None else state.rules.side_of_player(place),
        "away_since": away.get(seat) if held.is_human else None,
        "time_left": state.clocks.remaining(seat, now),
        "wants_rematch": seat in state.rematch,
    }


def _demand(state: TableState) -> View:
    wanted = state.pending
    waiting = state.end is None and wanted.clock is not None
    return {
        "what": wanted.kind.value,
        "seats": list(wanted.seats),
        "clock": wanted.clock,
        "since": state.clocks.since if waiting else None,
        "deadline": state.clocks.deadline if waiting else seeds_due_at(state),
    }


# --- What may be done --------------------------------------------------------------------------------------------------------


def _actions(state: TableState, seats: Collection[int]) -> list[View]:
    """The legal actions of these seats with their effects: the thrower's keeps, the writer's cells."""
    if state.pending.kind is not PendingKind.ACTION or not set(seats) & set(state.pending.seats):
        return []
    thrower, writing = state.seat_of_turn(state.position.number), _writing(state)
    return [
        {"action": str(action), "effect": done}
        for action, done in effects(state.position)
        if (writing if isinstance(action, Write) else thrower) in seats
    ]


def _corrections(state: TableState, seats: Collection[int]) -> list[View]:
    """The results that these seats may move now, and where to, with what that would do: by turn, then by cell."""
    return [told for sheet, wet, turn in _movable(state, seats) for told in corrections(sheet, wet, turn)]


def _movable(state: TableState, seats: Collection[int]) -> list[tuple[Sheet, Result, int]]:
    """Those results, each with the sheet as it was before and its turn. Sheets with wet ink had their last turns within the last round."""
    position = state.position
    if not seats or state.end is not None or not state.order or not isinstance(position, yamm.Position):
        return []
    found = []
    for turn in range(max(1, position.number - len(position.sheets)), position.number):
        place = sheet_of_turn(position.game.options, turn)
        wet = position.wet[place]
        if wet is not None and state.writer_of_turn(turn) in seats:
            found.append((position.sheets[place], wet, turn))
    return found


def may(state: TableState, seats: Collection[int], now: float, away: Mapping[int, float]) -> list[str]:
    """The types of the commands that these seats may send now; a claim with what may be claimed: `claim win`."""
    if not seats:
        return []
    if state.end is not None:
        return ["rematch"] if state.next is None and not set(seats) <= state.rematch else []
    told = _before_the_start(state, seats) if not state.started else _in_the_game(state, seats, now)
    return [*told, *_claims(state, seats, now, away)]


def _before_the_start(state: TableState, seats: Collection[int]) -> list[str]:
    told = []
    if not state.is_full:
        told += ["sit", "stand-up", "seat-computer"]
    held = [state.seats[seat] for seat in seats]
    if not state.real_dice and any(seat.hash is None and seat.seed is None for seat in held):
        told.append("commit-seed")
    if state.pending.kind is PendingKind.SEEDS and set(seats) & set(state.pending.seats):
        told.append("reveal-seed")
    return told


_COMMANDS: Final = {
    PendingKind.THROW: "throw",
    PendingKind.DICE: "enter-dice",
    PendingKind.DIE: "enter-die",
    PendingKind.LOT: "enter-die",
    PendingKind.ACTION: "act",
}


def _in_the_game(state: TableState, seats: Collection[int], now: float) -> list[str]:
    told = []
    what, asked, _ = state.pending
    if what in _COMMANDS and set(asked) & set(seats):
        told.append(_COMMANDS[what])
    if entry_to_take_back(state, seats, now) is not None:
        told.append("take-back")
    told.append("resign")
    if not state.order:
        return told
    if state.offer is not None:
        told += ["answer-draw"] if set(seats) - state.offer.agreed else []
    elif len({state.side_of(person) for person in state.people}) > 1:
        told += ["offer-draw"] if any(_may_offer(state, seat) for seat in seats) else []
    return told


def _may_offer(state: TableState, seat: int) -> bool:
    last = state.offered[seat]
    return not last or state.position.number >= last + len(state.seats)


def _claims(state: TableState, seats: Collection[int], now: float, away: Mapping[int, float]) -> list[str]:
    found = claimable_at(state, away)
    if found is None or now < found[1] or found[0] in seats:
        return []
    return [f"claim {what}" for what in remedies(state, seats, found[0])]


# --- Around the game ---------------------------------------------------------------------------------------------------------


def _starting(state: TableState) -> View | None:
    """Who begins: the lot, or the starting roll with who throws next."""
    if state.lot is not None:
        return {"lot": state.lot, "rounds": [], "seat": None}
    roll = state.starting
    if roll is None or len(state.seats) == 1:
        return None
    return {"lot": None, "rounds": [list(faces) for faces in roll.rounds], "seat": None if state.order else roll.seat}


def _clock(state: TableState) -> View | None:
    clock = state.setup.clock
    return None if clock is None else {"kind": clock.kind.value, "seconds": clock.seconds, "increment": clock.increment}


def _claim(state: TableState, away: Mapping[int, float]) -> View | None:
    """Who is missed, and from when on the others may claim."""
    found = claimable_at(state, away)
    return found and {"seat": found[0], "at": found[1]}


def _match(state: TableState) -> View | None:
    """Which game of the match, and what it brought each side so far, in seating order."""
    if state.setup.games == 1:
        return None
    so_far = state.setup.so_far
    return {
        "match": state.table if so_far is None else so_far.match,
        "game": 1 if so_far is None else so_far.number,
        "games": state.setup.games,
        "standing": list(standing_after(state)),
    }


def _fairness(state: TableState) -> View | None:
    """What is needed to check the dice; the secret once it is published."""
    if state.real_dice:
        return None
    return {
        "commitment": state.commitment.hash,
        "earlier": [held.hash for held in state.earlier],
        "seats": [{"hash": seat.hash, "seed": seat.seed} for seat in state.seats],
        "throws": state.counter,
        "secret": state.secret,
    }
