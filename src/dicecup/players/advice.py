"""What an expert would tell a person: what every action is worth."""

from dicecup import yamm
from dicecup.games import Action, Position
from dicecup.players.yam_master_expert import YamMasterExpert
from dicecup.players.yam_master_values import trained_for
from dicecup.players.yamm_expert import YammExpert
from dicecup.yam_master import Options, YamMaster


def worth(position: Position) -> dict[Action, float]:
    """What each of `position.actions` is worth to the expert: the chance to win, or where one sheet is alone the points to come.
    Raises `TablesError`."""
    if isinstance(position, yamm.Position):
        return dict(YammExpert().values(position).items())
    return dict(YamMasterExpert().values(position).items())


def foreign_options(position: Position) -> tuple[str, ...]:
    """The options of this game that the tables were not trained for: the expert plays with those of their defaults."""
    if isinstance(position.game, YamMaster):
        own, trained = position.game.options, trained_for(position.game).options
        return tuple(name for name in Options.__slots__ if getattr(own, name) != getattr(trained, name))
    return ()
