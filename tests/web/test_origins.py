"""Host names that a server answers, origins that may act, proxies, and who may read the metrics."""

import socket
from pathlib import Path

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus

from dicecup.hosting.errors import HostingError
from dicecup.web.config import Config
from dicecup.web.origins import Origins, is_on_this_machine
from dicecup.web.refusals import WebError
from tests.web.serving import TWO, Browser, handshake, serving

PUBLIC = "https://dice.example.org"


def scope(
    path: str = "/", scheme: str = "http", client: tuple[str, int] | None = ("192.0.2.9", 1), **headers: str
) -> dict[str, object]:
    named = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
    return {"type": "http", "path": path, "scheme": scheme, "client": client, "headers": named}


def answers(config: Config, host: str, path: str = "/") -> bool:
    try:
        Origins(config).check(scope(path, host=host))
    except WebError as refused:
        assert (str(refused.code), refused.details) == ("wrong-host", {"text": host})
        return False
    return True


def is_own(config: Config, host: str, origin: str, scheme: str = "http") -> bool:
    try:
        Origins(config).check_origin(scope(scheme=scheme, host=host, origin=origin))
    except WebError as refused:
        assert str(refused.code) == "wrong-origin"
        return False
    return True


# --- Host names -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "host",
    [
        "127.0.0.1:8421",
        "localhost:8421",
        "LOCALHOST",
        "dicecup.localhost",
        "[::1]:8421",
        "[::1]",
        "192.168.1.20:8421",
        "10.0.0.1",
        "203.0.113.7",
        "[fe80::1]:8421",
        "[2001:db8::1]",
        "raspberrypi.local",
        "RaspberryPi.local.:8421",
        socket.gethostname(),
        f"{socket.gethostname().upper()}:8421",
        "",
    ],
)
def test_a_server_in_the_local_network_answers_to_addresses_and_local_names(host: str) -> None:
    assert answers(Config(), host)


@pytest.mark.parametrize(
    "host",
    [
        "evil.example",
        "evil.example:8421",
        "127.0.0.1.evil.example",
        "local",
        "xlocal",
        "localhost.evil.example",
        "1.2.3",
        "a, b",
    ],
)
def test_a_server_in_the_local_network_refuses_other_names(host: str) -> None:
    assert not answers(Config(), host)
    assert answers(Config(), host, "/health")


@pytest.mark.parametrize("public", [PUBLIC, f"{PUBLIC}:443", f"{PUBLIC.upper()}/"])
def test_with_a_public_url_only_its_name_and_named_ones_are_answered(public: str) -> None:
    config = Config(public_url=public, hosts="dice.example.net, nas:8080,192.0.2.7")
    assert config.origin == PUBLIC
    for host in (
        "dice.example.org",
        "Dice.Example.org:443",
        "dice.example.org.",
        "dice.example.net",
        "NAS:1",
        "192.0.2.7",
        "127.0.0.1:8421",
    ):
        assert answers(config, host)
    for host in ("example.org", "a.dice.example.org", "192.0.2.8", "raspberrypi.local", socket.gethostname() + ".x", ""):
        assert not answers(config, host)


def test_a_name_with_an_umlaut_is_what_browsers_send() -> None:
    config = Config(public_url="https://würfel.example:8443", hosts="dés.example")
    assert config.origin == "https://xn--wrfel-kva.example:8443"
    assert answers(config, "xn--wrfel-kva.example:8443")
    assert answers(config, "xn--ds-bja.example")


async def test_another_name_is_refused_by_requests_and_connections(tmp_path: Path) -> None:
    async with serving(tmp_path) as url, Browser(url) as anna:
        made = await anna.make(TWO)
        refused = await anna.http.get("/api/me", headers={"Host": "evil.example", "Accept-Language": "en"})
        assert (refused.status_code, refused.json()["error"]["code"]) == (421, "wrong-host")
        assert "DICECUP_HOSTS" in refused.json()["error"]["message"]
        assert "set-cookie" not in refused.headers
        for path in ("/", "/rules/yamm", "/static/page.css"):
            assert (await anna.http.get(path, headers={"Host": "evil.example"})).status_code == 421
        assert (await anna.http.get("/health", headers={"Host": "evil.example"})).status_code == 200
        with pytest.raises(InvalidStatus) as caught:
            await connect(f"ws://evil.example/ws/tables/{made['table']}", host="127.0.0.1", port=int(url.rpartition(":")[2]))
        assert caught.value.response.status_code == 421


# --- Origins --------------------------------------------------------------------------------------


def test_an_http_page_is_foreign_to_an_https_host() -> None:
    config = Config(public_url=PUBLIC, hosts="nas")
    assert is_own(config, "dice.example.org", PUBLIC)
    assert is_own(config, "dice.example.org", "HTTPS://Dice.Example.org")
    assert not is_own(config, "dice.example.org", "http://dice.example.org")
    assert not is_own(config, "dice.example.org", "http://dice.example.org", "https")
    assert is_own(config, "nas:8421", "http://nas:8421")
    assert not is_own(config, "nas:8421", "http://nas:8421", "https")
    assert not is_own(config, "nas:8421", "http://nas:8421", "wss")
    assert is_own(config, "nas:8421", "https://nas:8421", "https")
    for foreign in (
        "null",
        "https://dice.example.org:8443",
        "https://a.dice.example.org",
        "ftp://nas:8421",
        "nas:8421",
        "https://",
    ):
        assert not is_own(config, "nas:8421", foreign)


