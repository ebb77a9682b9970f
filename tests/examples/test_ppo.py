"""The example of MaskablePPO learns. It needs the group `baselines`."""

import pytest

from dicecup.envs.batches import YammBatch


@pytest.mark.slow
def test_some_seconds_of_training_beat_none() -> None:
    from examples.train_ppo import evaluate, train

    untrained, trained = (evaluate(train("d1", minutes, 1), "d1", 500, 2) for minutes in (0.001, 0.4))
    assert trained.mean > untrained.mean + 10


def test_features_follow_from_the_observation() -> None:
    from examples.train_ppo import PlayedTogether

    together = PlayedTogether(YammBatch(4, "d1,u1"), 1)
    read = together.reset()
    assert read.shape == (4, together.features.size)
    assert together.observation_space.contains(read[0])
