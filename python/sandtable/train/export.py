"""Networks of a run as ONNX files: `python -m sandtable.train export RUN --out net.onnx`."""

from __future__ import annotations

import argparse
import io
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from sandtable.train.files import replace
from sandtable.train.run import Folder, create_network, load_arrays

if TYPE_CHECKING:
    from torch import Tensor

    from sandtable.train.torch_network import TorchNetwork


def export_onnx(network: TorchNetwork, path: Path, metadata: Mapping[str, str]) -> None:
    """Writes the network as an ONNX file, replaced as a whole.

    The input `observations` is (n, rows, columns, planes). The outputs are `head`, the logits of the factors
    (n, rows, columns, planes), and `wdl`, the logits of win, draw and loss for the side to move (n, 3).
    """
    import onnx
    import torch

    encoding = network.encoding

    class Exported(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.network = network.module.fused()

        def forward(self, observations: Tensor) -> tuple[Tensor, Tensor]:
            head, results = self.network(observations)
            return head.unflatten(1, encoding.head), results

    buffer = io.BytesIO()
    torch.onnx.export(
        Exported().eval(),
        (torch.zeros(2, *encoding.observation),),
        buffer,  # type: ignore[arg-type]
        input_names=["observations"],
        output_names=["head", "wdl"],
        dynamic_axes={name: {0: "n"} for name in ("observations", "head", "wdl")},
        # tract, which evaluates the file in the command line, is tested with operator sets up to 18.
        opset_version=17,
        dynamo=False,
    )
    model = onnx.load_model_from_string(buffer.getvalue())
    onnx.helper.set_model_props(model, {"game": encoding.game, "head": encoding.head_id, **metadata})
    onnx.checker.check_model(model)
    replace(path, model.SerializeToString())


def main(arguments: Sequence[str]) -> int:
    """The command `export`. Returns the exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m sandtable.train export",
        description="Writes a network of a run as an ONNX file. Needs PyTorch.",
    )
    parser.add_argument("run", type=Path, help="folder of the run")
    parser.add_argument("--out", type=Path, required=True, metavar="FILE", help="ONNX file to write")
    parser.add_argument("--version", type=int, metavar="N", help="network (default: the one that plays)")
    values = parser.parse_args(arguments)
    if not values.out.parent.is_dir():
        parser.error(f"argument --out: unknown folder {values.out.parent}: create it first")
    folder = Folder(values.run)
    if not folder.options.exists():
        parser.error(f"{values.run} is not the folder of a run: it has no options.json")
    options = folder.read_options()
    if options.network != "torch":
        parser.error(f"the run in {values.run} has a NumPy network: only those of PyTorch can be exported")
    version = folder.read_state().best if values.version is None else values.version
    if not folder.network(version).exists():
        parser.error(f"unknown network {version}: {folder.networks} has no {folder.network(version).name}")

    from sandtable.train.torch_network import TorchNetwork

    network = create_network(options)
    assert isinstance(network, TorchNetwork)
    network.load(load_arrays(folder.network(version)))
    export_onnx(network, values.out, {"rules": options.rules, "network": str(version)})
    print(f"Network {version}: {values.out}", file=sys.stdout)
    return 0