async def test_an_http_page_cannot_act_on_an_https_server(tmp_path: Path) -> None:
    own = {"Host": "dice.example.org"}
    async with serving(tmp_path, public_url=PUBLIC) as url, Browser(url, own) as anna:
        refused = await anna.http.post("/api/tokens", headers={"Origin": "http://dice.example.org"})
        assert (refused.status_code, refused.json()["error"]["code"]) == (403, "wrong-origin")
        assert (await anna.http.post("/api/tokens", headers={"Origin": PUBLIC})).status_code == 201


@pytest.mark.parametrize(
    "path", ["/rules/", "/rules/yamm/", "//evil.example/", "/%5Cevil.example/", "/%0d%0aX:%20y/", "/tables/x/?a=b"]
)
async def test_a_redirect_stays_on_the_host(anna: Browser, path: str) -> None:
    answer = await anna.http.get(f"{anna.url}{path}", headers={"Host": "10.9.8.7", "Accept": "text/html"})
    place = answer.headers["location"]
    assert answer.status_code == 307
    assert place.startswith("/")
    assert place[1] not in "/\\"
    assert "10.9.8.7" not in place


# --- Proxies --------------------------------------------------------------------------------------


@pytest.mark.parametrize("proxies, connections", [("127.0.0.1", 2), ("192.0.2.0/24, ::1", 1)])
async def test_only_a_named_proxy_says_where_a_client_is(tmp_path: Path, proxies: str, connections: int) -> None:
    """Open connections from two addresses that the proxy names, where each address may have one."""
    async with serving(tmp_path, proxies=proxies, sockets_per_address=1) as url, Browser(url) as anna:
        table = (await anna.make(TWO))["table"]
        async with anna.socket(table, None, **{"X-Forwarded-For": "198.51.100.1"}):
            status, error = await handshake_or_ok(anna, table, "198.51.100.2")
            assert (status, error) == ((101, "") if connections == 2 else (429, "too-many-sockets"))
            # a client cannot choose its address: the last one is the proxy's word
            status, error = await handshake_or_ok(anna, table, "198.51.100.3, 198.51.100.1")
            assert (status, error) == (429, "too-many-sockets")


async def handshake_or_ok(browser: Browser, table: str, address: str) -> tuple[int, str]:
    try:
        status, error = await handshake(
            f"{browser.url.replace('http', 'ws')}/ws/tables/{table}", Cookie=browser.cookie, **{"X-Forwarded-For": address}
        )
    except AssertionError:
        return 101, ""
    return status, error["code"]


@pytest.mark.parametrize("proxies", ["*", "proxy.example", "127.0.0.1,", "10.0.0.0/33", " "])
def test_a_proxy_is_an_address_or_a_network(proxies: str) -> None:
    with pytest.raises(HostingError) as refused:
        Config(proxies=proxies)
    assert refused.value.details["name"] == "DICECUP_PROXIES"


# --- Metrics --------------------------------------------------------------------------------------


def test_who_is_on_this_machine() -> None:
    for address, host in [
        ("127.0.0.1", "localhost:8421"),
        ("::1", "[::1]:8421"),
        ("::ffff:127.0.0.1", "127.0.0.1"),
        ("127.9.9.9", "127.0.0.1"),
    ]:
        assert is_on_this_machine(scope(client=(address, 1), host=host))
    assert not is_on_this_machine(scope(client=("192.168.1.2", 1), host="127.0.0.1"))
    assert not is_on_this_machine(scope(client=None, host="127.0.0.1"))
    assert not is_on_this_machine(scope(client=("127.0.0.1", 1), host="dice.example.org"))
    for header in ("x_forwarded_for", "forwarded", "via", "x_real_ip"):
        assert not is_on_this_machine(scope(client=("127.0.0.1", 1), host="127.0.0.1", **{header: "127.0.0.1"}))


async def test_the_metrics_answer_this_machine_or_a_token(tmp_path: Path) -> None:
    token = "a token of the host"
    async with serving(tmp_path, public_url=PUBLIC, metrics_token=token) as url, Browser(url) as local:
        assert (await local.http.get("/metrics")).status_code == 200
        far = {"Host": "dice.example.org", "X-Forwarded-For": "198.51.100.1"}
        for headers in (
            {},
            {"Authorization": "Bearer"},
            {"Authorization": f"Bearer {token}x"},
            {"Authorization": "Bearer xx"},
        ):
            refused = await local.http.get("/metrics", headers=far | headers)
            assert (refused.status_code, refused.json()["error"]["code"]) == (403, "metrics-closed")
        assert (await local.http.get("/metrics", headers=far | {"Authorization": f"Bearer {token}"})).status_code == 200
    assert token not in repr(Config(metrics_token=token))


async def test_without_a_token_the_metrics_stay_on_this_machine(tmp_path: Path) -> None:
    async with serving(tmp_path, public_url=PUBLIC) as url, Browser(url, {"Host": "dice.example.org"}) as far:
        for token in ("None", "x"):
            refused = await far.http.get("/metrics", headers={"Authorization": f"Bearer {token}"})
            assert refused.status_code == 403


def test_hosts_and_the_token_are_settings() -> None:
    read = Config.read({"DICECUP_HOSTS": "nas, dice.example.net", "DICECUP_METRICS_TOKEN": "x"})
    assert (read.hosts, read.metrics_token) == ("nas, dice.example.net", "x")
