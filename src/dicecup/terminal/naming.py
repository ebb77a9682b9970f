"""What an action is called in a sentence: `keep 3 3`, `c3 Yam`, `↓1, row FH`."""

from dicecup import yam_master, yamm
from dicecup.core.dice import NO_DICE, Dice
from dicecup.core.game import Action, Rules
from dicecup.locale import Messages
from dicecup.terminal.board import figure_name
from dicecup.terminal.sheet import cell_name


def action_name(game: Rules, action: Action, messages: Messages) -> str:
    """Names what it does, not what one types for it."""
    match action:
        case yam_master.KeepDice(kept, True):
            return messages("name_defi", keep=keep_name(kept, messages))
        case yam_master.KeepDice(kept) | yamm.KeepDice(kept):
            return keep_name(kept, messages)
        case yam_master.Place(square):
            assert isinstance(game, yam_master.YamMaster)
            return f"{square} {figure_name(game.board.figures[game.board.index[square]], messages)}"
        case yam_master.Remove(square):
            return messages("name_remove", square=square)
        case yam_master.Pass():
            return messages("name_pass")
        case yamm.Write(cell) | yamm.Correct(_, cell):
            return cell_name(cell, messages)


def keep_name(kept: Dice, messages: Messages) -> str:
    """The dice that stay."""
    if kept is NO_DICE:
        return messages("odds_keeping_none")
    return messages("odds_keeping", dice=" ".join(map(str, kept.faces)))
