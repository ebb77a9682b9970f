"""The command `dicecup`: one module a command, imported only when it is called.

A command's module has `add_arguments(parser, messages)` and `run(arguments, messages) -> int`, the exit code: 0, or 1 where
something was refused; a command line that cannot be read ends with 2, Ctrl-C with 130. Typed errors that a command lets
through are told here, as `dicecup: CODE: what is wrong`.
"""

import sys
from collections.abc import Sequence
from importlib import import_module
from keyword import iskeyword
from typing import Final

from dicecup import __version__
from dicecup.cli.arguments import Parser, chosen_language
from dicecup.core.errors import DicecupError
from dicecup.locale import LANGUAGES, Messages
from dicecup.terminal import characters
from dicecup.terminal.errors import sentence

COMMANDS: Final = {
    "play": "cli_play",
    "serve": "cli_serve",
    "replay": "cli_replay",
    "verify": "cli_verify",
    "sheet": "cli_sheet",
    "odds": "cli_odds",
    "analyse": "cli_analyse",
    "solve": "cli_solve",
    "bound": "cli_bound",
    "simulate": "cli_simulate",
    "match": "cli_match",
    "train": "cli_train",
    "train-me": "cli_train_me",
    "export": "cli_export",
    "import": "cli_import",
    "admin": "cli_admin",
}
"""Each command, a module of this package, and the message that says what it does."""

REFUSED: Final = 1
BAD_COMMAND_LINE: Final = 2
INTERRUPTED: Final = 130


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs one command and returns its exit code; never raises what a person can cause."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    characters.write_what_the_terminal_can_show()
    messages = Messages(chosen_language(given))
    try:
        code = _exit_code(given, messages)
        sys.stdout.flush()  # a closed pipe is noticed here rather than when Python ends
    except DicecupError as error:
        print(f"dicecup: {error.code}: {sentence(error, messages)}", file=sys.stderr)
        return REFUSED
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        characters.discard_output()
        return REFUSED
    return code


def _exit_code(given: list[str], messages: Messages) -> int:
    """The parser ends by raising: 0 after its help, 2 after a refusal."""
    try:
        return _run(given, messages)
    except SystemExit as ended:
        return ended.code if isinstance(ended.code, int) else 0


def _run(given: list[str], messages: Messages) -> int:
    if not given or given[0] not in COMMANDS:
        return _without_a_command(given, messages)
    command = import_module(module_of(given[0]))
    parser = Parser(messages, f"dicecup {given[0]}", messages(COMMANDS[given[0]]))
    command.add_arguments(parser, messages)
    parser.add_argument("--lang", choices=LANGUAGES, help=messages("cli_lang", languages=", ".join(LANGUAGES)))
    code: int = command.run(parser.parse_args(given[1:]), messages)
    return code


def module_of(command: str) -> str:
    """The module of a command: `_` where the command has a dash, and behind a word of Python's own."""
    return f"dicecup.cli.{command.replace('-', '_')}{'_' * iskeyword(command)}"


def _without_a_command(given: list[str], messages: Messages) -> int:
    """Help, the version, or a complaint."""
    listed = "\n".join(f"  {name:<8} {messages(key)}" for name, key in COMMANDS.items())
    parser = Parser(messages, "dicecup", messages("cli_about"), f"{messages('cli_commands')}\n{listed}")
    parser.add_argument("command", metavar="COMMAND", choices=COMMANDS, help=messages("cli_command"))
    parser.add_argument("--lang", choices=LANGUAGES, help=messages("cli_lang", languages=", ".join(LANGUAGES)))
    parser.add_argument("--version", action="store_true", help=messages("cli_version"))
    if "--version" in given:
        print(f"dicecup {__version__}")
        return 0
    found = parser.parse_known_args(given)[0].command
    return _run([found, *(word for word in given if word != found)], messages)
