"""The parser of command lines: argparse with texts from the catalogues."""

import os
import sys
from argparse import SUPPRESS, ArgumentParser, RawDescriptionHelpFormatter
from collections.abc import Mapping, Sequence
from typing import NoReturn

from dicecup.locale import DEFAULT_LANGUAGE, LANGUAGES, Messages


class Parser(ArgumentParser):
    """An argument parser with headings and refusals from a catalogue. A refused command line ends
    with exit code 2.
    """

    def __init__(self, messages: Messages, prog: str, description: str, epilog: str = "") -> None:
        super().__init__(
            prog=prog,
            description=description,
            epilog=epilog,
            add_help=False,
            allow_abbrev=False,
            formatter_class=RawDescriptionHelpFormatter,
        )
        self._messages = messages
        self._positionals.title = messages("cli_positionals")
        self._optionals.title = messages("cli_options")
        self.add_argument("-h", "--help", action="help", default=SUPPRESS, help=messages("cli_help"))

    def format_usage(self) -> str:
        """Return the usage line with the catalogue's word for "usage"."""
        formatter = self._get_formatter()
        formatter.add_usage(self.usage, self._actions, self._mutually_exclusive_groups, self._messages("cli_usage"))
        return formatter.format_help()

    def format_help(self) -> str:
        """Return the help text under the translated usage line."""
        _, _, rest = super().format_help().partition("\n\n")
        return f"{self.format_usage()}\n{rest}"

    def error(self, message: str) -> NoReturn:
        """Print argparse's own English text as the reason, and end with exit code 2."""
        sys.stderr.write(self.format_usage())
        sys.stderr.write(f"dicecup: bad-command-line: {self._messages('error_bad_command_line', why=message)}\n")
        raise SystemExit(2)


def chosen_language(arguments: Sequence[str], environment: Mapping[str, str] = os.environ) -> str:
    """Return the language of `--lang`, else that of the locale, else English.

    The locale is the first of LC_ALL, LC_MESSAGES and LANG that is set. As in gettext, LANGUAGE
    comes before the locale unless the locale is C.
    """
    for at, word in enumerate(arguments):
        name, equals, value = word.partition("=")
        if name == "--lang":
            value = value if equals else "".join(arguments[at + 1 : at + 2])
            if value in LANGUAGES:
                return value
    locale = next(filter(None, map(environment.get, ("LC_ALL", "LC_MESSAGES", "LANG"))), "")
    if locale.partition(".")[0] in ("", "C", "POSIX"):
        return DEFAULT_LANGUAGE
    wanted = (*environment.get("LANGUAGE", "").split(":"), locale)
    return next((name[:2] for name in wanted if name[:2] in LANGUAGES), DEFAULT_LANGUAGE)
