"""Pairings of Swiss rounds in the processes of the pool: they take seconds for a large field."""

from dicecup.hosting.pool import Pool
from dicecup.tournament import swiss
from dicecup.tournament.errors import TournamentError
from dicecup.tournament.progress import PairingLater, is_round_due
from dicecup.tournament.state import TournamentState
from dicecup.tournament.swiss import Field, Pairs
from dicecup.tournament.transition import Pairer


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
