"""Batches of observations, and decoding them."""

import numpy as np
import pytest
import sandtable
from conftest import played, random_game


def test_batches_equal_single_observations(name: str) -> None:
    games = [game.clone() for game in random_game(name, seed=9, plies=20)]
    for layout in ("hwc", "chw"):
        expected = np.stack([game.observe(layout=layout) for game in games])
        batch = sandtable.encode_batch(games, layout=layout)
        np.testing.assert_array_equal(batch, expected)
        assert batch.dtype == np.float32 and batch.flags.c_contiguous
        out = np.full_like(expected, np.nan)
        assert sandtable.encode_batch(tuple(games), out, layout) is out
        np.testing.assert_array_equal(out, expected)


def test_rejects_invalid_batches() -> None:
    chess, tribun = sandtable.make("chess"), sandtable.make("tribun")
    with pytest.raises(ValueError, match=r"one kind: games\[0\] is chess, games\[1\] is tribun"):
        sandtable.encode_batch([chess, tribun])
    with pytest.raises(ValueError, match="games must not be empty"):
        sandtable.encode_batch([])
    with pytest.raises(TypeError, match=r"games\[1\] must be a Game, not <class 'str'>"):
        sandtable.encode_batch([chess, "chess"])  # type: ignore[list-item]
    with pytest.raises(ValueError, match=r"out must have shape \(1, 8, 8, 18\), not \(8, 8, 18\)"):
        sandtable.encode_batch([chess], chess.observe())


def test_decoding_inverts_encoding(name: str) -> None:
    for game in random_game(name, seed=10, plies=25):
        player = game.current_player()
        for layout in ("hwc", "chw"):
            observation = game.observe(layout=layout)
            decoded, occurrences = sandtable.decode_observation(observation, player=player, layout=layout)
            assert type(decoded) is type(game) and occurrences == min(game.occurrences, 3)
            assert decoded.current_player() == player
            if occurrences == 1:
                np.testing.assert_array_equal(decoded.observe(layout=layout), observation)


def test_decodes_every_memory_layout(name: str) -> None:
    observation = played(name, plies=20).observe()
    player = played(name, plies=20).current_player()
    expected = sandtable.decode_observation(observation, player=player)
    packed = np.zeros(observation.shape, dtype=[("a", "<f4"), ("p", "i1")])
    packed["a"] = observation
    for view in (
        np.repeat(observation, 2, axis=2)[..., ::2],
        observation[::-1].copy()[::-1],
        np.asfortranarray(observation),
        packed["a"],
    ):
        assert not view.flags.c_contiguous
        assert sandtable.decode_observation(view, player=player) == expected


def test_rejects_invalid_observations(name: str) -> None:
    observation = played(name, plies=0).observe()
    with pytest.raises(TypeError, match="float32"):
        sandtable.decode_observation(observation.astype(np.float64))
    with pytest.raises(ValueError, match=r"no game has observations of shape \(2, 3\)"):
        sandtable.decode_observation(np.zeros((2, 3), np.float32))
    with pytest.raises(ValueError, match=f"observation of {name} must have shape"):
        sandtable.decode_observation(np.zeros((2, 3), np.float32), game=name)
    observation[1, 2, 0] = 0.5
    with pytest.raises(ValueError, match=r"plane 0 \(.*\) holds 0.5 at row 1, column 2: expected 0 or 1"):
        sandtable.decode_observation(observation)
    for player in (2, -1, 2**70):
        with pytest.raises(ValueError, match="unknown player"):
            sandtable.decode_observation(played(name, plies=0).observe(), player=player)
    with pytest.raises(ValueError):
        sandtable.decode_observation(np.zeros(observation.shape, np.float32))
