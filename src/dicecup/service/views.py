"""A table as somebody may see it, as JSON: all that a client needs to show it and to offer what may be done.

Nobody sees an identity, a secret that is one, or dice to come, and a seat's seed only once it was revealed. Times are seconds
since 1970, lengths are seconds. Parts are shared between views: to be read only.
"""

from collections.abc import Collection, Mapping
from typing import Final

from dicecup import yam_master, yamm
from dicecup.service.demand import Wanted, writer_of
from dicecup.service.effects import corrections, effects
from dicecup.service.endings import standing_after
from dicecup.service.game_views import View, board_view, sheets_view, turn_view
from dicecup.service.parting import claimable_at, remedies
from dicecup.service.playing import entry_to_take_back
from dicecup.service.settle import seeds_due_at
from dicecup.service.story import Story
from dicecup.yamm import Result, Sheet, Write
from dicecup.yamm.seats import sheet_of_turn


def view(story: Story, seats: Collection[int], now: float, away: Mapping[int, float]) -> View:
    """The table for whoever holds these seats; for somebody who watches: none. `away`: of each seat whose person is not there,
    since when."""
    return Views(story, now, away).whole(seats)


class Views:
    """`view` for many: what everybody sees is made once. `before`: the story that they have seen, if any; where others sit now, what
    they have seen is no measure."""

    def __init__(self, story: Story, now: float, away: Mapping[int, float], before: Story | None = None) -> None:
        self._story, self._now, self._away = story, now, away
        self._before = before if before is not None and before.seats == story.seats else None
        self._shared = shared_view(story, now, away)
        lies_as_before = self._before is not None and _what_lies(self._before) == _what_lies(story)
        self._laid = None if lies_as_before else laid_view(story)

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


def _what_lies(story: Story) -> tuple[object, ...]:
    """All that `laid_view` depends on; a law of tests/service/test_laws.py holds it to that."""
    position = story.position
    if isinstance(position, yam_master.Position):
        return position.x, position.o, position.supplies
    return position.sheets, position.wet, position.number, story.order


def laid_view(story: Story) -> View:
    """The board or the sheets."""
    position = story.position
    if isinstance(position, yam_master.Position):
        return {"board": board_view(position)}
    return {"sheets": sheets_view(position, story.order or range(len(story.seats)))}


def shared_view(story: Story, now: float, away: Mapping[int, float]) -> View:
    """What everybody sees, but for what lies on the table."""
    position = story.position
    running = story.end is None and bool(story.order)
    names = story.setup.names
    return {
        "table": story.table,
        "number": story.number,
        "now": now,
        "game": story.rules.id,
        "dice_of": story.setup.dice.value,
        "seats": [_seat(story, seat, name, now, away) for seat, name in enumerate(names)],
        "order": list(story.order),
        "demand": _demand(story),
        "turn": turn_view(position, story.order, _writing(story)) if running else None,
        "position": str(position),
        "starting": _starting(story),
        "clock": _clock(story),
        "draw": story.offer and {"seat": story.offer.seat, "agreed": sorted(story.offer.agreed)},
        "claim": _claim(story, away),
        "match": _match(story),
        "fairness": _fairness(story),
        "result": story.end and {"end": story.end.end, "result": story.end.result, "winners": list(story.end.winners)},
        "next": story.next,
        "running": list(story.journal.words),
    }


def own_view(story: Story, seats: Collection[int], now: float, away: Mapping[int, float]) -> View:
    """What whoever holds these seats sees besides: which they are, and what they may do."""
    return {
        "you": sorted(seats),
        "actions": _actions(story, seats),
        "may": may(story, seats, now, away),
    }


def _writing(story: Story) -> int | None:
    """The seat that ends the turn that runs."""
    running = story.end is None and bool(story.order) and story.position.turn is not None
    return writer_of(story, story.position.number) if running else None


def _seat(story: Story, seat: int, called: str, now: float, away: Mapping[int, float]) -> View:
    """Who sits here. `called`: the name in the record that the game goes on from; `place` and `side` in the order of play."""
    held = story.seats[seat]
    place = story.place_of(seat) if story.order else None
    return {
        "seat": seat,
        "name": held.name,
        "kind": "person" if held.is_human else "computer" if held.level else "free",
        "level": held.level,
        "called": called,
        "place": place,
        "side": None if place is None else place % story.sides,
        "away_since": away.get(seat) if held.is_human else None,
        "time_left": story.clocks.remaining(seat, now),
        "wants_rematch": seat in story.rematch,
    }


def _demand(story: Story) -> View:
    wanted = story.demand
    waiting = story.end is None and wanted.clock is not None
    return {
        "what": wanted.what.value,
        "seats": list(wanted.seats),
        "clock": wanted.clock,
        "since": story.clocks.since if waiting else None,
        "deadline": story.clocks.deadline if waiting else seeds_due_at(story),
    }


# --- What may be done --------------------------------------------------------------------------------------------------------


