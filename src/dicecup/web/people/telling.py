"""Settings for web push and mail. Without its secret a channel is not offered.

Secrets come from the environment or from files in the data folder that only their owner can read.
No database, log or error contains them.
"""

import base64
import binascii
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from email.utils import parseaddr
from ipaddress import IPv4Network, IPv6Network, ip_network
from pathlib import Path
from types import ModuleType
from typing import Final, Self
from urllib.parse import SplitResult, urlsplit

from dicecup.hosting import secret_files
from dicecup.hosting.errors import HostingCode, HostingError
from dicecup.hosting.people.mail_limits import MailLimits
from dicecup.hosting.settings import check_setting, data_folder, secret
from dicecup.web.people.addresses import is_address

PUSH_KEY: Final = "DICECUP_PUSH_KEY"
PUSH_CONTACT: Final = "DICECUP_PUSH_CONTACT"
PUSH_NETWORKS: Final = "DICECUP_PUSH_NETWORKS"
SMTP: Final = "DICECUP_SMTP"
SMTP_PASSWORD: Final = "DICECUP_SMTP_PASSWORD"
MAIL_FROM: Final = "DICECUP_MAIL_FROM"
MAILS_PER_HOUR: Final = "DICECUP_MAILS_PER_HOUR"
MAILS_PER_ADDRESS: Final = "DICECUP_MAILS_PER_ADDRESS"
PUSH_KEY_FILE: Final = "push.key"
PASSWORD_FILE: Final = "smtp.password"
KEY_BYTES: Final = 32
MOST_DIGITS: Final = 7


@dataclass(frozen=True, slots=True)
class Telling:
    """How a server can tell people something.

    - `push_key`: the private key of VAPID, 32 bytes, or empty for no web push.
    - `push_contact`: how push services reach the host, `mailto:` or `https:`; empty for the public
      URL.
    - `push_networks`: networks that push services may be in although they are not public.
    - `smtp`: the URL of the mail server without a password, or empty for no mail.
    - `mail_from`: the sender of mails.
    """

    push_key: bytes = field(default=b"", repr=False)
    push_contact: str = ""
    push_networks: tuple[IPv4Network | IPv6Network, ...] = ()
    smtp: str = ""
    smtp_password: str = field(default="", repr=False)
    mail_from: str = ""
    limits: MailLimits = field(default_factory=MailLimits)

    @classmethod
    def read(cls, environment: Mapping[str, str] = os.environ) -> Self:
        """Return the settings of an environment. Raises `HostingError` (`not-a-setting`)."""
        folder = data_folder(environment)
        smtp = environment.get(SMTP, "")
        if smtp:
            check_setting(SMTP, smtp, _is_smtp(urlsplit(smtp)))
        sender = environment.get(MAIL_FROM, "")
        check_setting(MAIL_FROM, sender, not (sender or smtp) or (sender.isprintable() and is_address(parseaddr(sender)[1])))
        contact = environment.get(PUSH_CONTACT, "")
        check_setting(PUSH_CONTACT, contact, not contact or contact.startswith(("mailto:", "https://")))
        key = secret(PUSH_KEY, folder / PUSH_KEY_FILE, environment)
        usual = MailLimits()
        return cls(
            push_key(key) if key else b"",
            contact,
            _networks(environment.get(PUSH_NETWORKS, "")),
            smtp,
            secret(SMTP_PASSWORD, folder / PASSWORD_FILE, environment) if smtp else "",
            sender,
            MailLimits(
                _count(environment, MAILS_PER_HOUR, usual.in_all), _count(environment, MAILS_PER_ADDRESS, usual.to_address)
            ),
        )


def push_key(text: str) -> bytes:
    """Return the private key in a text of base64url. Raises `HostingError` (`not-a-setting`, which
    does not show the text, and `not-installed`)."""
    ec = _curves()
    try:
        key = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
        ec.derive_private_key(int.from_bytes(key), ec.SECP256R1())
    except (ValueError, binascii.Error):
        key = b""
    check_setting(PUSH_KEY, "", len(key) == KEY_BYTES)
    return key


def create_push_key(folder: Path) -> bool:
    """Create the file of the push key with a new key, and return whether there was none.

    Raises `HostingError` (`not-a-setting`) if the system does not allow it, and `not-installed`.
    """
    ec = _curves()
    path = folder / PUSH_KEY_FILE
    if path.exists():
        return False
    key = ec.generate_private_key(ec.SECP256R1()).private_numbers().private_value.to_bytes(KEY_BYTES)
    try:
        secret_files.create(path, base64.urlsafe_b64encode(key).decode().rstrip("="))
    except OSError as error:
        raise HostingError(HostingCode.NOT_A_SETTING, name=str(path), text=error.strerror) from None
    return True


def _curves() -> ModuleType:
    """Return the module of elliptic curves, which the extra `accounts` installs. Raises
    `HostingError` (`not-installed`)."""
    try:
        from cryptography.hazmat.primitives.asymmetric import ec
    except ModuleNotFoundError:
        raise HostingError(HostingCode.NOT_INSTALLED, name=PUSH_KEY, extra="accounts") from None
    return ec


def _is_smtp(url: SplitResult) -> bool:
    try:
        _ = url.port  # raises for a port that is no number
    except ValueError:
        return False
    return url.scheme in ("smtp", "smtps") and bool(url.hostname) and url.password is None and not url.path.strip("/")


def _networks(text: str) -> tuple[IPv4Network | IPv6Network, ...]:
    try:
        return tuple(ip_network(each.strip()) for each in text.split(",") if each.strip())
    except ValueError:
        raise HostingError(HostingCode.NOT_A_SETTING, name=PUSH_NETWORKS, text=text) from None


def _count(environment: Mapping[str, str], name: str, usual: int) -> int:
    text = environment.get(name) or str(usual)
    check_setting(name, text, text.isascii() and text.isdecimal() and len(text) <= MOST_DIGITS)
    return int(text)
