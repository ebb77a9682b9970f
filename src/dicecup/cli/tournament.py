"""`dicecup tournament`: create and lead tournaments on a server, enter people and results, and
print pairings and standings."""

import asyncio
import json
from argparse import ArgumentParser, Namespace
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from dicecup.cli.tournament_setup import add_setup_arguments, setup_of
from dicecup.locale import Messages
from dicecup.terminal.errors import StorageError, TerminalCode

if TYPE_CHECKING:
    from dicecup.client import Client, RemoteTournament
    from dicecup.tournament.commands import TournamentCommand


class Words(NamedTuple):
    """How many words an action takes after its address: at least and at most. `shown` is how the
    help text names them."""

    least: int = 0
    most: int = 0
    shown: str = ""


MOST_NAMES: Final = 1000
PAGES: Final = ("pairings", "standings", "crosstable")
RESULTS: Final = {"1-0": "won", "0-1": "lost", "=": "drawn", "-": "neither"}
"""How a result is typed, as the first of a pairing sees it."""
SHOWN: Final = {"won": "1–0", "lost": "0–1", "drawn": "½–½", "neither": "0–0"}
BY_HAND: Final = "by-hand"
OF_SERVERS: Final = {"list": Words(), "create": Words(1, 1, "NAME")}
OF_TOURNAMENTS: Final = {
    "show": Words(),
    "crosstable": Words(),
    "log": Words(),
    "enter": Words(1, MOST_NAMES, "NAME…"),
    "withdraw": Words(0, 1, "[NAME]"),
    "return": Words(0, 1, "[NAME]"),
    "start": Words(),
    "schedule": Words(1, 1, f"TIME|{BY_HAND}"),
    "result": Words(2, 2, f"NUMBER {'|'.join(RESULTS)}"),
    "forfeit": Words(2, 2, f"NUMBER {'|'.join(RESULTS)}"),
    "delete-round": Words(0, 0, "--reason TEXT"),
    "print": Words(1, 1, f"{'|'.join(PAGES)} -o FILE"),
    "organiser": Words(1, 1, "HANDLE"),
    "finish": Words(),
    "cancel": Words(),
}
ACTIONS: Final = OF_SERVERS | OF_TOURNAMENTS


def add_arguments(parser: ArgumentParser, messages: Messages) -> None:
    """Add the action, the address that it is for, and the options of each action."""
    add = parser.add_argument
    add("action", metavar="ACTION", choices=ACTIONS, help=messages("cli_tournament_action"))
    add("where", metavar="URL|LINK", help=messages("cli_tournament_where"))
    add("words", metavar="WORD", nargs="*", help=messages("cli_tournament_words"))
    add("--round", metavar="N", type=int, help=messages("cli_tournament_round"))
    add("--strength", metavar="N", type=int, default=0, help=messages("cli_tournament_strength"))
    add("--points", metavar="N", type=int, nargs=2, default=(), help=messages("cli_tournament_points"))
    add("--reason", metavar="TEXT", help=messages("cli_tournament_reason"))
    add("-o", "--output", metavar="FILE", type=Path, help=messages("cli_tournament_output"))
    add("--json", action="store_true", help=messages("cli_tournament_json"))
    add_setup_arguments(parser, messages)
    lines = [messages("cli_tournament_actions")]
    for action in ACTIONS:
        key = action.replace("-", "_")
        lines += [f"  {_usage(action)}", f"      {messages(f'cli_tournament_do_{key}')}"]
    parser.epilog = "\n".join(lines)
    parser.set_defaults(refuse=parser.error)


def run(arguments: Namespace, messages: Messages) -> int:
    """Run an action and return 0. Raises `ClientError`, `ServerRefusal`, `TournamentError`,
    `TableError`, `GameError`, `HostingError` and `StorageError`."""
    words, takes = arguments.words, ACTIONS[arguments.action]
    is_right = takes.least <= len(words) <= takes.most
    if is_right and arguments.action == "print":
        is_right = arguments.output is not None and words[0] in PAGES
    elif is_right and arguments.action in ("result", "forfeit"):
        is_right = words[0].isdecimal() and words[1] in RESULTS
    elif is_right and arguments.action == "delete-round":
        is_right = bool(arguments.reason)
    if not is_right:
        arguments.refuse(messages("tournament_usage", usage=_usage(arguments.action)))
    asyncio.run(_run(arguments, messages))
    return 0


def _usage(action: str) -> str:
    where = "URL" if action in OF_SERVERS else "LINK"
    return f"{action} {where} {ACTIONS[action].shown}".rstrip()


