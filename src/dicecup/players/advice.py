"""What an expert would tell a person about itself."""

from dicecup.core.turn import KeptDice
from dicecup.games import Position
from dicecup.players.yam_master_values import trained_for
from dicecup.yam_master import Options, YamMaster


def foreign_options(position: Position) -> tuple[str, ...]:
    """The options of this game that the tables were not trained for: what they say of later turns holds for other ones. Yamm's were
    trained with `kept_dice=free`."""
    game = position.game
    if isinstance(game, YamMaster):
        own, trained = game.options, trained_for(game).options
        return tuple(name for name in Options.__slots__ if getattr(own, name) != getattr(trained, name))
    return () if game.options.kept_dice is KeptDice.FREE else ("kept_dice",)
