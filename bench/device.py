"""Playing without a server: the first and the second start of the program, and how long `expert`
thinks.

The second start has neither a server nor a network. Its goal is 5 s on two cores. Then a game of
two computers at `expert` is played in each game, on a processor slowed down four times. Chromium
slows down pages and no workers, so the process with both is stopped for three quarters of the time.
A decision takes from one change of the table to the next one, storing included. The goal is 1 s
for 95 of 100.
"""

import tempfile
import time
from pathlib import Path
from statistics import median, quantiles
from typing import Final

from playwright.sync_api import BrowserContext, Page

from bench._browser import SLOWDOWN, chromium, processes, slowed_processes
from bench._processes import cpu_of_family
from bench._server import served

READY: Final = "Everything is on this device."
PATIENCE: Final = 300_000
RUNS: Final = 3
GAMES: Final = ("yam-master", "yamm")
DECISIONS: Final = 60
"""Changes of a table after which its game is left."""
PLAY: Final = """
async ([game, decisions, level]) => {
  const worker = window.__worker;
  const asked = (message) => worker.postMessage(message);
  const heard = (wanted) => new Promise((done) => {
    const listen = ({ data }) => {
      const found = wanted(data);
      if (!found) return;
      worker.removeEventListener('message', listen);
      done(found);
    };
    worker.addEventListener('message', listen);
  });
  const seat = { kind: 'level', level };
  const body = JSON.stringify({ setup: { game, seats: [seat, seat] } });
  const made = heard((data) => data.kind === 'answer' && data.id === -1 && JSON.parse(data.text));
  asked({ kind: 'ask', id: -1, method: 'POST', path: '/api/tables', body, language: 'en' });
  const { json } = await made;
  const times = [];
  let last;
  const played = heard(({ kind, connection, text }) => {
    if (kind !== 'text' || connection !== -1) return false;
    const now = performance.now();
    if (last !== undefined && JSON.parse(text).events.some(({ type }) => type === 'acted')) times.push(now - last);
    last = now;
    return times.length >= decisions;
  });
  asked({ kind: 'open', connection: -1, table: json.table, language: 'en' });
  asked({ kind: 'text', connection: -1, text: '{"type":"hello"}' });
  await played;
  asked({ kind: 'close', connection: -1 });
  return times;
}
"""
"""Script that lets two computers play on the device; it returns the milliseconds of each action."""
KEEP_WORKER: Final = """
window.Worker = class extends Worker { constructor(...given) { super(...given); window.__worker = this; } };
"""


def start(context: BrowserContext) -> tuple[Page, float]:
    """Open the page that plays without a connection, and return the seconds until it can."""
    page = context.new_page()
    begin = time.perf_counter()
    page.goto("/device")
    page.locator("main").get_by_text(READY).wait_for(timeout=PATIENCE)
    return page, time.perf_counter() - begin


def main() -> None:
    """Print the seconds of the starts, and those of the decisions."""
    with chromium() as browser:
        with tempfile.TemporaryDirectory() as folder, served(Path(folder)) as server:
            context = browser.new_context(viewport={"width": 360, "height": 740}, locale="en", base_url=server.url)
            context.add_init_script(KEEP_WORKER)
            page, seconds = start(context)
            print(f"first start, all files loaded: {seconds:.1f} s", flush=True)
            page.close()
        context.set_offline(True)
        (program,) = processes(browser, "browser")
        seconds_again, cpu = [], []
        for _ in range(RUNS):
            before = cpu_of_family(program)
            page, seconds = start(context)
            seconds_again.append(seconds)
            cpu.append(cpu_of_family(program) - before)
            page.close()
        print(f"second start, without a server: {median(seconds_again):.1f} s, {median(cpu):.1f} CPU s (goal: at most 5 s)")
        page, _ = start(context)
        renderers = processes(browser, "renderer")
        for game in GAMES:
            page.evaluate(PLAY, [game, 1, "expert"])  # loads the tables
            with slowed_processes(renderers):
                times = page.evaluate(PLAY, [game, DECISIONS, "expert"])
            late = quantiles(times, n=20)[-1]
            print(f"expert in {game}, slowed {SLOWDOWN} times: median {median(times):.0f} ms, 95 of 100 within {late:.0f} ms")


if __name__ == "__main__":
    main()
