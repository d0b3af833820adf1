"""Writes the small networks of the tests, and `expected.json` with what they give.

    python crates/policynet/tests/networks/make.py

The networks are untrained: one residual block of two channels with random weights, written by the exporter of
`sandtable.train`. The expected numbers come from the reference evaluator of the package `onnx`, which is NumPy.
Needs the package `sandtable` with the extra `[train]`.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import torch
from onnx.reference import ReferenceEvaluator

import sandtable
from sandtable.train.export import export_onnx
from sandtable.train.network import Encoding, softmax
from sandtable.train.torch_network import TorchNetwork

FOLDER = Path(__file__).parent
#: The number of random moves before each position.
PLIES = (0, 5, 12)


def make_network(game: str) -> Path:
    """Writes the network of a game."""
    network = TorchNetwork(Encoding.of(game), blocks=1, channels=2, weight_decay=0.0, seed=1)
    with torch.no_grad():
        # The last layers of a new network are 0. These give clear preferences, and results between win and loss.
        for layer, spread in ((network.module.planes, 3.0), (network.module.results, 0.5)):
            torch.nn.init.normal_(layer.weight, std=spread)
            torch.nn.init.normal_(layer.bias, std=spread / 4)
    path = FOLDER / f"{game}.onnx"
    export_onnx(network, path, {"rules": "standard", "network": "0"})
    return path


def expected(game: str, path: Path) -> list[dict[str, Any]]:
    """The moves to some positions, and the output of the network there."""
    encoding = Encoding.of(game)
    evaluator = ReferenceEvaluator(str(path))
    generator = np.random.default_rng(7)
    positions = []
    for plies in PLIES:
        state = sandtable.make(game)
        played = []
        for _ in range(plies):
            legal = np.sort(state.legal_actions())
            played.append(int(generator.choice(legal)))
            state.apply_action(played[-1])
        observation = state.observe()[None]
        head, wdl = evaluator.run(None, {"observations": observation})
        actions = np.sort(np.asarray(state.legal_actions(), np.int32))
        padded = np.append(head[0].ravel(), np.float32(0))
        logits = padded[encoding.factors(actions)].sum(axis=1)
        priors = softmax(logits[None])[0]
        positions.append(
            {
                "played": played,
                "wdl": [round(float(share), 6) for share in softmax(wdl)[0]],
                "actions": actions.tolist(),
                "priors": [round(float(prior), 6) for prior in priors],
            }
        )
    return positions


def main() -> None:
    """Writes all files."""
    games = ("chess", "cotulenh", "tribun")
    answers = {game: expected(game, make_network(game)) for game in games}
    (FOLDER / "expected.json").write_text(json.dumps(answers) + "\n")


if __name__ == "__main__":
    main()
