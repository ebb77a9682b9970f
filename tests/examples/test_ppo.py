"""The example of MaskablePPO learns, and its network plays matches. It needs the group
`baselines`."""

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from dicecup.cli import main
from dicecup.core.dice import roll
from dicecup.envs.batches import YammBatch
from dicecup.envs.options import ALL_COLUMNS, yamm_encoding
from dicecup.yamm import Yamm

PAGE = Path(__file__).parents[2] / "docs" / "environments.md"


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


def test_torch_reads_a_batch_without_a_copy() -> None:
    import torch

    batch = YammBatch(4, "d1", copy=False)
    observations, infos = batch.reset(seed=1)
    read, masks = torch.from_dlpack(observations), torch.from_dlpack(infos["action_mask"])
    batch.step(masks.argmax(dim=1).numpy())
    assert read.data_ptr() == observations.ctypes.data
    assert np.array_equal(read.numpy(), observations)


@pytest.mark.slow
def test_the_training_of_the_docs_runs() -> None:
    """The block with `model.learn`, with fewer steps."""
    (block,) = (
        code for code in re.findall(r"```python\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL) if "model.learn(" in code
    )
    assert "learn(200_000)" in block
    found: dict[str, Any] = {}
    exec(block.replace("learn(200_000)", "learn(300)").replace("EPISODES = 1000", "EPISODES = 3"), found)  # noqa: S102 (of this repository)
    assert found["model"].num_timesteps >= 300
    assert len(found["returns"]) == 3


def test_a_saved_network_plays_as_before_and_in_a_match(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from examples import ppo_agent
    from examples.train_ppo import PlayedTogether, load, save, train

    model, file = train(ALL_COLUMNS, 0.0001, 1), tmp_path / "ppo.pt"
    save(model, file)
    together = PlayedTogether(YammBatch(16), 1)
    read, masks = together.reset(), together.masks()
    loaded = load(file, yamm_encoding(players=1))
    played = [each.predict(read, deterministic=True, action_masks=masks)[0] for each in (model, loaded)]
    assert np.array_equal(*played)
    monkeypatch.setenv("DICECUP_EXAMPLE_PPO", str(file))
    position = Yamm().start().roll(roll("12345"))
    assert ppo_agent.make("1").choose(position) in position.actions
    named = ["examples.ppo_agent:make", "random"]
    assert main(["match", "yamm", "--players", *named, "--games", "1", "--workers", "1", "--time", "300", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["failures"] == []
