"""Requests and answers about notices to people."""

from typing import Final

from pydantic import Field

from dicecup.web.messages import Incoming, Outgoing
from dicecup.web.people.addresses import LONGEST_ADDRESS, LONGEST_ENDPOINT

MINUTES: Final = 24 * 60
LONGEST_KEY: Final = 128
LONGEST_ZONE: Final = 64
LONGEST_TOKEN: Final = 128


class PushKeys(Incoming):
    """The keys of a push subscription, in base64url."""

    p256dh: str = Field(max_length=LONGEST_KEY)
    auth: str = Field(max_length=LONGEST_KEY)


class NewPush(Incoming):
    """The push subscription of a browser (`PushSubscription`), and the language of its messages;
    without one that of the request."""

    endpoint: str = Field(max_length=LONGEST_ENDPOINT)
    keys: PushKeys
    language: str | None = Field(None, max_length=8)


class NewMail(Incoming):
    """A mail address, whether it gets one mail a day instead of single ones, and the language of
    the mails; without one that of the request."""

    address: str = Field(max_length=LONGEST_ADDRESS)
    daily: bool = False
    language: str | None = Field(None, max_length=8)


class ChangedMail(Incoming):
    """Whether your address gets one mail a day instead of single ones, and the language of its
    mails. What is left out stays."""

    daily: bool | None = None
    language: str | None = Field(None, max_length=8)


class Quiet(Incoming):
    """Hours in which nothing is sent: minutes since midnight in a time zone of IANA. Equal ones:
    never."""

    zone: str = Field(max_length=LONGEST_ZONE)
    begins: int = Field(0, ge=0, lt=MINUTES)
    ends: int = Field(0, ge=0, lt=MINUTES)


class MailToken(Incoming):
    """The token of a link in a mail, which follows the `#` and the `=`."""

    token: str = Field(max_length=LONGEST_TOKEN)


class PushChannel(Outgoing):
    """A browser in which you are told something."""

    id: str
    created: float


class MailChannel(Outgoing):
    """Your mail address. Until it is confirmed it gets only the mail that asks for that."""

    id: str
    address: str
    daily: bool
    confirmed: bool


class QuietTimes(Outgoing):
    """Your quiet hours in minutes since midnight, and your time zone."""

    zone: str
    begins: int
    ends: int


class Notices(Outgoing):
    """How you are told something while you are away.

    `push_key` is the public key with which a browser subscribes, empty if this server offers no
    web push. `mail_offered`: whether it sends mails. `mails` holds the address, and a new one that
    is not confirmed yet.
    """

    push_key: str
    mail_offered: bool
    pushes: list[PushChannel]
    mails: list[MailChannel]
    quiet: QuietTimes | None


class Muted(Outgoing):
    """Whether you are told nothing of a table."""

    muted: bool
