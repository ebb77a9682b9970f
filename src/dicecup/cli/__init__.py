"""The command `dicecup`. Each command has a module in this package, which is imported when the
command is called.

The module of a command has `add_arguments(parser, messages)` and `run(arguments, messages) -> int`.
`run` returns the exit code: 0, or 1 if the command refuses its input. The exit code is 2 for a
command line that cannot be read and 130 after Ctrl-C. `main` prints a `DicecupError` that `run`
raises as `dicecup: CODE: what is wrong`.
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
    "read": "cli_read",
    "odds": "cli_odds",
    "analyse": "cli_analyse",
    "solve": "cli_solve",
    "bound": "cli_bound",
    "simulate": "cli_simulate",
    "match": "cli_match",
    "engine": "cli_engine",
    "bridge": "cli_bridge",
    "tournament": "cli_tournament",
    "link": "cli_link",
    "train": "cli_train",
    "train-me": "cli_train_me",
    "export": "cli_export",
    "import": "cli_import",
    "admin": "cli_admin",
}
"""The commands, each with the catalogue key of its description. `module_of` names the module of a
command.
"""

REFUSED: Final = 1
BAD_COMMAND_LINE: Final = 2
INTERRUPTED: Final = 130


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code.

    `DicecupError`, Ctrl-C and a closed pipe become exit codes and are not raised.
    """
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
    """Return the exit code of a command. argparse raises `SystemExit`: 0 after the help text, 2 for
    a command line that it refuses.
    """
    try:
        return _run(given, messages)
    except SystemExit as ended:
        return ended.code if isinstance(ended.code, int) else 0


def _run(given: list[str], messages: Messages) -> int:
    """Run the command that the first argument names and return its exit code."""
    if not given or given[0] not in COMMANDS:
        return _without_a_command(given, messages)
    command = import_module(module_of(given[0]))
    parser = Parser(messages, f"dicecup {given[0]}", messages(COMMANDS[given[0]]))
    command.add_arguments(parser, messages)
    parser.add_argument("--lang", choices=LANGUAGES, help=messages("cli_lang", languages=", ".join(LANGUAGES)))
    arguments = parser.parse_intermixed_args(given[1:])  # options may stand between an action and its names
    code: int = command.run(arguments, messages)
    return code


def module_of(command: str) -> str:
    """Return the name of a command's module.

    `_` replaces a dash and is appended to a keyword of Python, such as `import`.
    """
    return f"dicecup.cli.{command.replace('-', '_')}{'_' * iskeyword(command)}"


def _without_a_command(given: list[str], messages: Messages) -> int:
    """Print the help text or the version, or refuse a command line that does not begin with a
    command.

    An option before the command is accepted: the command is run with the option behind it.
    """
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
