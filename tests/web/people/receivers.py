"""A push service and a mail server for tests, which read what arrives as browsers and people do."""

import asyncio
import json
import socket
import ssl
from base64 import urlsafe_b64encode
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import SMTP
from pathlib import Path
from secrets import token_bytes
from typing import Any

import http_ece  # type: ignore[import-untyped]
import trustme
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import AuthResult
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

Json = dict[str, Any]


class Receiver:
    """A browser with a push subscription. `shown` are the notifications after it dropped doubles,
    as the service worker does, and `doubles` counts those."""

    def __init__(self, endpoint: str) -> None:
        self.endpoint = endpoint
        self.key = ec.generate_private_key(ec.SECP256R1())
        self.auth = token_bytes(16)
        self.received: list[Json] = []

    @property
    def subscription(self) -> Json:
        point = self.key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        return {"endpoint": self.endpoint, "keys": {"p256dh": _text(point), "auth": _text(self.auth)}}

    @property
    def secrets(self) -> str:
        keys = self.subscription["keys"]
        return f"{keys['p256dh']}.{keys['auth']}"

    def read(self, body: bytes) -> None:
        self.received.append(json.loads(http_ece.decrypt(body, private_key=self.key, auth_secret=self.auth)))

    @property
    def shown(self) -> list[Json]:
        return list({each["key"]: each for each in self.received}.values())


@dataclass
class PushService:
    """A push service over TLS. `answers` holds the next statuses, then it answers 201."""

    url: str
    authority: Path
    browsers: dict[str, Receiver] = field(default_factory=dict)
    answers: list[int] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)
    arrived: asyncio.Event = field(default_factory=asyncio.Event)

    def browser(self, name: str) -> Receiver:
        return self.browsers.setdefault(f"/{name}", Receiver(f"{self.url}/{name}"))

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while line := await reader.readline():
                path = line.split()[1].decode()
                headers = {}
                while line := (await reader.readline()).strip():
                    name, _, value = line.decode().partition(":")
                    headers[name.lower()] = value.strip()
                body = await reader.readexactly(int(headers["content-length"]))
                status = self.answers.pop(0) if self.answers else 201
                if status == 201:
                    self.headers.append(headers)
                    self.browsers[path].read(body)
                    self.arrived.set()
                writer.write(f"HTTP/1.1 {status} x\r\nLocation: {self.url}/elsewhere\r\nContent-Length: 0\r\n\r\n".encode())
                await writer.drain()
        except (ConnectionError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()


@asynccontextmanager
async def push_service(folder: Path) -> AsyncIterator[PushService]:
    """Run a push service whose certificate is signed by the authority in a file."""
    authority, context = trustme.CA(), ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    authority.issue_cert("localhost", "127.0.0.1").configure_cert(context)
    file = folder / "authority.pem"
    authority.cert_pem.write_to_path(str(file))
    service = PushService("", file)
    server = await asyncio.start_server(service.serve, "127.0.0.1", 0, ssl=context)
    service.url = f"https://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    try:
        yield service
    finally:
        server.close()


class Mailbox:
    """A mail server that keeps mails and logins. Addresses in `refused` get its code for ever."""

    def __init__(self) -> None:
        self.received: list[EmailMessage] = []
        self.refused: dict[str, str] = {}
        self.logins: list[tuple[str, str]] = []

    async def handle_RCPT(self, _server: object, _session: object, envelope: Any, address: str, _options: object) -> str:  # noqa: N802
        if answer := self.refused.get(address):
            return answer
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, _server: object, _session: object, envelope: Any) -> str:  # noqa: N802
        self.received.append(message_from_bytes(envelope.content, policy=SMTP))
        return "250 OK"

    @property
    def read(self) -> list[EmailMessage]:
        """Return the mails without doubles."""
        return list({mail["Message-ID"]: mail for mail in self.received}.values())


@contextmanager
def mail_server() -> Iterator[tuple[Mailbox, str]]:
    """Run a mail server and yield its mailbox and its URL. It lets everybody log in."""
    mailbox = Mailbox()
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port = listening.getsockname()[1]

    def log_in(*given: Any) -> AuthResult:
        mailbox.logins.append((given[-1].login.decode(), given[-1].password.decode()))
        return AuthResult(success=True)

    controller = Controller(mailbox, hostname="127.0.0.1", port=port, auth_require_tls=False, authenticator=log_in)
    controller.start()
    try:
        yield mailbox, f"smtp://127.0.0.1:{port}"
    finally:
        controller.stop()


def _text(data: bytes) -> str:
    return urlsafe_b64encode(data).decode().rstrip("=")
