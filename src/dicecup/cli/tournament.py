"""`dicecup tournament`: create and lead tournaments on a server, enter people and results, and
print pairings and standings."""

import asyncio
import json
from argparse import ArgumentParser, Namespace
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from dicecup.locale import Messages
from dicecup.terminal.errors import StorageError, TerminalCode

if TYPE_CHECKING:
    from dicecup.client import Client, RemoteTournament

DEEDS: Final = ("list", "create", "show", "enter", "start", "result", "print", "finish")
WORDS: Final = {"create": (1, 1), "enter": (1, 1000), "result": (2, 2), "print": (1, 1)}
"""How many words an action takes after its address: at least and at most. Others take none."""
FORMATS: Final = ("swiss", "round-robin", "league", "knock-out", "arena")
DICE: Final = ("results", "table", "server")
PAGES: Final = ("pairings", "standings", "crosstable")
RESULTS: Final = {"1-0": "won", "0-1": "lost", "=": "drawn", "-": "neither"}
"""How a result is typed, as the first of a pairing sees it."""
SHOWN: Final = {"won": "1–0", "lost": "0–1", "drawn": "½–½", "neither": "0–0"}
SWISS_ROUNDS: Final = 5
MINUTES: Final = {"arena": 60, "league": 7 * 24 * 60}
"""Minutes of an arena, and of a round of a league, unless others are given."""


def add_arguments(parser: ArgumentParser, messages: Messages) -> None:
    """Add the action, the address that it is for, and the options of each action."""
    parser.add_argument("deed", choices=DEEDS, help=messages("cli_tournament_deed"))
    parser.add_argument("where", metavar="URL|LINK", help=messages("cli_tournament_where"))
    parser.add_argument("words", metavar="WORD", nargs="*", help=messages("cli_tournament_words"))
    parser.add_argument("--format", choices=FORMATS, default="swiss", help=messages("cli_tournament_format"))
    parser.add_argument("--game", metavar="GAME", default="yam-master", help=messages("cli_tournament_game"))
    parser.add_argument("--dice", choices=DICE, default="results", help=messages("cli_tournament_dice"))
    parser.add_argument("--rounds", metavar="N", type=int, help=messages("cli_tournament_rounds", rounds=SWISS_ROUNDS))
    parser.add_argument("--minutes", metavar="N", type=int, help=messages("cli_tournament_minutes"))
    parser.add_argument("--points", metavar="N", type=int, nargs=2, default=(), help=messages("cli_tournament_points"))
    parser.add_argument("--reason", metavar="TEXT", help=messages("cli_tournament_reason"))
    parser.add_argument("-o", "--output", metavar="FILE", type=Path, help=messages("cli_tournament_output"))
    parser.add_argument("--json", action="store_true", help=messages("cli_tournament_json"))
    parser.set_defaults(refuse=parser.error)


def run(arguments: Namespace, messages: Messages) -> int:
    """Run an action and return 0. Raises `ClientError`, `ServerRefusal`, `TournamentError`,
    `GameError` and `StorageError`."""
    least, most = WORDS.get(arguments.deed, (0, 0))
    words = arguments.words
    is_right = least <= len(words) <= most
    if is_right and arguments.deed == "print":
        is_right = arguments.output is not None and words[0] in PAGES
    elif is_right and arguments.deed == "result":
        is_right = words[0].isdecimal() and words[1] in RESULTS
    if not is_right:
        arguments.refuse(messages("tournament_usage"))
    asyncio.run(_run(arguments, messages))
    return 0


async def _run(arguments: Namespace, messages: Messages) -> None:
    from dicecup.client import TournamentLink
    from dicecup.client.tokens import open_client
    from dicecup.terminal.join import tokens_file

    of_server = arguments.deed in ("list", "create")
    link = None if of_server else TournamentLink.read(arguments.where)
    url = arguments.where.rstrip("/") if link is None else link.url
    client = await open_client(url, tokens_file(), messages.language)
    try:
        if link is None:
            await (_list if arguments.deed == "list" else _create)(client, arguments, messages)
        else:
            await DO[arguments.deed](client.tournament(link.tournament), arguments, messages)
    finally:
        await client.__aexit__(None, None, None)


# --- A server -------------------------------------------------------------------------------------


async def _list(client: "Client", arguments: Namespace, messages: Messages) -> None:
    """Print the tournaments of this keyboard, then public ones."""
    found = await client.tournaments()
    listed = {each["tournament"]: each for each in (*found["own"], *found["listed"])}
    for each in listed.values():
        if arguments.json:
            print(json.dumps(each, ensure_ascii=False))
            continue
        kind, stage = (
            messages(f"print_format_{each['format'].replace('-', '_')}"),
            messages(f"ui_tournament_stage_{each['stage']}"),
        )
        link = f"{client.url}/tournaments/{each['tournament']}"
        people = each["entrants"]
        print(
            messages("tournament_line", name=each["name"], format=kind, game=each["game"], stage=stage, count=people, link=link)
        )


