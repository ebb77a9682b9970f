"""Random positions for the tests of the analysis."""

from hypothesis import assume
from hypothesis import strategies as st

from dicecup.core.game import Position, Rules
from tests import strategies


def draw_decision(data: st.DataObject, game: Rules) -> Position:
    """Return a random position in which a decision is due. Dice in the air are thrown."""
    position = data.draw(strategies.positions(game))
    assume(position.turn is not None)
    if not position.waiting:
        return position
    return position.roll(data.draw(st.sampled_from([shown for shown, _ in position.chances])))
