"""The message about something to share."""

from typing import Literal

from dicecup.web.messages import Outgoing


class Shared(Outgoing):
    """Something to share: the `link`, its `title`, and where the link works.

    `card` is the address of its picture (PNG), `replay` that of the animated game (GIF), `embed`
    that of the page for a frame. Each is null where there is none. `embed_title` is the title of
    that page, which shows the whole ranking where the link shows one result.
    """

    link: str
    title: str
    card: str | None
    replay: str | None
    embed: str | None
    embed_title: str
    reach: Literal["everywhere", "local-network", "this-device"]
