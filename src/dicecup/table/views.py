"""The view of a table as JSON: what a client shows, and what the seats may do.

A view has no identity, no secret that is not published yet, no dice to come, and a seat's seed only
after it was revealed. Times are seconds since 1970, lengths are seconds. Views share their parts
with each other, so nobody may change them.
"""

from collections.abc import Collection, Hashable, Mapping

from dicecup.table.codec import to_json
from dicecup.table.consequences import seeds_due_at
from dicecup.table.endings import standing_after
from dicecup.table.game_views import View, game_view, turn_view
from dicecup.table.permissions import (
    Claimable,
    claimable_at,
    claimable_seat,
    draw_offer_refusal,
    entry_to_take_back,
    free_seat_refusal,
    go_on_refusal,
    may_end_wait,
    newcomer_refusal,
    owner_refusal,
    pending_command,
    rematch_refusal,
    remedies,
    seat_of_action,
    seats_to_answer_draw,
    seats_to_commit,
    seats_to_free,
    seats_to_send,
    stand_up_refusal,
    talk_refusal,
    texts_refusal,
)
from dicecup.table.state import TableState


def view(state: TableState, seats: Collection[int], now: float, offline: Mapping[int, float]) -> View:
    """Return the view for the holder of these seats, without seats for people who watch.

    `offline` maps each seat whose person is offline to the time since when.
    """
    return Views(state, now, offline).whole(seats)


class Views:
    """The views of one state for many people.

    The parts that all of them see are made once.

    `before` is the state that they have seen, if any. It counts only while the same people sit on
    the same seats.
    """

    def __init__(self, state: TableState, now: float, offline: Mapping[int, float], before: TableState | None = None) -> None:
        self._state, self._now, self._offline = state, now, offline
        self._before = before if before is not None and before.seats == state.seats else None
        self._claimable = claimable_at(state, offline)
        self._shared = shared_view(state, now, offline) | {"claim": _claim(self._claimable)}
        is_unchanged = self._before is not None and _drawing_key(self._before) == _drawing_key(state)
        self._new_drawing = None if is_unchanged else drawing_view(state)

    def whole(self, seats: Collection[int]) -> View:
        """Return the whole view for the holder of these seats."""
        drawing = drawing_view(self._state) if self._new_drawing is None else self._new_drawing
        history, corrections = list(self._state.journal.lines), _corrections(self._state, seats)
        return self._always(seats) | drawing | {"corrections": corrections, "history": history, "talk": _talk(self._state)}

    def changed(self, seats: Collection[int]) -> View:
        """Return the view without the board or sheets, corrections, history and talk if they
        are unchanged.
        """
        if self._before is None:
            return self.whole(seats)
        seen = self._always(seats)
        if self._new_drawing is not None:
            seen |= self._new_drawing
        if _open_results(self._before, seats) != _open_results(self._state, seats):
            seen["corrections"] = _corrections(self._state, seats)
        if self._before.journal.lines != self._state.journal.lines:
            seen["history"] = list(self._state.journal.lines)
        if self._before.talk != self._state.talk:
            seen["talk"] = _talk(self._state)
        return seen

    def _always(self, seats: Collection[int]) -> View:
        """Return the parts that every view has."""
        return self._shared | own_view(self._state, seats, self._now, self._claimable)


def _drawing_key(state: TableState) -> Hashable:
    """Return all that `drawing_view` depends on. A law in tests/table/test_laws.py checks it."""
    return game_view(state.rules).drawing_key(state.position, _order(state))


def drawing_view(state: TableState) -> View:
    """Return the board or the sheets."""
    return game_view(state.rules).drawing(state.position, _order(state))


def _order(state: TableState) -> tuple[int, ...]:
    """Return the seats in the order of play; in seating order until it is known who starts."""
    return state.order or tuple(range(len(state.seats)))


