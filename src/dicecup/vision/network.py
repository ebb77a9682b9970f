"""The weights file, and networks that run in NumPy.

A weights file is a JSON header, then for each layer with weights a scale and a bias of each output
channel (float32), then all weights (int8). docs/camera.md describes the format. All arrays of
pictures have the shape (height, width, channels).
"""

import json
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

Floats: TypeAlias = NDArray[np.float32]
Layer: TypeAlias = dict[str, Any]

VERSION: Final = 1
LENGTH_BYTES: Final = 4


@dataclass(frozen=True)
class Network:
    """The layers of a network, and the weights and biases of those that have some.

    `weights[n]` has the shape (kernel * kernel * in, out), `biases[n]` the shape (out,); n is the
    index of the layer.
    """

    size: int
    layers: list[Layer]
    weights: dict[int, Floats]
    biases: dict[int, Floats]

    def run(self, values: Floats) -> Floats:
        """Return the output for an input of shape (height, width, channels)."""
        tensors = [np.ascontiguousarray(values, dtype=np.float32)]
        for index, layer in enumerate(self.layers):
            sources = [tensors[number] for number in layer["from"]]
            tensors.append(self._layer(index, layer, sources))
        return tensors[-1]

    def _layer(self, index: int, layer: Layer, sources: list[Floats]) -> Floats:
        values = sources[0]
        match layer["op"]:
            case "conv":
                columns = values if layer["kernel"] == 1 else _windows(values, layer["stride"])
                result = columns @ self.weights[index] + self.biases[index]
            case "up":
                result = values.repeat(2, axis=0).repeat(2, axis=1)
            case "add":
                result = values + sources[1]
            case "mean":
                result = values.mean(axis=(0, 1), keepdims=True)
            case other:
                raise ValueError(other)
        return np.maximum(result, np.float32(0)) if layer.get("relu") else result


def _windows(values: Floats, stride: int) -> Floats:
    """Return the 3 × 3 neighbourhood of each output pixel as one axis (ky, kx, channel)."""
    height, width, channels = values.shape
    padded = np.pad(values, ((1, 1), (1, 1), (0, 0)))
    rows, columns = height // stride, width // stride
    result = np.empty((rows, columns, 9, channels), np.float32)
    for y in range(3):
        for x in range(3):
            result[:, :, y * 3 + x] = padded[y : y + height : stride, x : x + width : stride]
    return result.reshape(rows, columns, 9 * channels)


@dataclass(frozen=True)
class Model:
    """Both networks, the numbers of decoding, and where the weights come from."""

    detector: Network
    classifier: Network
    decoding: dict[str, Any]
    origin: dict[str, Any]


def read_weights(content: bytes) -> Model:
    """Return the model of a weights file. Raise `ValueError` for another version or length."""
    length = int.from_bytes(content[:LENGTH_BYTES], "little")
    header = json.loads(content[LENGTH_BYTES : LENGTH_BYTES + length])
    if header["version"] != VERSION:
        raise ValueError(header["version"])
    weighted = [layer for name in ("detector", "classifier") for layer in header[name]["layers"] if "out" in layer]
    floats = 2 * sum(layer["out"] for layer in weighted)
    numbers = np.frombuffer(content, "<f4", floats, LENGTH_BYTES + length)
    small = np.frombuffer(content, np.int8, offset=LENGTH_BYTES + length + 4 * floats)
    networks = []
    number_at = small_at = 0
    for name in ("detector", "classifier"):
        layers = header[name]["layers"]
        weights: dict[int, Floats] = {}
        biases: dict[int, Floats] = {}
        for index, layer in enumerate(layers):
            if "out" not in layer:
                continue
            out, fan = layer["out"], layer["kernel"] ** 2 * layer["in"]
            scales = numbers[number_at : number_at + out]
            biases[index] = numbers[number_at + out : number_at + 2 * out].astype(np.float32)
            number_at += 2 * out
            stored = small[small_at : small_at + out * fan].reshape(out, fan)
            small_at += out * fan
            weights[index] = np.ascontiguousarray((stored * scales[:, None]).T, dtype=np.float32)
        networks.append(Network(header[name]["size"], layers, weights, biases))
    if small_at != len(small):
        raise ValueError(len(content))
    return Model(networks[0], networks[1], header["decoding"], header.get("origin", {}))


@cache
def shipped_model() -> Model:
    """Return the model that the package holds."""
    return read_weights((files("dicecup.vision") / "weights.bin").read_bytes())


def write_weights(networks: dict[str, Any], decoding: dict[str, Any], origin: dict[str, Any]) -> bytes:
    """Return the content of a weights file.

    `networks` has for "detector" and "classifier" the `size`, the `layers` and, for each layer with
    weights, `weights` of the shape (out, kernel, kernel, in) and `biases` of the shape (out,).
    """
    header: dict[str, Any] = {"version": VERSION}
    numbers: list[Floats] = []
    small: list[bytes] = []
    for name, network in networks.items():
        header[name] = {"size": network["size"], "layers": network["layers"]}
        for weights, biases in zip(network["weights"], network["biases"], strict=True):
            rows = weights.reshape(len(weights), -1)
            scales = np.maximum(np.abs(rows).max(axis=1), 1e-12) / 127
            numbers += [scales.astype("<f4"), np.asarray(biases, "<f4")]
            small.append(np.rint(rows / scales[:, None]).astype(np.int8).tobytes())
    text = json.dumps({**header, "decoding": decoding, "origin": origin}, separators=(",", ":")).encode()
    text += b" " * (-(LENGTH_BYTES + len(text)) % 4)
    return len(text).to_bytes(LENGTH_BYTES, "little") + text + b"".join(map(np.ndarray.tobytes, numbers)) + b"".join(small)
