"""Tables of the database. `tables`, `seats`, `finished` and `reviews` derive from `events` and can
be rebuilt.

Times are seconds since 1970 (UTC). Events and summaries are JSON texts, the same in both databases.
"""

from typing import Final

from sqlalchemy import BigInteger, Boolean, Column, Double, Index, Integer, MetaData, String, Table, Text, false, text

METADATA: Final = MetaData()
SAID: Final = text('(body LIKE \'%"type":"said"}\' OR body LIKE \'%"type":"reacted"}\' OR body LIKE \'%"type":"wrote"}\')')
"""The events with which people say something: phrases, reactions and texts. The type is the last
member of an event, and in a text its quotes would be escaped."""

EVENTS: Final = Table(
    "events",
    METADATA,
    Column("table_id", String, primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("time", Double, nullable=False),
    Column("identity", String),
    Column("command_id", String),
    Column("body", Text, nullable=False),
    Index("events_by_command", "table_id", "identity", "command_id", unique=True).ddl_if(dialect="postgresql"),
    Index("events_said", "time", postgresql_where=SAID, sqlite_where=SAID),
    sqlite_with_rowid=False,
)
"""The event log of every table.

The primary key lets one of two workers win that append the same number. `command_id` stands in the
last event of a command. On PostgreSQL an index keeps two workers from storing a command twice; the
one process that serves an SQLite file knows the commands of its tables (docs/decisions/0057).
"""

TABLES: Final = Table(
    "tables",
    METADATA,
    Column("table_id", String, primary_key=True),
    Column("game", String, nullable=False),
    Column("state", String, nullable=False, index=True),
    Column("created", Double, nullable=False, index=True),
    Column("creator", String, index=True),
    Column("wake", Double, index=True),
    Column("summary", Text, nullable=False),
    Column("listing", Text),
    Index("tables_listed", "created", postgresql_where=text("listing IS NOT NULL"), sqlite_where=text("listing IS NOT NULL")),
)
"""The digest of each table. `state` is `open`, `running` or `over`. At `wake` a timer of the table
is due. `listing` is what the lobby says of its free seats as JSON (`digest.listing`), null if the
lobby does not list the table."""

SEATS: Final = Table(
    "seats",
    METADATA,
    Column("identity", String, primary_key=True),
    Column("table_id", String, primary_key=True),
    Column("outcome", String),
    Column("seats", String, nullable=False),
    Index("seats_by_table", "table_id"),
)
"""The identities at each table.

`outcome` is `won`, `drawn` or `lost` after the end, and null for an identity whose seats ended
differently. `seats` holds the numbers of the seats of the identity, as in `0,2`.
"""

FINISHED: Final = Table(
    "finished",
    METADATA,
    Column("table_id", String, primary_key=True),
    Column("game", String, nullable=False),
    Column("ended", Double, nullable=False, index=True),
    *(Column(f"face_{face}", Integer, nullable=False) for face in range(1, 7)),
)
"""How often the server's dice showed each face in each finished game."""

REVIEWS: Final = Table(
    "reviews",
    METADATA,
    Column("table_id", String, primary_key=True),
    Column("made_by", String, nullable=False),
    Column("facts", Text, nullable=False),
)
"""The result of the review of each finished game as JSON (`own_games`), and the version of Dicecup
that made it."""

TOKENS: Final = Table(
    "tokens",
    METADATA,
    Column("hash", String, primary_key=True),
    Column("identity", String, nullable=False, index=True),
    Column("kind", String, nullable=False),
    Column("expires", Double),
)
"""SHA-256 of the secrets that stand for an identity. `kind` is `bearer` (programs), `transfer`
(another device, once) or `recovery` (a recovery code of an account, once)."""

PRESENCE: Final = Table(
    "presence",
    METADATA,
    Column("table_id", String, primary_key=True),
    Column("identity", String, primary_key=True),
    Column("seen", Double, nullable=False, index=True),
)
"""When each identity was last online at a table, and when the server itself last ran (both keys
empty)."""

OUTAGES: Final = Table(
    "outages",
    METADATA,
    Column("until", Double, primary_key=True, autoincrement=False),
    Column("since", Double, nullable=False),
)
"""Times in which nobody could reach the tables."""

AUDIT: Final = Table(
    "audit",
    METADATA,
    Column("number", Integer, primary_key=True),
    Column("time", Double, nullable=False),
    *(Column(name, String, nullable=False) for name in ("command", "subject", "operator", "outcome")),
)
"""What the administrators of the server did (`audit.AuditEntry`)."""

FACTS: Final = Table(
    "facts",
    METADATA,
    Column("name", String, primary_key=True),
    Column("value", String, nullable=False),
)
"""Facts about the whole database. `host-key` is the fingerprint of its host key."""

DEVICES: Final = Table(
    "devices",
    METADATA,
    Column("identity", String, primary_key=True),
    Column("device", String, primary_key=True),
    Column("agent", String, nullable=False),
    Column("created", Double, nullable=False),
    Column("seen", Double, nullable=False, index=True),
    Column("ended", Double),
)
"""The browsers that are signed in as each identity (`devices.SeenDevice`), and with a time in
`ended` those that were signed out. A cookie without a row is valid: it is the first
of its identity, or the database was restored."""

DAILY_USE: Final = Table(
    "daily_use",
    METADATA,
    Column("day", Integer, primary_key=True, autoincrement=False),
    Column("quota", String, primary_key=True),
    Column("network", String, primary_key=True),
    Column("used", BigInteger, nullable=False),
)
"""What each network has used of its quotas on a day (days since 1970, UTC). `network` is a keyed
hash."""

BLOCKS: Final = Table("blocks", METADATA, Column("network", String, primary_key=True), Column("until", Double))
"""Networks in CIDR form that may not use the server, until a time or, with null, for ever."""

DEVICE_GAMES: Final = Table(
    "device_games",
    METADATA,
    Column("identity", String, primary_key=True),
    Column("table_id", String, primary_key=True),
    Column("game", String, nullable=False),
    Column("created", Double, nullable=False),
    Column("joined", Double, nullable=False, index=True),
    Column("outcome", String),
    Column("seats", String, nullable=False),
    Column("summary", Text, nullable=False),
    Column("record", Text, nullable=False),
    Column("reviewed_by", String),
    Column("facts", Text),
)
"""Finished games that an identity played on its devices without the server, and their records.

They are no tables: the server threw no dice in them. `table_id` is the id of the table on the
device. `joined` is the time at which the server got the record. `outcome`, `seats` and `summary`
are as for tables, `facts` and `reviewed_by` as for reviews, null until the game is reviewed.
"""

ACCOUNTS: Final = Table(
    "accounts",
    METADATA,
    Column("identity", String, primary_key=True),
    Column("handle", String, nullable=False),
    Column("handle_key", String, nullable=False, unique=True),
    Column("handle_shape", String, nullable=False, unique=True),
    Column("handle_small_shape", String, index=True, unique=True),
    Column("created", Double, nullable=False),
    Column("public", Boolean, nullable=False),
)
"""The accounts of identities. `handle_key`, `handle_shape` and `handle_small_shape`
(`people.handles`) keep two handles from looking alike. The last is null where an older account
looked alike before it was compared. Everybody may see the profile of a `public` account."""

PASSKEYS: Final = Table(
    "passkeys",
    METADATA,
    Column("passkey", String, primary_key=True),
    Column("identity", String, nullable=False, index=True),
    Column("name", String, nullable=False),
    Column("public_key", String, nullable=False),
    Column("sign_count", BigInteger, nullable=False),
    Column("created", Double, nullable=False),
    Column("used", Double),
)
"""The passkeys of accounts. `passkey` is the credential id of WebAuthn and `public_key` a COSE key,
both in base64url."""

CHALLENGES: Final = Table(
    "challenges",
    METADATA,
    Column("hash", String, primary_key=True),
    Column("kind", String, nullable=False),
    Column("data", String, nullable=False),
    Column("expires", Double, nullable=False, index=True),
)
"""SHA-256 of the challenges that the server has given out and not got back yet. `data` is what it
needs to check the answer, such as the identity that adds a passkey."""

LOGINS: Final = Table(
    "logins",
    METADATA,
    Column("issuer", String, primary_key=True),
    Column("subject", String, primary_key=True),
    Column("identity", String, nullable=False, index=True),
)
"""The accounts that people sign in to with an OpenID Connect provider."""

CHANNELS: Final = Table(
    "channels",
    METADATA,
    Column("id", String, primary_key=True),
    Column("identity", String, nullable=False, index=True),
    Column("kind", String, nullable=False),
    Column("address", String, nullable=False),
    Column("secrets", String, nullable=False),
    Column("language", String, nullable=False),
    Column("daily", Boolean, nullable=False),
    Column("created", Double, nullable=False),
    Column("confirmed", Double),
    Column("device", String),
)
"""Where each identity wants to be told what happens while it is away.

`kind` is `push` or `mail`. `address` is the endpoint of a push service or a mail address, `secrets`
the keys of a push subscription. `daily`: one mail a day instead of single ones. A channel that is
not confirmed gets nothing but the request to confirm it. `device` is the browser of a push
subscription, NULL for a program and for what was subscribed before revision 0024.
"""

QUIET_HOURS: Final = Table(
    "quiet_hours",
    METADATA,
    Column("identity", String, primary_key=True),
    Column("zone", String, nullable=False),
    Column("begins", Integer, nullable=False),
    Column("ends", Integer, nullable=False),
)
"""The hours in which each identity gets no messages, in minutes of the day in its time zone. Equal
ones: never."""

MUTES: Final = Table(
    "mutes",
    METADATA,
    Column("identity", String, primary_key=True),
    Column("table_id", String, primary_key=True),
)
"""The tables of which each identity wants to be told nothing."""

NOTICES: Final = Table(
    "notices",
    METADATA,
    Column("identity", String, primary_key=True),
    Column("topic", String, primary_key=True),
    Column("key", String, nullable=False),
    Column("kind", String, nullable=False),
    Column("created", Double, nullable=False),
    Column("due", Double, index=True),
    Column("details", Text, nullable=False),
    Column("told", Boolean, nullable=False),
)
"""The outbox: what is to be told next to each identity about a topic, a table for example.

A later event replaces the row. `told`: the identity was told something about the topic that was not
withdrawn since. A row without `due` waits for a later event.
"""

DELIVERIES: Final = Table(
    "deliveries",
    METADATA,
    Column("channel", String, primary_key=True),
    Column("topic", String, primary_key=True),
    Column("key", String, nullable=False),
    Column("kind", String, nullable=False),
    Column("details", Text, nullable=False),
    Column("due", Double, nullable=False, index=True),
    Column("expires", Double, nullable=False),
    Column("attempts", Integer, nullable=False),
)
"""What is to be sent to each channel about a topic. A worker that sends it sets `due` to a later
time first, at which another one tries again."""

MAIL_USE: Final = Table(
    "mail_use",
    METADATA,
    Column("hour", Integer, primary_key=True, autoincrement=False),
    Column("address", String, primary_key=True),
    Column("used", Integer, nullable=False),
)
"""How many mails were sent to each address in an hour (hours since 1970), and with an empty address
in all. `address` is a hash."""

ADMINS: Final = Table("admins", METADATA, Column("identity", String, primary_key=True), Column("since", Double, nullable=False))
"""The people who may use the administration page."""

BANS: Final = Table(
    "bans",
    METADATA,
    Column("identity", String, primary_key=True),
    Column("since", Double, nullable=False),
    Column("until", Double, nullable=False),
    Column("reason", String, nullable=False),
)
"""People who may not use the server until a time."""

REPORTS: Final = Table(
    "reports",
    METADATA,
    Column("number", Integer, primary_key=True),
    Column("time", Double, nullable=False),
    Column("reporter", String, nullable=False, index=True),
    Column("reported", String, nullable=False, index=True),
    Column("reason", String, nullable=False),
    Column("remark", Text, nullable=False, server_default=""),
    Column("table_id", String, index=True),
    Column("event", Integer),
    Column("context", Text, nullable=False),
    Column("resolved", Double, index=True),
    Column("note", String, nullable=False),
    sqlite_autoincrement=True,
)
"""Reports of people, or of what they wrote (`reports.Report`). `resolved` is null for an open
one."""

ANNOUNCEMENTS: Final = Table(
    "announcements",
    METADATA,
    Column("number", Integer, primary_key=True),
    Column("since", Double, nullable=False),
    Column("until", Double, nullable=False),
    Column("texts", Text, nullable=False),
    sqlite_autoincrement=True,
)
"""Messages of the host to everybody: JSON with a text for one language or several. One that is
withdrawn has ended."""

SEEKS: Final = Table(
    "seeks",
    METADATA,
    Column("number", Integer, primary_key=True),
    Column("identity", String, nullable=False, unique=True),
    Column("request", String, nullable=False),
    Column("pool", String, nullable=False),
    Column("game", String, nullable=False),
    Column("clock", Text),
    Column("name", String, nullable=False),
    Column("since", Double, nullable=False),
    Column("worker", String, nullable=False),
    Column("state", String, nullable=False),
    Column("changed", Double, nullable=False),
    Column("table_id", String),
    Column("rated", Boolean, nullable=False, server_default=false()),
    Index("seeks_waiting", "state", "pool", "number"),
    Index("seeks_by_table", "table_id"),
    sqlite_autoincrement=True,
)
"""The last request of each identity for an opponent (`lobby.seeks.Seek`). `number` is its place in
the queue."""

LOBBY_WORKERS: Final = Table(
    "lobby_workers",
    METADATA,
    Column("worker", String, primary_key=True),
    Column("seen", Double, nullable=False),
    Column("people", Integer, nullable=False),
)
"""The workers with people in the lobby: when each was last seen, and how many people it has. Seeks
of a worker that is not seen any more have ended."""

PERSON_BLOCKS: Final = Table(
    "person_blocks",
    METADATA,
    Column("identity", String, primary_key=True),
    Column("other", String, primary_key=True, index=True),
    Column("name", String, nullable=False),
    Column("since", Double, nullable=False),
)
"""People whom an identity has blocked (`lobby.person_blocks`), with the name at that time."""

INVITATIONS: Final = Table(
    "invitations",
    METADATA,
    Column("table_id", String, primary_key=True),
    Column("invited", String, primary_key=True, index=True),
    Column("inviter", String, nullable=False, index=True),
    Column("name", String, nullable=False),
    Column("game", String, nullable=False),
    Column("links", Integer, nullable=False),
    Column("created", Double, nullable=False),
    Column("declined", Double),
)
"""Invitations of people to tables (`lobby.acquaintances.Invitation`)."""

SHOWN_ONLINE: Final = Table("shown_online", METADATA, Column("identity", String, primary_key=True))
"""The people who show those whom they have played when they are in the lobby."""
