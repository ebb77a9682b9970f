"""Plays a guide at a table with chosen dice and writes down what the person sees.

The handlers, the rules and the views are those of every table. Only the dice are chosen.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from dicecup import games
from dicecup.core.source import ScriptedSource
from dicecup.table import commands
from dicecup.table.commands import Command
from dicecup.table.events import public
from dicecup.table.fairness import seed_commitment
from dicecup.table.game_views import View
from dicecup.table.guides.guide import Does, Guide, Scene, Step
from dicecup.table.handlers import Actor, Sitter, handle, open_table
from dicecup.table.setup import Occupant, SeatSetup, Setup
from dicecup.table.state import TableState
from dicecup.table.transition import Transition
from dicecup.table.views import Views

PERSON: Final = 0
"""The seat of the person who is guided. The seat begins the game."""
NAME: Final = "You"
"""The name of the person, which a client replaces with the person's own."""
LEVEL: Final = "novice"
"""The level on the seat of the other player, whose actions the guide contains."""
_TABLE: Final = "guide"
_SECRET: Final = bytes(32)
_SEED: Final = bytes(16)
_NOW: Final = 0.0


def script(guide: Guide) -> View:
    """Return a guide as JSON: its game, and its steps with the updates that come before each.

    The first update of a scene has no events and a whole view; the others have the form of the
    updates of a table. Raises `DicecupError` if the guide does something that is not legal.
    """
    steps = [step for scene in guide.scenes for step in _scene_steps(guide, scene)]
    return {"game": guide.game, "steps": steps}


def _scene_steps(guide: Guide, scene: Scene) -> list[View]:
    """Return the steps of a scene."""
    state = opened_table(guide.game, scene.start)
    updates: list[View] = [{"type": "update", "number": state.number, "events": [], "view": view_of(state)}]
    steps = []
    for step in scene.steps:
        _check_choice(step, state)
        shown = view_of(state)
        steps.append(
            {
                "text": f"guided_{guide.texts}_{step.text}",
                "values": {name: value_at(shown, place) for name, place in step.values.items()},
                "mark": step.mark,
                "does": step.does.value,
                "action": step.action,
                "updates": updates,
            }
        )
        updates = []
        for command, seat, dice in commands_of_step(step):
            transition = _handled(state, command, seat, dice)
            updates.append(_update(state, transition))
            state = transition.state
    return steps


def opened_table(game: str, start: str) -> TableState:
    """Return a table at which the person sits on the first seat and computers on all others. The
    game has started and waits for the person."""
    rules = games.from_id(game)
    others = [SeatSetup(Occupant.LEVEL, LEVEL)] * (rules.players - 1)
    first = None if start or rules.players == 1 else PERSON
    setup = Setup(game, (SeatSetup(), *others), start=start, first=first)
    state = open_table(_TABLE, setup, _SECRET, [Sitter(PERSON, NAME, NAME)], _NOW).state
    for command in (commands.CommitSeed(seed_commitment(_SEED)), commands.RevealSeed(_SEED.hex())):
        state = _handled(state, command, PERSON, "").state
    return state


def commands_of_step(step: Step) -> list[tuple[Command, int, str]]:
    """Return the commands of a step, first that of the person, each with its seat and its dice."""
    done: list[tuple[Command, int, str]] = []
    if step.does is Does.THROW:
        done.append((commands.Throw(), PERSON, step.dice))
    elif step.does is Does.ACT:
        done.append((commands.Act(step.action), PERSON, step.dice))
    other = PERSON + 1
    return done + [(_command(text), other, dice) for text, dice in step.replies]


def _command(text: str) -> Command:
    return commands.Throw() if text == "throw" else commands.Act(text)


def _handled(state: TableState, command: Command, seat: int, dice: str) -> Transition:
    """Return the transition of a command that throws exactly these dice, if any."""
    with ScriptedSource([dice] if dice else []) as source:
        return handle(state, Actor(NAME, frozenset({seat})), command, _NOW, _SECRET, {}, source)


def _update(before: TableState, transition: Transition) -> View:
    """Return the update of a transition for the person."""
    number = transition.state.number
    first = number - len(transition.events) + 1
    events = [{"number": first + place, "time": _NOW, **public(event)} for place, event in enumerate(transition.events)]
    changed = Views(transition.state, _NOW, {}, before).changed({PERSON})
    return {"type": "update", "number": number, "events": events, "view": _without_commitment(changed)}


def view_of(state: TableState) -> View:
    """Return the whole view of the person."""
    return _without_commitment(Views(state, _NOW, {}).whole({PERSON}))


def _without_commitment(view: View) -> View:
    """Return a view without the commitment of the dice, because the dice of a guide are chosen."""
    return view | {"fairness": None}


def _check_choice(step: Step, state: TableState) -> None:
    """Play what a step prepares: the keep that it chooses. Raises `DicecupError`."""
    if step.does is Does.CHOOSE:
        state.position.play(step.action)


def value_at(view: View, place: str) -> int | str:
    """Return a value of a view. `place`: keys and places in lists, separated by spaces.

    `effect` and the text of an action stand for the effect of this action.
    """
    keys = place.split(" ")
    found: Any = view
    if keys[0] == "effect":
        (found,) = (each["effect"] for each in view["actions"] if each["action"] == keys[1])
        keys = keys[2:]
    for key in keys:
        found = found[key] if isinstance(found, Mapping) else _item(found, key)
    assert isinstance(found, int | str), place
    return found


def _item(items: Sequence[Any], place: str) -> Any:
    return items[int(place)]