async def _run(arguments: Namespace, messages: Messages) -> None:
    from dicecup.client import TournamentLink
    from dicecup.client.tokens import open_client
    from dicecup.terminal.join import tokens_file

    link = None if arguments.action in OF_SERVERS else TournamentLink.read(arguments.where)
    url = arguments.where.rstrip("/") if link is None else link.url
    client = await open_client(url, tokens_file(), messages.language)
    try:
        if link is None:
            await (_list if arguments.action == "list" else _create)(client, arguments, messages)
        else:
            await DO[arguments.action](client.tournament(link.tournament), arguments, messages)
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
    made = await client.create_tournament(setup_of(arguments.words[0], arguments))
    print(messages("tournament_created", link=f"{client.url}/tournaments/{made.tournament}"))


# --- A tournament ---------------------------------------------------------------------------------


async def _show(tournament: "RemoteTournament", arguments: Namespace, messages: Messages) -> None:
    """Print the stage, the pairings of a round, by default of the last one, the standings, and the
    table of this keyboard."""
    seen = await tournament.look()
    view, you = seen["view"], seen["you"]
    chosen = None if arguments.round is None else await tournament.round(arguments.round)
    if arguments.json:
        print(json.dumps(chosen or view, ensure_ascii=False))
        return
    stage = messages(f"ui_tournament_stage_{view['stage']}")
    print(messages("tournament_stage", name=view["setup"]["name"], stage=stage))
    if view["next_start"] is not None:
        print(messages("ui_tournament_log_scheduled", time=_time(view["next_start"])))
    _print_round(view, messages, chosen)
    names = _names(view)
    if view["standings"]:
        print(messages("print_standings"))
    for line in view["standings"]:
        print(messages("tournament_place", rank=line["rank"], name=names[line["entrant"]], points=_points(line["points"])))
    if you["table"] is not None:
        print(messages("tournament_own_table", link=f"{seen['link'].rpartition('/tournaments/')[0]}/tables/{you['table']}"))


async def _crosstable(tournament: "RemoteTournament", arguments: Namespace, messages: Messages) -> None:
    """Print for each line of the standings the opponents and the points against them."""
    view, table = (await tournament.look())["view"], await tournament.crosstable()
    if arguments.json:
        print(json.dumps(table, ensure_ascii=False))
        return
    names = _names(view) | {None: messages("print_bye")}
    for line in table["lines"]:
        place = messages("tournament_place", rank=line["rank"], name=names[line["entrant"]], points=_points(line["points"]))
        met = [
            f"{names[each['opponent']]} {'…' if each['points'] is None else _points(each['points'])}"
            for each in line["meetings"]
        ]
        print(f"{place} ({', '.join(met)})" if met else place)


async def _log(tournament: "RemoteTournament", _: Namespace, __: Messages) -> None:
    """Print each event as a line of JSON."""
    for event in await tournament.log():
        print(json.dumps(event, ensure_ascii=False))


async def _enter(tournament: "RemoteTournament", arguments: Namespace, messages: Messages) -> None:
    """Enter people if this keyboard leads the tournament, and otherwise its own person."""
    from dicecup.tournament.commands import AddEntrant, Enter

    leads = (await tournament.look())["you"]["organiser"]
    if not leads and len(arguments.words) > 1:
        arguments.refuse(messages("tournament_usage", usage="enter LINK NAME"))
    for name in arguments.words:
        await tournament.do(AddEntrant(name, arguments.strength) if leads else Enter(name))
        print(messages("tournament_entered", name=name))


async def _withdraw(tournament: "RemoteTournament", arguments: Namespace, messages: Messages) -> None:
    """Withdraw a person, or let one who has withdrawn return: this keyboard's own without a name.

    Raises `TournamentError` (`no-such-entrant`).
    """
    from dicecup.tournament.commands import Return, Withdraw
    from dicecup.tournament.errors import TournamentCode, TournamentError

    seen = await tournament.look()
    names = _names(seen["view"])
    entrant: int | None = seen["you"]["entrant"]
    if arguments.words:
        entrant = next((number for number, name in names.items() if name == arguments.words[0]), None)
        if entrant is None:
            raise TournamentError(TournamentCode.NO_SUCH_ENTRANT, text=arguments.words[0])
    returns = arguments.action == "return"
    await tournament.do(Return(entrant) if returns else Withdraw(entrant))
    key = "ui_tournament_log_returned" if returns else "ui_tournament_log_withdrawn"
    print(messages(key, name=names.get(entrant or 0, "")))


async def _start(tournament: "RemoteTournament", _: Namespace, messages: Messages) -> None:
    """Start the next round and print its pairings."""
    from dicecup.tournament.commands import StartRound

    await tournament.look()
    await tournament.do(StartRound())
    _print_round((await tournament.look())["view"], messages)


async def _schedule(tournament: "RemoteTournament", arguments: Namespace, messages: Messages) -> None:
    """Let the next round begin by itself at a time, or by hand. Raises `HostingError`
    (`not-a-time`)."""
    from dicecup.cli.times import time_of
    from dicecup.tournament.commands import ScheduleRound

    at = None if arguments.words[0] == BY_HAND else time_of(arguments.words[0])
    await _do(tournament, ScheduleRound(at))
    key = "ui_tournament_log_scheduled_hand" if at is None else "ui_tournament_log_scheduled"
    print(messages(key, time="" if at is None else _time(at)))


