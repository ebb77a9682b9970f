"""Networks in JAX, and their training with Optax."""

from collections.abc import Callable, Iterable
from typing import Any, Final, TypeAlias

import numpy as np

from dicecup.vision.network import Network
from dicecup.vision.training.architecture import Layer
from dicecup.vision.training.batches import Batch

Array: TypeAlias = Any
"""An array of JAX. JAX and Optax are imported when they are used: the extra `dice-reader` installs
them."""
Parameters: TypeAlias = list[dict[str, Array]]
Statistics: TypeAlias = list[tuple[Array, Array]]
Loss: TypeAlias = Callable[[Array, tuple[Array, ...]], Array]

EPSILON: Final = 1e-3
"""Added to variances in batch normalisation."""
AVERAGING: Final = 0.998
"""Share of the averaged weights that a step keeps."""
WEIGHT_DECAY: Final = 1e-4
LARGEST_GRADIENT: Final = 5.0


def initial(layers: list[Layer], seed: int, last_bias: list[float]) -> Parameters:
    """Return random weights: He initialisation, normalisation that changes nothing, and the biases
    of the last layer."""
    import jax.numpy as jnp

    rng = np.random.default_rng(seed)
    parameters = []
    for layer in _weighted(layers):
        shape = (layer["kernel"], layer["kernel"], layer["in"], layer["out"])
        deviation = np.sqrt(2 / np.prod(shape[:3]))
        parameters.append(
            {
                "weights": jnp.asarray(rng.normal(0, deviation, shape), jnp.float32),
                "gain": jnp.ones(layer["out"]),
                "bias": jnp.zeros(layer["out"]),
            }
        )
    parameters[-1]["bias"] = jnp.asarray(last_bias)
    return parameters


def continued(network: Network) -> Parameters:
    """Return the weights of a trained network, which needs no normalisation."""
    import jax.numpy as jnp

    return [
        {
            "weights": jnp.asarray(network.weights[index].reshape(layer["kernel"], layer["kernel"], layer["in"], layer["out"])),
            "bias": jnp.asarray(network.biases[index]),
        }
        for index, layer in enumerate(network.layers)
        if "out" in layer
    ]


def _weighted(layers: list[Layer]) -> list[Layer]:
    return [layer for layer in layers if "out" in layer]


def apply(layers: list[Layer], parameters: Parameters, inputs: Array, fixed: Statistics | None) -> tuple[Array, Statistics]:
    """Return the output for a batch, and the mean and variance before each normalisation.

    `fixed` are statistics to normalise with; None means those of the batch. The last layer is not
    normalised, nor is a layer without a gain.
    """
    import jax
    from jax import lax

    tensors = [inputs]
    statistics: Statistics = []
    number = 0
    for layer in layers:
        value = tensors[layer["from"][0]]
        match layer["op"]:
            case "conv":
                own = parameters[number]
                border = layer["kernel"] // 2
                value = lax.conv_general_dilated(
                    value,
                    own["weights"],
                    (layer["stride"],) * 2,
                    ((border, border),) * 2,
                    dimension_numbers=("NHWC", "HWIO", "NHWC"),
                )
                if "gain" in own and number < len(parameters) - 1:
                    mean, variance = fixed[number] if fixed else (value.mean((0, 1, 2)), value.var((0, 1, 2)))
                    statistics.append((mean, variance))
                    value = (value - mean) * (own["gain"] * lax.rsqrt(variance + EPSILON))
                value = value + own["bias"]
                number += 1
            case "up":
                value = value.repeat(2, 1).repeat(2, 2)
            case "add":
                value = value + tensors[layer["from"][1]]
            case "mean":
                value = value.mean((1, 2), keepdims=True)
        tensors.append(jax.nn.relu(value) if layer.get("relu") else value)
    return tensors[-1], statistics


