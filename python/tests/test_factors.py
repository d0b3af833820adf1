"""Factored policies, class-level shapes and symmetries."""

from typing import Any, Literal

import numpy as np
import pytest
import sandtable
from conftest import COMPLETE, played
from sandtable import ChessGame, CoTuLenhGame, Game, TribunGame

CLASSES: list[Any] = [ChessGame, CoTuLenhGame, TribunGame]


@pytest.mark.parametrize("cls", CLASSES)
def test_class_attributes_are_those_of_the_games(cls: Any) -> None:
    game = cls()
    assert game.num_actions == cls.POLICY_SIZE and game.observation_shape == cls.OBSERVATION_SHAPE
    assert cls.HEAD_SHAPE[:2] == cls.OBSERVATION_SHAPE[:2]
    assert type(cls.MAX_FACTORS) is int and cls.SYMMETRIES in (1, 2)
    heads = {"chess": (8, 8, 35), "cotulenh": (12, 11, 80), "tribun": (11, 11, 163)}
    assert heads[game.name] == cls.HEAD_SHAPE and f"{game.name}-head-1" == cls.HEAD_ID


@pytest.mark.parametrize("name", sandtable.GAMES)
def test_legal_actions_have_different_factors_inside_the_head(name: str) -> None:
    for seed in range(4):
        game = played(name, seed, plies=30)
        cls: Any = type(game)
        actions = game.legal_actions()
        factors = game.action_factors(actions)
        assert factors.shape == (len(actions), cls.MAX_FACTORS) and factors.dtype == np.int32
        assert factors.min(initial=-1) == -1 and factors.max(initial=-1) < np.prod(cls.HEAD_SHAPE)
        sets = {frozenset(row.tolist()) - {-1} for row in factors}
        assert len(sets) == len(actions) and frozenset() not in sets
        # A head with one zero appended is indexed directly.
        head = np.append(np.arange(np.prod(cls.HEAD_SHAPE), dtype=np.float32), 0.0)
        sums = head[factors].sum(axis=1)
        assert sums.tolist() == [float(sum(f for f in row if f >= 0)) for row in factors.tolist()]


def test_actions_may_be_any_integers() -> None:
    expected = ChessGame.action_factors([3797, 4589])
    assert expected.tolist() == [[1820, 1276, -1], [2185, 1606, -1]]
    actions = np.array([3797, 0, 4589, 0])
    for same in (actions[::2], actions[::2].astype(np.uint16), (3797, 4589), actions[::2].astype(np.int32)):
        assert (ChessGame.action_factors(same) == expected).all()
    out = np.zeros((2, 3), np.int32)
    assert ChessGame.action_factors([3797, 4589], out) is out and (out == expected).all()
    assert ChessGame.action_factors([]).shape == (0, 3)


@pytest.mark.parametrize(
    ("actions", "error", "message"),
    [
        ([0, 4672], ValueError, "unknown action 4672: expected 0 to 4671"),
        ([-1], ValueError, "unknown action -1: expected 0 to 4671"),
        ([0.5], TypeError, "actions must be integers, not float64"),
        ([[1]], ValueError, r"actions must have shape \(n,\), not \(1, 1\)"),
        (5, ValueError, r"actions must have shape \(n,\), not \(\)"),
        ([10**30], TypeError, "actions must be integers, not object"),
    ],
)
def test_errors_name_the_action(actions: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        ChessGame.action_factors(actions)


def test_out_is_checked() -> None:
    with pytest.raises(ValueError, match=r"out must have shape \(1, 3\), not \(2, 3\)"):
        ChessGame.action_factors([1], np.zeros((2, 3), np.int32))
    with pytest.raises(TypeError, match="out must have dtype int32, not int64"):
        ChessGame.action_factors([1], np.zeros((1, 3), np.int64))
    with pytest.raises(TypeError, match="Game is abstract"):
        Game.action_factors([1])


@pytest.mark.parametrize("name", COMPLETE)
def test_symmetries_transform_observations_actions_and_factors(name: str) -> None:
    reflected = 0
    for seed in range(12):
        game = played(name, seed, plies=60)
        for index in range(type(game).SYMMETRIES):  # type: ignore[attr-defined]
            symmetry = sandtable.symmetry(name, index)
            applies = bool(symmetry.applies(game.observe()[None])[0])
            assert applies == (index in game.symmetries())
            assert applies == bool(symmetry.applies(game.observe(layout="chw")[None], "chw")[0])
            if not applies:
                with pytest.raises(ValueError, match="symmetry 1 does not apply: expected one of \\[0\\]"):
                    game.transformed(index)
                continue
            other = game.transformed(index)
            reflected += index
            for layout in ("hwc", "chw"):
                observations = game.observe(layout=layout)[None]
                expected = other.observe(layout=layout)
                transformed = symmetry.observations(observations, layout)
                if name == "chess":  # A new game has no repetitions.
                    axis = 2 if layout == "hwc" else 0
                    transformed = np.delete(transformed, 12, axis=axis + 1)
                    expected = np.delete(expected, 12, axis=axis)
                assert (transformed[0] == expected).all()
            actions = np.array(game.legal_actions(), dtype=np.int64)
            assert sorted(symmetry.actions[actions].tolist()) == other.legal_actions()
            before = game.action_factors(actions)
            after = game.action_factors(symmetry.actions[actions])
            moved = np.where(before < 0, -1, symmetry.factors[before])
            assert (np.sort(moved, axis=1) == np.sort(after, axis=1)).all()
    assert (reflected > 0) == (name != "cotulenh")


@pytest.mark.parametrize("cls", CLASSES)
def test_symmetries_are_their_own_inverses(cls: Any) -> None:
    for index in range(cls.SYMMETRIES):
        symmetry = sandtable.symmetry(cls().name, index)
        for permutation in (symmetry.cells, symmetry.actions, symmetry.factors):
            assert (permutation[permutation] == np.arange(len(permutation))).all()
            assert not permutation.flags.writeable
        lengths = (len(symmetry.cells), len(symmetry.actions), len(symmetry.factors))
        assert lengths == (np.prod(cls.HEAD_SHAPE[:2]), cls.POLICY_SIZE, np.prod(cls.HEAD_SHAPE))
    with pytest.raises(ValueError, match=f"unknown symmetry {cls.SYMMETRIES} of"):
        sandtable.symmetry(cls().name, cls.SYMMETRIES)


@pytest.mark.parametrize("layout", ["hwc", "chw"])
def test_an_empty_batch_stays_empty(layout: Literal["hwc", "chw"]) -> None:
    batch = ChessGame().observe(layout=layout)[None][:0]
    reflection = sandtable.symmetry("chess", 1)
    assert reflection.observations(batch, layout).shape == batch.shape
    assert reflection.applies(batch, layout).shape == (0,)


def test_errors_of_symmetries() -> None:
    with pytest.raises(ValueError, match="unknown symmetry 1 of cotulenh: expected 0, the identity"):
        sandtable.symmetry("cotulenh", 1)
    with pytest.raises(ValueError, match="unknown game `go`"):
        sandtable.symmetry("go", 0)
    reflection = sandtable.symmetry("chess", 1)
    with pytest.raises(ValueError, match="observations must be a batch of four dimensions"):
        reflection.observations(ChessGame().observe())
    with pytest.raises(ValueError, match="unknown layout `nchw`: expected hwc or chw"):
        reflection.observations(ChessGame().observe()[None], "nchw")  # type: ignore[arg-type]
