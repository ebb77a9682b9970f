"""How a game ends, who wins it, and what follows: the next game of a match, or a rematch."""

import hmac
from collections.abc import Iterable
from dataclasses import replace

from dicecup import yam_master, yamm
from dicecup.games import Position
from dicecup.record.tags import end_text, result_text
from dicecup.service.events import Ended
from dicecup.service.outcomes import result_of
from dicecup.service.seats import named_writers
from dicecup.service.setup import MatchSoFar, Occupant, SeatSetup, Setup
from dicecup.service.story import Story


def by_the_rules(story: Story) -> Ended | None:
    """The end that the rules have brought; None while the game runs."""
    position = story.position
    end = end_text(position)
    if end is None:
        return None
    return Ended(end, result_text(position), story.seats_of_sides(_sides_that_won(position)))


def _sides_that_won(position: Position) -> tuple[int, ...]:
    if position.outcome is None:
        return ()
    if isinstance(position.outcome, yam_master.Outcome):
        return () if position.outcome.winner is None else (position.outcome.winner,)
    return position.outcome.winners


def otherwise(story: Story, end: str, sides: Iterable[int]) -> Ended:
    """The end of a game that people, a clock or a limit ended; these `sides` win. In Yamm all sides: they share it; in Yam
    Master both: a draw."""
    winning = tuple(sides)
    drawn = isinstance(story.rules, yam_master.YamMaster) and len(winning) != 1
    return Ended(end, result_of(story.position, winning), () if drawn else story.seats_of_sides(winning))


# --- What follows ------------------------------------------------------------------------------------------------------------


def has_next_game(story: Story) -> bool:
    """Whether the match has another game after this one, which is over. A game that was abandoned ends the match."""
    number = 1 if story.setup.so_far is None else story.setup.so_far.number
    return number < story.setup.games and story.end is not None and story.end.end != "abandoned"


def next_table_id(secret: bytes) -> str:
    """The id of the table at which the next game is played: the same, whichever worker makes it."""
    return hmac.digest(secret, b"next table", "sha256").hex()[:20]


def next_setup(story: Story) -> Setup:
    """What is agreed for the next game, of the match or as a rematch: in Yam Master the start alternates, in Yamm it is rolled
    for again. Seats that the computer took over stay the computer's."""
    setup = story.setup
    seats = tuple(SeatSetup(Occupant.LEVEL, seat.level) if seat.level else SeatSetup() for seat in story.seats)
    first = 1 - story.order[0] if isinstance(story.rules, yam_master.YamMaster) and story.order else setup.first
    return replace(setup, seats=seats, first=first, start="", writers=_writers(story), so_far=_so_far(story))


def _writers(story: Story) -> tuple[int, ...]:
    """Those who can still write for both of a pair."""
    rules = story.rules
    if not isinstance(rules, yamm.Yamm):
        return ()
    people = [seat.is_human for seat in story.seats]
    return tuple(seat for seat in story.setup.writers if named_writers(rules.options, people, [seat]) is not None)


def _so_far(story: Story) -> MatchSoFar | None:
    if not has_next_game(story):
        return None
    before = story.setup.so_far
    standing = standing_after(story)
    return MatchSoFar(story.table, 2, standing) if before is None else MatchSoFar(before.match, before.number + 1, standing)


def standing_after(story: Story) -> tuple[int, ...]:
    """What the match's games brought each side so far, in seating order, the one that is over included: in Yam Master the
    games won, in Yamm the added totals."""
    so_far = story.setup.so_far
    standing = list((0,) * story.sides if so_far is None else so_far.standing)
    if story.end is None or not story.order:
        return tuple(standing)
    if isinstance(story.rules, yam_master.YamMaster):
        for seat in story.end.winners:
            standing[seat] += 1
    else:
        for sheet, total in enumerate(story.end.result.split(" ")):
            standing[story.order[sheet] % story.sides] += int(total)
    return tuple(standing)
