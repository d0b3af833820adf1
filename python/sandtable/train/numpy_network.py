"""A small convolutional network in NumPy: enough to see the whole training at work without PyTorch.

A 3 × 3 convolution with a bias for each cell, a layer on each cell that also sees the mean over the board,
and two heads: policy planes from each cell, and win, draw and loss from all cells.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from sandtable.train.network import (
    Arrays,
    Encoding,
    Floats,
    Losses,
    TrainingBatch,
    segment_softmax,
    softmax,
)

#: The decay rates of Adam's moment estimates.
_BETA1, _BETA2 = 0.9, 0.999


class NumpyNetwork:
    """A network with `channels` features per cell."""

    def __init__(self, encoding: Encoding, channels: int, weight_decay: float, seed: int) -> None:
        self.encoding = encoding
        self.weight_decay = weight_decay
        rows, columns, planes = encoding.observation
        head_planes = encoding.head[2]
        if encoding.head[:2] != (rows, columns):
            raise ValueError(
                f"the head of {encoding.game} has {encoding.head[:2]} cells, not {rows, columns}"
            )
        self._cells = rows * columns
        rng = np.random.default_rng(seed)

        def normal(*shape: int, scale: float) -> Floats:
            return (rng.standard_normal(shape) * scale).astype(np.float32)

        # Few inputs are non-zero, so the weights of the first layer may be large. The heads start at zero: an
        # untrained network has a uniform policy and expects all results alike.
        self.parameters: dict[str, Floats] = {
            "convolution": normal(9 * planes, channels, scale=0.15),
            "cell_bias": np.zeros((self._cells, channels), np.float32),
            "local": normal(channels, channels, scale=math.sqrt(2 / channels)),
            "global": normal(channels, channels, scale=math.sqrt(1 / channels)),
            "bias": np.zeros(channels, np.float32),
            "policy": np.zeros((channels, head_planes), np.float32),
            "policy_bias": np.zeros(head_planes, np.float32),
            "value": np.zeros((self._cells * channels, 3), np.float32),
            "value_bias": np.zeros(3, np.float32),
        }
        self._mean = {name: np.zeros_like(array) for name, array in self.parameters.items()}
        self._variance = {name: np.zeros_like(array) for name, array in self.parameters.items()}
        self._updates = 0

    def _patches(self, observations: Floats) -> Floats:
        """The 3 × 3 neighbourhood of each cell: (n, cells, 9 · planes)."""
        count, rows, columns, planes = observations.shape
        padded = np.zeros((count, rows + 2, columns + 2, planes), np.float32)
        padded[:, 1:-1, 1:-1] = observations
        shifted = [padded[:, y : y + rows, x : x + columns] for y in range(3) for x in range(3)]
        return np.concatenate(shifted, axis=3).reshape(count, self._cells, 9 * planes)

    def _forward(self, patches: Floats) -> tuple[Floats, Floats, Floats, Floats]:
        """Both layers, the head with a zero appended to each row, and the logits of win, draw and loss."""
        weights = self.parameters
        count = len(patches)
        first = np.maximum(patches @ weights["convolution"] + weights["cell_bias"], 0)
        board = first.mean(axis=1) @ weights["global"]
        second = np.maximum(first @ weights["local"] + board[:, None] + weights["bias"], 0)
        head = np.zeros((count, self._cells * self.encoding.head[2] + 1), second.dtype)
        head[:, :-1] = (second @ weights["policy"] + weights["policy_bias"]).reshape(count, -1)
        results = second.reshape(count, -1) @ weights["value"] + weights["value_bias"]
        return first, second, head, results

    def evaluate(
        self, observations: Floats, actions: NDArray[np.int32], offsets: NDArray[np.int64]
    ) -> tuple[Floats, Floats]:
        """The logit of each legal action and the value of each position for its side to move."""
        *_, head, results = self._forward(self._patches(observations))
        rows = np.repeat(np.arange(len(observations)), np.diff(offsets))
        logits = head[rows[:, None], self.encoding.factors(actions)].sum(axis=1)
        expected = softmax(results)
        return logits, expected[:, 0] - expected[:, 2]

    def gradients(self, batch: TrainingBatch) -> tuple[Losses, dict[str, Floats]]:
        """The losses of a batch and the gradient of their sum."""
        weights = self.parameters
        count = len(batch.observations)
        patches = self._patches(batch.observations)
        first, second, head, results = self._forward(patches)
        rows = batch.rows()
        factors = self.encoding.factors(batch.actions)
        logits = head[rows[:, None], factors].sum(axis=1)
        probabilities = segment_softmax(logits, batch.offsets)
        logarithms = np.log(np.maximum(probabilities, 1e-12))
        weight = (batch.has_policy / max(float(batch.has_policy.sum()), 1.0))[rows]
        expected = softmax(results)
        losses = Losses(
            policy=float(-(weight * batch.policy * logarithms).sum()),
            value=float(-(batch.results * np.log(np.maximum(expected, 1e-12))).sum() / count),
            entropy=float(-(probabilities * logarithms).sum() / count),
        )

        logit_gradient = (probabilities - batch.policy) * weight
        places = rows[:, None] * head.shape[1] + factors
        spread = np.broadcast_to(logit_gradient[:, None], factors.shape)
        head_gradient = np.bincount(places.ravel(), spread.ravel(), minlength=head.size)
        planes = head_gradient.reshape(head.shape)[:, :-1].astype(head.dtype)
        planes = planes.reshape(count, self._cells, -1)
        result_gradient = (expected - batch.results) / np.float32(count)
        second_gradient = planes @ weights["policy"].T
        second_gradient += (result_gradient @ weights["value"].T).reshape(second.shape)
        second_gradient *= second > 0
        board_gradient = second_gradient.sum(axis=1)
        first_gradient = second_gradient @ weights["local"].T
        first_gradient += (board_gradient @ weights["global"].T)[:, None] / np.float32(self._cells)
        first_gradient *= first > 0
        flat = -1, first.shape[2]
        return losses, {
            "convolution": patches.reshape(-1, patches.shape[2]).T @ first_gradient.reshape(flat),
            "cell_bias": first_gradient.sum(axis=0),
            "local": first.reshape(flat).T @ second_gradient.reshape(flat),
            "global": first.mean(axis=1).T @ board_gradient,
            "bias": board_gradient.sum(axis=0),
            "policy": second.reshape(flat).T @ planes.reshape(-1, planes.shape[2]),
            "policy_bias": planes.sum(axis=(0, 1)),
            "value": second.reshape(count, -1).T @ result_gradient,
            "value_bias": result_gradient.sum(axis=0),
        }

    def train(self, batch: TrainingBatch, learning_rate: float) -> Losses:
        """Makes one step of AdamW."""
        losses, gradients = self.gradients(batch)
        self._updates += 1
        rate = learning_rate * math.sqrt(1 - _BETA2**self._updates) / (1 - _BETA1**self._updates)
        for name, gradient in gradients.items():
            mean, variance, array = self._mean[name], self._variance[name], self.parameters[name]
            mean += np.float32(1 - _BETA1) * (gradient - mean)
            variance += np.float32(1 - _BETA2) * (gradient**2 - variance)
            array *= np.float32(1 - learning_rate * self.weight_decay)
            array -= np.float32(rate) * mean / (np.sqrt(variance) + np.float32(1e-8))
        return losses

    def weights(self) -> Arrays:
        """Everything that `evaluate` depends on."""
        return dict(self.parameters)

    def optimizer(self) -> Arrays:
        """The moment estimates of Adam."""
        moments: dict[str, NDArray[np.generic]] = {"updates": np.array(self._updates)}
        moments |= {f"mean.{name}": array for name, array in self._mean.items()}
        moments |= {f"variance.{name}": array for name, array in self._variance.items()}
        return moments

    def load(self, weights: Arrays, optimizer: Arrays | None = None) -> None:
        """Restores a network; without `optimizer`, training starts afresh."""
        for name, array in self.parameters.items():
            array[...] = weights[name]
            self._mean[name][...] = 0 if optimizer is None else optimizer[f"mean.{name}"]
            self._variance[name][...] = 0 if optimizer is None else optimizer[f"variance.{name}"]
        self._updates = 0 if optimizer is None else int(optimizer["updates"])
