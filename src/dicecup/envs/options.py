"""The games that the arguments of environments name."""

from collections.abc import Iterable
from typing import Any, Final

from dicecup.core.errors import GameError, TextCode
from dicecup.core.game import Rules
from dicecup.core.ids import options_from_id
from dicecup.envs.encoding import Encoding
from dicecup.envs.yam_master import YamMasterEncoding
from dicecup.envs.yamm import YammEncoding
from dicecup.players import levels_for
from dicecup.yam_master import Options as YamMasterOptions
from dicecup.yam_master import YamMaster, small_board
from dicecup.yam_master.options import DEFAULTS
from dicecup.yamm import SHEET, Column, SheetSpec, Yamm
from dicecup.yamm import Options as YammOptions

ALL_COLUMNS = ",".join(SHEET.columns)
"""The columns of the printed sheet."""

SMALL_BOARDS: Final = {"2x2": ("Yam Defi/Sec 6", 2), "3x3": ("1 Full 6/Sec Yam Suite/2 <=8 Defi", 3)}
"""Name of a small board → its layout and number of tokens (`dicecup.yam_master.small_board`)."""


def small_yam_master(board: str, options: YamMasterOptions = DEFAULTS) -> YamMaster:
    """Return Yam Master on one of `SMALL_BOARDS`."""
    return YamMaster(options, small_board(*SMALL_BOARDS[board]))


def rule_options(kind: type[Rules], values: dict[str, Any]) -> dict[str, str]:
    """Return options as texts of a game id, without defaults. Raises `GameError`
    (`unknown-option`)."""
    known = {option.name: option for option in kind.option_list}
    texts = {name: ("yes" if value else "no") if isinstance(value, bool) else str(value) for name, value in values.items()}
    for name in texts:
        if name not in known:
            raise GameError(TextCode.UNKNOWN_OPTION, text=kind.name, option=name)
    return {name: texts[name] for name in known if texts.get(name, known[name].default) != known[name].default}


def yam_master_encoding(**values: Any) -> YamMasterEncoding:
    """Return the encoding of Yam Master with these rule options.

    Raises `GameError` (`unknown-option`, `option-value`).
    """
    return YamMasterEncoding(YamMaster.from_id(_id(YamMaster, values)))


def yamm_encoding(columns: str | Iterable[str] = ALL_COLUMNS, **values: Any) -> YammEncoding:
    """Return the encoding of Yamm with these columns and rule options.

    Raises `GameError` (`not-a-sheet`, `unknown-option`, `option-value`,
    `pairs-need-even-players`).
    """
    options = options_from_id(Yamm.name, YammOptions, _id(Yamm, values))
    names = columns.split(",") if isinstance(columns, str) else columns
    return YammEncoding(Yamm(options, SheetSpec(tuple(map(Column, names)))))


def check_level(encoding: Encoding, level: str) -> str:
    """Return a level that this game has. Raises `GameError` (`option-value`)."""
    if level not in levels_for(encoding.game):
        raise GameError(TextCode.OPTION_VALUE, option="opponent", value=level)
    return level


def chosen(name: str, value: Any, allowed: Iterable[Any]) -> Any:
    """Return an allowed value of an argument. Raises `GameError` (`option-value`)."""
    if value not in tuple(allowed):
        raise GameError(TextCode.OPTION_VALUE, option=name, value=value)
    return value


def _id(kind: type[Rules], values: dict[str, Any]) -> str:
    written = ",".join(f"{name}={value}" for name, value in rule_options(kind, values).items())
    return f"{kind.name}({written})" if written else kind.name
