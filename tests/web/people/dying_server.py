"""A server that kills itself with SIGKILL at a step of telling: `python dying_server.py DATABASE
STEP`. It tells people at once, and ends with its standard input."""

import asyncio
import os
import signal
import sys
from collections.abc import Callable
from ipaddress import ip_network
from typing import Any

from dicecup.hosting.people import deliveries, notifier, outbox
from dicecup.web.config import Config
from dicecup.web.people.push import PushSender
from dicecup.web.people.telling import Telling
from dicecup.web.server import running
from tests.hosting.guests import settings

LEASE = 1.0
KEY = bytes(range(1, 33))
STEPS: tuple[str, ...] = (
    "before claim",
    "after claim",
    "before decide",
    "after decide",
    "after claim_parcels",
    "before send",
    "after send",
    "before finish",
    "after finish",
)


def die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def dying(work: Callable[..., Any], name: str, step: str) -> Callable[..., Any]:
    """Return a function that kills the process before or after `work` if that is the step."""

    async def do(*arguments: Any) -> Any:
        if step == f"before {name}":
            die()
        done = await work(*arguments)
        if step == f"after {name}":
            die()
        return done

    return do


async def serve(database: str, step: str) -> None:
    notifier.INTERVAL = 0.05  # type: ignore[misc]
    notifier.SETTLING = 0.0  # type: ignore[misc]
    outbox.LEASE = deliveries.LEASE = LEASE  # type: ignore[misc, attr-defined]
    for module, name in ((outbox, "claim"), (outbox, "decide"), (deliveries, "claim_parcels"), (deliveries, "finish")):
        setattr(module, name, dying(getattr(module, name), name, step))
    PushSender.send = dying(PushSender.send, "send", step)  # type: ignore[method-assign]
    telling = Telling(push_key=KEY, push_contact="mailto:host@example.org", push_networks=(ip_network("127.0.0.0/8"),))
    async with running(settings(database), Config(host="127.0.0.1", port=0, telling=telling)) as (server, _):
        task = asyncio.create_task(server.serve())
        await asyncio.to_thread(sys.stdin.readline)
        server.should_exit = True
        await task


if __name__ == "__main__":
    asyncio.run(serve(*sys.argv[1:]))
