"""Requests and answers over HTTP about signing in with the provider of the host."""

from typing import Annotated

from pydantic import Field

from dicecup.web.messages import Incoming, Outgoing
from dicecup.web.people.messages import Handle

LONGEST_SECRET = 100
LONGEST_ANSWER = 2048
Secret = Annotated[str, Field(max_length=LONGEST_SECRET)]


class BegunSignIn(Outgoing):
    """The address at the provider, and the secret `page`, which stays in the page that asked: no
    other one can go on."""

    url: str
    page: str


class ProviderAnswer(Incoming):
    """What the provider sent the page back with, and the secret of the page."""

    code: Annotated[str, Field(max_length=LONGEST_ANSWER)]
    state: Secret
    iss: Annotated[str, Field(max_length=LONGEST_ANSWER)] | None = None
    page: Secret


class ProvedLogin(Outgoing):
    """A `ticket` for a login that the provider has proved. `account`: the handle of the account to
    which it signs in, null without one; `handle`: a proposal for a new one, or empty."""

    ticket: str
    account: str | None
    handle: str


class ProviderTicket(Incoming):
    """A ticket, and the secret of the page that got it."""

    ticket: Secret
    page: Secret


class NewProviderAccount(ProviderTicket):
    """A new account to which the login of a ticket signs in. Everybody may see the profile of a
    `public` one."""

    handle: Handle
    public: bool = False
