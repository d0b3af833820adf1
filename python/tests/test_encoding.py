"""Many observations at once, and back again."""

import numpy as np
import pytest
import sandtable
from conftest import played, random_game


def test_a_batch_is_its_observations(name: str) -> None:
    games = [game.clone() for game in random_game(name, seed=9, plies=20)]
    for layout in ("hwc", "chw"):
        expected = np.stack([game.observation(layout=layout) for game in games])
        batch = sandtable.encode_batch(games, layout=layout)
        np.testing.assert_array_equal(batch, expected)
        assert batch.dtype == np.float32 and batch.flags.c_contiguous
        out = np.full_like(expected, np.nan)
        assert sandtable.encode_batch(tuple(games), out, layout) is out
        np.testing.assert_array_equal(out, expected)


def test_a_batch_that_is_none_is_refused() -> None:
    chess, tribun = sandtable.make("chess"), sandtable.make("tribun")
    with pytest.raises(ValueError, match="position 1 is of tribun, and position 0 of chess"):
        sandtable.encode_batch([chess, tribun])
    with pytest.raises(ValueError, match="there is no position"):
        sandtable.encode_batch([])
    with pytest.raises(TypeError, match="position 1 is <class 'str'>, not a game"):
        sandtable.encode_batch([chess, "chess"])  # type: ignore[list-item]
    with pytest.raises(ValueError, match=r"shape \(8, 8, 18\), and \(1, 8, 8, 18\) is needed"):
        sandtable.encode_batch([chess], chess.observation())


def test_observations_are_read_back(name: str) -> None:
    for game in random_game(name, seed=10, plies=25):
        player = game.current_player()
        for layout in ("hwc", "chw"):
            observation = game.observation(layout=layout)
            decoded, occurrences = sandtable.decode_observation(observation, player=player, layout=layout)
            assert type(decoded) is type(game) and occurrences == min(game.occurrences, 3)
            assert decoded.current_player() == player
            if occurrences == 1:
                np.testing.assert_array_equal(decoded.observation(layout=layout), observation)


def test_an_observation_is_read_however_it_lies(name: str) -> None:
    observation = played(name, plies=20).observation()
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


def test_what_is_no_observation_says_where(name: str) -> None:
    observation = played(name, plies=0).observation()
    with pytest.raises(TypeError, match="float32"):
        sandtable.decode_observation(observation.astype(np.float64))
    with pytest.raises(ValueError, match=r"no game has observations of shape \(2, 3\)"):
        sandtable.decode_observation(np.zeros((2, 3), np.float32))
    with pytest.raises(ValueError, match=f"an observation of {name} has shape"):
        sandtable.decode_observation(np.zeros((2, 3), np.float32), game=name)
    observation[1, 2, 0] = 0.5
    with pytest.raises(ValueError, match=r"plane 0 \(.*\) cannot be 0.5 at row 1, column 2"):
        sandtable.decode_observation(observation)
    for player in (2, -1, 2**70):
        with pytest.raises(ValueError, match="there is no player"):
            sandtable.decode_observation(played(name, plies=0).observation(), player=player)
    with pytest.raises(ValueError):
        sandtable.decode_observation(np.zeros(observation.shape, np.float32))
