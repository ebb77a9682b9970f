"""Modules of the page that run under Node, without a browser."""

import json
import subprocess
from pathlib import Path
from typing import Any, Final

from ui.build import node

HERE: Final = Path(__file__).parent


def run_node(*arguments: str | Path, given: Any = None) -> str:
    """Return what Node prints. `given` goes to its standard input as JSON.

    Raises `subprocess.CalledProcessError`.
    """
    program, environment = node()
    text = json.dumps(given)
    done = subprocess.run([program, *arguments], input=text, env=environment, check=True, capture_output=True, text=True)
    return done.stdout
