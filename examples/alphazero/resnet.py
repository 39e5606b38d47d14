"""A residual network of PyTorch, and how it learns. He et al. 2016; heads as in Silver et al. 2017, but smaller."""

import io
import warnings
from collections.abc import Iterable
from importlib.util import find_spec
from typing import Any

import torch
from torch import nn

from c4mcts.evaluators import NetworkEvaluator, OnnxEvaluator, TorchEvaluator

from .configuration import Configuration, ConfigurationError
from .replay import Batch
from .threats import ALL, DISCS, LINES, REACH, check_planes

CELLS, COLUMNS = 42, 7


class Block(nn.Module):
    """Two convolutions and a way around them."""

    def __init__(self, channels: int) -> None:
        super().__init__()
        self.first = _convolution(channels, channels, 3)
        self.second = _convolution(channels, channels, 3)

    def forward(self, features: torch.Tensor) -> torch.Tensor:
        return torch.relu(features + self.second(torch.relu(self.first(features))))


class Threats(nn.Module):
    """The planes of `with_threats`, by a convolution with fixed weights: exact, since it counts up to three discs."""

    def __init__(self) -> None:
        super().__init__()
        self.register_buffer("lines", torch.from_numpy(LINES).unsqueeze(1), persistent=False)

    def forward(self, planes: torch.Tensor) -> torch.Tensor:
        discs = planes.reshape(-1, 1, *planes.shape[2:])
        most = nn.functional.conv2d(discs, self.lines, padding=REACH).amax(1)  # of the three other cells of a line
        empty = 1 - planes.sum(1, keepdim=True)
        return torch.cat([planes, torch.relu(most - 2).reshape(planes.shape) * empty], 1)


class Network(nn.Module):
    """Planes (n, 2, 6, 7) in; logits (n, 7) and values (n,) in [-1, 1] out. threats: whether it sees planes of them."""

    def __init__(self, channels: int, blocks: int, threats: bool) -> None:
        super().__init__()
        body = [Block(channels) for _ in range(blocks)]
        self.inputs = Threats() if threats else nn.Identity()
        self.body = nn.Sequential(_convolution(ALL if threats else DISCS, channels, 3), nn.ReLU(), *body)
        self.policy = nn.Sequential(
            *(_convolution(channels, 8, 1), nn.ReLU(), nn.Flatten()),
            nn.Linear(8 * CELLS, COLUMNS),
        )
        self.value = nn.Sequential(
            *(_convolution(channels, 4, 1), nn.ReLU(), nn.Flatten()),
            *(nn.Linear(4 * CELLS, 64), nn.ReLU(), nn.Linear(64, 1), nn.Tanh()),
        )

    def forward(self, planes: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        features = self.body(self.inputs(planes))
        return self.policy(features), self.value(features).squeeze(1)


def _convolution(before: int, after: int, size: int) -> nn.Sequential:
    """A convolution that keeps the size of the board, and a normalisation, which takes the place of its bias."""
    return nn.Sequential(nn.Conv2d(before, after, size, padding=size // 2, bias=False), nn.BatchNorm2d(after))


class Resnet:
    """A Network with its optimiser: a Learner (see networks.py)."""

    def __init__(self, configuration: Configuration) -> None:
        self._configuration = configuration
        torch.set_num_threads(configuration.threads)
        torch.use_deterministic_algorithms(True)
        torch.manual_seed(configuration.seed)  # for the first weights; nothing else draws from PyTorch's generator
        try:
            network = Network(configuration.channels, configuration.blocks, configuration.threats).to(
                configuration.device
            )
        except RuntimeError as error:
            raise ConfigurationError(f"device: {str(error).partition(chr(10))[0]}") from None
        self.network = network.to(memory_format=torch.channels_last)  # learns a fifth faster on a CPU
        self._optimizer = torch.optim.AdamW(
            self.network.parameters(), lr=configuration.learning_rate, weight_decay=configuration.weight_decay
        )

    def evaluator(self) -> NetworkEvaluator:
        """The network as it is now."""
        if self._configuration.runtime == "torch":
            on_gpu = self._configuration.device.startswith("cuda")
            return TorchEvaluator(self.network, dtype="bfloat16" if on_gpu else None)
        return OnnxEvaluator(onnx_model(self.network), threads=self._configuration.threads)

    def learn(self, batches: Iterable[tuple[float, Batch]]) -> tuple[float, float]:
        """Take a step for each batch, with this share of the learning rate. Returns the mean losses: policy, value."""
        self.network.train()
        sums: list[Any] = [0.0, 0.0]
        steps = 0
        for share, batch in batches:
            for group in self._optimizer.param_groups:
                group["lr"] = share * self._configuration.learning_rate
            losses = self._losses(batch)
            self._optimizer.zero_grad()
            sum(losses).backward()
            self._optimizer.step()
            # no numbers of Python yet: they would wait for a GPU
            sums = [total + loss.detach().double() for total, loss in zip(sums, losses, strict=True)]
            steps += 1
        self.network.eval()
        return float(sums[0]) / max(steps, 1), float(sums[1]) / max(steps, 1)

    def _losses(self, batch: Batch) -> list[torch.Tensor]:
        """Cross-entropy of the policy and squared error of the value: means over the rows, by their weights."""
        planes, policy, value, weight = (torch.from_numpy(array).to(self._configuration.device) for array in batch)
        logits, values = self.network(planes)
        rows = [-(policy * torch.log_softmax(logits, 1)).sum(1), (values - value) ** 2]
        return [(weight * row).sum() / weight.sum() for row in rows]

    def state(self) -> bytes:
        """Network and optimiser."""
        buffer = io.BytesIO()
        torch.save({"network": self.network.state_dict(), "optimizer": self._optimizer.state_dict()}, buffer)
        return buffer.getvalue()

    def restore(self, state: bytes) -> None:
        """Take what `state` returned."""
        found = torch.load(io.BytesIO(state), map_location=self._configuration.device, weights_only=True)
        check_planes(found["network"]["body.0.0.weight"].shape[1], self._configuration.threats)
        self.network.load_state_dict(found["network"])
        self._optimizer.load_state_dict(found["optimizer"])


def onnx_model(network: nn.Module) -> bytes:
    """A network in the ONNX format, for any batch size. ConfigurationError without ONNX Script, which that needs."""
    if find_spec("onnxscript") is None:
        raise ConfigurationError("PyTorch needs ONNX Script for this: pip install onnxscript")
    names = {"input_names": ["planes"], "output_names": ["logits", "values"]}
    shapes = ({0: torch.export.Dim("B")},)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of packages of PyTorch's that are not needed here
        program = torch.onnx.export(
            network.eval(), (torch.zeros(2, 2, 6, 7),), **names, dynamic_shapes=shapes, dynamo=True, verbose=False
        )
    model: bytes = program.model_proto.SerializeToString()
    return model
