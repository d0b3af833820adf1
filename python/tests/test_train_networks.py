"""The networks of training: gradients, learning, saving; PyTorch and ONNX in the deep tests."""

import importlib.util
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import sandtable
from conftest import DEEP
from numpy.typing import NDArray
from sandtable.train.network import Encoding, Network, TrainingBatch, segment_softmax
from sandtable.train.numpy_network import NumpyNetwork
from sandtable.train.replay import ReplayWindow
from sandtable.train.run import load_arrays, save_arrays
from sandtable.train.samples import Result, SampleGame

HAS_TORCH = importlib.util.find_spec("torch") is not None
needs_torch = pytest.mark.skipif(not (DEEP and HAS_TORCH), reason="a deep test with PyTorch")


def numpy_network(encoding: Encoding) -> Network:
    return NumpyNetwork(encoding, 8, 1e-4, seed=1)


def torch_network(encoding: Encoding) -> Network:
    from sandtable.train.torch_network import TorchNetwork

    return TorchNetwork(encoding, 2, 8, 1e-4, seed=1)


NETWORKS = [numpy_network, pytest.param(torch_network, marks=needs_torch)]


def batch_of(name: str, size: int) -> TrainingBatch:
    """Random positions of a random game."""
    rng = np.random.default_rng(2)
    board = sandtable.make(name)
    actions = []
    for _ in range(40):
        actions.append(int(rng.choice(board.legal_actions())))
        board.apply_action(actions[-1])
    window = ReplayWindow(name, board.rules, 1000, value_mix=0.0)
    window.add([SampleGame.without_search(0, Result.FIRST_WINS, "", actions)])
    return window.sample(size, rng)


def test_gradients_equal_finite_differences(name: str) -> None:
    network = NumpyNetwork(Encoding.of(name), 4, 0.0, seed=3)
    rng = np.random.default_rng(4)
    # In double precision, and without zeros, at which ReLU has no derivative.
    for key, array in network.parameters.items():
        network.parameters[key] = rng.standard_normal(array.shape) * 0.2  # type: ignore[assignment]
    batch = batch_of(name, 5)
    batch.has_policy[1] = 0

    def loss() -> float:
        losses, _ = network.gradients(batch)
        return losses.policy + losses.value

    _, gradients = network.gradients(batch)
    step = 1e-6
    for key, array in network.parameters.items():
        flat, gradient = array.reshape(-1), gradients[key].reshape(-1)
        # The weights with the largest gradients, and some others.
        places = [*np.argsort(-np.abs(gradient))[:4], *rng.integers(len(flat), size=4)]
        for place in places:
            kept = flat[place]
            flat[place] = kept + step
            above = loss()
            flat[place] = kept - step
            below = loss()
            flat[place] = kept
            assert gradient[place] == pytest.approx((above - below) / (2 * step), rel=1e-4, abs=1e-7), key


@pytest.mark.parametrize("create", NETWORKS)
def test_an_untrained_network_has_no_preference(create: Callable[[Encoding], Network], name: str) -> None:
    network = create(Encoding.of(name))
    batch = batch_of(name, 6)
    logits, values = network.evaluate(batch.observations, batch.actions, batch.offsets)
    assert logits.shape == batch.actions.shape and values.shape == (6,)
    assert not logits.any() and not values.any()


@pytest.mark.parametrize("create", NETWORKS)
def test_a_network_learns_its_targets(create: Callable[[Encoding], Network]) -> None:
    network = create(Encoding.of("tribun"))
    batch = batch_of("tribun", 24)
    losses = [network.train(batch, 0.01) for _ in range(60)]
    assert losses[0].value == pytest.approx(np.log(3), rel=1e-4)
    assert losses[0].entropy == pytest.approx(losses[0].policy, rel=0.2)
    assert losses[-1].policy < 0.5 * losses[0].policy and losses[-1].value < 0.2
    logits, values = network.evaluate(batch.observations, batch.actions, batch.offsets)
    assert np.sign(values).tolist() == (batch.results[:, 0] - batch.results[:, 2]).tolist()
    assert (segment_softmax(logits, batch.offsets) * batch.policy).sum() > 0.2 * 24


@pytest.mark.parametrize("create", NETWORKS)
def test_a_saved_network_continues_exactly(create: Callable[[Encoding], Network], tmp_path: Path) -> None:
    encoding = Encoding.of("chess")
    batch = batch_of("chess", 16)
    network, restored, fresh = create(encoding), create(encoding), create(encoding)
    for _ in range(3):
        network.train(batch, 0.01)
    save_arrays(tmp_path / "weights.npz", network.weights())
    save_arrays(tmp_path / "optimizer.npz", network.optimizer())
    weights, optimizer = load_arrays(tmp_path / "weights.npz"), load_arrays(tmp_path / "optimizer.npz")
    restored.load(weights, optimizer)
    fresh.load(weights)

    def outputs(of: Network) -> list[NDArray[np.float32]]:
        return list(of.evaluate(batch.observations, batch.actions, batch.offsets))

    for one, other in zip(outputs(network), outputs(restored), strict=True):
        np.testing.assert_array_equal(one, other)
    for of in (network, restored, fresh):
        of.train(batch, 0.01)
    for one, other in zip(outputs(network), outputs(restored), strict=True):
        np.testing.assert_array_equal(one, other)
    assert (outputs(network)[0] != outputs(fresh)[0]).any(), "without its state the optimizer starts afresh"


@needs_torch
def test_torch_trains_the_same_network_with_several_threads() -> None:
    from sandtable.train.torch_network import TorchNetwork

    batch = batch_of("tribun", 64)
    networks = [TorchNetwork(Encoding.of("tribun"), 2, 8, 1e-4, seed=1, threads=4) for _ in range(2)]
    for network in networks:
        for _ in range(10):
            network.train(batch, 0.01)
    one, other = (network.weights() for network in networks)
    for key in one:
        np.testing.assert_array_equal(one[key], other[key])


@needs_torch
def test_onnx_gives_the_same_outputs(tmp_path: Path, name: str) -> None:
    onnxruntime = pytest.importorskip("onnxruntime")
    from sandtable.train.export import export_onnx
    from sandtable.train.torch_network import TorchNetwork

    encoding = Encoding.of(name)
    network = TorchNetwork(encoding, 2, 8, 1e-4, seed=1)
    batch = batch_of(name, 8)
    for _ in range(5):
        network.train(batch, 0.01)
    path = tmp_path / "net.onnx"
    export_onnx(network, path, {"network": "5"})
    session = onnxruntime.InferenceSession(str(path), providers=["CPUExecutionProvider"])
    metadata = session.get_modelmeta().custom_metadata_map
    assert metadata["game"] == name and metadata["network"] == "5"
    assert metadata["head"] == f"{name}-head-1"
    head, results = session.run(["head", "wdl"], {"observations": batch.observations})
    assert head.shape == (8, *encoding.head)
    padded = np.pad(head.reshape(8, -1), ((0, 0), (0, 1)))
    logits, values = network.evaluate(batch.observations, batch.actions, batch.offsets)
    own = padded[batch.rows()[:, None], encoding.factors(batch.actions)].sum(axis=1)
    np.testing.assert_allclose(own, logits, atol=1e-4)
    expected = np.exp(results) / np.exp(results).sum(axis=1, keepdims=True)
    np.testing.assert_allclose(expected[:, 0] - expected[:, 2], values, atol=1e-4)
