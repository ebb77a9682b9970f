"""Web push: encrypted and signed as the standards say, and sent to public hosts only."""

import base64
import json
import socket
from collections.abc import AsyncIterator
from ipaddress import ip_network
from pathlib import Path

import pytest
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature

from dicecup.hosting.people.channels import PUSH, Channel
from dicecup.hosting.people.notifier import Outcome
from dicecup.hosting.people.outbox import Delivery, json_of
from dicecup.web.people.addresses import is_endpoint, is_push_secret, unpadded
from dicecup.web.people.destinations import Destinations, ForbiddenHostError
from dicecup.web.people.push import PushSender, topic_of
from dicecup.web.people.push_encryption import encrypted, public_key, vapid
from tests.web.people.receivers import PushService, Receiver, push_service

KEY = bytes(range(1, 33))
HERE = Destinations([ip_network("127.0.0.0/8")])


@pytest.fixture
async def service(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[PushService]:
    async with push_service(tmp_path) as running:
        monkeypatch.setenv("SSL_CERT_FILE", str(running.authority))
        yield running


def sender(destinations: Destinations = HERE) -> PushSender:
    return PushSender(KEY, "mailto:host@example.org", destinations, lambda: 1e9)


def channel(browser: Receiver, language: str = "de") -> Channel:
    return Channel("c", "anna", PUSH, browser.endpoint, browser.secrets, language, False, 0.0, 0.0)


def delivery(kind: str = "turn", **details: object) -> Delivery:
    told = {"path": "/tables/t", "game": "yamm", "names": ["Ben"]} | details
    return Delivery("c", "t", f"k.{kind}", kind, json_of(told), 0.0, 1e9)


def test_a_message_is_encrypted_as_in_the_example_of_rfc_8291() -> None:
    text = unpadded("V2hlbiBJIGdyb3cgdXAsIEkgd2FudCB0byBiZSBhIHdhdGVybWVsb24")
    receiver = unpadded("BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4")
    private = int.from_bytes(unpadded("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"))
    key, salt = ec.derive_private_key(private, ec.SECP256R1()), unpadded("DGv6ra1nlYgDCS1FRnbzlw")
    made = encrypted(text, receiver, unpadded("BTBZMqHH6r4Tts7J_aSIgg"), key=key, salt=salt)
    assert base64.urlsafe_b64encode(made) == (
        b"DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95b"
        b"Qpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
    )


async def test_a_browser_decrypts_what_it_is_told(service: PushService) -> None:
    browser = service.browser("anna")
    assert await sender().send(channel(browser), [delivery()]) is Outcome.SENT
    assert browser.received == [
        {
            "key": "k.turn", "kind": "turn", "topic": "t", "language": "de",
            "title": "Du bist dran", "body": "Yamm mit Ben", "path": "/tables/t",
        }
    ]  # fmt: skip
    (headers,) = service.headers
    assert (headers["ttl"], headers["urgency"], headers["topic"]) == ("86400", "high", topic_of("t"))


async def test_a_withdrawal_replaces_a_waiting_message_and_does_not_wait(service: PushService) -> None:
    browser = service.browser("anna")
    await sender().send(channel(browser), [delivery("withdrawn")])
    assert (browser.received[0]["kind"], browser.received[0]["title"]) == ("withdrawn", "")
    assert (service.headers[0]["ttl"], service.headers[0]["topic"]) == ("0", topic_of("t"))
    strict = Receiver("https://web.push.apple.com/x")
    assert await sender().send(channel(strict), [delivery("withdrawn")]) is Outcome.SENT  # nothing is sent


def test_the_server_signs_its_requests() -> None:
    header = vapid(KEY, "https://push.example:8443/x", "mailto:host@example.org", 1e9)
    token, _, key = header.removeprefix("vapid t=").partition(", k=")
    signed, _, signature = token.rpartition(".")
    claims = json.loads(unpadded(signed.partition(".")[2]))
    assert claims == {"aud": "https://push.example:8443", "exp": 1_000_043_200, "sub": "mailto:host@example.org"}
    assert key == public_key(KEY)
    both = unpadded(signature)
    verifier = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), unpadded(key))
    proof = encode_dss_signature(int.from_bytes(both[:32]), int.from_bytes(both[32:]))
    verifier.verify(proof, signed.encode(), ec.ECDSA(hashes.SHA256()))


@pytest.mark.parametrize(
    "status, outcome",
    [(404, Outcome.GONE), (410, Outcome.GONE), (403, Outcome.FAILED), (429, Outcome.FAILED), (503, Outcome.FAILED)],
)
async def test_the_answer_of_the_service_decides(service: PushService, status: int, outcome: Outcome) -> None:
    service.answers = [status]
    assert await sender().send(channel(service.browser("anna")), [delivery()]) is outcome


async def test_a_redirect_is_not_followed(service: PushService) -> None:
    service.answers = [307]
    browser, elsewhere = service.browser("anna"), service.browser("elsewhere")
    assert await sender().send(channel(browser), [delivery()]) is Outcome.FAILED
    assert (browser.received, elsewhere.received) == ([], [])


async def test_a_service_at_an_internal_address_is_gone(service: PushService) -> None:
    browser = service.browser("anna")
    assert await sender(Destinations()).send(channel(browser), [delivery()]) is Outcome.GONE
    browser.endpoint = browser.endpoint.replace("127.0.0.1", "localhost")
    assert await sender(Destinations()).send(channel(browser), [delivery()]) is Outcome.GONE
    assert browser.received == []


async def test_a_service_that_cannot_be_reached_is_tried_again() -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        browser = Receiver(f"https://127.0.0.1:{unused.getsockname()[1]}/x")
        assert await sender().send(channel(browser), [delivery()]) is Outcome.FAILED


INTERNAL = """
    127.0.0.1 10.0.0.1 192.168.1.1 169.254.169.254 100.64.0.1 0.0.0.0 224.0.0.1 ::1 fe80::1 fd00::1 ::ffff:10.0.0.1
    64:ff9b::a00:1 2002:a00:1:: 2001:0:a00:1::
"""


@pytest.mark.parametrize("address", INTERNAL.split())
async def test_no_internal_address_is_reached(address: str) -> None:
    with pytest.raises(ForbiddenHostError):
        await Destinations().addresses(address, 443)


async def test_public_addresses_are_reached() -> None:
    assert await Destinations().addresses("9.9.9.9", 443) == ["9.9.9.9"]
    assert await Destinations().addresses("2620:fe::fe", 443) == ["2620:fe::fe"]


@pytest.mark.parametrize(
    "url", ["http://push.example/x", "https://user@push.example/x", "https:///x", "https://a b/x", "https://x:99999/", "x", ""]
)
def test_only_https_urls_are_endpoints(url: str) -> None:
    assert not is_endpoint(url)
    assert is_endpoint("https://push.example/x")


def test_keys_of_a_subscription_are_checked() -> None:
    keys = Receiver("https://push.example/x").subscription["keys"]
    assert is_push_secret(**keys)
    assert not is_push_secret(keys["p256dh"], "short")
    assert not is_push_secret(keys["p256dh"][:-4], keys["auth"])
    assert not is_push_secret("!", keys["auth"])
    assert not is_push_secret("...." + keys["p256dh"], keys["auth"])
