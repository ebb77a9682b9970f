"""Photos from files: the picture that people see, or one clear error."""

import io
import sys
import zlib
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from dicecup.vision import VisionCode, VisionError, load_photo, photo_files

RED, BLUE, WHITE = (200, 30, 20), (20, 40, 210), (255, 255, 255)


def picture() -> Image.Image:
    """A picture, 40 × 24 pixels: the left half red, the right half blue."""
    image = Image.new("RGB", (40, 24), RED)
    image.paste(BLUE, (20, 0, 40, 24))
    return image


def near(pixel: np.ndarray, colour: tuple[int, int, int], most: int = 12) -> bool:
    return bool(np.abs(pixel.astype(int) - colour).max() <= most)


def refusal(path: Path) -> VisionError:
    with pytest.raises(VisionError) as refused:
        load_photo(path)
    assert refused.value.details["file"] == path
    return refused.value


@pytest.mark.parametrize(
    "orientation, left_top, right_bottom",
    [
        (1, RED, BLUE),
        (2, BLUE, RED),
        (3, BLUE, RED),
        (4, RED, BLUE),
        (5, RED, BLUE),
        (6, RED, BLUE),
        (7, BLUE, RED),
        (8, BLUE, RED),
    ],
)
def test_a_photo_is_turned_as_its_camera_was_held(
    tmp_path: Path, orientation: int, left_top: tuple[int, int, int], right_bottom: tuple[int, int, int]
) -> None:
    exif = Image.Exif()
    exif[0x0112] = orientation
    picture().save(tmp_path / "turned.jpg", quality=95, exif=exif)
    pixels = load_photo(tmp_path / "turned.jpg")
    assert pixels.shape == ((24, 40, 3) if orientation < 5 else (40, 24, 3))
    assert near(pixels[2, 2], left_top)
    assert near(pixels[-3, -3], right_bottom)


def test_inks_of_a_printer_become_rgb(tmp_path: Path) -> None:
    picture().convert("CMYK").save(tmp_path / "inks.jpg", quality=95)
    pixels = load_photo(tmp_path / "inks.jpg")
    assert near(pixels[12, 5], RED, most=20)
    assert near(pixels[12, 35], BLUE, most=20)


def test_greys_palettes_and_transparency_become_rgb(tmp_path: Path) -> None:
    picture().convert("L").save(tmp_path / "grey.png")
    assert load_photo(tmp_path / "grey.png").shape == (24, 40, 3)
    Image.fromarray(np.full((24, 40), 30_000, np.uint16)).save(tmp_path / "deep.png")
    assert (load_photo(tmp_path / "deep.png") == 30_000 >> 8).all()
    picture().quantize(4).save(tmp_path / "palette.gif")
    assert near(load_photo(tmp_path / "palette.gif")[2, 2], RED)
    clear = picture().convert("RGBA")
    clear.putalpha(Image.new("L", clear.size, 0))
    clear.save(tmp_path / "clear.png")
    assert near(load_photo(tmp_path / "clear.png")[2, 2], WHITE, most=0)


@pytest.mark.parametrize("content", [b"", b"no picture", b"%PDF-1.7 " * 50, bytes(1000)])
def test_a_file_that_is_no_picture_is_refused(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "file.jpg").write_bytes(content)
    assert refusal(tmp_path / "file.jpg").code is VisionCode.NOT_A_PICTURE


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP"])
def test_a_picture_that_is_cut_off_is_refused(tmp_path: Path, kind: str) -> None:
    saved = io.BytesIO()
    Image.effect_noise((200, 200), 90).convert("RGB").save(saved, kind)
    content = saved.getvalue()
    for kept in (0.3, 0.6, 0.95):
        (tmp_path / "cut").write_bytes(content[: int(len(content) * kept)])
        assert refusal(tmp_path / "cut").code in (VisionCode.PICTURE_DAMAGED, VisionCode.NOT_A_PICTURE)
    assert kind == "WEBP" or refusal(tmp_path / "cut").code is VisionCode.PICTURE_DAMAGED


@pytest.mark.parametrize("side", [9_000, 12_000, 30_000])
def test_a_huge_picture_is_refused_before_it_is_decoded(tmp_path: Path, side: int) -> None:
    """A header says how large the picture is; its pixels do not follow."""
    saved = io.BytesIO()
    Image.new("1", (8, 8)).save(saved, "PNG")
    content = bytearray(saved.getvalue())
    content[16:24] = side.to_bytes(4, "big") * 2
    content[29:33] = zlib.crc32(content[12:29]).to_bytes(4, "big")
    (tmp_path / "huge.png").write_bytes(content)
    refused = refusal(tmp_path / "huge.png")
    assert refused.code is VisionCode.PICTURE_TOO_LARGE
    assert refused.details["megapixels"] == photo_files.MEGAPIXELS


def test_a_huge_file_is_refused_before_it_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(photo_files, "MEGABYTES", 0)
    picture().save(tmp_path / "photo.png")
    assert refusal(tmp_path / "photo.png").code is VisionCode.PICTURE_TOO_LARGE


def test_without_pillow_the_error_names_the_extra(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "PIL", None)
    with pytest.raises(VisionError) as refused:
        load_photo(tmp_path / "photo.png")
    assert refused.value.code is VisionCode.PACKAGE_MISSING
    assert refused.value.details["install"] == "pip install 'dicecup[photos]'"
