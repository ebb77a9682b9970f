"""How a record is refused: `FILE:LINE: CODE: what is wrong` on standard error (NOTATION)."""

import sys

from dicecup.locale import Messages
from dicecup.record import Fault
from dicecup.sentences import code_sentence


def refuse(file: str, fault: Fault, messages: Messages) -> None:
    """One line."""
    print(f"{file}:{fault.line}: {fault.code}: {code_sentence(str(fault.code), fault.details, messages)}", file=sys.stderr)
