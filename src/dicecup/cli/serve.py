"""`dicecup serve`: host tables in the local network or at a public address."""

import asyncio
import logging
import os
import sys
from argparse import ArgumentParser, Namespace
from typing import TYPE_CHECKING, Final

from dicecup.cli import opening
from dicecup.core.shown_url import shown_url
from dicecup.locale import Messages

if TYPE_CHECKING:
    from dicecup.web.base_url import BaseUrl

VARIABLES: Final = (
    ("DICECUP_HOST, DICECUP_PORT, DICECUP_PUBLIC_URL, DICECUP_PROXIES", "serve_env_options"),
    ("DICECUP_HOSTS", "serve_env_hosts"),
    ("DICECUP_METRICS_TOKEN", "serve_env_metrics_token"),
    ("DICECUP_DATA", "serve_env_data"),
    ("DICECUP_DATABASE_URL", "serve_env_database"),
    ("DICECUP_HOST_KEY", "serve_env_host_key"),
    ("DICECUP_PROCESSES, DICECUP_WAITING", "serve_env_processes"),
    ("DICECUP_WAITING_PER_ADDRESS, DICECUP_SECONDS_PER_JOB", "serve_env_jobs"),
    ("DICECUP_SECONDS_PER_READING", "serve_env_reading"),
    ("DICECUP_TABLES_PER_IDENTITY", "serve_env_tables"),
    ("DICECUP_TABLES_PER_DAY, DICECUP_IDENTITIES_PER_DAY, DICECUP_MEGABYTES_PER_DAY", "serve_env_quotas"),
    ("DICECUP_ACCOUNTS, DICECUP_ACCOUNTS_PER_DAY", "serve_env_accounts"),
    ("DICECUP_OIDC_ISSUER, DICECUP_OIDC_CLIENT, DICECUP_OIDC_SECRET, DICECUP_OIDC_NAME", "serve_env_oidc"),
    ("DICECUP_RATED", "serve_env_rated"),
    ("DICECUP_KEEP_DAYS", "serve_env_keep"),
    ("DICECUP_BACKUP_HOURS, DICECUP_BACKUP_FOLDER, DICECUP_BACKUPS_KEPT", "serve_env_backups"),
    ("DICECUP_PUSH_KEY, DICECUP_PUSH_CONTACT, DICECUP_PUSH_NETWORKS", "serve_env_push"),
    ("DICECUP_SMTP, DICECUP_SMTP_PASSWORD, DICECUP_MAIL_FROM", "serve_env_mail"),
    ("DICECUP_MAILS_PER_HOUR, DICECUP_MAILS_PER_ADDRESS", "serve_env_mails"),
    ("DICECUP_CONNECTIONS, DICECUP_CONNECTIONS_PER_ADDRESS, DICECUP_SOCKETS_PER_ADDRESS", "serve_env_sockets"),
    ("DICECUP_MESSAGES_PER_SECOND, DICECUP_MESSAGES_PER_ADDRESS, DICECUP_REQUESTS_PER_SECOND", "serve_env_rates"),
    ("DICECUP_SEEKS_PER_MINUTE", "serve_env_seeks"),
    ("DICECUP_SHARING, DICECUP_EMBEDDED_BY", "serve_env_sharing"),
)
"""Environment variables of the server, each group with the catalogue key of its explanation."""
REACH: Final = {"everywhere": "serve_everywhere", "local-network": "serve_local_network", "this-device": "serve_this_device"}
"""The catalogue keys of the texts that say who can open the links."""


def add_arguments(parser: ArgumentParser, messages: Messages) -> None:
    """Add the options. The environment can set each of them too, except `--open`."""
    parser.add_argument("--host", metavar="ADDRESS", help=messages("serve_host"))
    parser.add_argument("--port", metavar="N", type=int, help=messages("serve_port"))
    parser.add_argument("--public-url", metavar="URL", help=messages("serve_public_url"))
    parser.add_argument("--proxies", metavar="ADDRESSES", help=messages("serve_proxies"))
    parser.add_argument("--open", action="store_true", help=messages("serve_open"))
    variables = "\n".join(f"  {names}\n      {messages(key)}" for names, key in VARIABLES)
    parser.epilog = f"{messages('serve_environment')}\n{variables}"


def run(arguments: Namespace, messages: Messages) -> int:
    """Serve until Ctrl-C or SIGTERM, and return 0. Return 1 if `--open` finds no built page."""
    from dicecup.hosting.settings import Settings
    from dicecup.web.app_files import is_built
    from dicecup.web.config import HOST, Config
    from dicecup.web.monitoring import log_as_json
    from dicecup.web.server import avoid_collector_pauses, run_in_loop, running

    if arguments.open and not is_built():
        print(messages("serve_not_built"), file=sys.stderr)
        return 1
    host = arguments.host
    if arguments.open and not host and not os.environ.get(HOST):
        host = opening.host(messages)
    config = Config.read(host=host, port=arguments.port, public_url=arguments.public_url, proxies=arguments.proxies)
    settings = Settings.read()
    log_as_json(logging.WARNING if arguments.open else logging.INFO)

    async def serve() -> None:
        """Start the server, print its address and serve."""
        async with running(settings, config, warm=True) as (server, base):
            if arguments.open:
                _open(opening.address(config, base, server.listening.getsockname()[1]), base, messages)
            else:
                _tell(base, shown_url(settings.database.render_as_string(hide_password=False)), messages)
            sparing = asyncio.create_task(avoid_collector_pauses())
            await server.serve()
            sparing.cancel()

    run_in_loop(serve())
    return 0


def _tell(base: "BaseUrl", database: str, messages: Messages) -> None:
    """Print address, reach and database on standard output, before the first line of the log."""
    print(f"{base.url}\n{messages(REACH[base.reach])}\n{messages('serve_database', database=database)}")
    sys.stdout.flush()


def _open(url: str, base: "BaseUrl", messages: Messages) -> None:
    """Print the address and open the page.

    The page may be opened before the server is ready, because its connections wait in the listening
    socket.
    """
    has_browser = opening.has_browser()
    others = f"{messages('serve_others', url=base.url)}\n" if base.url != url else ""
    print(f"{url}\n{others}{messages(REACH[base.reach])}\n{messages('serve_opened' if has_browser else 'serve_to_open')}")
    sys.stdout.flush()
    if has_browser:
        opening.show(url)
