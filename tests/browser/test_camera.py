"""The dialog that reads real dice from the camera: what it says, how faces are corrected, and what
it does without a camera. Here the test decides what the reader sees; in test_camera_photos.py
photographs are read."""

from typing import Final

import pytest
from playwright.sync_api import Page, Route, expect

from dicecup.locale import LANGUAGES
from tests.browser.camera import RUNNING, expect_said, open_reader, see, with_told_reader
from tests.browser.conftest import NewPage
from tests.browser.harness import Faults, announcements, axe, overflow, resized, view
from tests.browser.test_yam_master import dice, hot_seat, keep, show
from tests.sweep import sweep

CLOSED: Final = "() => window.__camera.open() === 0"
REFUSED: Final = "The page may not use the camera. Allow it in the settings of the browser, or enter the dice by hand."
ENTRY: Final = {"de": "Würfel ablesen", "en": "Read the dice", "fr": "Lire les dés"}


def test_dice_that_lie_still_are_taken_with_one_tap(phone: Page) -> None:
    made = hot_seat(with_told_reader(phone))
    assert phone.evaluate("document.featurePolicy.allowsFeature('camera')")  # the headers of the server decide
    open_reader(phone)
    expect(phone.get_by_text("The pictures stay on this device, and nothing is stored.")).to_be_visible()
    expect_said(phone, "Hold the camera straight above the dice, so that all of them lie in the frame.")
    see(phone, "3312")
    expect_said(phone, "In the frame: 4 of 5 dice.")
    see(phone, "33126")
    expect_said(phone, "The dice show 1 2 3 3 6.")
    assert axe(phone) == []
    assert overflow(phone) <= 0
    phone.get_by_role("button", name="Take 1 2 3 3 6").tap()
    expect(dice(phone)).to_have_text(["1", "2", "3", "3", "6"])
    phone.wait_for_function(CLOSED)
    assert view(phone, made)["running"] == ["12336"]
    said = [sentence for sentence in announcements(phone) if "dice" in sentence]
    assert said[1:3] == ["In the frame: 4 of 5 dice.", "The dice show 1 2 3 3 6."]


@pytest.mark.slow
def test_kept_dice_are_known_by_their_faces_or_lie_outside(page: Page) -> None:
    made = hot_seat(with_told_reader(page))
    show(page, "33126")
    keep(page, 3, 4)
    page.get_by_role("button", name="Throw the other 3 dice").click()
    open_reader(page)
    see(page, "12456")
    expect_said(page, "You kept 3 3, but the dice show 1 2 4 5 6. Correct a die, or enter the throw by hand.")
    expect(page.get_by_role("button", name="Take the dice")).to_have_attribute("aria-disabled", "true")
    see(page, "43353")
    page.get_by_role("button", name="Take 3 3 3 4 5").click()
    expect(dice(page)).to_have_text(["3", "4", "3, kept", "3, kept", "5"])
    keep(page, 1)
    page.get_by_role("button", name="Throw the other 2 dice").click()
    open_reader(page)
    see(page, "16")
    expect_said(page, "The thrown dice show 1 6.")
    page.get_by_role("button", name="Take 1 3 3 3 6").click()
    expect(dice(page)).to_have_count(5)
    assert view(page, made)["running"] == ["12336", "k33", "33345", "k333", "13336"]


@pytest.mark.slow
def test_a_doubtful_die_is_asked_for_and_another_is_corrected_by_keyboard(page: Page) -> None:
    made = hot_seat(with_told_reader(page))
    page.get_by_role("button", name="Read the dice").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Take the dice")).to_be_focused()
    see(page, "33126", doubtful="3")
    expect_said(page, "The dice show 1 2 3 3 6; one is unclear. Tap it.")
    expect(page.get_by_role("button", name="Check the marked die")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_text("What does this die show? Perhaps 2.")).to_be_visible()
    expect(page.get_by_role("dialog").get_by_role("button", name="2", exact=True)).to_be_focused()
    assert axe(page) == []
    see(page, "1")  # the picture stands still meanwhile
    page.keyboard.press("5")
    expect(page.get_by_role("button", name="Take 1 3 3 5 6")).to_be_focused()
    page.keyboard.press("Shift+Tab")
    expect(page.get_by_role("button", name="Die that shows 6: correct it")).to_be_focused()
    page.keyboard.press("Enter")
    page.keyboard.press("Escape")
    expect(page.get_by_role("button", name="Take 1 3 3 5 6")).to_be_focused()
    page.keyboard.press("Enter")
    expect(dice(page)).to_have_count(5)
    assert view(page, made)["running"] == ["13356"]


