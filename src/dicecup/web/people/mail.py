"""The sender of mails: single ones, one for a day, and the one that asks to confirm an address."""

import asyncio
import hashlib
import hmac
import re
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from email.headerregistry import Address, HeaderRegistry, UnstructuredHeader
from email.message import EmailMessage
from email.policy import SMTP, EmailPolicy
from email.utils import format_datetime, parseaddr
from typing import Any, Final
from urllib.parse import unquote, urlsplit

import aiosmtplib
import structlog

from dicecup.hosting.host_key import derived_key
from dicecup.hosting.people.channels import CONFIRM, Channel
from dicecup.hosting.people.notifier import Outcome
from dicecup.hosting.people.outbox import Delivery
from dicecup.web.origins import is_loopback
from dicecup.web.people.notice_texts import as_line, messages_in, text_of
from dicecup.web.people.telling import Telling

PATIENCE: Final = 20.0
"""Seconds that the mail server has for a mail."""
NO_SUCH_ADDRESS: Final = (550, 551, 553)
"""Answers of a mail server that will never take mail for an address. With them it also refuses a
sender whom it does not trust, and says so by another status than those of addresses."""
STATUS: Final = re.compile(r"[245]\.[0-9]{1,3}\.[0-9]{1,3}")
OF_ADDRESSES: Final = "5.1."
"""How the status of an answer begins that is about an address (RFC 3463)."""

log = structlog.get_logger()


class _Unfolded(UnstructuredHeader):
    """A header that is one line: folding would encode a long URL, and no receiver reads that."""

    name: str

    def fold(self, *, policy: "EmailPolicy[Any]") -> str:
        """Return the line."""
        return f"{self.name}: {self}{policy.linesep}"


_HEADERS: Final = HeaderRegistry()
_HEADERS.map_to_type("list-unsubscribe", _Unfolded)  # type: ignore[arg-type] # the registry adds the base class
POLICY: Final["EmailPolicy[Any]"] = SMTP.clone(header_factory=_HEADERS)


class MailLinks:
    """Links in mails, which prove that their reader has got the mail."""

    def __init__(self, host_key: bytes, base: str) -> None:
        self._key = derived_key(host_key, "links in mails")
        self._base = base

    def confirm(self, channel: str) -> str:
        """Return the link that confirms an address."""
        return f"{self._base}/mail#confirm={self.token('confirm', channel)}"

    def stop(self, channel: str) -> str:
        """Return the link to the page that ends the mails."""
        return f"{self._base}/mail#stop={self.token('stop', channel)}"

    def one_click(self, channel: str) -> str:
        """Return the link that ends the mails by a POST request, as RFC 8058 says."""
        return f"{self._base}/api/notices/mail/stop?token={self.token('stop', channel)}"

    def page(self, path: str) -> str:
        """Return the link to a page."""
        return f"{self._base}{path}"

    def token(self, purpose: str, channel: str) -> str:
        """Return the token of a link for a purpose."""
        return f"{channel}.{hmac.digest(self._key, f'{purpose} {channel}'.encode(), 'sha256').hex()[:32]}"

    def channel_of(self, purpose: str, token: str) -> str | None:
        """Return the channel of a token, `None` for a token that this server did not make."""
        channel = token.partition(".")[0]
        return channel if hmac.compare_digest(self.token(purpose, channel).encode(), token.encode()) else None


class MailSender:
    """Sends mails through the mail server of the settings."""

    def __init__(self, telling: Telling, links: MailLinks, clock: Callable[[], float]) -> None:
        read = urlsplit(telling.smtp)
        local, tls = is_loopback(read.hostname or ""), read.scheme == "smtps"
        self._from = parseaddr(telling.mail_from)
        self._links = links
        self._clock = clock
        self._server = {
            "hostname": read.hostname,
            "port": read.port,
            "username": read.username and unquote(read.username),
            "password": telling.smtp_password if read.username else None,
            "use_tls": tls,
            # a password never crosses a network in the clear
            "start_tls": None if local and not tls else not tls,
            "timeout": PATIENCE,
        }

    async def close(self) -> None:
        """Do nothing: each mail has a connection of its own."""

    async def send(self, channel: Channel, told: Sequence[Delivery]) -> Outcome:
        """Send one mail. An address that the mail server refuses for ever is gone."""
        message = self.message_of(channel, told)
        try:
            async with asyncio.timeout(PATIENCE):
                await aiosmtplib.send(message, **self._server)  # type: ignore[arg-type]
        except aiosmtplib.SMTPRecipientsRefused as error:
            log.info("mail refused", codes=[refused.code for refused in error.recipients])
            return Outcome.GONE if all(map(_is_unknown, error.recipients)) else Outcome.FAILED
        except (aiosmtplib.SMTPException, TimeoutError, OSError) as error:
            log.warning("mail failed", why=type(error).__name__)
            return Outcome.FAILED
        return Outcome.SENT

    def message_of(self, channel: Channel, told: Sequence[Delivery]) -> EmailMessage:
        """Return a mail. A repeated mail has the same `Message-ID`, so that receivers drop it."""
        messages = messages_in(channel.language)
        mail = EmailMessage(policy=POLICY)
        name, address = self._from
        mail["From"] = Address(name, addr_spec=address)
        mail["To"] = Address(addr_spec=channel.address)
        mail["Date"] = format_datetime(datetime.fromtimestamp(self._clock(), UTC))
        mail["Message-ID"] = f"<{_id_of(channel, told)}@{address.rpartition('@')[2]}>"
        mail["Auto-Submitted"] = "auto-generated"
        if told[0].kind == CONFIRM:
            subject, text = messages("mail_confirm_subject"), messages("mail_confirm", link=self._links.confirm(channel.id))
        else:
            texts = [text_of(delivery, channel.language) for delivery in told]
            lines = [f"{as_line(each)}\n{self._links.page(each.path)}" for each in texts]
            subject = messages("mail_daily_subject", count=len(texts)) if channel.daily else as_line(texts[0])
            text = "\n\n".join([*lines, messages("mail_end", link=self._links.stop(channel.id))])
            mail["List-Unsubscribe"] = f"<{self._links.one_click(channel.id)}>"
            mail["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
        mail["Subject"] = subject
        mail.set_content(text)  # deletes the headers Content-*
        mail["Content-Language"] = messages.language
        return mail


def _is_unknown(refused: aiosmtplib.SMTPRecipientRefused) -> bool:
    """Return whether a mail server says that an address does not exist."""
    status = STATUS.match(refused.message)
    return refused.code in NO_SUCH_ADDRESS and (status is None or status[0].startswith(OF_ADDRESSES))


def _id_of(channel: Channel, told: Sequence[Delivery]) -> str:
    """Return the id of a mail: for a daily mail that of its day, else that of the delivery."""
    what = f"{told[0].expires}" if channel.daily and told[0].kind != CONFIRM else told[0].key
    return hashlib.sha256(f"{channel.id} {what}".encode()).hexdigest()[:32]
