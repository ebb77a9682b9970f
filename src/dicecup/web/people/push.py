"""The sender of web push: one request to the push service of a browser for each delivery."""

import asyncio
import hashlib
import json
import ssl
from base64 import urlsafe_b64encode
from collections.abc import Callable, Sequence
from typing import Final
from urllib.parse import urlsplit

import httpcore
import structlog

from dicecup.hosting.people.channels import Channel
from dicecup.hosting.people.notices import NoticeKind
from dicecup.hosting.people.notifier import Outcome
from dicecup.hosting.people.outbox import KEEP_TRYING, Delivery
from dicecup.web.people.addresses import unpadded
from dicecup.web.people.destinations import Destinations, ForbiddenHostError, PublicHosts
from dicecup.web.people.notice_texts import NoticeText, text_of
from dicecup.web.people.push_encryption import LONGEST, encrypted, vapid

PATIENCE: Final = 10.0
"""Seconds that a push service has for a request."""
GONE: Final = (404, 410)
STRICT: Final = ".push.apple.com"
"""Ending of the push services that end a subscription whose messages show nothing. They get no
withdrawals: the notification stays until the page is open."""
LONGEST_TOPIC: Final = 32
LONGEST_TEXT: Final = 500

log = structlog.get_logger()


class PushSender:
    """Sends encrypted messages with the private key of VAPID. `contact` is a URL of the host."""

    def __init__(self, key: bytes, contact: str, destinations: Destinations, clock: Callable[[], float]) -> None:
        self._key = key
        self._contact = contact
        self._clock = clock
        self._pool = httpcore.AsyncConnectionPool(
            ssl_context=ssl.create_default_context(), network_backend=PublicHosts(destinations), max_connections=100
        )

    async def close(self) -> None:
        """Close the connections to push services."""
        await self._pool.aclose()

    async def send(self, channel: Channel, told: Sequence[Delivery]) -> Outcome:
        """Send a delivery. A subscription that the push service does not know is gone, and so is
        one at a host that is not public."""
        outcome = Outcome.SENT
        for delivery in told:
            outcome = await self._send(channel, delivery)
        return outcome

    async def _send(self, channel: Channel, delivery: Delivery) -> Outcome:
        withdrawn = delivery.kind == NoticeKind.WITHDRAWN
        host = urlsplit(channel.address).hostname or ""
        if withdrawn and host.endswith(STRICT):
            return Outcome.SENT
        p256dh, _, auth = channel.secrets.partition(".")
        body = encrypted(message_of(channel, delivery), unpadded(p256dh), unpadded(auth))
        headers: dict[str | bytes, str | bytes] = {
            "authorization": vapid(self._key, channel.address, self._contact, self._clock()),
            "content-encoding": "aes128gcm",
            "content-type": "application/octet-stream",
            "content-length": str(len(body)),
            # a message without time to live replaces a waiting one and does not wait itself
            "ttl": "0" if withdrawn else str(int(KEEP_TRYING)),
            "topic": topic_of(delivery.topic),
            "urgency": "low" if withdrawn else "high",
        }
        try:
            async with asyncio.timeout(PATIENCE):
                async with self._pool.stream("POST", channel.address, headers=headers, content=body) as answer:
                    status = answer.status
        except ForbiddenHostError:
            return Outcome.GONE
        except (httpcore.NetworkError, httpcore.TimeoutException, httpcore.ProtocolError, TimeoutError, OSError) as error:
            log.info("push failed", host=host, why=type(error).__name__)
            return Outcome.FAILED
        if 200 <= status < 300:
            return Outcome.SENT
        log.info("push refused", host=host, status=status)
        return Outcome.GONE if status in GONE else Outcome.FAILED


def message_of(channel: Channel, delivery: Delivery) -> bytes:
    """Return what the service worker gets: the key by which it drops doubles, the topic that a
    notification replaces, what it shows and the page that it opens."""
    text = NoticeText("", "", "/")
    if delivery.kind != NoticeKind.WITHDRAWN:
        text = text_of(delivery, channel.language)
    told = {"key": delivery.key, "kind": delivery.kind, "topic": delivery.topic, "language": channel.language}
    told |= {"title": text.title[:LONGEST_TEXT], "body": text.body[:LONGEST_TEXT], "path": text.path}
    message = json.dumps(told, ensure_ascii=False).encode()
    assert len(message) <= LONGEST
    return message


def topic_of(topic: str) -> str:
    """Return the header `Topic`: a later message of it replaces the one that waits at the push
    service. It does not tell the service which table is meant."""
    return urlsafe_b64encode(hashlib.sha256(topic.encode()).digest()).decode()[:LONGEST_TOPIC]