def _actions(story: Story, seats: Collection[int]) -> list[View]:
    """The legal actions of these seats with their effects: the thrower's keeps, the writer's cells."""
    if story.demand.what is not Wanted.ACTION or not set(seats) & set(story.demand.seats):
        return []
    thrower, writing = story.order[(story.position.number - 1) % len(story.order)], _writing(story)
    return [
        {"action": str(action), "effect": done}
        for action, done in effects(story.position)
        if (writing if isinstance(action, Write) else thrower) in seats
    ]


def _corrections(story: Story, seats: Collection[int]) -> list[View]:
    """The results that these seats may move now, and where to, with what that would do: by turn, then by cell."""
    return [told for sheet, wet, turn in _movable(story, seats) for told in corrections(sheet, wet, turn)]


def _movable(story: Story, seats: Collection[int]) -> list[tuple[Sheet, Result, int]]:
    """Those results, each with the sheet as it was before and its turn. Sheets with wet ink had their last turns within the last round."""
    position = story.position
    if not seats or story.end is not None or not story.order or not isinstance(position, yamm.Position):
        return []
    found = []
    for turn in range(max(1, position.number - len(position.sheets)), position.number):
        place = sheet_of_turn(position.game.options, turn)
        wet = position.wet[place]
        if wet is not None and writer_of(story, turn) in seats:
            found.append((position.sheets[place], wet, turn))
    return found


def may(story: Story, seats: Collection[int], now: float, away: Mapping[int, float]) -> list[str]:
    """The types of the commands that these seats may send now; a claim with what may be claimed: `claim win`."""
    if not seats:
        return []
    if story.end is not None:
        return ["rematch"] if story.next is None and not set(seats) <= story.rematch else []
    told = _before_the_start(story, seats) if not story.started else _in_the_game(story, seats, now)
    return [*told, *_claims(story, seats, now, away)]


def _before_the_start(story: Story, seats: Collection[int]) -> list[str]:
    told = []
    if not story.is_full:
        told += ["sit", "stand-up", "seat-computer"]
    held = [story.seats[seat] for seat in seats]
    if not story.real_dice and any(seat.hash is None and seat.seed is None for seat in held):
        told.append("commit-seed")
    if story.demand.what is Wanted.SEEDS and set(seats) & set(story.demand.seats):
        told.append("reveal-seed")
    return told


_COMMANDS: Final = {
    Wanted.THROW: "throw",
    Wanted.DICE: "enter-dice",
    Wanted.DIE: "enter-die",
    Wanted.LOT: "enter-die",
    Wanted.ACTION: "act",
}


def _in_the_game(story: Story, seats: Collection[int], now: float) -> list[str]:
    told = []
    what, asked, _ = story.demand
    if what in _COMMANDS and set(asked) & set(seats):
        told.append(_COMMANDS[what])
    if entry_to_take_back(story, seats, now) is not None:
        told.append("take-back")
    told.append("resign")
    if not story.order:
        return told
    if story.offer is not None:
        told += ["answer-draw"] if set(seats) - story.offer.agreed else []
    elif len({story.side_of(person) for person in story.people}) > 1:
        told += ["offer-draw"] if any(_may_offer(story, seat) for seat in seats) else []
    return told


def _may_offer(story: Story, seat: int) -> bool:
    last = story.offered[seat]
    return not last or story.position.number >= last + len(story.seats)


def _claims(story: Story, seats: Collection[int], now: float, away: Mapping[int, float]) -> list[str]:
    found = claimable_at(story, away)
    if found is None or now < found[1] or found[0] in seats:
        return []
    return [f"claim {what}" for what in remedies(story, seats, found[0])]


# --- Around the game ---------------------------------------------------------------------------------------------------------


def _starting(story: Story) -> View | None:
    """Who begins: the lot, or the starting roll with who throws next."""
    if story.lot is not None:
        return {"lot": story.lot, "rounds": [], "seat": None}
    roll = story.starting
    if roll is None or len(story.seats) == 1:
        return None
    return {"lot": None, "rounds": [list(faces) for faces in roll.rounds], "seat": None if story.order else roll.seat}


def _clock(story: Story) -> View | None:
    clock = story.setup.clock
    return None if clock is None else {"kind": clock.kind.value, "seconds": clock.seconds, "increment": clock.increment}


def _claim(story: Story, away: Mapping[int, float]) -> View | None:
    """Who is missed, and from when on the others may claim."""
    found = claimable_at(story, away)
    return found and {"seat": found[0], "at": found[1]}


def _match(story: Story) -> View | None:
    """Which game of the match, and what it brought each side so far, in seating order."""
    if story.setup.games == 1:
        return None
    so_far = story.setup.so_far
    return {
        "match": story.table if so_far is None else so_far.match,
        "game": 1 if so_far is None else so_far.number,
        "games": story.setup.games,
        "standing": list(standing_after(story)),
    }


def _fairness(story: Story) -> View | None:
    """What is needed to check the dice; the secret once it is published."""
    if story.real_dice:
        return None
    return {
        "commitment": story.commitment.hash,
        "earlier": [held.hash for held in story.earlier],
        "seats": [{"hash": seat.hash, "seed": seat.seed} for seat in story.seats],
        "throws": story.counter,
        "secret": story.secret,
    }
