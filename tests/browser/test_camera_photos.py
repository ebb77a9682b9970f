"""The reader of dice in the page, with photographs before its camera."""

import json
from pathlib import Path
from typing import Final

import pytest
from PIL import Image, ImageDraw
from playwright.sync_api import Page, expect

from bench.dice_reader_page import PHOTOS, read, start_reader
from dicecup.cli import main
from tests.browser.camera import expect_said, open_reader, show_pictures, with_camera
from tests.browser.harness import axe, overflow, view
from tests.browser.test_yam_master import hot_seat, keep

FIVE, FIVE_OTHERS, THREE, FOUR, SIX = "above_123.jpg", "above_198.jpg", "above_088.jpg", "above_177.jpg", "above_171.jpg"
"""Photographs by their number of dice."""
ORIENTATION: Final = 0x0112
"""The tag of EXIF that says how a photo has to be turned."""

pytestmark = pytest.mark.skipif(not PHOTOS.is_dir(), reason="the photographs of dice are not there")


def take(page: Page, faces: str) -> None:
    page.get_by_role("button", name=f"Take {' '.join(faces)}").click()
    expect(page.get_by_role("dialog")).to_have_count(0)


@pytest.mark.slow
def test_a_turn_of_three_throws_is_played_from_photographs(phone: Page) -> None:
    """Kept dice lie aside in the second throw, and among the others in the third."""
    made = hot_seat(with_camera(phone))
    open_reader(phone)
    show_pictures(phone, PHOTOS / FIVE)
    take(phone, "12445")
    keep(phone, 3, 4)
    phone.get_by_role("button", name="Throw the other 3 dice").click()
    open_reader(phone)
    show_pictures(phone, PHOTOS / THREE)
    expect_said(phone, "The thrown dice show 1 3 5.")
    take(phone, "13445")
    phone.get_by_role("button", name="Throw the other 3 dice").click()
    open_reader(phone)
    show_pictures(phone, PHOTOS / FIVE_OTHERS)
    take(phone, "23446")
    assert view(phone, made)["running"] == ["12445", "k44", "13445", "k44", "23446"]
    assert overflow(phone) <= 0


@pytest.mark.slow
def test_what_is_wrong_with_a_picture_is_said(page: Page) -> None:
    hot_seat(with_camera(page))
    open_reader(page)
    photo = Image.open(PHOTOS / FIVE)
    show_pictures(page, photo.point(lambda value: value * 0.05))
    expect_said(page, "It is too dark to read the dice.")
    show_pictures(page, PHOTOS / FOUR)
    expect_said(page, "In the frame: 4 of 5 dice.")
    show_pictures(page, PHOTOS / SIX)
    expect_said(page, "In the frame are 6 dice, and 5 count. Move the frame, or tap a die that does not count.")
    thrown = [photo.rotate(angle, fillcolor=(190, 190, 190)) for angle in range(0, 360, 40)]
    show_pictures(page, *thrown)
    expect_said(page, "The dice or the camera are still moving.")
    show_pictures(page, photo)
    expect_said(page, "The dice show 1 2 4 4 5.")
    show_pictures(page, with_hand(photo))
    expect_said(page, "In the frame: 3 of 5 dice.")
    show_pictures(page, photo)
    expect_said(page, "The dice show 1 2 4 4 5.")
    assert axe(page) == []


def with_hand(photo: Image.Image) -> Image.Image:
    """Return a photograph with a hand over two of its dice."""
    boxes = sorted(die["box"] for die in json.loads((PHOTOS / "labels.json").read_text("utf-8"))[FIVE]["dice"])[:2]
    left, top = (640 * min(box[side] for box in boxes) - 25 for side in (0, 1))
    right, bottom = (640 * max(box[side] for box in boxes) + 25 for side in (2, 3))
    covered = photo.copy()
    ImageDraw.Draw(covered).rounded_rectangle((left, top, right, bottom), 20, (203, 153, 126))
    return covered


def test_a_photo_is_read_without_a_camera(page: Page, tmp_path: Path) -> None:
    hot_seat(with_camera(page))
    page.evaluate("window.__camera.refuse('NotFoundError')")
    page.get_by_role("button", name="Read the dice").click()
    expect_said(page, "The page finds no camera on this device.")
    chooser = page.get_by_label("Read a photo")
    broken = tmp_path / "broken.jpg"
    broken.write_bytes((PHOTOS / FIVE).read_bytes()[:100])
    chooser.set_input_files(broken)
    expect_said(page, "The browser cannot read this file as a photo.")
    turned = tmp_path / "turned.jpg"
    exif = Image.Exif()
    exif[ORIENTATION] = 6
    Image.open(PHOTOS / FIVE).crop((0, 0, 640, 600)).save(turned, exif=exif, quality=95)
    chooser.set_input_files(turned)
    expect_said(page, "The dice show 1 2 4 4 5.")
    take(page, "12445")


@pytest.mark.slow
def test_page_and_command_line_read_the_same(page: Page, capsys: pytest.CaptureFixture[str]) -> None:
    start_reader(page)
    different = {}
    for path in sorted(PHOTOS.glob("*.jpg"))[::3]:
        assert main(["read", str(path), "--json"]) == 0
        by_command = [(die["face"], die["doubtful"]) for die in json.loads(capsys.readouterr().out)["dice"]]
        by_page = [(die["face"], die["doubtful"]) for die in read(page, path.name)[1]]
        if by_page != by_command:
            different[path.name] = (by_command, by_page)
    assert different == {}
