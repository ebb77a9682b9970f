"""A position for a person: what is shown before every decision, and at the end of a replay."""

from dicecup import yam_master, yamm
from dicecup.core.dice import DICE, Dice
from dicecup.core.game import Position, Rules
from dicecup.core.ids import split_id
from dicecup.core.turn import THROWS
from dicecup.locale import Messages
from dicecup.record import Record
from dicecup.table.seats import player_tags, player_to_act
from dicecup.terminal import board, sheet, tags
from dicecup.terminal.console import TIE, Console, Style
from dicecup.yamm.seats import players_of_sheet


def dice_text(dice: Dice) -> str:
    """The faces with spaces between."""
    return " ".join(map(str, dice.faces))


def player_names(record: Record) -> tuple[str, ...]:
    """What the players are called: in Yam Master with their side."""
    named = tuple(record.tags.get(name, name) for name in player_tags(record.game))
    if isinstance(record.game, yam_master.YamMaster):
        return tuple(f"{name} ({side})" for name, side in zip(named, "xo", strict=True))
    return named


def sheet_name(record: Record, place: int) -> str:
    """Whose sheet it is."""
    assert isinstance(record.game, yamm.Yamm)
    named = player_names(record)
    return " & ".join(named[player] for player in players_of_sheet(record.game.options, place))


def game_title(game: Rules, messages: Messages) -> str:
    """The game's name, and the options that differ from the usual ones."""
    name = messages("game_yam_master" if isinstance(game, yam_master.YamMaster) else "game_yamm")
    options = option_texts(game, messages)
    return f"{name} ({', '.join(options)})" if options else name


def option_texts(game: Rules, messages: Messages) -> list[str]:
    """Return a text for each rule option of the game that differs from its default."""
    _, options = split_id(game.id)
    return [messages(f"option_{option}_{value}_summary") for option, value in options.items() if option != "players"]


def turn_title(record: Record, position: Position, messages: Messages) -> str:
    """Whose turn it is, and which."""
    name = player_names(record)[player_to_act(position)]
    if isinstance(position, yam_master.Position):
        return messages("turn_yam_master", number=position.number, name=name)
    round_number = (position.number - 1) // position.game.options.players + 1
    return messages("turn_yamm", number=position.number, round=round_number, name=name)


def show_decision(console: Console, record: Record) -> None:
    """All that somebody needs who is to decide: the board or the sheet, what the dice allow, what stands at stake."""
    position = record.journal.position
    if isinstance(position, yam_master.Position):
        if not console.short:
            board.show_board(console, position)
        board.show_supplies(console, position, player_names(record))
    else:
        if not console.short and position.sheet is not None:
            show_sheets(console, record, position, position.sheet)
        show_totals(console, record, position)
    show_dice(console, position)
    if position.waiting or position.turn is None:
        return
    if isinstance(position, yam_master.Position):
        board.show_choices(console, position)
    elif console.short:
        sheet.read_choices(console, position)


def show_dice(console: Console, position: Position) -> None:
    """The throw, and how many are left; or what was kept while the others are in the air."""
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


def show_sheets(console: Console, record: Record, position: yamm.Position, place: int) -> None:
    """One sheet with its owner's name."""
    console.tell("sheet_of", name=sheet_name(record, place))
    sheet.show_sheet(console, position, place)


def show_totals(console: Console, record: Record, position: yamm.Position) -> None:
    """The grand totals known so far, and first-throw Yamms."""
    told = []
    for place, written in enumerate(position.written):
        key = "total_with_yamms" if written.first_throw_yamms else "total"
        name = sheet_name(record, place)
        text = console.messages(key, name=name, total=written.total, yamms=written.first_throw_yamms)
        told.append(text.replace(" ", TIE))
    console.say(" ".join(told))


def show_end(console: Console, record: Record) -> None:
    """Why the game is over, who won, and the score."""
    end = record.tags["End"]
    named = player_names(record)
    position = record.journal.position
    winners: list[str]
    if isinstance(position, yam_master.Position):
        side, _, score = record.tags["Result"].partition(" ")
        winners = [named["xo".index(side)]] if side in ("x", "o") else []
        points = console.messages("end_points", x=score.partition("-")[0], o=score.partition("-")[2])
    else:
        places = position.outcome.winners if position.outcome else map(int, record.tags["Winners"].split(" "))
        winners = [sheet_name(record, place) for place in places]
        totals = zip(range(len(position.sheets)), record.tags["Result"].split(" "), strict=True)
        points = ", ".join(f"{sheet_name(record, place)} {total}" for place, total in totals)
    console.say(end_reason(end, console.messages), Style.HEAD)
    if not winners:
        console.tell("end_draw", Style.HEAD)
    elif len(winners) == 1:
        console.tell("end_winner", Style.HEAD, name=winners[0])
    else:
        console.tell("end_shared", Style.HEAD, names=", ".join(winners))
    console.say(points)


def show_wet_result(console: Console, position: yamm.Position) -> None:
    """Before a turn's first throw: the sheet's last result, which can still be moved."""
    if position.sheet is None or position.turn is None or position.turn.throws:
        return
    result = position.wet[position.sheet]
    if result is not None:
        last = position.number - len(position.sheets)
        name = sheet.cell_name(result.cell, console.messages)
        points = position.written[position.sheet][result.cell]
        told = points or console.messages("word_struck")
        console.tell("wet_result", turn=last, dice=dice_text(result.roll), cell=name, points=told)


def show_standing(console: Console, record: Record) -> None:
    """What a match has brought so far: games won, or totals added. The game of this record is over."""
    match = tags.match_of(record)
    assert match is not None
    standing = tags.standing_after(record)
    yam = isinstance(record.game, yam_master.YamMaster)
    named = player_names(record) if yam else [sheet_name(record, place) for place in range(len(standing))]
    told = ", ".join(f"{name} {points}" for name, points in zip(named, standing, strict=True))
    key = "match_won" if yam else "match_totals"
    console.tell(key, Style.HEAD, game=match.game.number, games=match.game.games, standing=told)


def end_reason(end: str, messages: Messages) -> str:
    """What ended the game: the tag `End` in words."""
    keys = {
        "line": "end_line",
        "tokens": "end_tokens",
        "full": "end_full",
        "resign": "end_resign",
        "agreed": "end_agreed",
        "time": "end_time",
        "abandoned": "end_abandoned",
        "cap": "end_cap",
    }
    return messages(keys[end])


def show_everything(console: Console, record: Record) -> None:
    """The board, or all sheets, whatever is asked now."""
    position = record.journal.position
    if isinstance(position, yam_master.Position):
        board.show_board(console, position)
        board.show_supplies(console, position, player_names(record))
    else:
        for place in range(len(position.sheets)):
            show_sheets(console, record, position, place)
        show_totals(console, record, position)


def show_record(record: Record, console: Console) -> None:
    """Where a record ends, for `dicecup replay`."""
    position = record.journal.position
    console.say(game_title(record.game, console.messages), Style.HEAD)
    console.tell("players", names=", ".join(player_names(record)))
    show_everything(console, record)
    if "End" in record.tags:
        show_end(console, record)
        return
    console.say(turn_title(record, position, console.messages), Style.HEAD)
    show_dice(console, position)
    if isinstance(position, yam_master.Position) and not position.waiting:
        board.show_choices(console, position)
