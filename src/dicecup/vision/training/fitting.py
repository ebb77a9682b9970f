"""Networks in PyTorch, and their training.

PyTorch comes with the extra `dice-reader`. Batches have the shape (batch, height, width, channels),
as in NumPy; PyTorch stores its own (batch, channels, height, width) in the same order of memory.
"""

from collections.abc import Callable, Iterable
from itertools import islice
from typing import Any, Final, TypeAlias

import torch
from torch import Tensor, nn
from torch.nn import functional
from torch.optim.swa_utils import AveragedModel, get_ema_multi_avg_fn, update_bn

from dicecup.vision.network import Network
from dicecup.vision.training.architecture import CLASSES, Layer
from dicecup.vision.training.batches import Batch

Loss: TypeAlias = Callable[[Tensor, tuple[Tensor, ...]], Tensor]

EPSILON: Final = 1e-3
"""Added to variances in batch normalisation."""
AVERAGING: Final = 0.998
"""Share of the averaged weights that a step keeps."""
WEIGHT_DECAY: Final = 1e-4
LARGEST_GRADIENT: Final = 5.0
SETTLING: Final = 40
"""Batches from which the statistics of the averaged weights are taken."""


class Trainable(nn.Module):  # type: ignore[misc]
    """The layers of a network with weights that can be trained.

    With `normalised`, a normalisation follows each convolution but the last one.
    """

    def __init__(self, layers: list[Layer], *, normalised: bool) -> None:
        super().__init__()
        self.layers = layers
        weighted = [layer for layer in layers if "out" in layer]
        self.convolutions = nn.ModuleList(
            nn.Conv2d(layer["in"], layer["out"], layer["kernel"], layer["stride"], layer["kernel"] // 2) for layer in weighted
        )
        self.normalisations = nn.ModuleList(
            nn.BatchNorm2d(layer["out"], EPSILON) if normalised else nn.Identity() for layer in weighted[:-1]
        )
        self.normalisations.append(nn.Identity())

    def forward(self, inputs: Tensor) -> Tensor:
        """Return the outputs (batch, height, width, channels) for inputs of this shape."""
        tensors = [inputs.permute(0, 3, 1, 2)]
        number = 0
        for layer in self.layers:
            value = tensors[layer["from"][0]]
            match layer["op"]:
                case "conv":
                    value = self.normalisations[number](self.convolutions[number](value))
                    number += 1
                case "up":
                    value = functional.interpolate(value, scale_factor=2.0)
                case "add":
                    value = value + tensors[layer["from"][1]]
                case "mean":
                    value = value.mean((2, 3), keepdim=True)
            tensors.append(functional.relu(value) if layer.get("relu") else value)
        return tensors[-1].permute(0, 2, 3, 1).float()


def initial(layers: list[Layer], seed: int, last_bias: list[float]) -> Trainable:
    """Return a network with random weights (He initialisation), whose last biases are given."""
    generator = torch.Generator().manual_seed(seed)
    network = Trainable(layers, normalised=True)
    for convolution in network.convolutions:
        nn.init.kaiming_normal_(convolution.weight, nonlinearity="relu", generator=generator)
        nn.init.zeros_(convolution.bias)
    network.convolutions[-1].bias.data = torch.tensor(last_bias)
    return network


def continued(network: Network) -> Trainable:
    """Return a network that begins with the weights of a trained one, to be trained further without
    normalisation."""
    result = Trainable(network.layers, normalised=False)
    weighted = [(index, layer) for index, layer in enumerate(network.layers) if "out" in layer]
    for convolution, (index, layer) in zip(result.convolutions, weighted, strict=True):
        weights = network.weights[index].reshape(layer["kernel"], layer["kernel"], layer["in"], layer["out"])
        convolution.weight.data = torch.tensor(weights.transpose(3, 2, 0, 1))
        convolution.bias.data = torch.tensor(network.biases[index])
    return result


def fit(
    network: Trainable,
    loss: Loss,
    batches: Iterable[Batch],
    *,
    steps: int,
    rate: float,
    report: Callable[[int, float], None],
) -> dict[str, Any]:
    """Train a network and return its layers, weights and biases, as `write_weights` takes them.

    `batches` yields inputs and what `loss` compares the outputs with: one batch for each step, and
    `SETTLING` more where the network is normalised. The result has the average of the last weights,
    with normalisation folded in. Forward and backward passes calculate with 16 bits (bfloat16).
    """
    network = network.to(memory_format=torch.channels_last)
    kernels = [convolution.weight for convolution in network.convolutions]
    others = [value for value in network.parameters() if not any(value is kernel for kernel in kernels)]
    optimiser = torch.optim.AdamW(
        [{"params": kernels, "weight_decay": WEIGHT_DECAY}, {"params": others, "weight_decay": 0.0}], lr=rate
    )
    warming = min(200, steps // 10)
    schedule = torch.optim.lr_scheduler.OneCycleLR(
        optimiser, rate, steps, warming / steps, div_factor=20, final_div_factor=10, cycle_momentum=False
    )
    average = AveragedModel(network, multi_avg_fn=get_ema_multi_avg_fn(AVERAGING))
    recent = 0.0
    network.train()
    stream = iter(batches)
    for number, (inputs, *targets) in enumerate(islice(stream, steps)):
        with torch.autocast("cpu", torch.bfloat16):
            outputs = network(torch.from_numpy(inputs))
        value = loss(outputs, tuple(map(torch.from_numpy, targets)))
        optimiser.zero_grad()
        value.backward()
        nn.utils.clip_grad_norm_(network.parameters(), LARGEST_GRADIENT)
        optimiser.step()
        schedule.step()
        if number >= steps // 5:
            average.update_parameters(network)
        if number % 20 == 0:
            recent = value.item() if number == 0 else 0.8 * recent + 0.2 * value.item()
            report(number, recent)
    update_bn((torch.from_numpy(inputs) for inputs, *_ in stream), average)
    return folded(average.module)


def folded(network: Trainable) -> dict[str, Any]:
    """Return layers, weights (out, kernel, kernel, in) and biases without normalisation."""
    weights, biases = [], []
    for convolution, norm in zip(network.convolutions, network.normalisations, strict=True):
        plain = convolution if isinstance(norm, nn.Identity) else nn.utils.fuse_conv_bn_eval(convolution.eval(), norm.eval())
        weights.append(plain.weight.detach().numpy().transpose(0, 2, 3, 1))
        biases.append(plain.bias.detach().numpy())
    return {"layers": network.layers, "weights": weights, "biases": biases}


BOX_SHARE: Final = 0.5
"""Share of offsets and sizes in the detector's loss."""


def detector_loss(outputs: Tensor, targets: tuple[Tensor, ...]) -> Tensor:
    """Return the focal loss of centres plus the distance of offsets and sizes."""
    (target,) = targets
    heat, there = target[..., 0], target[..., 5]
    logit = outputs[..., 0]
    chance = torch.sigmoid(logit)
    right = -functional.logsigmoid(logit) * (1 - chance) ** 2
    wrong = -functional.logsigmoid(-logit) * chance**2 * (1 - heat) ** 4
    positive = heat == 1
    focal = torch.where(positive, right, wrong).sum() / positive.sum().clamp(min=1)
    distance = ((outputs[..., 1:] - target[..., 1:5]).abs().sum(-1) * there).sum() / there.sum().clamp(min=1)
    return focal + BOX_SHARE * distance


def classifier_loss(outputs: Tensor, targets: tuple[Tensor, ...]) -> Tensor:
    """Return the cross entropy with labels that are smoothed a little."""
    (labels,) = targets
    return functional.cross_entropy(outputs.reshape(-1, CLASSES), labels, label_smoothing=0.02)