def shared_view(state: TableState, now: float, offline: Mapping[int, float]) -> View:
    """Return what all people see, without the board or the sheets and the claim."""
    position = state.position
    running = state.end is None and bool(state.order)
    names = state.setup.names
    return {
        "table": state.table,
        "number": state.number,
        "now": now,
        "game": state.rules.id,
        "dice_of": state.setup.dice.value,
        "seats": [_seat(state, seat, name, now, offline) for seat, name in enumerate(names)],
        "order": list(state.order),
        "demand": _pending(state),
        "turn": turn_view(position, state.order, _writer(state)) if running else None,
        "position": str(position),
        "starting": _starting(state),
        "clock": _clock(state),
        "rated": state.setup.rated,
        "draw": state.offer and {"seat": state.offer.seat, "agreed": sorted(state.offer.agreed)},
        "owner": state.owner,
        "links": state.links,
        "admits": state.admits,
        "vacancy": state.vacancy and {"seat": state.vacancy.seat, "agreed": sorted(state.vacancy.agreed)},
        "match": _match(state),
        "fairness": _fairness(state),
        "duplicate": state.setup.duplicate and to_json(state.setup.duplicate),
        "result": state.end and {"end": state.end.end, "result": state.end.result, "winners": list(state.end.winners)},
        "next": state.next,
        "running": list(state.journal.words),
        "throw": state.throws[-1]._asdict() if state.throws and len(state.people) > 1 else None,
        "texts": [seat for seat in state.people if state.seats[seat].texts],
    }


def own_view(state: TableState, seats: Collection[int], now: float, claimable: Claimable | None) -> View:
    """Return what the holder of these seats sees besides: the seats, and what they may do."""
    return {
        "you": sorted(seats),
        "actions": _actions(state, seats),
        "may": may(state, seats, claimable_seat(claimable, seats, now), now),
        "portable": go_on_refusal(state, seats) is None,
    }


def _writer(state: TableState) -> int | None:
    """Return the seat that ends the current turn."""
    running = state.end is None and bool(state.order) and state.position.turn is not None
    return state.writer_of_turn(state.position.number) if running else None


def _seat(state: TableState, seat: int, called: str, now: float, offline: Mapping[int, float]) -> View:
    """Return a seat. `called`: the player's name in the record from which the game goes on."""
    held = state.seats[seat]
    player = state.player_of(seat) if state.order else None
    return {
        "seat": seat,
        "name": held.name,
        "kind": "person" if held.is_human else "computer" if held.level else "free",
        "level": held.level,
        "called": called,
        "place": player,
        "side": None if player is None else state.rules.side_of_player(player),
        "away_since": offline.get(seat) if held.is_human else None,
        "time_left": state.clocks.remaining(seat, now),
        "wants_rematch": seat in state.rematch,
    }


def _pending(state: TableState) -> View:
    """Return what the table waits for, from which seats, and until when.

    Before the start, `deadline` is the one for the seeds.
    """
    pending = state.pending
    timed = state.end is None and pending.clock is not None
    return {
        "what": pending.kind.value,
        "seats": list(pending.seats),
        "clock": pending.clock,
        "since": state.clocks.since if timed else None,
        "deadline": state.clocks.deadline if timed else seeds_due_at(state),
    }


# --- What may be done -----------------------------------------------------------------------------


def _actions(state: TableState, seats: Collection[int]) -> list[View]:
    """Return the actions that these seats may do, with their effects."""
    able = seats_to_send(state, "act")
    if not set(seats) & set(able):
        return []
    return [
        {"action": str(action), "effect": effect}
        for action, effect in game_view(state.rules).effects(state.position)
        if len(able) == 1 or seat_of_action(state, action) in seats
    ]


def _corrections(state: TableState, seats: Collection[int]) -> list[View]:
    """Return the corrections that these seats may do, with their effects, by turn."""
    shown = game_view(state.rules)
    return [
        correction for turn, result in _open_results(state, seats).items() for correction in shown.corrections(turn, result)
    ]


def _open_results(state: TableState, seats: Collection[int]) -> dict[int, Hashable]:
    """Return by turn the results that these seats may correct."""
    if not seats or not state.order or state.end is not None or state.vacancy is not None:
        return {}
    results = game_view(state.rules).open_results(state.position)
    return {turn: result for turn, result in results.items() if state.writer_of_turn(turn) in seats}


def may(state: TableState, seats: Collection[int], against: int | None, now: float) -> list[str]:
    """Return the types of the commands that these seats may send.

    `against`: the seat against which they may claim.

    A claim comes with its remedy: `claim win`; `free-seat` with the seat that may be taken back:
    `free-seat 1`.
    """
    if not seats:
        return []
    owned = [f"free-seat {seat}" for seat in seats_to_free(state, seats, against)]
    if owner_refusal(state, seats) is None:
        owned += ["rotate-links", "set-admission"]
    return _commands_of_seats(state, seats, against, now) + owned + _commands_of_talk(state, seats, now)


