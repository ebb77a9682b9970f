"""Sections: parts of a game that a person played on a device without the server
(docs/decisions/0029), as events and as values of the state."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Final, Literal, NamedTuple

from dicecup.core.game import FirstPlayer
from dicecup.core.start import StartingRoll
from dicecup.record import Journal
from dicecup.table import codec as wire
from dicecup.table.values import Commitment, Place

_TURN: Final = re.compile(r"[1-9][0-9]*\. ([^>].*)", re.ASCII)
_THROW: Final = re.compile(r"[1-6]{5}|[1-6]*\|[1-6]*|~", re.ASCII)


@dataclass(frozen=True, slots=True)
class PlayedOnDevice:
    """The person on `seat` played on without the server: these `steps`, throws and actions in
    their order, of people and computers.

    `device` is the id of the table on the device. Its dice follow from `secret`, whose SHA-256 is
    `commitment`; both are empty for real dice. After the steps the commitment of the server counts
    again.
    """

    seat: int
    device: str
    commitment: str
    secret: str
    steps: tuple[str, ...]
    type: Literal["played-on-device"] = "played-on-device"
    __pydantic_config__: ClassVar[wire.Config] = wire.STRICT


@dataclass(frozen=True, slots=True)
class BroughtOver:
    """The game of another table goes on at this table, on a device: of the table `table`, after
    its event `number`.

    `order` is the order of play, `counter` the number of throws so far, `seeds` the seeds of the
    seats in hex. `lot` and `rounds` decided who starts.
    """

    table: str
    number: int
    order: tuple[int, ...]
    counter: int
    seeds: tuple[str, ...]
    lot: int | None
    rounds: tuple[tuple[int, ...], ...]
    type: Literal["brought-over"] = "brought-over"
    __pydantic_config__: ClassVar[wire.Config] = wire.STRICT


class Section(NamedTuple):
    """A section that came back.

    `device`: the id of the table there. `steps`: how many steps of that table are known now, those
    of earlier sections included. `number`: the number of the event. `first` is the place of the
    first throw, `end` that of the first throw after it.
    """

    device: str
    steps: int
    number: int
    first: Place
    end: Place


class Origin(NamedTuple):
    """The table whose game a device goes on with, the number of its event, and how many `lines`
    and `words` its journal had."""

    table: str
    number: int
    lines: int
    words: int


def journal_after(journal: Journal, steps: tuple[str, ...]) -> Journal:
    """Return a journal after the steps of a section. Raises the errors of `Journal.throw` and
    `Journal.play`."""
    for step in steps:
        journal = journal.word(step) if is_throw(journal, step) else journal.play(step)
    return journal


def is_throw(journal: Journal, step: str) -> bool:
    """Return whether a step is a throw. Before a throw a result can be corrected instead."""
    return journal.position.waiting and _THROW.fullmatch(step) is not None


def steps_since(origin: Origin, journal: Journal) -> tuple[str, ...]:
    """Return the steps of a journal since the game was brought over. A correction comes before the
    steps of the turn in which it was made, as in a record."""
    steps: list[str] = []
    known = origin.words
    for line in journal.lines[origin.lines :]:
        turn = _TURN.fullmatch(line)
        if turn is None:
            steps.append(line)
        else:
            steps += turn[1].split(" ")[known:]
            known = 0
    return (*steps, *journal.words[known:])


def known_steps(sections: Sequence[Section], device: str) -> int:
    """Return how many steps of the table on a device came back."""
    return max((section.steps for section in sections if section.device == device), default=0)


def brought_over(event: BroughtOver, journal: Journal, seats: Sequence[Any]) -> dict[str, Any]:
    """Return the fields of the state of a device after a game was brought over to it."""
    by_roll = journal.game.first_player is FirstPlayer.STARTING_ROLL
    return {
        "started": True,
        "order": event.order,
        "counter": event.counter,
        "lot": event.lot,
        "starting": StartingRoll(len(seats), event.rounds) if by_roll else None,
        "seats": (*(replace(held, seed=seed) for held, seed in zip(seats, event.seeds, strict=True)),),
        "origin": Origin(event.table, event.number, len(journal.lines), len(journal.words)),
    }


def came_back(
    event: PlayedOnDevice,
    number: int,
    places: tuple[Place, Place],
    sections: tuple[Section, ...],
    held: Commitment,
    earlier: tuple[Commitment, ...],
) -> dict[str, Any]:
    """Return the fields of the state after a section: `sections`, and for drawn dice `commitment`
    and `earlier`.

    `number` is that of the event, `places` are those of the first throw of the section and of the
    first one after it. The other arguments are the fields before.
    """
    steps = known_steps(sections, event.device) + len(event.steps)
    fields: dict[str, Any] = {"sections": (*sections, Section(event.device, steps, number, *places))}
    if event.commitment:
        device = Commitment(event.commitment, places[0], secret=event.secret)
        fields |= {"commitment": held._replace(first=places[1]), "earlier": (*earlier, held, device)}
    return fields
