"""`dicecup admin block`, `unblock` and `blocks`: networks that may not use the server."""

import json
from argparse import Namespace
from time import time

from dicecup.cli.audited import audited
from dicecup.cli.database import with_store
from dicecup.cli.times import time_of
from dicecup.hosting.ban_list import shown_time
from dicecup.hosting.block_list import network_of
from dicecup.hosting.store.blocks import Block, blocks_of, delete_block, save_block
from dicecup.locale import Messages


def block(arguments: Namespace, text: str, messages: Messages) -> None:
    """Block an address or a network, until `--until` if that is given.

    Raises `HostingError` (`not-a-network`, `not-a-time`).
    """
    until = None if arguments.until is None else time_of(arguments.until)
    network = network_of(text)
    subject = network if until is None else f"{network} {shown_time(until)}"
    audited(arguments, subject, lambda store, entry: save_block(store, Block(network, until), entry))
    print(_line(Block(network, until), messages))


def unblock(arguments: Namespace, text: str, messages: Messages) -> None:
    """End the block of an address or a network. Raises `HostingError` (`not-a-network`)."""
    network = network_of(text)
    was_blocked = audited(arguments, network, lambda store, entry: delete_block(store, network, entry))
    print(messages("admin_unblocked" if was_blocked else "admin_not_blocked", network=network))


def print_blocks(arguments: Namespace, messages: Messages) -> None:
    """Print a line for each network that is blocked now."""
    for found in with_store(arguments, blocks_of):
        if found.until is None or found.until > time():
            print(json.dumps(found._asdict()) if arguments.json else _line(found, messages))


def _line(found: Block, messages: Messages) -> str:
    if found.until is None:
        return messages("admin_blocked", network=found.network)
    return messages("admin_blocked_until", network=found.network, time=shown_time(found.until))
