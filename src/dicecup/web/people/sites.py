"""The site that the passkeys of a request belong to."""

from typing import Annotated, Final
from urllib.parse import urlsplit

from fastapi import Depends, Request

from dicecup.hosting.people.passkeys import INSTALLED, Site
from dicecup.web.config import host_name
from dicecup.web.refusals import WebCode, WebError
from dicecup.web.requests import Context

NAME: Final = "Dicecup"


def site_of(request: Request, context: Context) -> Site:
    """Return the site of the public URL, or else the one that the request names.

    `Origins` has checked that the server answers to that name. Raises `WebError` (`not-offered`)
    without the extra `accounts`.
    """
    if not INSTALLED:
        raise WebError(WebCode.NOT_OFFERED)
    if context.config.origin is not None:
        return Site(host_name(urlsplit(context.config.origin).netloc), context.config.origin, NAME)
    host = request.headers.get("host", "").lower()
    return Site(host_name(host), f"{request.url.scheme}://{host}", NAME)


PasskeySite = Annotated[Site, Depends(site_of)]