def _commands_of_seats(state: TableState, seats: Collection[int], against: int | None, now: float) -> list[str]:
    """Return the types of the commands that these seats may send without owning the table."""
    if state.end is not None:
        return ["rematch"] if rematch_refusal(state, seats) is None else []
    if state.vacancy is not None:
        return _commands_in_vacancy(state, seats)
    able = _commands_in_game(state, seats, now) if state.started else _commands_before_start(state, seats)
    claims = [] if against is None else remedies(state, seats, against)
    return able + [f"claim {remedy}" for remedy in claims]


def _commands_in_vacancy(state: TableState, seats: Collection[int]) -> list[str]:
    assert state.vacancy is not None
    asked = set(seats) & set(seats_to_send(state, "replace"))
    if not asked:
        return []
    return ["replace"] if asked <= state.vacancy.agreed else ["replace", "end-game"]


def _commands_before_start(state: TableState, seats: Collection[int]) -> list[str]:
    """Return the types of the commands that these seats may send before the start."""
    able = []
    if free_seat_refusal(state) is None and newcomer_refusal(state, seats) is None:
        able.append("sit")
    if stand_up_refusal(state) is None:
        able.append("stand-up")
    if free_seat_refusal(state) is None:
        able.append("seat-computer")
    if set(seats) & set(seats_to_commit(state)):
        able.append("commit-seed")
    if set(seats) & set(seats_to_send(state, "reveal-seed")):
        able.append("reveal-seed")
    return able


def _commands_in_game(state: TableState, seats: Collection[int], now: float) -> list[str]:
    """Return the types of the commands that these seats may send in a running game, claims
    excepted."""
    able = []
    command = pending_command(state)
    if command is not None and (set(seats) & set(state.pending.seats) or may_end_wait(state, seats)):
        able.append(command)
    if entry_to_take_back(state, seats, now) is not None:
        able.append("take-back")
    able.append("resign")
    if set(seats) & set(seats_to_answer_draw(state)):
        able.append("answer-draw")
    if any(draw_offer_refusal(state, seat) is None for seat in seats):
        able.append("offer-draw")
    return able


def _commands_of_talk(state: TableState, seats: Collection[int], now: float) -> list[str]:
    """Return the types of the commands with which these seats may talk. How often is not part of
    it."""
    if talk_refusal(state, seats, now) is not None:
        return []
    reacts = ["react"] if state.throws else []
    writes = ["write"] if texts_refusal(state) is None else []
    return ["say", *reacts, *writes, "allow-texts"]


# --- Around the game ------------------------------------------------------------------------------


def _starting(state: TableState) -> View | None:
    """Return the lot, or the starting roll with the seat that throws next."""
    if state.lot is not None:
        return {"lot": state.lot, "rounds": [], "seat": None}
    roll = state.starting
    if roll is None or len(state.seats) == 1:
        return None
    return {"lot": None, "rounds": [list(faces) for faces in roll.rounds], "seat": None if state.order else roll.seat}


def _talk(state: TableState) -> list[View]:
    """Return the newest lines of talk, the newest last."""
    return [{"number": line.number, "time": line.time, "name": line.name} | to_json(line.event) for line in state.talk]


def _clock(state: TableState) -> View | None:
    clock = state.setup.clock
    return None if clock is None else {"kind": clock.kind.value, "seconds": clock.seconds, "increment": clock.increment}


def _claim(found: Claimable | None) -> View | None:
    """Return the pending seat of a person, and why and from when others may claim against it."""
    return found and {"seat": found.seat, "at": found.at, "reason": found.reason.value}


def _match(state: TableState) -> View | None:
    """Return the number of the game in its match, and what each side has so far, in
    seating order."""
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
    """Return what is needed to check the dice, with the secret once it is published."""
    if state.real_dice:
        return None
    return {
        "commitment": state.commitment.hash,
        "earlier": [held.hash for held in state.earlier],
        "seats": [{"hash": seat.hash, "seed": seat.seed} for seat in state.seats],
        "throws": state.counter,
        "secret": state.secret,
    }
