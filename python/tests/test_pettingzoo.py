"""The PettingZoo environment: PettingZoo's tests and our own."""

import copy
import pickle
import warnings
from collections.abc import Callable, Iterator
from itertools import pairwise

import numpy as np
import pytest
import sandtable
from conftest import DEEP
from pettingzoo import AECEnv
from pettingzoo.test.api_test import api_test
from pettingzoo.test.seed_test import seed_test
from sandtable import pettingzoo
from sandtable.pettingzoo import Observation

Env = AECEnv[str, Observation, int | None]
CYCLES = 500 if DEEP else 60


@pytest.fixture(autouse=True)
def no_warnings() -> Iterator[None]:
    """Turns warnings into errors: PettingZoo reports violations of its interface as warnings."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        yield


def game_of(env: Env) -> sandtable.Game:
    """The game behind the wrappers."""
    raw = env.unwrapped
    assert isinstance(raw, pettingzoo.raw_env)
    return raw.game


def play(env: Env, choose: Callable[[Observation], int]) -> dict[str, float]:
    """Plays an episode to its end and returns the final rewards."""
    final: dict[str, float] = {}
    for agent in env.agent_iter():
        observation, reward, termination, truncation, _ = env.last()
        assert observation is not None
        if termination or truncation:
            final[agent] = reward
            env.step(None)
        else:
            env.step(choose(observation))
    return final


def random_legal(seed: int) -> Callable[[Observation], int]:
    rng = np.random.default_rng(seed)
    return lambda observation: int(rng.choice(np.flatnonzero(observation["action_mask"])))


def check_api(env: Env) -> None:
    with warnings.catch_warnings():
        # These warn about every environment with dictionaries as observations, which action masks need.
        warnings.filterwarnings("ignore", "Observation space for each agent probably should be")
        warnings.filterwarnings("ignore", "Observation is not a NumPy array")
        api_test(env, num_cycles=CYCLES)  # type: ignore[no-untyped-call]


def test_api(name: str) -> None:
    check_api(pettingzoo.env(name))


def test_api_with_truncated_games(name: str) -> None:
    check_api(pettingzoo.env(name, max_plies=7))


def test_seed(name: str) -> None:
    seed_test(lambda: pettingzoo.env(name), num_cycles=CYCLES)  # type: ignore[no-untyped-call]


def test_observations_agree_with_the_game(name: str) -> None:
    env = pettingzoo.env(name, layout="chw")
    env.reset()
    game = sandtable.make(name)
    choose = random_legal(1)
    for _ in range(30):
        assert env.agent_selection == f"player_{game.current_player()}"
        observed = env.observe(env.agent_selection)
        assert observed is not None
        assert np.array_equal(observed["observation"], game.observe(layout="chw"))
        assert np.array_equal(observed["action_mask"], game.legal_actions_mask())
        other = env.observe(f"player_{1 - game.current_player()}")
        assert other is not None and not other["action_mask"].any()
        action = choose(observed)
        env.step(action)
        game.apply_action(action)
    assert game_of(env) == game


def test_rewards_at_the_end() -> None:
    env = pettingzoo.env("chess")
    env.reset()
    moves = iter(["f2f3", "e7e5", "g2g4", "d8h4"])
    rewards = play(env, lambda _: game_of(env).string_to_action(next(moves)))
    assert rewards == {"player_0": -1.0, "player_1": 1.0}


def test_agents_may_move_several_times_in_a_row() -> None:
    # A deployment takes several moves of the same player.
    env = pettingzoo.env("cotulenh")
    env.reset(seed=3)
    movers: list[str] = []
    choose = random_legal(3)

    def choose_and_note(observation: Observation) -> int:
        movers.append(env.agent_selection)
        return choose(observation)

    play(env, choose_and_note)
    assert any(before == after for before, after in pairwise(movers))


def test_truncates_after_max_plies(name: str) -> None:
    env = pettingzoo.env(name, max_plies=5)
    env.reset()
    choose = random_legal(2)
    while not any(env.truncations.values()):
        observation = env.last()[0]
        assert observation is not None
        env.step(choose(observation))
    assert game_of(env).ply == 5
    assert not any(env.terminations.values()) and set(env.rewards.values()) == {0.0}


def test_illegal_actions_lose_with_wrappers_and_raise_without() -> None:
    env = pettingzoo.env("chess")
    env.reset()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        env.step(0)
    assert env.terminations == {"player_0": True, "player_1": True}
    assert env.rewards["player_0"] == -1

    raw = pettingzoo.raw_env("chess")
    raw.reset()
    with pytest.raises(ValueError, match="action 0 is not legal"):
        raw.step(0)
    with pytest.raises(ValueError, match="player_0 needs an action"):
        raw.step(None)
    assert raw.game == sandtable.make("chess") and raw.agents == ["player_0", "player_1"]


def test_starts_from_a_position_text() -> None:
    text = "7k/8/6K1/8/8/8/8/5Q2 b - - 0 1"
    env = pettingzoo.env("chess", text=text)
    env.reset()
    assert env.agent_selection == "player_1" and game_of(env).position_text() == text
    with pytest.raises(ValueError, match="already over at the first position"):
        pettingzoo.env("chess", text="7k/6Q1/6K1/8/8/8/8/8 b - - 0 1")


def test_uses_the_given_rules() -> None:
    env = pettingzoo.env("cotulenh", rules="club")
    env.reset()
    assert game_of(env).rules == "club"


def test_rejects_invalid_arguments() -> None:
    with pytest.raises(ValueError, match="unknown game `checkers`"):
        pettingzoo.env("checkers")
    with pytest.raises(ValueError, match="unknown render mode 'human': expected"):
        pettingzoo.env("chess", render_mode="human")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="max_plies must be at least 1, not 0"):
        pettingzoo.env("chess", max_plies=0)


def test_renders_boards(name: str) -> None:
    plain = pettingzoo.env(name, render_mode="ansi")
    plain.reset()
    assert plain.render() == repr(sandtable.make(name))

    drawn = pettingzoo.env(name, render_mode="rgb_array", size=240)
    drawn.reset()
    first = drawn.render()
    assert isinstance(first, np.ndarray)
    assert first.dtype == np.uint8 and first.shape[1:] == (240, 3) and first.shape[0] >= 240
    # Anti-aliased pieces have hundreds of colours; an empty board has a few.
    assert len(np.unique(first.reshape(-1, 3), axis=0)) > 100
    observation = drawn.last()[0]
    assert observation is not None
    drawn.step(random_legal(1)(observation))
    second = drawn.render()
    assert isinstance(second, np.ndarray) and not np.array_equal(first, second)

    silent = pettingzoo.env(name)
    silent.reset()
    assert silent.render() is None


def test_copies_are_independent(name: str) -> None:
    env = pettingzoo.raw_env(name)
    env.reset()
    env.step(random_legal(5)(env.observe(env.agent_selection)))
    for other in (copy.deepcopy(env), pickle.loads(pickle.dumps(env))):
        assert other.game == env.game
        other.step(random_legal(5)(other.observe(other.agent_selection)))
        assert other.game.ply == env.game.ply + 1
