"""The sounds of a table: how they sound, when they are played, and when they are loaded."""

import json
import re
from typing import Final

import numpy as np
import pytest
from numpy.typing import NDArray
from playwright.sync_api import Page, Request, expect

from dicecup.web.app_files import BUILT
from tests.browser.around import DUEL, joined, play
from tests.browser.conftest import NewPage
from tests.browser.harness import AGAINST_COMPUTER, command, painted, table
from tests.browser.node_program import HERE, run_node
from tests.browser.sheet_driver import REAL as ALMOST_FULL
from tests.sweep import sweep

RATE: Final = 44_100
BYTES: Final = 60_000
"""The most that all sounds may take, uncompressed."""
FEEL: Final = {"cup", "dice", "keep", "declare", "token", "remove", "pen", "strike"}
"""Sounds of things. The others are notes."""
RECORD_SOUNDS: Final = """
(() => {
  window.__sounds = [];
  const mark = performance.mark.bind(performance);
  performance.mark = (name, options) => {
    if (name.startsWith('sound ')) window.__sounds.push(name.slice(6));
    return mark(name, options);
  };
  let touched = false;
  for (const event of ['pointerup', 'keydown']) addEventListener(event, () => (touched = true), { capture: true });
  // calls of the test into the page count as interactions of a user
  Object.defineProperty(Navigator.prototype, 'userActivation', { get: () => ({ hasBeenActive: touched }) });
  const Context = window.AudioContext;
  window.__contexts = 0;
  window.__seconds = 0;
  window.__reading = 0;
  window.AudioContext = class extends Context {
    constructor() {
      super();
      window.__contexts += 1;
    }
    get currentTime() {
      return (window.__seconds += window.__reading);
    }
  };
})();
"""
"""Records the sounds that the page plays, and its audio contexts. Their clock goes on only by
`__reading` seconds at each reading: a sound that comes late is not played."""
Samples = NDArray[np.float64]


def synthesised(seed: int, dice: int = 5) -> dict[str, Samples]:
    """Return the samples of all sounds."""
    printed = run_node(HERE / "sounds_runner.mjs", str(seed), str(dice))
    return {name: np.array(made) for name, made in map(json.loads, printed.splitlines())}


@pytest.fixture(scope="module")
def sounds() -> dict[str, Samples]:
    return synthesised(1)


def loudness(sound: Samples) -> float:
    """Return the root mean square of the loudest 50 ms in decibels of full scale."""
    width = RATE // 20
    return float(10 * np.log10(np.convolve(sound**2, np.ones(width) / width, "valid").max()))


def centre(sound: Samples) -> float:
    """Return the centre of the spectrum in Hz."""
    power = np.abs(np.fft.rfft(sound)) ** 2
    return float((power * np.fft.rfftfreq(len(sound), 1 / RATE)).sum() / power.sum())


def bands(sound: Samples) -> Samples:
    """Return the shares of the energy in third octaves over five parts of a second."""
    rows = []
    for part in np.array_split(np.pad(sound, (0, RATE - len(sound))), 5):
        power = np.abs(np.fft.rfft(part)) ** 2
        edges = np.searchsorted(np.fft.rfftfreq(len(part), 1 / RATE), 100 * 2 ** (np.arange(24) / 3))
        rows.append(np.sqrt(np.add.reduceat(power, edges[edges < len(power)])))
    flat = np.concatenate(rows)
    return np.asarray(flat / np.linalg.norm(flat), dtype=np.float64)


