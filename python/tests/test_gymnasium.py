"""The Gymnasium vector environment: Gymnasium's checks that apply to vector environments, and our own."""

from typing import Any

import numpy as np
import pytest
import sandtable
from gymnasium.spaces import MultiDiscrete
from gymnasium.utils import env_checker, passive_env_checker
from gymnasium.vector import AutoresetMode
from gymnasium.vector import VectorEnv as GymnasiumVectorEnv
from gymnasium.wrappers.vector import DictInfoToList, RecordEpisodeStatistics
from numpy.typing import NDArray
from sandtable import gymnasium

ENVS = 6


class LegalActions(MultiDiscrete):
    """An action space that samples legal actions, for Gymnasium's checks."""

    def __init__(self, env: gymnasium.VectorEnv) -> None:
        super().__init__([env.envs.num_actions] * env.num_envs)
        self.env = env

    def sample(self, mask: Any = None, probability: Any = None) -> NDArray[np.int64]:
        return self.env.sample_actions()


@pytest.fixture
def env(name: str) -> gymnasium.VectorEnv:
    return gymnasium.VectorEnv(name, ENVS, max_plies=20, opening_plies=3)


def test_passes_the_checks_of_gymnasium(env: gymnasium.VectorEnv) -> None:
    for space, kind in [(env.action_space, "action"), (env.observation_space, "observation")]:
        env_checker.check_space_limit(space, kind)
    passive_env_checker.check_action_space(env.action_space)
    passive_env_checker.check_observation_space(env.single_observation_space)
    # These checks are typed for single environments, but only use what vector environments have too.
    checked: Any = env
    env_checker.check_reset_return_type(checked)
    env_checker.check_reset_seed_determinism(checked)
    env_checker.check_reset_options(checked)
    env_checker.check_seed_deprecation(checked)
    passive_env_checker.env_reset_passive_checker(checked)


def test_returned_arrays_are_not_reused(name: str) -> None:
    # The check converts `terminated` to a bool, which works for one environment only.
    env = gymnasium.VectorEnv(name, 1)
    env.action_space = LegalActions(env)
    checked: Any = env
    env_checker.check_returned_data_not_reused(checked)


def test_interface_and_autoreset_mode(env: gymnasium.VectorEnv) -> None:
    assert isinstance(env, GymnasiumVectorEnv)
    assert env.metadata["autoreset_mode"] == AutoresetMode.SAME_STEP
    assert AutoresetMode.SAME_STEP.value == sandtable.VectorEnv.autoreset_mode
    assert env.num_envs == ENVS and env.unwrapped is env
    observations, _ = env.reset(seed=1)
    assert env.observation_space.contains(observations)
    assert env.action_space.contains(env.sample_actions())
    env.close()
    assert env.closed


def test_same_seeds_give_the_same_games(name: str) -> None:
    def run(threads: int, seed: int | list[int]) -> list[Any]:
        env = gymnasium.VectorEnv(name, ENVS, threads=threads, max_plies=20, opening_plies=3)
        results: list[Any] = [env.reset(seed=seed)]
        results += [env.step(env.sample_actions()) for _ in range(30)]
        return results

    expected = run(1, 7)
    assert env_checker.data_equivalence(expected, run(2, 7), exact=True)
    assert not env_checker.data_equivalence(expected, run(1, 8))
    assert env_checker.data_equivalence(run(1, list(range(ENVS))), run(3, list(range(ENVS))), exact=True)


def test_finished_games_reset_in_the_same_step(env: gymnasium.VectorEnv) -> None:
    env.reset(seed=1)
    ended = 0
    for _ in range(60):
        observations, rewards, terminated, truncated, infos = env.step(env.sample_actions())
        assert env.observation_space.contains(observations) and infos["action_mask"].any(axis=1).all()
        over = terminated | truncated
        ended += int(over.sum())
        assert ("final_obs" in infos) == bool(over.any())
        if over.any():
            assert np.array_equal(infos["_final_obs"], over) and np.array_equal(infos["_final_info"], over)
            assert [frame is not None for frame in infos["final_obs"]] == over.tolist()
            assert all(env.single_observation_space.contains(frame) for frame in infos["final_obs"][over])
            assert np.abs(infos["final_info"]["returns"]).sum(axis=1)[~over].sum() == 0
        assert (rewards[~terminated] == 0).all()
    assert ended >= ENVS


