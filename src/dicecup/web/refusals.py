"""Refusals of the network room, and the answer to any typed error: a status, a code and a
sentence."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Final

from dicecup.core.errors import DicecupError
from dicecup.hosting.store.store_errors import FAULTS, StoreCode, StoreError
from dicecup.locale import DEFAULT_LANGUAGE, LANGUAGES
from dicecup.sentences import refusal_json
from dicecup.web.messages import Refusal


class WebCode(StrEnum):
    """Reason for which a request, a message or a connection is refused."""

    NOT_A_MESSAGE = "not-a-message"
    NO_SUCH_PAGE = "no-such-page"
    NO_SUCH_METHOD = "no-such-method"
    TOO_LARGE = "too-large"
    NO_LENGTH = "no-length"
    NEEDS_GZIP = "needs-gzip"
    TOO_MANY_REQUESTS = "too-many-requests"
    TOO_MANY_SOCKETS = "too-many-sockets"
    TOO_LATE = "too-late"
    WRONG_HOST = "wrong-host"
    CLIENT_GONE = "client-gone"
    WRONG_ORIGIN = "wrong-origin"
    METRICS_CLOSED = "metrics-closed"
    BLOCKED = "address-blocked"
    NO_IDENTITY = "no-identity"
    NOT_A_TOKEN = "not-a-token"
    NOT_A_TRANSFER = "not-a-transfer"
    NO_SUCH_TOKEN = "no-such-token"
    NO_SUCH_PROFILE = "no-such-profile"
    NO_SUCH_DEVICE = "no-such-device"
    NO_SUCH_CHANNEL = "no-such-channel"
    NOT_OFFERED = "not-offered"
    NOT_AN_ADDRESS = "not-an-address"
    NOT_AN_ENDPOINT = "not-an-endpoint"
    NOT_A_MAIL_LINK = "not-a-mail-link"
    NOT_A_LOGIN = "not-a-login"
    PROVIDER_DOWN = "provider-down"
    NOT_A_PUBLIC_URL = "not-a-public-url"
    PORT_TAKEN = "port-taken"
    DATA_IN_USE = "data-in-use"
    FAULT = "fault"


class WebError(DicecupError):
    """A request, message or connection that is refused (`details`: the offending input)."""


UNPROCESSABLE: Final = 422
STATUS: Final[Mapping[str, int]] = {
    "not-a-message": 400,
    "not-a-token": 401,
    "no-identity": 401,
    "signed-out": 401,
    "wrong-origin": 403,
    "metrics-closed": 403,
    "not-your-seat": 403,
    "not-the-organiser": 403,
    "not-an-entrant": 403,
    "not-your-pairing": 403,
    "not-the-owner": 403,
    "account-needed": 403,
    "rated-needs-account": 403,
    "not-rated": 404,
    "no-such-pool": 404,
    "address-blocked": 403,
    "banned": 403,
    "table-closed": 403,
    "no-such-page": 404,
    "no-such-tournament": 404,
    "no-such-entrant": 404,
    "no-such-round": 404,
    "no-such-pairing": 404,
    "no-such-event": 404,
    "no-such-game": 404,
    "event-not-open": 409,
    "event-running": 409,
    "event-over": 409,
    "event-full": 409,
    "already-entered": 409,
    "no-rematch": 409,
    "no-such-table": 404,
    "no-such-turn": 404,
    "no-such-throw": 404,
    "no-such-token": 404,
    "no-such-device": 404,
    "no-such-person": 404,
    "invitation-refused": 403,
    "too-many-invitations": 409,
    "too-many-blocks": 409,
    "no-such-report": 404,
    "nothing-said": 404,
    "not-yourself": 409,
    "is-admin": 409,
    "no-such-channel": 404,
    "not-a-mail-link": 404,
    "not-a-transfer": 404,
    "no-account": 404,
    "no-such-profile": 404,
    "no-such-passkey": 404,
    "no-such-login": 404,
    "not-a-recovery-code": 404,
    "challenge-over": 410,
    "no-such-method": 405,
    "needs-gzip": 406,
    "too-late": 408,
    "stale-version": 409,
    "too-many-tournaments": 409,
    "entered-twice": 409,
    "entries-closed": 409,
    "tournament-full": 409,
    "has-withdrawn": 409,
    "has-not-withdrawn": 409,
    "too-few-entrants": 409,
    "tournament-not-begun": 409,
    "tournament-over": 409,
    "round-running": 409,
    "no-round-left": 409,
    "no-pairing-left": 409,
    "round-deleted": 410,
    "round-has-results": 409,
    "next-round-begun": 409,
    "result-from-table": 409,
    "no-result-due": 409,
    "result-known": 409,
    "results-contradict": 409,
    "seat-taken": 409,
    "too-many-tokens": 409,
    "handle-taken": 409,
    "has-account": 409,
    "other-account": 409,
    "too-many-channels": 409,
    "last-passkey": 409,
    "login-taken": 409,
    "has-login": 409,
    "last-login": 409,
    "too-many-passkeys": 409,
    "seat-kept": 409,
    "table-full": 409,
    "name-twice": 409,
    "game-over": 409,
    "game-running": 409,
    "game-not-begun": 409,
    "game-not-over": 409,
    "not-your-turn": 409,
    "not-for-devices": 409,
    "moved-on": 409,
    "nobody-to-talk-to": 409,
    "talk-over": 409,
    "texts-off": 409,
    "no-length": 411,
    "too-large": 413,
    "wrong-host": 421,
    "too-many-requests": 429,
    "too-many-sockets": 429,
    "too-many-tables": 429,
    "too-much-today": 429,
    "too-fast": 429,
    "client-gone": 499,
    "fault": 500,
    "no-answer": 500,
    "busy": 503,
    "provider-down": 503,
    "storage-down": 503,
    "storage-full": 507,
}
"""HTTP status of each code. All other codes have `UNPROCESSABLE`."""

RETRY_AFTER: Final[Mapping[str, int]] = {
    "too-many-requests": 1,
    "too-many-sockets": 10,
    "too-many-tables": 60,
    "too-much-today": 3600,
    "too-fast": 5,
    "busy": 5,
    "provider-down": 30,
}
"""Seconds of the header `Retry-After` by code."""


def public(error: DicecupError) -> DicecupError:
    """Return an error as clients may see it.

    Only the host's log has the cause of a storage fault. Clients learn that the disk is full, or
    that the database does not answer.
    """
    if not isinstance(error, StoreError) or error.code not in FAULTS:
        return error
    return StoreError(StoreCode.FULL if error.code is StoreCode.FULL else StoreCode.DOWN)


def status_of(error: DicecupError) -> int:
    """Return the HTTP status of an error."""
    return STATUS.get(str(public(error).code), UNPROCESSABLE)


def headers_of(error: DicecupError) -> dict[str, str]:
    """Return the additional headers of the answer to an error."""
    seconds = RETRY_AFTER.get(str(error.code))
    return {} if seconds is None else {"Retry-After": str(seconds)}


def refusal(error: DicecupError, language: str) -> Refusal:
    """Return an error as a message, with its sentence in a language."""
    return Refusal(**refusal_json(public(error), language))


def language_of(accepted: str) -> str:
    """Return the preferred language of a header `Accept-Language` that has a catalogue, or
    `DEFAULT_LANGUAGE`."""
    wanted: list[tuple[float, int, str]] = []
    for part in accepted.split(","):
        name, _, parameter = part.partition(";")
        try:
            weight = float(parameter.strip().removeprefix("q=")) if parameter.strip() else 1.0
        except ValueError:
            continue
        if (language := name.strip()[:2].lower()) in LANGUAGES and weight > 0:
            wanted.append((-weight, len(wanted), language))
    return min(wanted)[2] if wanted else DEFAULT_LANGUAGE
