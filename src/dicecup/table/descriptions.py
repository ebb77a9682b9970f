"""What a game declares of itself: options, levels and numbers of players, for the choices of a new
table."""

from collections.abc import Sequence
from contextlib import suppress
from typing import Any, Final

from dicecup.core.errors import GameError
from dicecup.core.game import Option, Rules
from dicecup.table.guides import guide_of

PLAYERS: Final = "players"
"""The option of games that set the number of their players."""


def description(rules: type[Rules], levels: Sequence[str], *, analysed: bool, preparing: Sequence[str] = ()) -> dict[str, Any]:
    """Return the description of a game (docs/protocol.md), with the `levels` that can be played
    here, those that get ready, and whether it is `analysed` here."""
    least, most = _player_limits(rules)
    numbers = range(least, most + 1)
    return {
        "id": rules.name,
        "options": [_option(rules, option, numbers) for option in rules.option_list],
        "levels": list(levels),
        "preparing": list(preparing),
        "players": {"least": least, "most": most},
        "first_player": rules.first_player.value,
        "scoring": rules.scoring.value,
        "analysed": analysed,
        "guide": guide_of(rules) is not None,
    }


def _option(rules: type[Rules], option: Option, numbers: Sequence[int]) -> dict[str, Any]:
    """Return an option, with the numbers of players that each of its values allows."""
    return {
        "name": option.name,
        "values": [str(value) for value in option.values],
        "default": str(option.default),
        "text_key": option.text_key,
        "players": {
            str(value): [number for number in numbers if _allows(rules, number, option, value)] for value in option.values
        },
    }


def _allows(rules: type[Rules], players: int, option: Option, value: str) -> bool:
    """Return whether this many players can play with this value of an option."""
    player_option = next((other for other in rules.option_list if other.name == PLAYERS), None)
    if option is player_option:
        return value == str(players)
    chosen = {option.name: value} | ({} if player_option is None else {PLAYERS: str(players)})
    changed = [
        f"{other.name}={chosen[other.name]}"
        for other in rules.option_list
        if other.name in chosen and chosen[other.name] != other.default
    ]
    try:
        return rules.from_id(f"{rules.name}({','.join(changed)})" if changed else rules.name).players == players
    except GameError:
        return False


def _player_limits(rules: type[Rules]) -> tuple[int, int]:
    """Return the least and the greatest number of players over the default game and each single
    changed option."""
    counts = [rules.from_id(rules.name).players]
    for option in rules.option_list:
        for value in option.values:
            # the default value, or a value that needs another option with it
            with suppress(GameError):
                counts.append(rules.from_id(f"{rules.name}({option.name}={value})").players)
    return min(counts), max(counts)
