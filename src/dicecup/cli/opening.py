"""What `dicecup serve --open` does for somebody who plays at this device: asks who may join, and shows the page."""

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

HERE: Final = "127.0.0.1"
EVERYBODY: Final = "0.0.0.0"  # noqa: S104 only after a yes
WITH_SCREENS: Final = ("darwin", "win32")
"""Systems on which a browser needs no display server."""


def host(messages: Messages) -> str:
    """Where to listen: at this device only, unless somebody at a terminal says that others may join."""
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        return HERE
    try:
        said = input(messages("serve_ask_network"))
    except EOFError:
        print()
        return HERE
    return EVERYBODY if said.strip().casefold() in messages("words_yes").split() else HERE


def address(config: "Config", base: "BaseUrl", port: int) -> str:
    """What is opened here. Browsers offer more to a page of this device than to the same page by the network's address."""
    return f"http://{HERE}:{port}" if config.host == EVERYBODY and not config.public_url else base.url


def has_browser(environment: Mapping[str, str] = os.environ) -> bool:
    """Whether a browser can come up beside this terminal; one that would come up in it is not wanted."""
    if sys.platform not in WITH_SCREENS and not any(map(environment.get, ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER"))):
        return False
    try:
        webbrowser.get()
    except webbrowser.Error:
        return False
    return True


def show(url: str) -> None:
    """Opens it in the browser that the person prefers, while the server goes on."""
    threading.Thread(target=webbrowser.open, args=(url,), daemon=True).start()
