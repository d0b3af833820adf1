"""The Gymnasium environment of one player against an opponent."""

import warnings
from typing import Any

import numpy as np
import pytest
import sandtable
from gymnasium.utils.env_checker import check_env
from sandtable import Game, gymnasium

MATE_IN_ONE = "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1"


def first_action(game: Game) -> int:
    return game.legal_actions()[0]


@pytest.mark.parametrize("opponent", ["random", 1, first_action])
def test_passes_check_env(name: str, opponent: Any) -> None:
    env = gymnasium.Env(name, opponent=opponent, max_plies=20)
    with warnings.catch_warnings():
        # An environment that is not in Gymnasium's registry has no specification to make a second one from.
        warnings.filterwarnings("ignore", message=".*not able to test alternative render modes.*")
        check_env(env, skip_render_check=True)


@pytest.mark.parametrize("player", [0, 1, None])
@pytest.mark.parametrize("opponent", ["random", 0, first_action])
def test_the_agent_moves_only_on_its_turn(name: str, opponent: Any, player: Any) -> None:
    env = gymnasium.Env(name, opponent=opponent, player=player, max_plies=30)
    sides = set()
    for seed in range(8):
        observation, info = env.reset(seed=seed)
        over, plies = False, 0
        while not over:
            assert (
                info["current_player"] == env.game.current_player() and observation in env.observation_space
            )
            assert player in (None, info["current_player"])
            assert (info["action_mask"] == env.game.legal_actions_mask()).all()
            assert env.game.ply > plies or env.game.ply == plies == 0
            sides.add(info["current_player"])
            plies = env.game.ply
            action = env.action_space.sample(info["action_mask"])
            observation, reward, terminated, truncated, info = env.step(int(action))
            over = terminated or truncated
            assert reward == 0 or terminated
        assert terminated == env.game.is_terminal() and truncated == (not terminated)
        with pytest.raises(ValueError, match="the episode is over: call reset"):
            env.step(0)
    assert sides == ({0, 1} if player is None else {player})


def test_rewards_are_those_of_the_agent() -> None:
    def mate(game: Game) -> int:
        return game.string_to_action("d1d8")

    env = gymnasium.Env("chess", text=MATE_IN_ONE)
    env.reset()
    _, reward, terminated, _, info = env.step(env.game.string_to_action("d1d8"))
    assert (reward, terminated, info["action_mask"].any()) == (1.0, True, False)
    env = gymnasium.Env("chess", text=MATE_IN_ONE, opponent=mate, player=1)
    with pytest.raises(ValueError, match="the opponent ended 100 games before the first move of player 1"):
        env.reset()
    env = gymnasium.Env("chess", text=MATE_IN_ONE.replace(" w ", " b "), opponent=mate, player=1)
    env.reset()
    assert env.step(env.game.string_to_action("g8h8"))[1:3] == (-1.0, True)


def test_illegal_actions_lose_or_raise() -> None:
    env = gymnasium.Env("chess")
    env.reset()
    _, reward, terminated, truncated, info = env.step(0)
    assert (reward, terminated, truncated, info["illegal_action"]) == (-1.0, True, False, True)
    strict = gymnasium.Env("chess", illegal="raise")
    strict.reset()
    with pytest.raises(ValueError, match="action 0 is not legal in this position"):
        strict.step(0)
    for wrong in (-1, 4672, 10**30):
        with pytest.raises(ValueError, match=f"unknown action {wrong}: expected 0 to 4671"):
            env.reset()
            env.step(wrong)
    assert strict.game.ply == 0


def test_seeds_determine_episodes(name: str) -> None:
    def episode(opponent: Any, seed: int) -> list[int]:
        env = gymnasium.Env(name, opponent=opponent, player=None, max_plies=12)
        env.reset(seed=seed)
        over = False
        while not over:
            _, _, terminated, truncated, _ = env.step(env.game.legal_actions()[0])
            over = terminated or truncated
        return env.game.actions_played()

    for opponent in ("random", 2):
        assert episode(opponent, 1) == episode(opponent, 1)
        assert len({tuple(episode(opponent, seed)) for seed in range(6)}) > 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"opponent": "engine"}, "unknown opponent 'engine': expected 'random', a level or a function"),
        ({"opponent": 10}, "unknown level `10`"),
        ({"player": 2}, "unknown player 2: expected 0, 1 or None"),
        ({"illegal": "ignore"}, "unknown illegal 'ignore'"),
        ({"max_plies": 0}, "max_plies must be at least 1, not 0"),
        ({"render_mode": "human"}, "unknown render mode 'human'"),
        ({"layout": "nchw"}, "unknown layout `nchw`"),
        ({"text": "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1"}, "the game is over in the first position"),
    ],
)
def test_errors(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        gymnasium.Env("chess", **arguments)


def test_layouts_masks_and_pictures() -> None:
    env = gymnasium.Env("tribun", layout="chw", render_mode="ansi")
    observation, info = env.reset(seed=3)
    assert observation.shape == (31, 11, 11) and (env.action_masks() == info["action_mask"]).all()
    assert env.render() == repr(env.game)
    picture = gymnasium.Env("tribun", render_mode="rgb_array", size=120)
    picture.reset()
    pixels = picture.render()
    assert isinstance(pixels, np.ndarray) and pixels.shape[1:] == (120, 3)


def test_level_players_choose_legal_actions(name: str) -> None:
    game = sandtable.make(name)
    player = sandtable.LevelPlayer(name, 3, seed=5)
    assert player.level == 3 and repr(player) == f"LevelPlayer('{name}', 3)"
    action = player.choose(game)
    assert action in game.legal_actions() and action == sandtable.LevelPlayer(name, 3, seed=5).choose(game)
    assert sandtable.LevelPlayer(name, 9).choose(game, time=0.02) in game.legal_actions()
    game.agree_draw()
    assert player.choose(game) is None
    other = sandtable.make("chess" if name != "chess" else "tribun")
    with pytest.raises(ValueError, match=f"the player plays {name}, not {other.name}"):
        player.choose(other)
    with pytest.raises(ValueError, match="time must be at least 0 seconds, not -1"):
        player.choose(other.clone() if other.name == name else game, time=-1)