async def _result(tournament: "RemoteTournament", arguments: Namespace, messages: Messages) -> None:
    """Enter the result of a pairing, decide it without a game, or with a reason correct it."""
    from dicecup.tournament.commands import Correct, EnterResult, Forfeit
    from dicecup.tournament.events import Result

    number, result = int(arguments.words[0]), Result(RESULTS[arguments.words[1]])
    view = (await tournament.look())["view"]
    command: TournamentCommand = EnterResult(number, _game(view, number), result, tuple(arguments.points))
    if arguments.action == "forfeit":
        command = Forfeit(number, result)
    elif arguments.reason:
        command = Correct(number, result, arguments.reason)
    await tournament.do(command)
    print(messages("tournament_result", number=number, result=SHOWN[result]))


async def _delete_round(tournament: "RemoteTournament", arguments: Namespace, messages: Messages) -> None:
    """Delete the running round, which must have no results."""
    from dicecup.tournament.commands import DeleteRound

    number = len((await tournament.look())["view"]["rounds"])
    await tournament.do(DeleteRound(number, arguments.reason))
    print(messages("ui_tournament_log_round_deleted", round=number, remark=arguments.reason))


async def _organiser(tournament: "RemoteTournament", arguments: Namespace, messages: Messages) -> None:
    """Make a person with an account an organiser, too."""
    from dicecup.tournament.commands import NameOrganiser

    await _do(tournament, NameOrganiser(arguments.words[0]))
    print(messages("ui_tournament_log_organiser_named", name=arguments.words[0]))


async def _print(tournament: "RemoteTournament", arguments: Namespace, messages: Messages) -> None:
    """Write a page as PDF. Raises `StorageError`."""
    number = arguments.round if arguments.words[0] == "pairings" else None
    page = await tournament.pdf(arguments.words[0], messages.language, number=number)
    try:
        arguments.output.write_bytes(page)
    except OSError as error:
        raise StorageError(TerminalCode.CANNOT_SAVE, file=str(arguments.output), why=error.strerror) from error


async def _finish(tournament: "RemoteTournament", arguments: Namespace, messages: Messages) -> None:
    """End or cancel the tournament and print the standings."""
    from dicecup.tournament.commands import Cancel, Finish

    await _do(tournament, Cancel() if arguments.action == "cancel" else Finish())
    await _show(tournament, arguments, messages)


DO: Final = {
    "show": _show,
    "crosstable": _crosstable,
    "log": _log,
    "enter": _enter,
    "withdraw": _withdraw,
    "return": _withdraw,
    "start": _start,
    "schedule": _schedule,
    "result": _result,
    "forfeit": _result,
    "delete-round": _delete_round,
    "print": _print,
    "organiser": _organiser,
    "finish": _finish,
    "cancel": _finish,
}
"""What is done at a tournament."""


async def _do(tournament: "RemoteTournament", command: "TournamentCommand") -> None:
    """Send a command for the tournament as it is now."""
    await tournament.look()
    await tournament.do(command)


def _names(view: Mapping[str, Any]) -> dict[int, str]:
    return {entrant["entrant"]: entrant["name"] for entrant in view["entrants"]}


def _print_round(view: Mapping[str, Any], messages: Messages, chosen: Mapping[str, Any] | None = None) -> None:
    """Print the pairings of a round, by default of the last one if one has begun."""
    if not view["rounds"]:
        return
    names, shown = _names(view), chosen or view["rounds"][-1]
    print(messages("print_round", number=shown["round"]))
    for each in (chosen or view)["pairings"]:
        values = {"number": each["pairing"], "first": names[each["first"]], "second": names[each["second"]]}
        if each["result"] is None:
            print(messages("tournament_pairing", **values))
        else:
            print(messages("tournament_pairing_result", **values, result=SHOWN[each["result"]]))
    for entrant in shown["byes"]:
        print(f"{names[entrant]}: {messages('print_bye')}")


def _time(at: float) -> str:
    """Return a time in the zone of this machine."""
    return datetime.fromtimestamp(at, UTC).astimezone().strftime("%Y-%m-%d %H:%M")


def _points(points: float) -> str:
    """Return points of a tournament as they are written: 2½."""
    whole, half = divmod(round(2 * points), 2)
    return f"{whole or '' if half else whole}{'½' * half}"


def _game(view: Mapping[str, Any], number: int) -> int:
    """Return the number of the game of a pairing whose result is due."""
    found: list[Mapping[str, Any]] = next((each["games"] for each in view["pairings"] if each["pairing"] == number), [])
    return next((game["game"] for game in found if game["result"] is None), len(found) + 1)