@pytest.mark.slow
def test_a_die_that_does_not_count_is_left_out(page: Page) -> None:
    hot_seat(with_told_reader(page))
    open_reader(page)
    see(page, "331264")
    expect_said(page, "In the frame are 6 dice, and 5 count. Move the frame, or tap a die that does not count.")
    page.get_by_role("button", name="Die that shows 4: correct it").click()
    page.get_by_role("button", name="It does not count").click()
    expect(page.get_by_role("button", name="Take 1 2 3 3 6")).to_be_focused()
    page.get_by_role("button", name="Look again").click()
    expect_said(page, "In the frame are 6 dice, and 5 count. Move the frame, or tap a die that does not count.")


@sweep(
    "name, sentence",
    [
        (
            "NotAllowedError",
            "The page may not use the camera. Allow it in the settings of the browser, or enter the dice by hand.",
        ),
        ("NotFoundError", "The page finds no camera on this device."),
        ("NotReadableError", "The camera does not start: another program may be using it."),
    ],
)
def test_without_a_camera_the_usual_entry_stays(page: Page, name: str, sentence: str) -> None:
    hot_seat(with_told_reader(page))
    page.evaluate("(name) => window.__camera.refuse(name)", name)
    page.get_by_role("button", name="Read the dice").click()
    expect_said(page, sentence)
    assert axe(page) == []
    page.get_by_role("button", name="Enter by hand").click()
    page.keyboard.type("33126")
    expect(dice(page)).to_have_text(["1", "2", "3", "3", "6"])


@pytest.mark.slow
def test_a_browser_that_cannot_run_the_reader_keeps_the_usual_entry(page: Page, faults: Faults) -> None:
    def forbid(route: Route) -> None:
        answer = route.fetch()
        policy = answer.headers["content-security-policy"].replace(" 'wasm-unsafe-eval'", "")
        route.fulfill(response=answer, headers=answer.headers | {"content-security-policy": policy})

    faults.allow("WebAssembly")
    hot_seat(page)
    page.route("**/diceWorker-*.js", forbid)
    page.get_by_role("button", name="Read the dice").click()
    expect_said(page, "What reads the dice could not be loaded. Enter the dice by hand.")
    page.get_by_role("button", name="Enter by hand").click()
    page.keyboard.type("33126")
    expect(dice(page)).to_have_text(["1", "2", "3", "3", "6"])


@pytest.mark.slow
def test_a_camera_that_is_lost_can_be_opened_again(page: Page) -> None:
    hot_seat(with_told_reader(page))
    open_reader(page)
    see(page, "33126")
    expect_said(page, "The dice show 1 2 3 3 6.")
    page.evaluate("window.__camera.lose()")
    expect_said(page, "The camera has stopped. Open it again, or enter the dice by hand.")
    expect(page.get_by_role("button", name="Take the dice")).to_have_attribute("aria-disabled", "true")
    page.get_by_role("button", name="Open the camera").click()
    expect_said(page, "The dice show 1 2 3 3 6.")
    page.keyboard.press("Escape")
    page.wait_for_function(CLOSED)


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_dialog_fits_every_window_in_every_language(new_page: NewPage, language: str) -> None:
    page = with_told_reader(new_page(locale=f"{language}-CH", viewport={"width": 360, "height": 740}))
    hot_seat(page)
    page.get_by_role("button", name=ENTRY[language]).click()
    page.wait_for_function(RUNNING)
    see(page, "33126", doubtful="2")
    marks = page.locator("dialog .frame button")
    expect(marks).to_have_count(5)
    for is_asked in (False, True):
        if is_asked:
            marks.nth(2).click()
        for width, height in ((360, 740), (320, 568), (740, 360), (1280, 800)):
            resized(page, width, height)
            assert overflow(page) == 0, width
            assert page.locator("dialog").evaluate("(dialog) => dialog.scrollWidth - dialog.clientWidth") == 0, width
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)
            assert axe(page) == []
