"""Errors of the hosting of tables. `dicecup.table.errors` has those of a single table."""

from enum import StrEnum

from dicecup.core.errors import DicecupError


class HostingCode(StrEnum):
    """Why hosting refuses a request."""

    STALE_VERSION = "stale-version"
    NO_SUCH_TABLE = "no-such-table"
    NOBODY_SITS_THERE = "nobody-sits-there"
    NO_SUCH_PERSON = "no-such-person"
    NO_SUCH_REPORT = "no-such-report"
    NOT_YOURSELF = "not-yourself"
    NOTHING_SAID = "nothing-said"
    IS_ADMIN = "is-admin"
    BUSY = "busy"
    NO_ANSWER = "no-answer"
    TOOK_TOO_LONG = "took-too-long"
    TOO_MANY_TABLES = "too-many-tables"
    TOO_MANY_TOKENS = "too-many-tokens"
    TOO_MANY_CHANNELS = "too-many-channels"
    TOO_MANY_INVITATIONS = "too-many-invitations"
    TOO_MANY_BLOCKS = "too-many-blocks"
    INVITATION_REFUSED = "invitation-refused"
    TOO_MUCH_TODAY = "too-much-today"
    TOO_SLOW = "too-slow"
    SIGNED_OUT = "signed-out"
    NOT_A_HANDLE = "not-a-handle"
    HANDLE_TAKEN = "handle-taken"
    ACCOUNT_NEEDED = "account-needed"
    NO_ACCOUNT = "no-account"
    NOT_A_PASSKEY = "not-a-passkey"
    NO_SUCH_PASSKEY = "no-such-passkey"
    LAST_PASSKEY = "last-passkey"
    TOO_MANY_PASSKEYS = "too-many-passkeys"
    NO_SUCH_LOGIN = "no-such-login"
    LOGIN_TAKEN = "login-taken"
    HAS_LOGIN = "has-login"
    LAST_LOGIN = "last-login"
    CHALLENGE_OVER = "challenge-over"
    NOT_A_CODE = "not-a-recovery-code"
    HAS_ACCOUNT = "has-account"
    BANNED = "banned"
    NOT_A_SETTING = "not-a-setting"
    NOT_INSTALLED = "not-installed"
    NOT_A_NETWORK = "not-a-network"
    NOT_A_ZONE = "not-a-zone"
    NOT_A_TIME = "not-a-time"
    NOT_A_REASON = "not-a-reason"
    NOT_AN_EXPORT = "not-an-export"
    TABLE_DIFFERS = "table-differs"


class HostingError(DicecupError):
    """A request that hosting refuses. No table has changed. `details` hold the offending input."""
