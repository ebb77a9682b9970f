"""`dicecup serve`: tables for others in the house, or behind a public address."""

import asyncio
import sys
from argparse import ArgumentParser, Namespace
from typing import TYPE_CHECKING, Final

from dicecup.locale import Messages

if TYPE_CHECKING:
    from dicecup.web.links import Base

VARIABLES: Final = (
    ("DICECUP_HOST, DICECUP_PORT, DICECUP_PUBLIC_URL, DICECUP_PROXIES", "serve_env_options"),
    ("DICECUP_DATA", "serve_env_data"),
    ("DICECUP_DATABASE_URL", "serve_env_database"),
    ("DICECUP_HOST_KEY", "serve_env_host_key"),
    ("DICECUP_PROCESSES, DICECUP_WAITING", "serve_env_processes"),
    ("DICECUP_TABLES_PER_IDENTITY", "serve_env_tables"),
    ("DICECUP_SOCKETS_PER_ADDRESS", "serve_env_sockets"),
    ("DICECUP_MESSAGES_PER_SECOND, DICECUP_REQUESTS_PER_SECOND", "serve_env_rates"),
)
"""What the environment can say, and the message that explains it."""


def add_arguments(parser: ArgumentParser, messages: Messages) -> None:
    """Everything can be said in the environment too."""
    parser.add_argument("--host", metavar="ADDRESS", help=messages("serve_host"))
    parser.add_argument("--port", metavar="N", type=int, help=messages("serve_port"))
    parser.add_argument("--public-url", metavar="URL", help=messages("serve_public_url"))
    parser.add_argument("--proxies", metavar="ADDRESSES", help=messages("serve_proxies"))
    told = "\n".join(f"  {names}\n      {messages(key)}" for names, key in VARIABLES)
    parser.epilog = f"{messages('serve_environment')}\n{told}"


def run(arguments: Namespace, messages: Messages) -> int:
    """Until it is told to end (Ctrl-C, SIGTERM)."""
    from dicecup.service.settings import Settings
    from dicecup.web.config import Config
    from dicecup.web.operation import log_as_json
    from dicecup.web.server import running

    config = Config.read(host=arguments.host, port=arguments.port, public_url=arguments.public_url, proxies=arguments.proxies)
    settings = Settings.read()
    log_as_json()

    async def serve() -> None:
        async with running(settings, config) as (server, base):
            _tell(base, settings.database.render_as_string(hide_password=True), messages)
            await server.serve()

    asyncio.run(serve())
    return 0


def _tell(base: "Base", database: str, messages: Messages) -> None:
    """Where it is, and for whom: on standard output, before the first line of the log."""
    reach = {"everywhere": "serve_everywhere", "local-network": "serve_local_network", "this-device": "serve_this_device"}
    print(f"{base.url}\n{messages(reach[base.reach])}\n{messages('serve_database', database=database)}")
    sys.stdout.flush()
