"""Reading dice in the page: the time for one picture, and the bytes of what reads it.

The pictures are the photographs of `../shared/dice_photos`, and the worker is the one of the page.
The time goes from sending a picture to the worker until its dice come back. The goals are 150 ms,
and 600 ms on a processor slowed down four times. Chromium slows down pages and no workers, so the
process with both is stopped for three quarters of the time. The goal for the bytes is 200 kB.
"""

import json
import re
from pathlib import Path
from statistics import median, quantiles
from typing import Any, Final

from playwright.sync_api import Page

from bench._browser import SLOWDOWN, browser, processes, slowed_processes
from dicecup.web.app_files import BUILT

PHOTOS: Final = Path(__file__).parent.parent.parent / "shared" / "dice_photos"
COUNT: Final = 40
MAX_MILLISECONDS: Final = 150
MAX_BYTES: Final = 200_000
FILES: Final = ("CameraDialog-", "diceWorker-", "weights-")
PREPARE: Final = """
async (path) => {
  const worker = new Worker(path, { type: 'module' });
  const answer = () => new Promise((done) => (worker.onmessage = ({ data }) => done(data)));
  const { kind } = await answer();
  if (kind !== 'loaded') throw new Error(kind);
  window.__read = async (url) => {
    const photo = new Image();
    photo.src = url;
    await photo.decode();
    const canvas = new OffscreenCanvas(photo.naturalWidth, photo.naturalHeight);
    const context = canvas.getContext('2d', { willReadFrequently: true });
    context.drawImage(photo, 0, 0);
    const { width, height, data } = context.getImageData(0, 0, canvas.width, canvas.height);
    const begin = performance.now();
    worker.postMessage({ id: 0, picture: { width, height, data } }, [data.buffer]);
    const { reading } = await answer();
    return [performance.now() - begin, reading.dice];
  };
}
"""
"""Script that starts the worker and defines `__read`, which returns the milliseconds for a photo
and its dice."""
ADDRESS: Final = "/photo-of-dice/"


def files() -> list[Path]:
    """Return the built files that read dice."""
    listed = re.search(r"new Set\((\[.*?\])\)", (BUILT / "sw.js").read_text("utf-8"))
    assert listed is not None
    return [BUILT / path.removeprefix("/") for path in json.loads(listed[1]) if path.removeprefix("/assets/").startswith(FILES)]


def packed_bytes(path: Path) -> int:
    """Return the bytes of a file on the network."""
    packed = path.with_name(f"{path.name}.br")
    return (packed if packed.is_file() else path).stat().st_size


def start_reader(page: Page) -> None:
    """Start the worker in a page of the client."""
    (worker,) = (path.name for path in files() if path.name.startswith("diceWorker-"))
    page.route(f"**{ADDRESS}*", lambda route: route.fulfill(path=PHOTOS / route.request.url.rpartition("/")[2]))
    page.goto("/privacy")
    page.evaluate(PREPARE, f"/assets/{worker}")


def read(page: Page, name: str) -> tuple[float, list[dict[str, Any]]]:
    """Return the milliseconds for a photo, and its dice."""
    milliseconds, dice = page.evaluate("(url) => window.__read(url)", ADDRESS + name)
    return milliseconds, dice


def main() -> None:
    """Print the bytes, and the times at full speed and slowed down."""
    sizes = {path.name.partition("-")[0] + path.suffix: packed_bytes(path) for path in files()}
    print(f"{sum(sizes.values()):,} bytes compressed (goal: at most {MAX_BYTES:,}): {sizes}")
    names = sorted(path.name for path in PHOTOS.glob("*.jpg"))
    names = names[:: len(names) // COUNT][:COUNT]
    with browser() as (chromium, url):
        page = chromium.new_page(base_url=url)
        start_reader(page)
        for name in names[:5]:
            read(page, name)  # compiles the script
        for factor in (1, SLOWDOWN):
            with slowed_processes(processes(chromium, "renderer") if factor > 1 else []):
                times = [read(page, name)[0] for name in names]
            print(
                f"{'full speed' if factor == 1 else f'slowed {factor} times'}: median {median(times):.0f} ms, 95 of 100 within "
                f"{quantiles(times, n=20)[-1]:.0f} ms, worst of {len(times)}: {max(times):.0f} ms "
                f"(goal: at most {factor * MAX_MILLISECONDS} ms)"
            )


if __name__ == "__main__":
    main()
