"""The weights file and the networks in NumPy, compared with sums that are written out."""

import itertools
from typing import Any

import numpy as np
import pytest

from dicecup.vision.network import Network, read_weights, shipped_model, write_weights

DECODING = {"peak": 0.3}


def network(*layers: dict[str, Any], size: int = 8, seed: int = 3) -> dict[str, Any]:
    """Random weights for layers, as `write_weights` takes them."""
    rng = np.random.default_rng(seed)
    weighted = [layer for layer in layers if "out" in layer]
    return {
        "size": size,
        "layers": list(layers),
        "weights": [rng.normal(size=(one["out"], one["kernel"], one["kernel"], one["in"])) for one in weighted],
        "biases": [rng.normal(size=one["out"]) for one in weighted],
    }


def conv(kernel: int, stride: int, channels: tuple[int, int], source: int = 0, *, relu: bool = False) -> dict[str, Any]:
    return {
        "op": "conv",
        "kernel": kernel,
        "stride": stride,
        "in": channels[0],
        "out": channels[1],
        "relu": relu,
        "from": [source],
    }


def loaded(one: dict[str, Any]) -> Network:
    return read_weights(write_weights({"detector": one, "classifier": network(conv(1, 1, (3, 7)))}, DECODING, {})).detector


@pytest.mark.parametrize("kernel, stride", [(3, 1), (3, 2), (1, 1)])
def test_a_convolution_is_the_sum_that_it_stands_for(kernel: int, stride: int) -> None:
    source = network(conv(kernel, stride, (3, 5)))
    values = np.random.default_rng(4).normal(size=(8, 8, 3)).astype(np.float32)
    found = loaded(source).run(values)
    weights, border = source["weights"][0], kernel // 2
    padded = np.pad(values, ((border, border), (border, border), (0, 0)))
    assert found.shape == (8 // stride, 8 // stride, 5)
    for y, x in itertools.product(range(8 // stride), repeat=2):
        window = padded[y * stride : y * stride + kernel, x * stride : x * stride + kernel]
        wanted = (weights * window).sum(axis=(1, 2, 3)) + source["biases"][0]
        assert found[y, x] == pytest.approx(wanted, abs=0.15)  # weights have 8 bits


def test_layers_take_the_tensors_that_they_name() -> None:
    layers = (
        conv(3, 2, (2, 2), relu=True),
        {"op": "up", "from": [1]},
        {"op": "add", "relu": True, "from": [2, 0]},
        {"op": "mean", "from": [3]},
    )
    values = np.random.default_rng(5).normal(size=(4, 4, 2)).astype(np.float32)
    one = loaded(network(*layers))
    small = Network(8, [layers[0]], one.weights, one.biases).run(values)
    assert (small >= 0).all()
    wanted = np.maximum(small.repeat(2, axis=0).repeat(2, axis=1) + values, 0).mean(axis=(0, 1))
    assert one.run(values)[0, 0] == pytest.approx(wanted, abs=1e-6)


def test_weights_come_back_within_their_eight_bits() -> None:
    one = network(conv(3, 1, (3, 4)), conv(1, 1, (4, 6), 1))
    found = loaded(one)
    for index, weights in enumerate(one["weights"]):
        rows = weights.reshape(len(weights), -1)
        assert np.abs(found.weights[index].T - rows).max() <= (np.abs(rows).max() / 127) / 2 + 1e-6
        assert found.biases[index] == pytest.approx(one["biases"][index], abs=1e-6)


def test_a_damaged_file_is_refused() -> None:
    content = write_weights({"detector": network(conv(1, 1, (3, 5))), "classifier": network(conv(1, 1, (3, 7)))}, DECODING, {})
    with pytest.raises(ValueError, match=str(len(content) + 1)):
        read_weights(content + b"\0")
    with pytest.raises(ValueError, match="2"):
        read_weights(content.replace(b'"version":1', b'"version":2'))


def test_the_shipped_file_holds_both_networks_and_its_origin() -> None:
    model = shipped_model()
    assert model.detector.run(np.zeros((64, 64, 3), np.float32)).shape == (16, 16, 5)
    assert model.classifier.run(np.zeros((48, 48, 3), np.float32)).shape == (1, 1, 7)
    looks = {"crop", "crop_turned", "none", "settled", "clear", "tested", "alike"}
    assert set(model.decoding) == {"peak", "most", "overlap", "inside", "sure", "sure_slanted", "sure_score"} | looks
    assert str(model.origin["command"]).startswith("dicecup train dice-reader")
