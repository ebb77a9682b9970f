"""Pairings of Swiss rounds. Those of a large field take seconds, in the processes of the pool."""

import asyncio
from typing import Final

from dicecup.hosting.pool import Pool
from dicecup.tournament import swiss
from dicecup.tournament.errors import TournamentError
from dicecup.tournament.progress import PairingLater, is_round_due
from dicecup.tournament.state import TournamentState
from dicecup.tournament.swiss import Field, Pairs
from dicecup.tournament.transition import Pairer

AT_ONCE: Final = 24
"""Entrants who are paired in a thread, which takes less than a tenth of a second. A process of the
pool that still compiles kernels after the start of a server would answer minutes later."""


class Pairings:
    """Pairs Swiss rounds before the handlers ask for them."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool

    async def of(self, state: TournamentState, now: float, *, starts: bool = False) -> Pairer:
        """Return the function that pairs a round of this state. `starts`: a command starts it.

        It raises `PairingLater` for another round than the next one. Raises `HostingError` of the
        pool.
        """
        field = swiss.field_of(state) if starts or is_round_due(state, now) else None
        pairs: Pairs | TournamentError | None = None
        if field is not None and len(field.players) > 1 and not state.is_round_running:
            try:
                if len(field.players) <= AT_ONCE:
                    pairs = await asyncio.to_thread(swiss.pair, field)
                else:
                    pairs = await self._pool.run(swiss.pair, field)
            except TournamentError as error:
                pairs = error

        def pair(asked: Field) -> Pairs:
            if asked != field or pairs is None:
                raise PairingLater
            if isinstance(pairs, TournamentError):
                raise pairs
            return pairs

        return pair
