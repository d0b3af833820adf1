"""The PettingZoo environment: PettingZoo's own tests, and what they do not ask."""

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
    """PettingZoo warns of what it dislikes: take it as seriously as an error."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        yield


def game_of(env: Env) -> sandtable.Game:
    """The game behind the wrappers."""
    raw = env.unwrapped
    assert isinstance(raw, pettingzoo.raw_env)
    return raw.game


def play(env: Env, choose: Callable[[Observation], int]) -> dict[str, float]:
    """Plays an episode to its end; says what each agent was rewarded with at last."""
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


def any_legal(seed: int) -> Callable[[Observation], int]:
    rng = np.random.default_rng(seed)
    return lambda observation: int(rng.choice(np.flatnonzero(observation["action_mask"])))


def check_api(env: Env) -> None:
    with warnings.catch_warnings():
        # Said of every environment whose observations are dictionaries, as those with masks are.
        warnings.filterwarnings("ignore", "Observation space for each agent probably should be")
        warnings.filterwarnings("ignore", "Observation is not a NumPy array")
        api_test(env, num_cycles=CYCLES)  # type: ignore[no-untyped-call]


def test_api(name: str) -> None:
    check_api(pettingzoo.env(name))


def test_api_at_the_end_of_a_game(name: str) -> None:
    check_api(pettingzoo.env(name, max_plies=7))


def test_seed(name: str) -> None:
    seed_test(lambda: pettingzoo.env(name), num_cycles=CYCLES)  # type: ignore[no-untyped-call]


def test_what_an_agent_sees_is_the_games_own(name: str) -> None:
    env = pettingzoo.env(name, layout="chw")
    env.reset()
    game = sandtable.make(name)
    choose = any_legal(1)
    for _ in range(30):
        assert env.agent_selection == f"player_{game.current_player()}"
        seen = env.observe(env.agent_selection)
        assert seen is not None
        assert np.array_equal(seen["observation"], game.observation(layout="chw"))
        assert np.array_equal(seen["action_mask"], game.legal_actions_mask())
        other = env.observe(f"player_{1 - game.current_player()}")
        assert other is not None and not other["action_mask"].any()
        action = choose(seen)
        env.step(action)
        game.apply_action(action)
    assert game_of(env) == game


def test_the_winner_is_rewarded() -> None:
    env = pettingzoo.env("chess")
    env.reset()
    moves = iter(["f2f3", "e7e5", "g2g4", "d8h4"])
    rewards = play(env, lambda _: game_of(env).string_to_action(next(moves)))
    assert rewards == {"player_0": -1.0, "player_1": 1.0}


def test_an_agent_may_move_again() -> None:
    # A deployment takes several steps of the same player.
    env = pettingzoo.env("cotulenh")
    env.reset(seed=3)
    movers: list[str] = []
    choose = any_legal(3)

    def note(observation: Observation) -> int:
        movers.append(env.agent_selection)
        return choose(observation)

    play(env, note)
    assert any(before == after for before, after in pairwise(movers))


def test_a_long_game_is_truncated(name: str) -> None:
    env = pettingzoo.env(name, max_plies=5)
    env.reset()
    choose = any_legal(2)
    while not any(env.truncations.values()):
        observation = env.last()[0]
        assert observation is not None
        env.step(choose(observation))
    assert game_of(env).ply == 5
    assert not any(env.terminations.values()) and set(env.rewards.values()) == {0.0}


def test_an_illegal_action_loses_in_wrappers_and_is_refused_without() -> None:
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
    with pytest.raises(ValueError, match="player_0 has to play an action"):
        raw.step(None)
    assert raw.game == sandtable.make("chess") and raw.agents == ["player_0", "player_1"]


def test_a_game_may_begin_anywhere() -> None:
    text = "7k/8/6K1/8/8/8/8/5Q2 b - - 0 1"
    env = pettingzoo.env("chess", text=text)
    env.reset()
    assert env.agent_selection == "player_1" and game_of(env).to_text() == text
    with pytest.raises(ValueError, match="over"):
        pettingzoo.env("chess", text="7k/6Q1/6K1/8/8/8/8/8 b - - 0 1")


def test_rules_are_passed_on() -> None:
    env = pettingzoo.env("cotulenh", rules="club")
    env.reset()
    assert game_of(env).rules == "club"


def test_bad_arguments_are_refused() -> None:
    with pytest.raises(ValueError, match="there is no game"):
        pettingzoo.env("checkers")
    with pytest.raises(ValueError, match="there is no render mode 'human'"):
        pettingzoo.env("chess", render_mode="human")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="max_plies is 0"):
        pettingzoo.env("chess", max_plies=0)


def test_boards_are_rendered(name: str) -> None:
    plain = pettingzoo.env(name, render_mode="ansi")
    plain.reset()
    assert plain.render() == repr(sandtable.make(name))

    drawn = pettingzoo.env(name, render_mode="rgb_array", size=240)
    drawn.reset()
    first = drawn.render()
    assert isinstance(first, np.ndarray)
    assert first.dtype == np.uint8 and first.shape[1:] == (240, 3) and first.shape[0] >= 240
    # A board has more than its ground: hundreds of colours come from the edges of what is drawn on it.
    assert len(np.unique(first.reshape(-1, 3), axis=0)) > 100
    observation = drawn.last()[0]
    assert observation is not None
    drawn.step(any_legal(1)(observation))
    second = drawn.render()
    assert isinstance(second, np.ndarray) and not np.array_equal(first, second)

    silent = pettingzoo.env(name)
    silent.reset()
    assert silent.render() is None


def test_copies_go_their_own_ways(name: str) -> None:
    env = pettingzoo.raw_env(name)
    env.reset()
    env.step(any_legal(5)(env.observe(env.agent_selection)))
    for other in (copy.deepcopy(env), pickle.loads(pickle.dumps(env))):
        assert other.game == env.game
        other.step(any_legal(5)(other.observe(other.agent_selection)))
        assert other.game.ply == env.game.ply + 1
