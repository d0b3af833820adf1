"""A residual network in PyTorch. The only module of the package, with `export`, that needs PyTorch."""

from __future__ import annotations

import copy

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional
from torch.nn.utils.fusion import fuse_conv_bn_eval

from sandtable.train.network import Arrays, Encoding, Floats, Losses, TrainingBatch


class _Convolution(nn.Module):
    """A 3 × 3 convolution with batch normalisation."""

    def __init__(self, inputs: int, outputs: int) -> None:
        super().__init__()
        self.convolution = nn.Conv2d(inputs, outputs, 3, padding=1, bias=False)
        self.normalisation: nn.Module = nn.BatchNorm2d(outputs)

    def forward(self, x: Tensor) -> Tensor:
        normalised: Tensor = self.normalisation(self.convolution(x))
        return normalised

    def fuse(self) -> None:
        """Moves the normalisation into the convolution, for faster evaluation."""
        assert isinstance(self.normalisation, nn.BatchNorm2d)
        self.convolution = fuse_conv_bn_eval(self.convolution, self.normalisation)
        self.normalisation = nn.Identity()


class _Block(nn.Module):
    """A residual block; its second layer also sees the mean and the maximum over the board."""

    def __init__(self, channels: int) -> None:
        super().__init__()
        self.first = _Convolution(channels, channels)
        self.board = nn.Linear(2 * channels, channels)
        self.second = _Convolution(channels, channels)

    def forward(self, x: Tensor) -> Tensor:
        y = functional.relu(self.first(x))
        y = functional.relu(y + self.board(_pooled(y))[:, :, None, None])
        return functional.relu(x + self.second(y))


def _pooled(x: Tensor) -> Tensor:
    """The mean and the maximum of each channel."""
    return torch.cat([x.mean(dim=(2, 3)), x.amax(dim=(2, 3))], dim=1)


class ResidualNetwork(nn.Module):
    """Observations (n, rows, columns, planes) to head logits and logits of win, draw and loss (n, 3).

    Both are for the side to move. Head logits are (n, rows · columns · planes).
    """

    def __init__(self, encoding: Encoding, blocks: int, channels: int) -> None:
        super().__init__()
        self.stem = _Convolution(encoding.observation[2], channels)
        self.blocks = nn.ModuleList(_Block(channels) for _ in range(blocks))
        self.policy = _Convolution(channels, channels)
        self.planes = nn.Conv2d(channels, encoding.head[2], 1)
        self.value = nn.Linear(2 * channels, 64)
        self.results = nn.Linear(64, 3)
        # An untrained network has a uniform policy and expects all results alike.
        for layer in (self.planes, self.results):
            nn.init.zeros_(layer.weight)
            assert layer.bias is not None
            nn.init.zeros_(layer.bias)

    def forward(self, observations: Tensor) -> tuple[Tensor, Tensor]:
        x = functional.relu(self.stem(observations.permute(0, 3, 1, 2)))
        for block in self.blocks:
            x = block(x)
        head = self.planes(functional.relu(self.policy(x))).permute(0, 2, 3, 1).flatten(1)
        results = self.results(functional.relu(self.value(_pooled(x))))
        return head, results

    def fused(self) -> ResidualNetwork:
        """A copy for evaluation only."""
        network = copy.deepcopy(self).eval()
        for module in network.modules():
            if isinstance(module, _Convolution):
                module.fuse()
        return network


def _segment_log_softmax(logits: Tensor, rows: Tensor, count: int) -> Tensor:
    """The logarithm of the softmax within each row; `rows` is the row of each logit."""
    highest = torch.full((count,), -torch.inf).scatter_reduce(0, rows, logits.detach(), "amax")
    shifted = logits - highest[rows]
    sums = torch.zeros(count).index_add(0, rows, shifted.exp())
    return shifted - sums.log()[rows]


