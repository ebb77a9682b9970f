"""The layers of both networks, as the header of a weights file lists them.

A layer is a mapping with `op` and the numbers of its input tensors (`from`). Tensor 0 is the
input of the network, and layer n (counted from 1) makes tensor n. docs/camera.md describes the
operations.
"""

from typing import Any, Final

Layer = dict[str, Any]


class _Layers(list[Layer]):
    """A list of layers that grows from the front of a network to its end."""

    def conv(self, source: int, kernel: int, stride: int, channels_in: int, channels_out: int, *, relu: bool = True) -> int:
        """Append a convolution and return the number of its tensor."""
        self.append({"op": "conv", "kernel": kernel, "stride": stride, "in": channels_in, "out": channels_out, "relu": relu})
        return self._ended(source)

    def simple(self, op: str, *sources: int, **fields: Any) -> int:
        """Append an operation without weights and return the number of its tensor."""
        self.append({"op": op, **fields})
        return self._ended(*sources)

    def _ended(self, *sources: int) -> int:
        self[-1]["from"] = list(sources)
        return len(self)


def detector() -> list[Layer]:
    """Return the layers that turn a picture into a map of centres: height × width × 3 into
    height / 4 × width / 4 × 5. Height and width are multiples of 16."""
    layers = _Layers()
    stem = layers.conv(0, 3, 2, 3, 8)
    quarter = layers.conv(layers.conv(stem, 3, 2, 8, 16), 3, 1, 16, 16)
    eighth = layers.conv(layers.conv(quarter, 3, 2, 16, 32), 3, 1, 32, 32)
    deepest = layers.conv(layers.conv(eighth, 3, 2, 32, 48), 3, 1, 48, 48)
    raised = layers.simple("up", layers.conv(deepest, 1, 1, 48, 32, relu=False))
    joined = layers.conv(layers.simple("add", raised, eighth, relu=True), 3, 1, 32, 32)
    raised = layers.simple("up", layers.conv(joined, 1, 1, 32, 16, relu=False))
    joined = layers.conv(layers.simple("add", raised, quarter, relu=True), 3, 1, 16, 24)
    layers.conv(joined, 1, 1, 24, 5, relu=False)
    return list(layers)


def classifier() -> list[Layer]:
    """Return the layers that turn a crop of 48 × 48 × 3 into 7 logits: none, and the faces 1–6."""
    layers = _Layers()
    last = layers.conv(layers.conv(0, 3, 2, 3, 24), 3, 1, 24, 32)
    last = layers.conv(layers.conv(last, 3, 2, 32, 48), 3, 1, 48, 48)
    last = layers.conv(layers.conv(last, 3, 2, 48, 64), 3, 1, 64, 64)
    last = layers.simple("mean", last)
    layers.conv(last, 1, 1, 64, CLASSES, relu=False)
    return list(layers)


CLASSES: Final = 7
"""Outputs of the classifier: no die, and the six faces."""
