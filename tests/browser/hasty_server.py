"""`dicecup serve` that tells people of their turn two seconds after they left, instead of a minute:
`python -m tests.browser.hasty_server serve …`."""

import sys

from dicecup.cli import main
from dicecup.hosting.people import decisions, notices, notifier

if __name__ == "__main__":
    for module in (notices, decisions):
        module.AWAY = 2.0  # type: ignore[attr-defined]
    notifier.SETTLING = 0.0  # type: ignore[misc]
    sys.exit(main())
