"""The record of a table: what it wrote so far, with the tags that say who played, with whose dice, and how it ended."""

from datetime import UTC, datetime
from typing import Final

from dicecup import yamm
from dicecup.record import Record
from dicecup.service.fairness import NO_SEED, seeds_text
from dicecup.service.seats import player_tags
from dicecup.service.story import Commitment, Place, Story
from dicecup.yamm import MatchGame
from dicecup.yamm.seats import writers_text

HUMAN: Final = "human"


def record_of(story: Story) -> Record:
    """The record as it stands; `record.read` reads it back. The secret is in it once it is published."""
    order = story.order or tuple(range(len(story.seats)))
    names = player_tags(story.rules)
    tags = {"Game": story.rules.id}
    tags |= {name: story.seats[seat].name for name, seat in zip(names, order, strict=True)}
    tags["Date"] = datetime.fromtimestamp(story.begun, UTC).date().isoformat()
    tags |= _dice_tags(story)
    tags["Seats"] = " ".join(story.seats[seat].level or HUMAN for seat in order)
    if _begins_elsewhere(story):
        tags["Position"] = str(story.setup.beginning.position)
    if story.lot is not None:
        tags["Lot"] = str(story.lot)
    if story.starting is not None and story.starting.rounds:
        tags["Start" if story.order else "Starting"] = str(story.starting)
    if story.setup.writers:
        tags["Writer"] = writers_text(tuple(order.index(seat) for seat in story.setup.writers))
    tags |= _match_tags(story, order)
    tags |= _result_tags(story)
    return Record(tags, story.journal)


def _begins_elsewhere(story: Story) -> bool:
    """Whether the page begins with a position that play without a page has led to."""
    beginning = story.setup.beginning
    return not beginning.lines and not beginning.words and beginning.position != story.rules.start()


def _dice_tags(story: Story) -> dict[str, str]:
    """Whose dice they are, and for the server's what is needed to throw them again (docs/fairness.md)."""
    if story.real_dice:
        return {"Dice": "table"}
    seeds = seeds_text([bytes.fromhex(seat.seed or "") for seat in story.seats])
    tags = {"Dice": f"committed:{story.commitment.hash}", "Seeds": seeds}
    if story.commitment.first is not None:
        tags["From"] = place_text(story.commitment.first)
    if story.earlier:
        first = place_text((0, 1))
        tags["Earlier"] = "; ".join(
            f"{place_text(held.first) if held.first else first} {held.hash} {_secret_of(held, story)} {seeds}"
            for held in story.earlier
        )
    return tags | ({"Secret": story.secret} if story.secret is not None else {})


def _secret_of(held: Commitment, story: Story) -> str:
    """A table that came back to its first server throws under the same commitment again: its secret is that of both times."""
    return story.secret if story.secret is not None and held.hash == story.commitment.hash else NO_SEED


def place_text(place: Place) -> str:
    """`turn.throw`."""
    return f"{place[0]}.{place[1]}"


def _match_tags(story: Story, order: tuple[int, ...]) -> dict[str, str]:
    so_far = story.setup.so_far
    if story.setup.games == 1:
        return {}
    number = 1 if so_far is None else so_far.number
    match = story.table if so_far is None else so_far.match
    standing = (0,) * story.sides if so_far is None else so_far.standing
    return {
        "Match": str(MatchGame(match, number, story.setup.games)),
        "Standing": " ".join(str(standing[order[side] % story.sides]) for side in range(story.sides)),
    }


def _result_tags(story: Story) -> dict[str, str]:
    if story.end is None:
        return {"Result": "*"}
    tags = {"Result": story.end.result, "End": story.end.end}
    if isinstance(story.rules, yamm.Yamm) and story.position.turn is not None:
        tags["Winners"] = " ".join(map(str, sorted({story.side_of(seat) for seat in story.end.winners})))
    return tags
