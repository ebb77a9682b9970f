"""The account of the person who asks."""

from dicecup.hosting.errors import HostingCode, HostingError
from dicecup.hosting.people import accounts
from dicecup.hosting.people.accounts import Account
from dicecup.web.context import AppContext


async def own_account(context: AppContext, identity: str | None) -> Account:
    """Return the account of an identity. Raises `HostingError` (`no-account`) and `StoreError`."""
    account = None if identity is None else await accounts.account_of(context.tables.store, identity)
    if account is None:
        raise HostingError(HostingCode.NO_ACCOUNT)
    return account
