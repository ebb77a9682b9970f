"""`dicecup admin ratings` and `unrate`: ratings anew from the log of rated games, and games that
shall not count."""

from argparse import Namespace

from dicecup.cli.audited import audited
from dicecup.hosting.store import Store
from dicecup.hosting.store.audit import AuditEntry
from dicecup.locale import Messages


def recompute_ratings(arguments: Namespace, messages: Messages) -> None:
    """Replay the log of rated games, save the ratings that follow, and print how many differ from
    those before: none unless the program or the database was changed."""
    from dicecup.hosting.competition.rater import Recomputed, recompute
    from dicecup.hosting.store.audit import note

    async def work(store: Store, entry: AuditEntry) -> Recomputed:
        return await recompute(store, lambda connection: note(connection, entry))

    found = audited(arguments, "", work)
    print(messages("admin_ratings", games=found.games, ratings=found.ratings, changed=found.changed))


def unrate(arguments: Namespace, table: str, messages: Messages) -> None:
    """Take the rated game of a table out of the count. Raises `HostingError` (`not-rated`)."""
    from dicecup.hosting.competition.rater import cancel

    found = audited(arguments, table, lambda store, entry: cancel(store, table, entry))
    print(messages("admin_unrated", table=table, changed=found.changed))