async def _create(client: "Client", arguments: Namespace, messages: Messages) -> None:
    """Create a tournament, of which this keyboard is the organiser, and print its link."""
    from dicecup.table.setup import Clock, ClockKind
    from dicecup.tournament.setup import DiceKind, Format, TournamentSetup

    kind, minutes = Format(arguments.format), arguments.minutes or MINUTES.get(arguments.format, 0)
    rounds = arguments.rounds or (SWISS_ROUNDS if kind is Format.SWISS else 0)
    clock = Clock(ClockKind.GAME, 600) if arguments.dice == "server" else None
    made = await client.create_tournament(
        TournamentSetup(
            arguments.words[0],
            kind,
            arguments.game,
            DiceKind(arguments.dice),
            clock,
            rounds=rounds,
            seconds=60 * minutes,
        )
    )
    print(messages("tournament_created", link=f"{client.url}/tournaments/{made.tournament}"))


# --- A tournament ---------------------------------------------------------------------------------


async def _show(tournament: "RemoteTournament", arguments: Namespace, messages: Messages) -> None:
    """Print the stage, the pairings of the last round, and the standings."""
    view = (await tournament.look())["view"]
    if arguments.json:
        print(json.dumps(view, ensure_ascii=False))
        return
    stage = messages(f"ui_tournament_stage_{view['stage']}")
    print(messages("tournament_stage", name=view["setup"]["name"], stage=stage))
    _print_round(view, messages)
    names = _names(view)
    if view["standings"]:
        print(messages("print_standings"))
    for line in view["standings"]:
        print(messages("tournament_place", rank=line["rank"], name=names[line["entrant"]], points=_points(line["points"])))


async def _enter(tournament: "RemoteTournament", arguments: Namespace, messages: Messages) -> None:
    """Enter people if this keyboard leads the tournament, and otherwise its own person."""
    from dicecup.tournament.commands import AddEntrant, Enter

    leads = (await tournament.look())["you"]["organiser"]
    if not leads and len(arguments.words) > 1:
        arguments.refuse(messages("tournament_usage"))
    for name in arguments.words:
        await tournament.do(AddEntrant(name) if leads else Enter(name))
        print(messages("tournament_entered", name=name))


async def _start(tournament: "RemoteTournament", _: Namespace, messages: Messages) -> None:
    """Start the next round and print its pairings."""
    from dicecup.tournament.commands import StartRound

    await tournament.look()
    await tournament.do(StartRound())
    _print_round((await tournament.look())["view"], messages)


async def _result(tournament: "RemoteTournament", arguments: Namespace, messages: Messages) -> None:
    """Enter the result of a pairing, or with a reason correct it."""
    from dicecup.tournament.commands import Correct, EnterResult, TournamentCommand
    from dicecup.tournament.events import Result

    number, result = int(arguments.words[0]), Result(RESULTS[arguments.words[1]])
    view = (await tournament.look())["view"]
    command: TournamentCommand = EnterResult(number, _game(view, number), result, tuple(arguments.points))
    if arguments.reason:
        command = Correct(number, result, arguments.reason)
    await tournament.do(command)
    print(messages("tournament_result", number=number, result=SHOWN[result]))


async def _print(tournament: "RemoteTournament", arguments: Namespace, messages: Messages) -> None:
    """Write a page as PDF. Raises `StorageError`."""
    page = await tournament.pdf(arguments.words[0], messages.language)
    try:
        arguments.output.write_bytes(page)
    except OSError as error:
        raise StorageError(TerminalCode.CANNOT_SAVE, file=str(arguments.output), why=error.strerror) from error


async def _finish(tournament: "RemoteTournament", arguments: Namespace, messages: Messages) -> None:
    """End the tournament and print the standings."""
    from dicecup.tournament.commands import Finish

    await tournament.look()
    await tournament.do(Finish())
    await _show(tournament, arguments, messages)


DO: Final = {"show": _show, "enter": _enter, "start": _start, "result": _result, "print": _print, "finish": _finish}
"""What is done at a tournament."""


def _names(view: Mapping[str, Any]) -> dict[int, str]:
    return {entrant["entrant"]: entrant["name"] for entrant in view["entrants"]}


def _print_round(view: Mapping[str, Any], messages: Messages) -> None:
    """Print the pairings of the last round, if one has begun."""
    if not view["rounds"]:
        return
    names, last = _names(view), view["rounds"][-1]
    print(messages("print_round", number=last["round"]))
    for each in view["pairings"]:
        values = {"number": each["pairing"], "first": names[each["first"]], "second": names[each["second"]]}
        if each["result"] is None:
            print(messages("tournament_pairing", **values))
        else:
            print(messages("tournament_pairing_result", **values, result=SHOWN[each["result"]]))
    for entrant in last["byes"]:
        print(f"{names[entrant]}: {messages('print_bye')}")


def _points(points: float) -> str:
    """Return points of a tournament as they are written: 2½."""
    whole, half = divmod(round(2 * points), 2)
    return f"{whole or '' if half else whole}{'½' * half}"


def _game(view: Mapping[str, Any], number: int) -> int:
    """Return the number of the game of a pairing whose result is due."""
    found: list[Mapping[str, Any]] = next((each["games"] for each in view["pairings"] if each["pairing"] == number), [])
    return next((game["game"] for game in found if game["result"] is None), len(found) + 1)
