"""The settings of push and mail: their secrets are in files of their owner, and in no message."""

import base64
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from dicecup.cli import main
from dicecup.hosting.errors import HostingError
from dicecup.web.base_url import BaseUrl
from dicecup.web.people.offer import Offer
from dicecup.web.people.telling import Telling, create_push_key

MAIL = {"DICECUP_SMTP": "smtps://dice@mail.example.org", "DICECUP_MAIL_FROM": "Dicecup <dice@example.org>"}
HTTPS = BaseUrl("https://dice.example.org", "everywhere")
LOCAL = BaseUrl("http://192.0.2.7:8421", "local-network")


def read(folder: Path, **given: str) -> Telling:
    return Telling.read({"DICECUP_DATA": str(folder)} | given)


def offered(telling: Telling, base: BaseUrl = HTTPS) -> set[str]:
    return set(Offer.of(telling, bytes(32), base, lambda: 1.0).senders)


def test_without_settings_nothing_is_offered(tmp_path: Path) -> None:
    assert offered(read(tmp_path)) == set()


def test_a_channel_that_is_set_up_but_off_is_logged(tmp_path: Path) -> None:
    (tmp_path / "push.key").write_text(base64.urlsafe_b64encode(bytes(range(1, 33))).decode())
    (tmp_path / "push.key").chmod(0o600)
    with capture_logs() as lines:
        assert offered(read(tmp_path, **MAIL), LOCAL) == set()
    assert [line["event"] for line in lines] == ["push off", "mail off"]
    with capture_logs() as lines:
        assert offered(read(tmp_path, **MAIL)) == {"push", "mail"}
    assert lines == []


def test_a_key_in_the_data_folder_offers_push(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("DICECUP_DATA", str(tmp_path))
    assert main(["admin", "push-key"]) == 0
    file = tmp_path / "push.key"
    key = file.read_text("ascii").strip()
    assert file.stat().st_mode & 0o777 == 0o600
    assert main(["admin", "push-key"]) == 0
    assert file.read_text("ascii").strip() == key
    assert key not in capsys.readouterr().out
    telling = read(tmp_path)
    assert offered(telling) == {"push"}
    assert offered(telling, LOCAL) == set()  # push services could reach nobody
    assert offered(read(tmp_path, DICECUP_PUSH_CONTACT="mailto:host@example.org"), LOCAL) == {"push"}
    file.chmod(0o644)
    with pytest.raises(HostingError) as refused:
        read(tmp_path)
    assert key not in str(refused.value.details)


def test_mail_needs_a_server_a_sender_and_a_public_address(tmp_path: Path) -> None:
    (tmp_path / "smtp.password").write_text("secret\n", "ascii")
    (tmp_path / "smtp.password").chmod(0o600)
    telling = read(tmp_path, **MAIL)
    assert (offered(telling), offered(telling, LOCAL)) == ({"mail"}, set())
    assert telling.smtp_password == "secret"
    assert "secret" not in repr(telling)


@pytest.mark.parametrize(
    "given",
    [
        {"DICECUP_SMTP": "mail.example.org"},
        {"DICECUP_SMTP": "smtp://dice:hunter2@mail.example.org"},
        {"DICECUP_SMTP": "smtp://mail.example.org:x"},
        {"DICECUP_MAIL_FROM": ""},
        {"DICECUP_MAIL_FROM": "Dicecup\r\nBcc: eve@example.org"},
        {"DICECUP_PUSH_KEY": "hunter2"},
        {"DICECUP_PUSH_CONTACT": "host@example.org"},
        {"DICECUP_PUSH_NETWORKS": "10.0.0.1/8"},
        {"DICECUP_MAILS_PER_HOUR": "many"},
    ],
)
def test_wrong_settings_are_refused_without_their_secrets(tmp_path: Path, given: dict[str, str]) -> None:
    with pytest.raises(HostingError) as refused:
        read(tmp_path, **(MAIL | given))
    assert refused.value.details["name"] in given
    assert "hunter2" not in str(refused.value.details)


def test_a_key_is_created_once(tmp_path: Path) -> None:
    assert create_push_key(tmp_path)
    assert not create_push_key(tmp_path)
