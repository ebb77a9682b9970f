"""The laws of `bench.chaos`: stored events are those that clients saw, each command once."""

from collections import Counter
from collections.abc import Mapping
from typing import Any

from bench._chaos_players import Ledger, TableSeen, digest_of
from dicecup.hosting.publisher import event_json
from dicecup.table.events import Stored, event_from_json


def compared(ledger: Ledger, arena: str, stored: Mapping[str, list[dict[str, Any]]]) -> Mapping[str, int]:
    """Compare what the clients of an arena saw and sent with its stored events, by table.

    Events are those of `dicecup export`. Broken laws are noted in the ledger. Returns counts.
    """
    carried_out: Counter[str] = Counter()
    numbers: dict[str, dict[int, str]] = {}
    for table, events in stored.items():
        if [event["number"] for event in events] != list(range(1, len(events) + 1)):
            ledger.breaks(f"table {table}: the numbers have gaps")
        keys = [(event["identity"], event["command"]) for event in events if "command" in event]
        if len(set(keys)) < len(keys):
            ledger.breaks(f"table {table}: a command was carried out twice")
        if table in ledger.tables:
            carried_out.update(command for _, command in keys)
            numbers[table] = {event["number"]: event["command"] for event in events if "command" in event}
    for table, seen in ledger.tables.items():
        if seen.arena == arena:
            compare_events(ledger, table, seen, stored.get(table, []))
    sent = [each for each in ledger.commands.values() if ledger.tables[each.table].arena == arena]
    for each in sent:
        times, number = carried_out[each.id], each.number
        if times > 1 or (times and each.refused) or (number is not None and numbers.get(each.table, {}).get(number) != each.id):
            ledger.breaks(f"table {each.table}: command {each.id}, answered {number}, was carried out {times} times")
    by_programs = [each for each in ledger.of_programs if ledger.tables[each.table].arena == arena]
    for table, found in numbers.items():
        compare_programs(ledger, table, {number for number, command in found.items() if command not in ledger.commands})
    sent += by_programs
    tables = [seen for seen in ledger.tables.values() if seen.arena == arena]
    return {
        "tables": len(tables),
        "of them finished": sum(seen.over for seen in tables),
        "events stored": sum(map(len, stored.values())),
        "events seen by clients": sum(len(seen.events) for seen in tables),
        "commands sent": len(sent),
        "acknowledged": sum(each.number is not None for each in sent),
        "refused": sum(each.refused for each in sent),
        "without an answer": sum(each.number is None and not each.refused for each in sent),
        "sent more than once": sum(each.tries > 1 for each in sent),
        "carried out twice": sum(times > 1 for times in carried_out.values()),
    }


def compare_programs(ledger: Ledger, table: str, stored: set[int]) -> None:
    """Compare the numbers of the events of `dicecup.client`, whose ids nobody knows, with its
    answers."""
    sent = [each for each in ledger.of_programs if each.table == table]
    answered = [each.number for each in sent if each.number is not None]
    if len(set(answered)) < len(answered) or not stored.issuperset(answered):
        ledger.breaks(f"table {table}: commands answered {answered} were stored as {stored}")
    if len(stored) > sum(not each.refused for each in sent):
        ledger.breaks(f"table {table}: {len(stored)} commands were carried out of {len(sent)} that were sent")


def compare_events(ledger: Ledger, table: str, seen: TableSeen, stored: list[dict[str, Any]]) -> None:
    """Compare the events that clients saw of a table with the stored ones."""
    shown = [event_json(Stored(event["number"], event["time"], event_from_json(event["event"]))) for event in stored]
    contents = {event["number"]: digest_of(event) for event in shown}
    lost = [number for number in seen.events if number not in contents]
    changed = [number for number, digest in seen.events.items() if contents.get(number, digest) != digest]
    if lost:
        ledger.breaks(f"table {table}: of {len(stored)} events, clients saw {lost} besides")
    if changed:
        ledger.breaks(f"table {table}: the events {changed} differ from what clients saw")
