"""The parts of a screen that all games share: the dice, the end of a game, the standing
of a match."""

from collections.abc import Sequence

from dicecup.core.dice import DICE
from dicecup.core.game import Position, Rules, Scoring
from dicecup.core.turn import THROWS
from dicecup.locale import Messages
from dicecup.record import Record
from dicecup.terminal.console import Console, Style
from dicecup.terminal.games import screen_of
from dicecup.terminal.games.screen import dice_text


def decimal(messages: Messages, value: float, digits: int = 1, *, sign: bool = False) -> str:
    """Return the number with the decimal sign of the language, never `-0.0`."""
    rounded = round(value, digits) + 0.0
    return f"{rounded:{'+' if sign else ''}.{digits}f}".replace(".", messages("decimal_sign"))


def player_names(record: Record) -> tuple[str, ...]:
    """Return the names of the players, in Yam Master with their sides."""
    return screen_of(record.game).player_names(record)


def side_name(record: Record, side: int) -> str:
    """Return the names of the players of a side."""
    return screen_of(record.game).side_name(record, side)


def game_title(game: Rules, messages: Messages) -> str:
    """Return the name of the game with the options that differ from their defaults."""
    return screen_of(game).title(game, messages)


def turn_title(record: Record, messages: Messages) -> str:
    """Return the heading of the turn."""
    return screen_of(record.game).turn_title(record, messages)


def show_decision(console: Console, record: Record) -> None:
    """Print what a player needs for a decision: the position, the dice and what they allow."""
    screen, position = screen_of(record.game), record.journal.position
    screen.show_position(console, record)
    show_dice(console, position)
    if not position.waiting and position.turn is not None:
        screen.show_choices(console, position)


def show_rules(console: Console, game: Rules) -> None:
    """Print the rules of the game in short, with its options."""
    screen = screen_of(game)
    screen.show_rules(console)
    if options := screen.option_texts(game, console.messages):
        console.tell("rules_options", options=", ".join(options))


def show_dice(console: Console, position: Position) -> None:
    """Print the throw and how many are left, or the kept dice while the others are in the air."""
    turn = position.turn
    if turn is None:
        return
    if turn.waiting:
        if turn.throws:
            console.tell("dice_kept", dice=dice_text(turn.dice) or "-", thrown=DICE - turn.dice.count)
        return
    console.tell("dice_shown", Style.HEAD, throw=turn.throws, dice=dice_text(turn.dice), left=THROWS - turn.throws)
    if turn.locked.count:
        console.tell("dice_locked", dice=dice_text(turn.locked))


def show_end(console: Console, record: Record) -> None:
    """Print why the game is over, the winners and the points."""
    screen = screen_of(record.game)
    console.say(end_reason(record.tags["End"], console.messages), Style.HEAD)
    winners = [side_name(record, side) for side in screen.winners(record)]
    if not winners:
        console.tell("end_draw", Style.HEAD)
    elif len(winners) == 1:
        console.tell("end_winner", Style.HEAD, name=winners[0])
    else:
        console.tell("end_shared", Style.HEAD, names=", ".join(winners))
    console.say(screen.points_text(record, console.messages))


def show_standing(console: Console, record: Record, game: int, games: int, standing: Sequence[int]) -> None:
    """Print the standing of a match after a finished game: the games won by each side, or the added
    totals."""
    standing_text = ", ".join(f"{side_name(record, side)} {points}" for side, points in enumerate(standing))
    key = "match_won" if record.game.scoring is Scoring.WINS else "match_totals"
    console.tell(key, Style.HEAD, game=game, games=games, standing=standing_text)


def end_reason(end: str, messages: Messages) -> str:
    """Return the sentence for a value of the record tag `End`. An unknown value stands
    for itself."""
    key = f"end_{end}"
    return messages(key) if key in messages else end


def show_record(record: Record, console: Console) -> None:
    """Print the position in which a record ends."""
    screen, position = screen_of(record.game), record.journal.position
    console.say(game_title(record.game, console.messages), Style.HEAD)
    console.tell("players", names=", ".join(player_names(record)))
    screen.show_all(console, record)
    if "End" in record.tags:
        show_end(console, record)
        return
    console.say(turn_title(record, console.messages), Style.HEAD)
    show_dice(console, position)
    if not position.waiting:
        screen.show_choices(console, position)
