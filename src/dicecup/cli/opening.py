"""The option `--open` of `dicecup serve`: ask who may join, and open the page in a browser."""

import os
import sys
import threading
import webbrowser
from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from dicecup.locale import Messages

if TYPE_CHECKING:
    from dicecup.web.base_url import BaseUrl
    from dicecup.web.config import Config

LOOPBACK: Final = "127.0.0.1"
ALL_INTERFACES: Final = "0.0.0.0"  # noqa: S104 only after a yes
WITH_SCREENS: Final = ("darwin", "win32")
"""Systems on which a browser needs no display server."""


def host(messages: Messages) -> str:
    """Return the address to listen at. The address is the loopback address, unless a person at a
    terminal allows others to join.
    """
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        return LOOPBACK
    try:
        said = input(messages("serve_ask_network"))
    except EOFError:
        print()
        return LOOPBACK
    return ALL_INTERFACES if said.strip().casefold() in messages("words_yes").split() else LOOPBACK


def address(config: "Config", base: "BaseUrl", port: int) -> str:
    """Return the address of the page for this device.

    The loopback address is preferred: browsers allow more to a page from it, for example
    notifications.
    """
    return f"http://{LOOPBACK}:{port}" if config.host == ALL_INTERFACES and not config.public_url else base.url


def has_browser(environment: Mapping[str, str] = os.environ) -> bool:
    """Return whether a browser can open in a window of its own. A browser inside the terminal does
    not count.
    """
    if sys.platform not in WITH_SCREENS and not any(map(environment.get, ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER"))):
        return False
    try:
        webbrowser.get()
    except webbrowser.Error:
        return False
    return True


def show(url: str) -> None:
    """Open a page in the default browser from another thread, so that the server does not wait for
    the browser.
    """
    threading.Thread(target=webbrowser.open, args=(url,), daemon=True).start()
