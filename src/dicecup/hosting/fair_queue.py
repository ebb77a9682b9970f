"""The queue of the jobs that wait for a process, in turns between addresses and between identities.

The address that was served longest ago is next, and of its identities again the one that was served
longest ago. So an address with many jobs delays the job of another address by the jobs that run,
never by those that wait.
"""

import asyncio
from collections import Counter, OrderedDict
from contextvars import ContextVar
from operator import itemgetter
from typing import Final, NamedTuple, TypeAlias

from dicecup.hosting.errors import HostingCode, HostingError
from dicecup.hosting.job_process import JobProcess

REMEMBERED: Final = 1000
"""Addresses and identities of which the queue knows when they were served."""


class Client(NamedTuple):
    """The address and the identity for which a job runs. The jobs of the server itself have an
    empty address."""

    address: str = ""
    identity: str = ""


SERVER: Final = Client()
"""The client of jobs that no request asks for."""
REQUESTING: Final[ContextVar[Client]] = ContextVar("requesting", default=SERVER)
"""The client whose request or connection runs, and `SERVER` in work that the server began."""
Place: TypeAlias = asyncio.Future[JobProcess]
"""A place in the queue, whose result is the process that may run the job."""


class FairQueue:
    """Queue of jobs, in which an address has at most `most_of_address`. The server itself has no
    limit of its own."""

    def __init__(self, most_of_address: int) -> None:
        self._most_of_address = most_of_address
        self._waiting: dict[Place, Client] = {}
        self._served: OrderedDict[Client, int] = OrderedDict()
        """The turn in which each client, and each address alone, was served last."""
        self._turn = 0

    def __len__(self) -> int:
        return len(self._waiting)

    def add(self, client: Client, *, full: bool) -> Place:
        """Return a new place for a client.

        If the queue is `full`, the newest job of the address with the most jobs ends with
        `HostingError` (`busy`). Raises this error if that is the new job, or if its address has
        too many.
        """
        counts = Counter(waiting.address for waiting in self._waiting.values())
        if client.address and counts[client.address] >= self._most_of_address:
            raise HostingError(HostingCode.BUSY)
        if full:
            longest, most = max(counts.items(), key=itemgetter(1), default=("", 0))
            if most <= counts[client.address] + 1:
                raise HostingError(HostingCode.BUSY)
            self._refuse(next(place for place, waiting in reversed(self._waiting.items()) if waiting.address == longest))
        place: Place = asyncio.get_running_loop().create_future()
        self._waiting[place] = client
        return place

    def remove(self, place: Place) -> None:
        """Give up a place, because its client has closed the connection."""
        self._waiting.pop(place, None)

    def refuse_all(self) -> None:
        """End every waiting job with `HostingError` (`busy`)."""
        for place in list(self._waiting):
            self._refuse(place)

    def next(self, process: JobProcess) -> bool:
        """Give a process to the next job and return whether one was waiting."""
        waiting = [place for place in self._waiting if not place.done()]  # a place that is done was cancelled just now
        if not waiting:
            return False
        place = min(waiting, key=self._last_served)  # of equal ones the first in the queue
        self.served(self._waiting.pop(place))
        place.set_result(process)
        return True

    def served(self, client: Client) -> None:
        """Remember that a job of a client runs now."""
        self._turn += 1
        for key in (client, Client(client.address)):
            self._served[key] = self._turn
            self._served.move_to_end(key)
        while len(self._served) > REMEMBERED:
            self._served.popitem(last=False)

    def _refuse(self, place: Place) -> None:
        self.remove(place)
        if not place.done():
            place.set_exception(HostingError(HostingCode.BUSY))

    def _last_served(self, place: Place) -> tuple[int, int]:
        client = self._waiting[place]
        return self._served.get(Client(client.address), 0), self._served.get(client, 0)
