"""Limits and network settings, with a clock that the test moves."""

import socket
from typing import Any

import pytest
from prometheus_client import CollectorRegistry, Counter
from structlog.testing import capture_logs

from dicecup.hosting.errors import HostingError
from dicecup.web.base_url import BaseUrl, base_url
from dicecup.web.config import Config
from dicecup.web.limits import MOST_ADDRESSES, Bucket, ConnectionLimit, OpenLimit, RateLimit, network
from dicecup.web.monitoring import LOG_INTERVAL, LimitLog
from dicecup.web.refusals import WebError, language_of


def test_an_empty_bucket_makes_messages_wait() -> None:
    bucket = Bucket(rate=10, most=3, now=0.0)
    assert [bucket.take(0.0) for _ in range(5)] == [0, 0, 0, 0.1, 0.2]
    assert bucket.take(0.3) == 0
    assert bucket.take(100.0) == 0
    assert not bucket.is_full(100.0)
    assert bucket.is_full(101.0)


def test_each_address_recovers_by_itself() -> None:
    now = [0.0]
    requests = RateLimit(2, 20, lambda: now[0])
    assert [requests.allows("a") for _ in range(21)] == [True] * 20 + [False]
    assert requests.allows("b")
    now[0] = 0.5
    assert [requests.allows("a") for _ in range(2)] == [True, False]


def test_addresses_with_full_buckets_are_forgotten() -> None:
    now = [0.0]
    requests = RateLimit(1, 10, lambda: now[0])
    for number in range(MOST_ADDRESSES):
        requests.allows(str(number))
    now[0] = 1.0
    requests.allows("one more")
    assert len(requests._buckets) == 1


def test_connections_are_counted_by_address() -> None:
    sockets = OpenLimit(2)
    assert [sockets.enter("a"), sockets.enter("a"), sockets.enter("a"), sockets.enter("b")] == [True, True, False, True]
    sockets.leave("a")
    assert sockets.enter("a")
    assert len(sockets) == 3


def test_connections_are_limited_in_all_and_by_address_and_rate_but_not_for_proxies() -> None:
    now = [0.0]
    limit = ConnectionLimit(
        most=5, most_of_address=2, rate=1, is_proxy=lambda address: address == "proxy", clock=lambda: now[0]
    )
    assert [limit.enter("a"), limit.enter("a"), limit.enter("a")] == [None, None, "new-connections-of-address"]
    now[0] = 10.0
    assert limit.enter("a") == "connections-of-address"
    assert [limit.enter("proxy") for _ in range(4)] == [None, None, None, "connections"]
    assert limit.enter("b") == "connections"
    limit.leave("proxy")
    assert limit.enter("b") is None
    assert len(limit) == 5


def test_a_limit_that_is_reached_again_and_again_is_logged_seldom() -> None:
    now = [0.0]
    reached = LimitLog(Counter("limits", "Limits", ["limit"], registry=CollectorRegistry()), lambda: now[0])
    with capture_logs() as lines:
        for _ in range(100):
            reached("messages", "a")
        reached("sockets", "b")
        now[0] = LOG_INTERVAL
        reached("messages", "c")
    assert [(line["limit"], line["address"], line["times"]) for line in lines] == [
        ("messages", "a", 1),
        ("sockets", "b", 1),
        ("messages", "c", 100),
    ]
    assert {line["log_level"] for line in lines} == {"info"}


def test_an_ipv6_network_of_64_bits_is_one_address() -> None:
    assert network("2001:db8::1") == network("2001:db8::ffff")
    assert network("2001:db8:0:1::1") != network("2001:db8::1")
    assert network("192.0.2.1") != network("192.0.2.2")
    assert network("::ffff:192.0.2.1") != network("::ffff:192.0.2.2")
    assert network("") == ""


# --- Configuration --------------------------------------------------------------------------------


def test_the_environment_is_read_and_options_come_first() -> None:
    read = Config.read(
        {"DICECUP_PORT": "80", "DICECUP_PUBLIC_URL": "https://d.example/", "DICECUP_HOST": ""}, port=81, host=None
    )
    assert (read.port, read.public_url, read.host) == (81, "https://d.example", Config().host)
    assert read.origin == "https://d.example"
    assert read.is_https
    assert Config.read({}) == Config()


@pytest.mark.parametrize("text", ["x", "0", "-1", "1.5", "١", "9" * 11])
def test_an_invalid_number_is_refused(text: str) -> None:
    with pytest.raises(HostingError) as refused:
        Config.read({"DICECUP_SOCKETS_PER_ADDRESS": text})
    assert refused.value.code == "not-a-setting"


@pytest.mark.parametrize("port", [-1, 65_536])
def test_an_invalid_port_is_refused(port: int) -> None:
    with pytest.raises(HostingError):
        Config(port=port)


@pytest.mark.parametrize(
    "text", ["foo", "ftp://x", "http://", "https://x?y", "https://x#y", "https://u@x", "https://[x", "https://x/y"]
)
def test_an_invalid_public_url_is_refused(text: str) -> None:
    with pytest.raises(WebError) as refused:
        Config(public_url=text)
    assert refused.value.code == "not-a-public-url"


def test_links_say_where_they_work(monkeypatch: pytest.MonkeyPatch) -> None:
    from dicecup.web import base_url as module

    assert base_url(Config(public_url="https://d.example"), 1) == BaseUrl("https://d.example", "everywhere")
    assert base_url(Config(host="127.0.0.1"), 8421) == BaseUrl("http://127.0.0.1:8421", "this-device")
    assert base_url(Config(host="localhost"), 8421) == BaseUrl("http://localhost:8421", "this-device")
    assert base_url(Config(host="::1"), 8421) == BaseUrl("http://[::1]:8421", "this-device")
    assert base_url(Config(host="192.0.2.7"), 8421) == BaseUrl("http://192.0.2.7:8421", "local-network")
    monkeypatch.setattr(module, "local_address", lambda: "192.168.1.5")
    assert base_url(Config(), 8421) == BaseUrl("http://192.168.1.5:8421", "local-network")
    monkeypatch.setattr(module, "local_address", lambda: None)
    assert base_url(Config(), 8421) == BaseUrl("http://127.0.0.1:8421", "this-device")


def test_a_machine_that_shares_its_own_network_links_to_its_address_there(monkeypatch: pytest.MonkeyPatch) -> None:
    """A hotspot has no route to other networks."""

    class Probe(socket.socket):
        own = ""

        def connect(self, address: Any) -> None:
            network = address[0].rpartition(".")[0]
            if network != "10.42.0":
                raise OSError(101, "Network is unreachable")
            self.own = f"{network}.1"

        def getsockname(self) -> Any:
            return self.own, 1

    monkeypatch.setattr(socket, "socket", Probe)
    assert base_url(Config(), 8421) == BaseUrl("http://10.42.0.1:8421", "local-network")


def test_the_preferred_available_language_is_used() -> None:
    assert language_of("") == "en"
    assert language_of("it") == "en"
    assert language_of("fr-CH, de;q=0.9") == "fr"
    assert language_of("en;q=0.1, de-CH;q=0.5, *;q=0.3") == "de"
    assert language_of("de;q=0, fr;q=x, ;;;") == "en"
