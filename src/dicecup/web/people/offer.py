"""What a server offers for telling people something: the senders of its settings."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Self

import structlog

from dicecup.hosting.people.channels import MAIL, PUSH
from dicecup.hosting.people.notifier import Sender
from dicecup.web.base_url import BaseUrl
from dicecup.web.people.destinations import Destinations
from dicecup.web.people.mail import MailLinks, MailSender
from dicecup.web.people.telling import PUSH_CONTACT, Telling

HTTPS = "https://"

log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class Offer:
    """The senders by kind of channel. `push_key` is the public key of web push, empty without it;
    `mail_links` makes the links in mails, `None` without mail."""

    destinations: Destinations
    push_key: str = ""
    mail_links: MailLinks | None = None
    senders: Mapping[str, Sender] = field(default_factory=dict)

    @classmethod
    def of(cls, telling: Telling, host_key: bytes, base: BaseUrl, clock: Callable[[], float]) -> Self:
        """Return the offer of the settings.

        Web push needs a key and a contact, for which a public https URL stands. Mails need a mail
        server and a public URL, which their links begin with. A channel that is set up without
        these is off, which is logged.
        """
        destinations, senders = Destinations(telling.push_networks), dict[str, Sender]()
        contact = telling.push_contact or (base.url if base.url.startswith(HTTPS) else "")
        push_key = ""
        if telling.push_key and contact:
            from dicecup.web.people.push import PushSender
            from dicecup.web.people.push_encryption import public_key

            push_key = public_key(telling.push_key)
            senders[PUSH] = PushSender(telling.push_key, contact, destinations, clock)
        elif telling.push_key:
            log.warning("push off", why=f"neither a public https URL nor {PUSH_CONTACT}")
        links = MailLinks(host_key, base.url) if telling.smtp and base.reach == "everywhere" else None
        if links is not None:
            senders[MAIL] = MailSender(telling, links, clock)
        elif telling.smtp:
            log.warning("mail off", why="no public URL")
        return cls(destinations, push_key, links, senders)

    async def close(self) -> None:
        """Close the connections of the senders."""
        for sender in self.senders.values():
            await sender.close()
