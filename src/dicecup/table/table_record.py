"""The record of a table: the turns so far, with tags for the players, the dice and the end."""

from datetime import UTC, datetime
from typing import Final

from dicecup.core.game import Scoring
from dicecup.record import Record
from dicecup.record.match import MatchGame
from dicecup.table.fairness import NO_SEED, seeds_text
from dicecup.table.setup import begins_elsewhere
from dicecup.table.state import TableState
from dicecup.table.values import Commitment, Place

HUMAN: Final = "human"
"""What the tag Seats says of a person."""


def record_of(state: TableState) -> Record:
    """Return the record so far, which `record.read` reads back.

    It has the secret of the dice once that is published.
    """
    order = state.order or tuple(range(len(state.seats)))
    names = state.rules.player_tags
    tags = {"Game": state.rules.id}
    tags |= {name: state.seats[seat].name for name, seat in zip(names, order, strict=True)}
    tags["Date"] = datetime.fromtimestamp(state.begun, UTC).date().isoformat()
    tags |= _dice_tags(state)
    if sections := [section for section in state.sections if section.first != section.end]:
        tags["OnDevice"] = "; ".join(f"{place_text(section.first)}-{place_text(section.end)}" for section in sections)
    tags["Seats"] = " ".join(state.seats[seat].level or HUMAN for seat in order)
    if begins_elsewhere(state.setup):
        tags["Position"] = str(state.setup.beginning.position)
    if state.lot is not None:
        tags["Lot"] = str(state.lot)
    if state.starting is not None and state.starting.rounds:
        tags["Start" if state.order else "Starting"] = str(state.starting)
    if state.setup.writers:
        tags["Writer"] = " ".join(names[player] for player in sorted(map(order.index, state.setup.writers)))
    tags |= _match_tags(state, order)
    tags |= _result_tags(state)
    return Record(tags, state.journal)


def _dice_tags(state: TableState) -> dict[str, str]:
    """Return the tags for the dice, with all that is needed to check the server's
    (docs/fairness.md).
    """
    if state.real_dice:
        return {"Dice": "table"}
    secret = {"Secret": state.secret} if state.secret is not None else {}
    if state.setup.duplicate is not None:
        return {"Dice": f"duplicate:{state.commitment.hash}", "Event": state.setup.duplicate.event} | secret
    seeds = seeds_text([bytes.fromhex(seat.seed or "") for seat in state.seats])
    tags = {"Dice": f"committed:{state.commitment.hash}", "Seeds": seeds}
    if state.commitment.first is not None:
        tags["From"] = place_text(state.commitment.first)
    if state.earlier:
        first = place_text((0, 1))
        tags["Earlier"] = "; ".join(
            f"{place_text(held.first) if held.first else first} {held.hash} {_secret_of(held, state)} {seeds}"
            for held in state.earlier
        )
    return tags | secret


def _secret_of(held: Commitment, state: TableState) -> str:
    """Return the secret of an ended commitment, `-` if it is not published.

    A table that came back to its first server has the same commitment again, so the published
    secret is that of both times.
    """
    if held.secret:
        return held.secret
    return state.secret if state.secret is not None and held.hash == state.commitment.hash else NO_SEED


def place_text(place: Place) -> str:
    """Return a place as `turn.throw`."""
    return f"{place[0]}.{place[1]}"


def _match_tags(state: TableState, order: tuple[int, ...]) -> dict[str, str]:
    """Return the tags of a game in a match: its number and the standing before it, empty outside a
    match. `order`: the seats in the order of play."""
    so_far = state.setup.so_far
    if state.setup.games == 1:
        return {}
    number = 1 if so_far is None else so_far.number
    match = state.table if so_far is None else so_far.match
    standing = (0,) * state.rules.sides if so_far is None else so_far.standing
    return {
        "Match": str(MatchGame(match, number, state.setup.games)),
        "Standing": " ".join(str(standing[state.rules.side_of_player(order[side])]) for side in range(state.rules.sides)),
    }


def _result_tags(state: TableState) -> dict[str, str]:
    """Return the tags of the result.

    `Winners` is written only for games of totals that ended early.
    """
    if state.end is None:
        return {"Result": "*"}
    tags = {"Result": state.end.result, "End": state.end.end}
    if state.rules.scoring is Scoring.TOTALS and state.position.outcome is None:
        tags["Winners"] = " ".join(map(str, sorted({state.side_of(seat) for seat in state.end.winners})))
    return tags
