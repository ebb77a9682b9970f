"""The shipped reader on all labelled photos. It was trained on them: docs/camera.md has what
readers say about photos that they have not seen."""

from pathlib import Path

import pytest

from dicecup.vision.network import shipped_model
from dicecup.vision.training.corrections import corrected
from dicecup.vision.training.evaluate import outcome, summary
from dicecup.vision.training.photos import load_photos

PHOTOS = Path(__file__).parents[3] / "shared" / "dice_photos"


@pytest.mark.slow
@pytest.mark.skipif(not PHOTOS.exists(), reason="the labelled photos are not there")
def test_the_shipped_reader_reads_the_photos_that_it_learned_from() -> None:
    outcomes = [outcome(corrected(photo), shipped_model()) for photo in load_photos(PHOTOS)]
    above = summary([one for one in outcomes if not one.photo.upright])
    assert above.right >= 0.97 * above.dice
    assert above.false <= 0.01 * above.found
    assert above.small_whole >= 0.89 * above.small
    assert above.sure_right >= 0.995 * above.sure
    slanted = summary([one for one in outcomes if one.photo.upright])
    assert slanted.right >= 0.75 * slanted.dice
