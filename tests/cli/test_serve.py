"""`dicecup serve --open`: the question who may join, and the page in a browser."""

import io
import subprocess
import sys
import time
from pathlib import Path

import httpx
import pexpect
import pytest

from dicecup.cli import main, opening
from dicecup.locale import LANGUAGES, Messages
from dicecup.web import app_files
from dicecup.web.base_url import BaseUrl
from dicecup.web.config import Config
from tests.terminal.program import PROGRAM, SECONDS, environment


class Terminal(io.StringIO):
    """A text stream that claims to be a terminal."""

    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("number, open_to_all", [(0, True), (1, True), (None, False)])
def test_others_may_join_after_a_yes(
    language: str, number: int | None, open_to_all: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    messages = Messages(language)
    word = "" if number is None else messages("words_yes").split()[number].upper()
    monkeypatch.setattr("sys.stdin", Terminal(f"{word}\n"))
    monkeypatch.setattr("sys.stdout", Terminal())
    assert opening.host(messages) == (opening.ALL_INTERFACES if open_to_all else opening.LOOPBACK)


@pytest.mark.parametrize("typed", [io.StringIO("y\n"), Terminal("")], ids=["no terminal", "end of input"])
def test_without_an_answer_only_this_device_is_served(typed: io.StringIO, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", typed)
    monkeypatch.setattr("sys.stdout", Terminal())
    assert opening.host(Messages("en")) == opening.LOOPBACK


def test_the_address_that_is_opened() -> None:
    network, public = BaseUrl("http://192.0.2.7:8421", "local-network"), BaseUrl("https://dice.example.org", "everywhere")
    assert opening.address(Config(host=opening.ALL_INTERFACES), network, 8421) == "http://127.0.0.1:8421"
    assert opening.address(Config(host="192.0.2.7"), network, 8421) == network.url
    assert opening.address(Config(public_url=public.url), public, 8421) == public.url


def test_a_browser_inside_the_terminal_is_not_opened() -> None:
    assert opening.has_browser({}) is (sys.platform in opening.WITH_SCREENS)


def test_serve_without_a_built_page_ends_with_1(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(app_files, "BUILT", tmp_path)
    assert main(["serve", "--open", "--lang", "en"]) == 1
    assert "make ui" in capsys.readouterr().err


@pytest.mark.slow
def test_the_page_is_opened_in_the_browser(tmp_path: Path) -> None:
    """The browser is a script that saves the address it was given."""
    if not (app_files.BUILT / "index.html").is_file():
        pytest.skip("the client is not built: make ui")
    browser, seen = tmp_path / "browser", tmp_path / "seen"
    browser.write_text(f'#!/bin/sh\nprintf %s "$1" > {seen}.new && mv {seen}.new {seen}\n', "utf-8")
    browser.chmod(0o755)
    given = environment(tmp_path, BROWSER=str(browser), DICECUP_DATA=str(tmp_path))
    program, *arguments = PROGRAM
    child = pexpect.spawn(program, [*arguments, "serve", "--open", "--port", "0"], env=given, timeout=SECONDS, encoding="utf-8")
    child.expect_exact("[y/N] ")
    child.sendline("")
    child.expect_exact(Messages("en")("serve_opened"))
    until = time.monotonic() + SECONDS
    while not seen.is_file() and time.monotonic() < until:
        time.sleep(0.02)
    url = seen.read_text("utf-8")
    assert url.startswith("http://127.0.0.1:")
    assert "<title>Dicecup</title>" in httpx.get(url, timeout=SECONDS).text
    child.sendintr()
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == 0


@pytest.mark.slow
def test_without_a_terminal_nothing_is_asked(tmp_path: Path) -> None:
    if not (app_files.BUILT / "index.html").is_file():
        pytest.skip("the client is not built: make ui")
    command = [*PROGRAM, "serve", "--open", "--port", "0"]
    given = environment(tmp_path, DICECUP_DATA=str(tmp_path))
    with subprocess.Popen(command, env=given, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True) as served:
        assert served.stdout is not None
        output = [served.stdout.readline().strip() for _ in range(3)]
        assert httpx.get(output[0], timeout=SECONDS).status_code == 200
        served.terminate()
        assert served.wait(SECONDS) == 0
    assert output[0].startswith("http://127.0.0.1:")
    assert output[1:] == [Messages("en")("serve_this_device"), Messages("en")("serve_to_open")]
