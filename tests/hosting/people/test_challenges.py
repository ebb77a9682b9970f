"""Challenges work once, for what they were made for, and for five minutes."""

import pytest
from sqlalchemy import func, select

from dicecup.hosting.errors import HostingCode, HostingError
from dicecup.hosting.people.challenges import LIFETIME, delete_expired, save_challenge, use_challenge
from dicecup.hosting.people.passkeys import Site, checked_owner, sign_in_options
from dicecup.hosting.store import Store
from dicecup.hosting.store.models import CHALLENGES
from tests.web.authenticator import Authenticator


async def refused(store: Store, challenge: str, kind: str, now: float) -> bool:
    with pytest.raises(HostingError) as error:
        await use_challenge(store, challenge, kind, now)
    return error.value.code is HostingCode.CHALLENGE_OVER


async def test_a_challenge_works_once(store: Store) -> None:
    await save_challenge(store, "x", "kind", "data", 10.0)
    assert await refused(store, "x", "other", 11.0)
    assert await use_challenge(store, "x", "kind", 9.0 + LIFETIME) == "data"
    assert await refused(store, "x", "kind", 12.0)


async def test_a_challenge_expires_and_is_deleted(store: Store) -> None:
    await save_challenge(store, "x", "kind", "", 10.0)
    assert await refused(store, "x", "kind", 10.0 + LIFETIME)
    await save_challenge(store, "y", "kind", "", 11.0)
    await delete_expired(store, 10.0 + LIFETIME)
    async with store.engines.readers.connect() as connection:
        assert (await connection.execute(select(func.count()).select_from(CHALLENGES))).scalar_one() == 1


@pytest.mark.parametrize("late, code", [(-1.0, HostingCode.NO_SUCH_PASSKEY), (0.0, HostingCode.CHALLENGE_OVER)])
async def test_an_answer_to_an_expired_challenge_is_refused(store: Store, late: float, code: HostingCode) -> None:
    site = Site("dice.example", "https://dice.example", "Dicecup")
    answer = Authenticator(site.origin, site.host).get(await sign_in_options(store, site, 10.0))
    with pytest.raises(HostingError) as error:
        await checked_owner(store, site, answer, 10.0 + LIFETIME + late)
    assert error.value.code is code
