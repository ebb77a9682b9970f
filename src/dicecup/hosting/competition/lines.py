"""Computations about a duplicate event, for the processes of the pool: the line of a computer with
the dice of the event, and the decisions that cost the entrants most."""

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any, Final, NamedTuple

from dicecup import record
from dicecup.hosting.computers import event_seed
from dicecup.table.computers import command_for, next_task
from dicecup.table.duplicate import own_turn
from dicecup.table.handlers import Actor, handle, open_event_table, publish_secret
from dicecup.table.setup import Occupant, SeatSetup, setup_from_json
from dicecup.table.table_record import record_of

LINE: Final = "master"
"""Level that plays the dice of each event."""
PLAYER: Final = "expert"
"""Level whose evaluation measures losses."""
MOST_TURNS: Final = 400
"""Turns of a game between computers that is not over by itself."""
MOST_FACTS: Final = 100
"""Decisions of an entrant that are stored, the costliest ones."""


def line_of(setup_text: str, secret: bytes) -> str:
    """Return the record of a game of an event in which `LINE` sits on the seats of people."""
    from dicecup.players.decision import decide

    setup = setup_from_json(json.loads(setup_text))
    seats = tuple(seat if seat.level else SeatSetup(Occupant.LEVEL, LINE) for seat in setup.seats)
    state = open_event_table("line", replace(setup, seats=seats, clock=None), secret, [], 0.0).state
    while (task := next_task(state)) is not None and state.position.number <= MOST_TURNS:
        answer = None
        if task.asks_player:
            position = str(state.position)
            chosen = decide(state.position, task.level, event_seed(secret, position))
            answer = None if chosen is None else str(chosen)
        command = command_for(state, task, answer)
        assert command is not None
        state = handle(state, Actor(None, frozenset({task.seat})), command, 0.0, secret, {}).state
    return record_of(publish_secret(state, 0.0, secret).state).to_text()


class Lost(NamedTuple):
    """A decision that lost something: the `turn` among those of its player, the `throw` after which
    it was made, the `dice`, the `loss` in the unit of the game, the action `played` and the `best`
    one."""

    turn: int
    throw: int
    dice: str
    loss: float
    played: str
    best: str


def losses_of(text: str, player: int) -> list[Lost]:
    """Return the decisions of a player that lost most in a finished game. Raises `DicecupError` if
    the game cannot be reviewed."""
    from dicecup.analysis.grade import SAME
    from dicecup.analysis.registry import by_tables
    from dicecup.analysis.review import review

    played = record.read(text)
    found = review(played, PLAYER, evaluation=by_tables(played.game, PLAYER, alone=True))
    lost = []
    for turn in found.turns:
        if turn.player != player:
            continue
        for decision in turn.decisions:
            state = decision.position.turn
            if decision.loss > SAME and state is not None and not decision.superseded:
                number = own_turn(played.game, decision.turn)
                texts = str(decision.played), str(decision.best)
                lost.append(Lost(number, state.throws, state.dice.text, round(decision.loss, 4), *texts))
    return sorted(lost, key=lambda each: -each.loss)[:MOST_FACTS]


class Costly(NamedTuple):
    """The decision at which all entrants together lost most.

    `turn` and `throw` as in `Lost`, `dice` those of most people who lost something, `people` of
    `entrants` lost something, `loss` is the sum of their losses. `played` is the action that most
    of them did, and `best` the one that was best for most of them.
    """

    turn: int
    throw: int
    dice: str
    people: int
    entrants: int
    loss: float
    played: str
    best: str


def costliest(entrants: Sequence[Iterable[Lost]]) -> Costly | None:
    """Return the decision that cost the entrants most, `None` if nobody lost anything. The sum of
    losses decides, so many people weigh as much as large losses."""
    places: dict[tuple[int, int], list[Lost]] = {}
    for each in entrants:
        of_entrant: dict[tuple[int, int], Lost] = {}
        for lost in each:
            before = of_entrant.get((lost.turn, lost.throw))
            of_entrant[(lost.turn, lost.throw)] = lost if before is None or before.loss < lost.loss else before
        for place, lost in of_entrant.items():
            places.setdefault(place, []).append(lost)
    if not places:
        return None
    (turn, throw), worst = max(places.items(), key=lambda item: (sum(lost.loss for lost in item[1]), -item[0][0]))
    usual = {name: Counter(getattr(lost, name) for lost in worst).most_common(1)[0][0] for name in ("dice", "played", "best")}
    total = round(sum(lost.loss for lost in worst), 4)
    return Costly(turn, throw, usual["dice"], len(worst), len(entrants), total, usual["played"], usual["best"])


def lost_to_text(lost: Iterable[Lost]) -> str:
    """Return decisions as JSON, which `lost_from_text` reads."""
    return json.dumps([list(each) for each in lost], separators=(",", ":"))


def lost_from_text(text: str | None) -> list[Lost]:
    """Return the decisions that `lost_to_text` wrote, none for `None`."""
    found: list[list[Any]] = json.loads(text or "[]")
    return [Lost(*each) for each in found]
