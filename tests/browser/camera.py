"""A camera for the page: a canvas that shows one picture after the other. And a reader whose dice
the test decides."""

import base64
from io import BytesIO
from pathlib import Path
from typing import Any, Final

from PIL import Image
from playwright.sync_api import Page, expect

FAKE: Final = """
(() => {
  if (!navigator.mediaDevices) return;
  const SIZE = 711; // the guide has nine tenths of it: 640, as the photos
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = SIZE;
  const context = canvas.getContext('2d');
  let pictures = [];
  let drawn = 0;
  let refusal = null;
  const streams = [];
  const draw = () => {
    context.fillStyle = '#888';
    context.fillRect(0, 0, SIZE, SIZE);
    const picture = pictures[drawn++ % pictures.length];
    if (picture) context.drawImage(picture, (SIZE - 640) / 2, (SIZE - 640) / 2, 640, 640);
  };
  setInterval(draw, 100);
  window.__camera = {
    show: async (urls) => {
      const images = urls.map((src) => Object.assign(new Image(), { src }));
      await Promise.all(images.map((image) => image.decode()));
      pictures = images;
      draw();
    },
    refuse: (name) => (refusal = name),
    lose: () => {
      for (const track of streams.flatMap((stream) => stream.getTracks())) {
        track.stop();
        track.dispatchEvent(new Event('ended'));
      }
    },
    open: () => streams.filter((stream) => stream.active).length,
  };
  navigator.mediaDevices.getUserMedia = async () => {
    if (refusal) throw new DOMException('', refusal);
    const stream = canvas.captureStream();
    streams.push(stream);
    return stream;
  };
})();
"""
"""Script that replaces the camera of a page. `window.__camera` controls it."""

TOLD_READER: Final = """
let dice = [];
const page = new BroadcastChannel('reader');
page.onmessage = ({ data }) => (dice = data);
page.postMessage('begun');
self.onmessage = ({ data: { id } }) => self.postMessage({ kind: 'read', id, reading: { dice, brightness: 120 } });
self.postMessage({ kind: 'loaded' });
"""
"""Script in the place of the worker that reads dice. The page tells it the dice."""
TELL: Final = """
(() => {
  const reader = new BroadcastChannel('reader');
  let dice = [];
  const tell = () => reader.postMessage(dice);
  reader.onmessage = tell;
  window.__see = (seen) => ((dice = seen), tell());
})();
"""
"""Script that tells it."""

RUNNING: Final = "() => window.__camera.open() === 1"


def with_camera(page: Page) -> Page:
    """Give a page that is not open yet the camera of these tests."""
    page.add_init_script(FAKE)
    return page


def with_told_reader(page: Page) -> Page:
    """Give a page that is not open yet this camera, and a reader that sees the dice of `see`."""
    page.route("**/diceWorker-*.js", lambda route: route.fulfill(body=TOLD_READER, content_type="text/javascript"))
    page.add_init_script(TELL)
    return with_camera(page)


def show_pictures(page: Page, *pictures: Image.Image | Path) -> None:
    """Let the camera show a picture from now on, or several in turn: each for a tenth of a
    second."""
    page.evaluate("(urls) => window.__camera.show(urls)", [_url(picture) for picture in pictures])


def _url(picture: Image.Image | Path) -> str:
    if isinstance(picture, Path):
        kind, content = "jpeg", picture.read_bytes()
    else:
        written = BytesIO()
        picture.save(written, "PNG")
        kind, content = "png", written.getvalue()
    return f"data:image/{kind};base64,{base64.b64encode(content).decode()}"


def see(page: Page, faces: str, doubtful: str = "") -> None:
    """Let the reader see dice from now on. `doubtful`: the places of doubtful ones."""
    found: list[dict[str, Any]] = []
    for place, face in enumerate(faces):
        left, top = 0.1 + 0.3 * (place % 3), 0.15 + 0.3 * (place // 3)
        box = [left, top, left + 0.1, top + 0.1]
        found.append({"face": int(face), "box": box, "confidence": 0.9, "doubtful": str(place) in doubtful})
    page.evaluate("(dice) => window.__see(dice)", found)


def open_reader(page: Page) -> None:
    """Press *Read the dice* and wait until the camera runs."""
    page.get_by_role("button", name="Read the dice").click()
    page.wait_for_function(RUNNING)


def expect_said(page: Page, sentence: str) -> None:
    """Wait until the dialog says a sentence."""
    expect(page.get_by_role("dialog").get_by_role("status")).to_have_text(sentence)