def fit(
    layers: list[Layer],
    loss: Loss,
    batches: Iterable[Batch],
    *,
    last_bias: list[float],
    steps: int,
    rate: float,
    seed: int,
    report: Callable[[int, float], None],
    start: Network | None = None,
) -> dict[str, Any]:
    """Train a network and return its layers, weights and biases, as `write_weights` takes them.

    `batches` yields inputs and what `loss` compares the outputs with: one batch for each step, and
    `SETTLING` more. The result has the average of the last weights, with normalisation folded in.
    With `start`, the training of these weights continues, without normalisation.
    """
    import jax
    import jax.numpy as jnp
    import optax

    schedule = optax.warmup_cosine_decay_schedule(rate / 20, rate, min(200, steps // 10), steps, rate / 200)
    optimiser = optax.chain(
        optax.clip_by_global_norm(LARGEST_GRADIENT),
        optax.adamw(schedule, weight_decay=WEIGHT_DECAY, mask=lambda p: [{k: k == "weights" for k in one} for one in p]),
    )
    parameters = continued(start) if start else initial(layers, seed, last_bias)
    state = optimiser.init(parameters)

    def measured(parameters: Parameters, inputs: Array, targets: tuple[Array, ...]) -> Array:
        return loss(apply(layers, parameters, inputs, None)[0], targets)

    @jax.jit  # type: ignore[untyped-decorator]
    def step(
        parameters: Parameters, average: Parameters, state: Any, inputs: Array, targets: tuple[Array, ...]
    ) -> tuple[Parameters, Parameters, Any, Array]:
        value, gradient = jax.value_and_grad(measured)(parameters, inputs, targets)
        changes, state = optimiser.update(gradient, state, parameters)
        parameters = optax.apply_updates(parameters, changes)
        average = jax.tree.map(lambda old, new: AVERAGING * old + (1 - AVERAGING) * new, average, parameters)
        return parameters, average, state, value

    statistics_of = jax.jit(lambda parameters, inputs: apply(layers, parameters, inputs, None)[1])
    average = parameters
    settled: list[Statistics] = []
    recent = 0.0
    for number, (inputs, *targets) in enumerate(batches):
        if number < steps:
            parameters, average, state, value = step(parameters, average, state, inputs, tuple(targets))
            if number == steps // 5:
                average = parameters
            if number % 20 == 0:
                recent = float(value) if number == 0 else 0.8 * recent + 0.2 * float(value)
                report(number, recent)
        elif start is None:
            settled.append(statistics_of(average, inputs))
    means = jax.tree.map(lambda *values: jnp.mean(jnp.stack(values), 0), *settled) if settled else []
    return folded(layers, average, means)


SETTLING: Final = 40
"""Batches from which the statistics of the averaged weights are taken."""


def folded(layers: list[Layer], parameters: Parameters, statistics: Statistics) -> dict[str, Any]:
    """Return layers, weights (out, kernel, kernel, in) and biases without normalisation."""
    weights, biases = [], []
    for number, own in enumerate(parameters):
        factor, bias = np.ones(own["bias"].shape), np.asarray(own["bias"])
        if number < len(statistics):
            mean, variance = (np.asarray(value) for value in statistics[number])
            factor = np.asarray(own["gain"]) / np.sqrt(variance + EPSILON)
            bias = bias - mean * factor
        weights.append((np.asarray(own["weights"]) * factor).transpose(3, 0, 1, 2))
        biases.append(bias)
    return {"layers": layers, "weights": weights, "biases": biases}


BOX_SHARE: Final = 0.5
"""Share of offsets and sizes in the detector's loss."""


def detector_loss(outputs: Array, targets: tuple[Array, ...]) -> Array:
    """Return the focal loss of centres plus the distance of offsets and sizes."""
    import jax
    import jax.numpy as jnp

    (target,) = targets
    heat, there = target[..., 0], target[..., 5]
    logit = outputs[..., 0]
    positive = heat == 1
    chance = jax.nn.sigmoid(logit)
    right = -jax.nn.log_sigmoid(logit) * (1 - chance) ** 2
    wrong = -jax.nn.log_sigmoid(-logit) * chance**2 * (1 - heat) ** 4
    count = jnp.maximum(positive.sum(), 1)
    focal = jnp.where(positive, right, wrong).sum() / count
    distance = (jnp.abs(outputs[..., 1:] - target[..., 1:5]).sum(-1) * there).sum() / jnp.maximum(there.sum(), 1)
    return focal + BOX_SHARE * distance


def classifier_loss(outputs: Array, targets: tuple[Array, ...]) -> Array:
    """Return the cross entropy with labels that are smoothed a little."""
    import jax
    import optax

    (labels,) = targets
    wanted = optax.smooth_labels(jax.nn.one_hot(labels, outputs.shape[-1]), 0.02)
    return optax.softmax_cross_entropy(outputs[:, 0, 0, :], wanted).mean()
