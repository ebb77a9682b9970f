"""Jobs in the processes of the pools that a request waits for, and their end when its client closes
the connection."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Annotated, Any, ParamSpec, TypeVar

from fastapi import Depends, Request

from dicecup.hosting.fair_queue import Client
from dicecup.hosting.table_host import TableHost
from dicecup.web.guard import address_of
from dicecup.web.limits import network
from dicecup.web.refusals import WebCode, WebError
from dicecup.web.requests import Context, KnownIdentity

Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")


class RequestJobs:
    """The jobs of one request. The queues count them for its `client`."""

    def __init__(self, tables: TableHost, request: Request, identity: str | None) -> None:
        self._tables = tables
        self._request = request
        self.client = Client(network(address_of(request.scope)), identity or "")

    async def run(self, function: Callable[Arguments, Result], *arguments: Arguments.args, **named: Arguments.kwargs) -> Result:
        """Return the result of a computation, a function of a module.

        Raises what `Pool.run_for` raises, and `WebError` (`client-gone`) if the client closes the
        connection. Then the job ends.
        """
        result: Result = await self._run(self._tables.pool.run_for(self.client, function, *arguments, **named))
        return result

    async def read(
        self, function: Callable[Arguments, Result], *arguments: Arguments.args, **named: Arguments.kwargs
    ) -> Result:
        """Return the result of a function that reads something long. It waits for no computation.

        Raises as `run`.
        """
        result: Result = await self._run(self._tables.readers.run_for(self.client, function, *arguments, **named))
        return result

    async def _run(self, work: Coroutine[Any, Any, Result]) -> Result:
        job = asyncio.ensure_future(work)
        gone = asyncio.create_task(disconnected(self._request))
        try:
            await asyncio.wait((job, gone), return_when=asyncio.FIRST_COMPLETED)
            if job.done():
                return job.result()
            raise WebError(WebCode.CLIENT_GONE)
        finally:
            gone.cancel()
            job.cancel()


async def disconnected(request: Request) -> None:
    """Wait until the client closes the connection. The body must have been read."""
    while (await request.receive())["type"] != "http.disconnect":
        pass


def jobs_of(context: Context, request: Request, identity: KnownIdentity) -> RequestJobs:
    """Return the jobs of a request."""
    return RequestJobs(context.tables, request, identity)


Jobs = Annotated[RequestJobs, Depends(jobs_of)]