def test_rewards_are_for_the_player_who_moved() -> None:
    env = gymnasium.VectorEnv("chess", 2)
    env.reset()
    for move in ["f2f3", "e7e5", "g2g4"]:
        game = env.envs.game(0)
        env.step([game.string_to_action(move)] * 2)
    game = env.envs.game(0)
    mate, other = game.string_to_action("d8h4"), game.string_to_action("d7d5")
    _, rewards, terminated, truncated, infos = env.step([mate, other])
    assert rewards.tolist() == [1.0, 0.0]
    assert terminated.tolist() == [True, False] and not truncated.any()
    assert infos["final_info"]["returns"].tolist() == [[-1.0, 1.0], [0.0, 0.0]]
    assert infos["current_player"].tolist() == [0, 0]


def test_works_with_wrappers(env: gymnasium.VectorEnv) -> None:
    wrapped = DictInfoToList(RecordEpisodeStatistics(env))
    _, infos = wrapped.reset(seed=1)
    assert len(infos) == ENVS
    lengths: list[int] = []
    for _ in range(60):
        *_, infos = wrapped.step(env.sample_actions())
        lengths += [int(info["episode"]["l"]) for info in infos if "episode" in info]
    # Three of the twenty moves are the random opening.
    assert lengths and max(lengths) == 17


def test_copy_decides_whether_arrays_are_shared(name: str) -> None:
    def two_steps(copy: bool) -> tuple[Any, Any]:
        env = gymnasium.VectorEnv(name, ENVS, copy=copy)
        first, _ = env.reset(seed=1)
        second, *_ = env.step(env.sample_actions())
        return first, second

    first, second = two_steps(copy=True)
    assert not np.array_equal(first, second) and not np.shares_memory(first, second)
    first, second = two_steps(copy=False)
    assert np.shares_memory(first, second)


def test_renders_boards(name: str) -> None:
    env = gymnasium.VectorEnv(name, 2, render_mode="ansi")
    assert env.render() == (repr(sandtable.make(name)),) * 2
    frames = gymnasium.VectorEnv(name, 2, render_mode="rgb_array", size=100).render()
    assert frames is not None and len(frames) == 2
    assert isinstance(frames[0], np.ndarray) and frames[0].dtype == np.uint8
    assert frames[0].shape[1:] == (100, 3)
    assert gymnasium.VectorEnv(name, 2).render() is None


def test_rejects_invalid_arguments() -> None:
    with pytest.raises(ValueError, match="unknown game `checkers`"):
        gymnasium.VectorEnv("checkers", 2)
    with pytest.raises(ValueError, match="unknown render mode 'human': expected"):
        gymnasium.VectorEnv("chess", 2, render_mode="human")  # type: ignore[arg-type]
    env = gymnasium.VectorEnv("chess", 2)
    with pytest.raises(ValueError, match="action 0 is not legal in environment 0"):
        env.step([0, 0])


def test_a_mask_resets_some_games() -> None:
    envs = gymnasium.VectorEnv("chess", 3)
    envs.reset(seed=1)
    for _ in range(4):
        envs.step(envs.sample_actions())
    observations, infos = envs.reset(options={"reset_mask": np.array([False, True, False])})
    assert [envs.envs.game(i).ply for i in range(3)] == [4, 0, 4]
    np.testing.assert_array_equal(observations[1], envs.envs.game(1).observe())
    assert infos["action_mask"][1].sum() == 20
    with pytest.raises(ValueError, match=r"unknown options \['speed'\]: expected reset_mask"):
        envs.reset(options={"speed": 1})
