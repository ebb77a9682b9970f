"""Administrators of servers in tests."""

from time import time

from dicecup.hosting.store import Store, admins
from dicecup.hosting.store.audit import AuditEntry
from dicecup.hosting.store.engines import database_url
from dicecup.web.identity import Signer
from tests.hosting.guests import KEY
from tests.web.serving import Browser


def identity_of(browser: Browser) -> str:
    """Return the identity in the cookie of a browser."""
    found = Signer(KEY, secure=False).read(browser.cookie)
    assert found is not None
    return found[0]


async def make_admin(browser: Browser, database: str) -> str:
    """Make the person of a browser an administrator, as `dicecup admin grant` does, and return the
    identity."""
    await browser.http.get("/api/me")
    identity = identity_of(browser)
    store = await Store.open(database_url(database))
    await admins.grant(store, identity, AuditEntry(time(), "grant", identity, "host"))
    await store.close()
    return identity
