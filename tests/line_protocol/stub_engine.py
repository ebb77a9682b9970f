"""`python stub_engine.py KIND [FIFO]`: an engine of the line protocol with one fault.

A `FIFO` is held open by a child of the engine, so that a reader sees the end of both.
"""

import os
import signal
import subprocess
import sys
import time


def say(*lines: str) -> None:
    for line in lines:
        sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def fail(kind: str) -> None:
    """Answer a `go` in a way that is not in the protocol."""
    match kind:
        case "slow":
            time.sleep(100_000)
        case "dies":
            sys.exit("out of ideas")
        case "crashes":
            os.kill(os.getpid(), signal.SIGKILL)
        case "nonsense":
            say("bestaction z9")
        case "gives-up":
            say("info error no idea", "bestaction none")
        case "floods":
            while True:
                os.write(1, b"x" * 65_536)
        case "chats":
            while True:
                os.write(1, b"info still thinking\n" * 3_000)
        case "closes":
            os.close(1)
            time.sleep(100_000)
        case "complains":
            say("info error no tables")
            sys.exit(1)


def main(kind: str, fifo: str = "") -> None:
    if fifo:
        descriptor = os.open(fifo, os.O_WRONLY)
        subprocess.Popen(["sleep", "100000"], stdout=subprocess.DEVNULL, pass_fds=[descriptor], start_new_session=False)
    if kind == "stays":
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    if kind == "silent":
        time.sleep(100_000)
    if kind == "exits":
        sys.exit("no licence")
    for text in sys.stdin:
        word, _, rest = text.strip().partition(" ")
        match word:
            case "dice":
                say("hello", "id name Stub", "option name seed type string")
                say("diceok 2" if kind == "other-version" else "diceok 1")
            case "isready":
                say("readyok")
            case "go":
                fail(kind)
                if kind != "nonsense":
                    say(f"info value 0.25\nbestaction {rest.partition('actions ')[2].split(';')[-1]}")
            case "quit" if kind != "stays":
                return
    while kind == "stays":
        time.sleep(1)


if __name__ == "__main__":
    main(*sys.argv[1:])
