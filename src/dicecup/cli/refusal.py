"""The line on standard error for a record that is refused: `FILE:LINE: CODE: what is wrong`
(docs/notation.md).
"""

import sys

from dicecup.locale import Messages
from dicecup.record import Fault
from dicecup.sentences import code_sentence


def refuse(file: str, fault: Fault, messages: Messages) -> None:
    """Print the line of a fault on standard error."""
    print(f"{file}:{fault.line}: {fault.code}: {code_sentence(str(fault.code), fault.details, messages)}", file=sys.stderr)
