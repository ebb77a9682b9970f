"""The account of the person who asks."""

from typing import Annotated

from fastapi import Depends, Query

from dicecup.hosting.errors import HostingCode, HostingError
from dicecup.hosting.people import accounts
from dicecup.hosting.people.accounts import Account
from dicecup.table.names import LONGEST_NAME
from dicecup.web.requests import Context, KnownIdentity


async def _meant_account(
    context: Context,
    identity: KnownIdentity,
    handle: Annotated[
        str | None,
        Query(max_length=LONGEST_NAME, description="The handle of the account that is meant, else the one that is signed in"),
    ] = None,
) -> Account:
    """Return the account of the person who asks. Raises `StoreError` and `HostingError`:
    `no-account`, and `other-account` if another handle is meant, as by a page that was loaded
    before its browser signed in to this account."""
    account = None if identity is None else await accounts.account_of(context.tables.store, identity)
    if account is None:
        raise HostingError(HostingCode.NO_ACCOUNT)
    if handle not in (None, account.handle):
        raise HostingError(HostingCode.OTHER_ACCOUNT, text=account.handle)
    return account


MeantAccount = Annotated[Account, Depends(_meant_account)]