@sweep("dice", [1, 3, 5])
@sweep("seed", [1, 2, 3])
def test_no_sound_clips_lasts_or_thumps(seed: int, dice: int) -> None:
    for name, sound in synthesised(seed, dice).items():
        assert np.isfinite(sound).all(), name
        assert 0.15 <= np.abs(sound).max() <= 0.7, name
        assert 0.1 <= len(sound) / RATE <= 1.0, name
        assert abs(sound.mean()) < 0.001, name
        assert abs(sound[-1]) < 0.001, name
        assert np.abs(sound[: RATE // 2000]).max() < 0.7, name


def test_sounds_are_soft_and_about_as_loud(sounds: dict[str, Samples]) -> None:
    loud = {name: loudness(sound) for name, sound in sounds.items()}
    assert max(loud.values()) <= -12
    assert min(loud.values()) >= -32
    assert loud["pen"] < loud["token"]
    assert loud["keep"] < loud["dice"]


def test_sounds_can_be_told_apart(sounds: dict[str, Samples]) -> None:
    heard = {name: bands(sound) for name, sound in sounds.items()}
    alike = {
        (one, other): float(heard[one] @ heard[other])
        for one in heard
        for other in heard
        if one < other and heard[one] @ heard[other] > 0.9
    }
    assert alike == {}


def test_things_sound_of_their_material(sounds: dict[str, Samples]) -> None:
    centres = {name: centre(sounds[name]) for name in FEEL}
    assert 400 < centres["dice"] < 1500
    assert 400 < centres["token"] < 1000
    assert centres["declare"] < centres["token"] < centres["cup"] < centres["strike"] < centres["pen"] < 6000


@pytest.mark.slow
def test_more_dice_make_more_impacts() -> None:
    energies = [float((synthesised(4, dice)["dice"] ** 2).sum()) for dice in (1, 3, 5)]
    assert energies == sorted(energies)


def test_no_two_throws_sound_the_same() -> None:
    assert not np.array_equal(synthesised(1)["dice"], synthesised(2)["dice"])


def test_all_sounds_are_small() -> None:
    if not (BUILT / "sw.js").is_file():
        pytest.skip("the client is not built: make ui")
    files = [path for name in ("synthesis", "TableSounds") for path in (BUILT / "assets").glob(f"{name}-*.js")]
    assert len(files) == 2
    assert sum(path.stat().st_size for path in files) <= BYTES


def listening(page: Page, **settings: object) -> Page:
    """Return the page with recorded sounds, these settings, and dice that roll."""
    page.emulate_media(reduced_motion="no-preference")
    page.add_init_script(RECORD_SOUNDS)
    chosen = json.dumps(json.dumps({"pace": "instant"} | settings))
    page.add_init_script(f"sessionStorage.chosen ??= localStorage['dicecup-settings'] = {chosen}")
    return page


def expect_sounds(page: Page, *names: str) -> None:
    """Wait for these sounds and assert that no others were played."""
    page.wait_for_function("(least) => window.__sounds.length >= least", arg=len(names))
    heard = page.evaluate("window.__sounds.splice(0)")
    assert sorted(heard) == sorted(names)


def awake(page: Page) -> None:
    """Touch the page and wait until its sounds are loaded."""
    with page.expect_response(re.compile("/synthesis-")) as made, page.expect_response(re.compile("/TableSounds-")) as played:
        page.keyboard.press("Shift")
    for loaded in (made, played):
        page.evaluate("async (module) => void (await import(module))", loaded.value.url)
    painted(page)
    page.evaluate("window.__sounds.splice(0)")


def throw(page: Page) -> None:
    page.get_by_role("button", name="First throw").click()
    expect(page.get_by_role("button", name="Throw all five again")).to_be_visible()


@pytest.mark.slow
def test_nothing_is_loaded_or_played_before_the_first_interaction(page: Page, new_page: NewPage) -> None:
    asked: list[str] = []

    def sent(request: Request) -> None:
        asked.append(request.url)

    page.on("request", sent)
    made = table(listening(page), DUEL)
    ben = joined(new_page, made)
    expect(page.get_by_role("group", name="What the dice show")).to_be_visible()
    play(page, made, "11346", "--")
    play(ben, made, "22345", "--")
    expect(page.get_by_text("Your turn").first).to_be_visible()
    assert page.evaluate("[window.__sounds.length, window.__contexts]") == [0, 0]
    assert not [url for url in asked if re.search("/(synthesis|TableSounds)-", url)]
    with page.expect_request(re.compile("/synthesis-")), page.expect_response(re.compile("/TableSounds-")):
        page.keyboard.press("Shift")
    play(page, made, "11346", "--")
    play(ben, made, "22345", "--")
    expect_sounds(page, "turn")


def test_a_throw_sounds(page: Page) -> None:
    table(listening(page), AGAINST_COMPUTER | {"first": 0})
    awake(page)
    throw(page)
    expect_sounds(page, "cup", "dice")


def test_dice_that_do_not_roll_fall_at_once_and_a_kept_die_sounds(page: Page) -> None:
    table(listening(page, animation=False), AGAINST_COMPUTER | {"first": 0})
    awake(page)
    throw(page)
    expect_sounds(page, "dice")
    page.get_by_role("button", name=re.compile("^[1-6]$")).first.click()
    expect_sounds(page, "keep")


@pytest.mark.slow
def test_a_sound_that_comes_late_is_left_out(page: Page) -> None:
    table(listening(page), AGAINST_COMPUTER | {"first": 0})
    awake(page)
    page.evaluate("window.__reading = 1")
    throw(page)
    painted(page)
    page.evaluate("window.__reading = 0")
    page.get_by_role("button", name=re.compile("^[1-6]$")).first.click()
    expect_sounds(page, "keep")


@pytest.mark.slow
def test_tokens_lines_and_the_end_sound(page: Page, new_page: NewPage) -> None:
    made = table(listening(page), DUEL)
    ben = joined(new_page, made)
    expect(page.get_by_role("group", name="What the dice show")).to_be_visible()
    awake(page)
    play(page, made, "11166", "a1")
    expect_sounds(page, "token")
    play(ben, made, "22345", "--")
    expect_sounds(page, "turn")
    command(ben, made, type="resign")
    expect_sounds(page, "win")


@pytest.mark.slow
def test_the_pen_a_strike_and_a_bonus_sound(page: Page) -> None:
    made = table(listening(page), ALMOST_FULL)
    expect(page.get_by_role("group", name="What the dice show")).to_be_visible()
    awake(page)
    play(page, made, "66655", "d3.6")
    expect_sounds(page, "pen", "bonus")
    play(page, made, "11223", "f1.Y")
    expect_sounds(page, "strike")
    play(page, made, "66655", "f3.FH")
    expect_sounds(page, "pen")


@pytest.mark.slow
def test_the_key_m_and_the_button_mute(page: Page) -> None:
    table(listening(page), AGAINST_COMPUTER | {"first": 0})
    button = page.get_by_role("button", name="Sounds")
    expect(button).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("m")
    expect(button).to_have_attribute("aria-pressed", "false")
    expect(page.get_by_text("Sounds off")).to_be_attached()
    throw(page)
    page.get_by_role("button", name=re.compile("^[1-6]$")).first.click()
    assert page.evaluate("window.__sounds") == []
    page.reload()
    expect(button).to_have_attribute("aria-pressed", "false")
    button.click()
    expect(button).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("?")
    expect(page.get_by_role("dialog").get_by_text("sounds on or off")).to_be_visible()


def test_m_is_a_letter_in_a_text_field(page: Page) -> None:
    table(listening(page), AGAINST_COMPUTER | {"first": 0})
    button = page.get_by_role("button", name="Sounds")
    expect(button).to_have_attribute("aria-pressed", "true")
    page.evaluate("document.querySelector('main').append(document.createElement('input'))")
    page.locator("main > input").fill("")
    page.keyboard.press("m")
    expect(page.locator("main > input")).to_have_value("m")
    expect(button).to_have_attribute("aria-pressed", "true")


@pytest.mark.slow
def test_the_volume_is_set_and_heard(page: Page) -> None:
    listening(page)
    page.goto("/")
    page.get_by_role("button", name="Settings").click()
    volume = page.get_by_role("slider", name="Volume")
    with page.expect_response(re.compile("/synthesis-")) as loaded:
        volume.press("ArrowRight")
    page.evaluate("async (module) => void (await import(module))", loaded.value.url)
    page.evaluate("window.__sounds.splice(0)")
    volume.press("ArrowRight")
    expect_sounds(page, "dice")
    page.reload()
    page.get_by_role("button", name="Settings").click()
    expect(volume).to_have_value("60")
    page.get_by_role("checkbox", name="Sounds on").uncheck()
    expect(volume).to_be_disabled()
