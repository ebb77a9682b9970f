"""The command line as text: argparse, speaking the language of the catalogues."""

import os
import sys
from argparse import SUPPRESS, ArgumentParser, RawDescriptionHelpFormatter
from collections.abc import Mapping, Sequence
from typing import NoReturn

from dicecup.locale import DEFAULT_LANGUAGE, LANGUAGES, Messages


class Parser(ArgumentParser):
    """An argument parser whose headings and refusals come from the catalogue; a refusal ends with exit code 2."""

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
        formatter = self._get_formatter()
        formatter.add_usage(self.usage, self._actions, self._mutually_exclusive_groups, self._messages("cli_usage"))
        return formatter.format_help()

    def format_help(self) -> str:
        _, _, rest = super().format_help().partition("\n\n")
        return f"{self.format_usage()}\n{rest}"

    def error(self, message: str) -> NoReturn:
        """What argparse says is wrong is passed on as it is."""
        sys.stderr.write(self.format_usage())
        sys.stderr.write(f"dicecup: bad-command-line: {self._messages('error_bad_command_line', why=message)}\n")
        raise SystemExit(2)


def chosen_language(arguments: Sequence[str], environment: Mapping[str, str] = os.environ) -> str:
    """The language of `--lang`, else that of the locale: LC_ALL, LC_MESSAGES or LANG, whichever is set first, and LANGUAGE
    before them unless the locale is C (as gettext does); else English."""
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
