"""What clients see of a tournament: the same for everybody, and what concerns one person."""

from collections.abc import Callable
from typing import Any, Final, TypeAlias

from dicecup.table import codec as wire
from dicecup.tournament.permissions import (
    added_entry_refusal,
    delete_refusal,
    is_organiser,
    own_entry_refusal,
    result_refusal,
    return_refusal,
    round_left_refusal,
    start_refusal,
    withdraw_refusal,
)
from dicecup.tournament.setup import Format
from dicecup.tournament.standings import Line, Meeting, crosstable, standings
from dicecup.tournament.state import TournamentState
from dicecup.tournament.values import Entrant, Pairing, Round, TournamentGame

Json: TypeAlias = dict[str, Any]
WatchKey: TypeAlias = Callable[[str], str | None]
"""Function that returns the key of the link to watch a table."""
NEWEST: Final = 50
"""Ended pairings of an arena that the view holds."""


def stage(state: TournamentState) -> str:
    """Return `open` before the first round, then `running`, and after the end `over`."""
    return "over" if state.is_over else "running" if state.has_begun else "open"


def summary(state: TournamentState) -> Json:
    """Return a tournament as lists show it."""
    return {
        "tournament": state.tournament,
        "name": state.setup.name,
        "format": state.setup.format.value,
        "game": state.setup.game,
        "clock": None if state.setup.clock is None else wire.to_json(state.setup.clock),
        "dice": state.setup.dice.value,
        "seconds": state.setup.seconds,
        "stage": stage(state),
        "entrants": len(state.active),
        "round": len(state.rounds),
        "rounds": state.most_rounds,
        "created": state.created,
        "next_start": state.next_start,
        "finished": state.finished,
    }


def view(state: TournamentState, watch_key: WatchKey) -> Json:
    """Return what everybody sees: the setup, the entrants, the rounds, the standings, and the
    pairings of the last round. An arena shows those that are played and the newest that ended."""
    last = state.round
    shown = [] if last is None else state.pairings_of(last)
    if state.setup.format is Format.ARENA:
        ended = [pairing for pairing in shown if pairing.result is not None]
        newest = {pairing.number for pairing in sorted(ended, key=lambda pairing: pairing.changed)[-NEWEST:]}
        shown = [pairing for pairing in shown if pairing.result is None or pairing.number in newest]
    return {
        "tournament": state.tournament,
        "number": state.number,
        "time": state.time,
        "created": state.created,
        "stage": stage(state),
        "how": None if state.how is None else state.how.value,
        "finished": state.finished,
        "next_start": state.next_start,
        "most_rounds": state.most_rounds,
        "setup": wire.to_json(state.setup),
        "organisers": list(state.handles),
        "entrants": [_entrant(entrant) for entrant in state.entrants],
        "rounds": [_round(played) for played in state.rounds],
        "pairings": [_pairing(state, pairing, watch_key) for pairing in shown],
        "tie_breaks": [kind.value for kind in state.setup.chosen_tie_breaks],
        "standings": [_line(line) for line in standings(state)],
    }


def round_view(state: TournamentState, number: int, watch_key: WatchKey) -> Json | None:
    """Return a round with all its pairings, `None` if it has not begun."""
    if not 1 <= number <= len(state.rounds):
        return None
    played = state.rounds[number - 1]
    return _round(played) | {"pairings": [_pairing(state, pairing, watch_key) for pairing in state.pairings_of(played)]}


def crosstable_view(state: TournamentState) -> Json:
    """Return for each line of the standings what the entrant did in each round."""
    meetings = crosstable(state)
    return {
        "number": state.number,
        "lines": [_line(line) | {"meetings": list(map(_meeting, meetings[line.entrant]))} for line in standings(state)],
    }


def own_view(state: TournamentState, identity: str | None, now: float) -> Json:
    """Return what concerns one person: the entrant, the pairing and table of the running game, and
    the commands that are allowed now."""
    entrant = state.entrant_of(identity)
    pairing = None if entrant is None else state.running_of(entrant.number)
    game = None if pairing is None else pairing.game
    return {
        "entrant": None if entrant is None else entrant.number,
        "organiser": is_organiser(state, identity),
        "pairing": None if pairing is None else pairing.number,
        "table": None if game is None or not game.table else game.table,
        "may": [] if identity is None else _allowed(state, identity, entrant, now),
    }


def _allowed(state: TournamentState, identity: str, entrant: Entrant | None, now: float) -> list[str]:
    """Return the types of the commands that are allowed for some value of their fields."""
    found = {"enter": own_entry_refusal(state, identity, now) is None}
    if entrant is not None:
        found["withdraw"] = withdraw_refusal(state, entrant.number) is None
        found["return"] = return_refusal(state, entrant.number) is None
    found["enter-result"] = any(result_refusal(state, each, identity) is None for each in state.running_pairings())
    if is_organiser(state, identity):
        last, is_open = len(state.rounds), not state.is_over
        found |= {
            "add-entrant": added_entry_refusal(state, now) is None,
            "withdraw": is_open and any(each.is_active for each in state.entrants),
            "return": is_open and not all(each.is_active for each in state.entrants),
            "start-round": start_refusal(state) is None,
            "schedule-round": round_left_refusal(state) is None,
            "forfeit": is_open and bool(state.running),
            "correct": any(pairing.result is not None for pairing in state.kept()),
            "delete-round": delete_refusal(state, last) is None,
            "name-organiser": is_open,
            "finish": is_open and state.has_begun,
            "cancel": is_open,
        }
    return [name for name, is_allowed in found.items() if is_allowed]


def _entrant(entrant: Entrant) -> Json:
    return {
        "entrant": entrant.number,
        "name": entrant.name,
        "strength": entrant.strength,
        "active": entrant.is_active,
        "joined": entrant.joined,
    }


def _round(played: Round) -> Json:
    return {
        "round": played.number,
        "started": played.started,
        "deadline": played.deadline,
        "ended": played.ended,
        "byes": list(played.byes),
    }


def _pairing(state: TournamentState, pairing: Pairing, watch_key: WatchKey) -> Json:
    key = _no_key if state.has_secret_dice(pairing) else watch_key
    return {
        "pairing": pairing.number,
        "round": pairing.round,
        "first": pairing.first,
        "second": pairing.second,
        "result": None if pairing.result is None else pairing.result.value,
        "cause": None if pairing.cause is None else pairing.cause.value,
        "corrected": pairing.is_corrected,
        "games": [_game(game, key) for game in pairing.games],
    }


def _no_key(table: str) -> None:
    """Return no key: the dice of a table are secret."""
    del table


def _game(game: TournamentGame, watch_key: WatchKey) -> Json:
    return {
        "game": game.number,
        "table": game.table or None,
        "watch_key": watch_key(game.table) if game.table else None,
        "result": None if game.result is None else game.result.value,
        "cause": None if game.cause is None else game.cause.value,
        "points": list(game.points),
    }


def _line(line: Line) -> Json:
    return {
        "rank": line.rank,
        "entrant": line.entrant,
        "points": line.points / 2,
        "played": line.played,
        "won": line.won,
        "drawn": line.drawn,
        "lost": line.lost,
        "tie_breaks": list(line.tie_breaks),
        "seats": line.seats,
    }


def _meeting(meeting: Meeting) -> Json:
    return {
        "round": meeting.round,
        "opponent": meeting.opponent,
        "first": meeting.is_first,
        "points": None if meeting.points is None else meeting.points / 2,
        "played": meeting.is_played,
    }
