"""An evaluation with random weights."""

import numpy as np
import pytest

from dicecup.engine.yam_master.evaluation.model import Model, learned, new_model, replaced
from dicecup.yam_master import BOARD


@pytest.fixture(scope="session")
def model() -> Model:
    random = np.random.default_rng(5)
    made = new_model(BOARD, 5)
    noise = {name: array + random.normal(scale=0.05, size=array.shape) for name, array in learned(made).items()}
    return replaced(made, {name: array.astype(np.float32) for name, array in noise.items()})