class TorchNetwork:
    """A residual network with its optimizer."""

    def __init__(
        self, encoding: Encoding, blocks: int, channels: int, weight_decay: float, seed: int, threads: int = 1
    ) -> None:
        torch.set_num_threads(threads)
        # With several threads, gradients of the same logit would be added in any order.
        torch.use_deterministic_algorithms(True)
        torch.manual_seed(seed)
        self.encoding = encoding
        self.weight_decay = weight_decay
        self.module = ResidualNetwork(encoding, blocks, channels).to(memory_format=torch.channels_last)
        self._adam = self._new_optimizer()
        self._fused: ResidualNetwork | None = None

    def _new_optimizer(self) -> torch.optim.AdamW:
        return torch.optim.AdamW(self.module.parameters(), weight_decay=self.weight_decay)

    def _action_logits(self, head: Tensor, rows: Tensor, actions: NDArray[np.int32]) -> Tensor:
        """The sum of the logits of each action's factors."""
        factors = torch.from_numpy(self.encoding.factors(actions)).long()
        padded = functional.pad(head, (0, 1))
        places = rows[:, None] * padded.shape[1] + factors
        return padded.flatten()[places].sum(dim=1)

    def evaluate(
        self, observations: Floats, actions: NDArray[np.int32], offsets: NDArray[np.int64]
    ) -> tuple[Floats, Floats]:
        """The logit of each legal action and the value of each position for its side to move."""
        if self._fused is None:
            self._fused = self.module.fused()
        rows = torch.from_numpy(np.repeat(np.arange(len(observations)), np.diff(offsets)))
        with torch.inference_mode():
            head, results = self._fused(torch.from_numpy(observations))
            logits = self._action_logits(head, rows, actions)
            expected = results.softmax(dim=1)
            return logits.numpy(), (expected[:, 0] - expected[:, 2]).numpy()

    def train(self, batch: TrainingBatch, learning_rate: float) -> Losses:
        """Makes one step of AdamW."""
        self._fused = None
        self.module.train()
        for group in self._adam.param_groups:
            group["lr"] = learning_rate
        count = len(batch.observations)
        rows = torch.from_numpy(batch.rows())
        head, results = self.module(torch.from_numpy(batch.observations))
        logarithms = _segment_log_softmax(self._action_logits(head, rows, batch.actions), rows, count)
        has_policy = torch.from_numpy(batch.has_policy)
        weight = (has_policy / has_policy.sum().clamp(min=1))[rows]
        policy = -(weight * torch.from_numpy(batch.policy) * logarithms).sum()
        value = -(torch.from_numpy(batch.results) * results.log_softmax(dim=1)).sum() / count
        self._adam.zero_grad()
        (policy + value).backward()
        self._adam.step()
        entropy = -(logarithms.exp() * logarithms).sum() / count
        return Losses(policy.item(), value.item(), entropy.item())

    def weights(self) -> Arrays:
        """Everything that `evaluate` depends on."""
        return {name: tensor.detach().numpy() for name, tensor in self.module.state_dict().items()}

    def optimizer(self) -> Arrays:
        """The state of AdamW."""
        return {
            f"{index}.{name}": tensor.detach().numpy()
            for index, state in self._adam.state_dict()["state"].items()
            for name, tensor in state.items()
        }

    def load(self, weights: Arrays, optimizer: Arrays | None = None) -> None:
        """Restores a network; without `optimizer`, training starts afresh."""
        self._fused = None
        self.module.load_state_dict(
            {name: torch.from_numpy(np.array(array)) for name, array in weights.items()}
        )
        self._adam = self._new_optimizer()
        if optimizer:
            state: dict[int, dict[str, Tensor]] = {}
            for key, array in optimizer.items():
                index, name = key.split(".", 1)
                state.setdefault(int(index), {})[name] = torch.from_numpy(np.array(array))
            self._adam.load_state_dict({**self._adam.state_dict(), "state": state})
