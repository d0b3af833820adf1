"""Environments for Gymnasium: `Env`, one player against an opponent, and `VectorEnv`, many games at once.

>>> from sandtable import gymnasium
>>> env = gymnasium.Env("chess", opponent=1, player=0)
>>> observation, info = env.reset(seed=1)
>>> action = env.action_space.sample(info["action_mask"])
>>> observation, reward, terminated, truncated, info = env.step(action)
>>> env.game.ply
2
>>> envs = gymnasium.VectorEnv("chess", 4, max_plies=30)
>>> observations, infos = envs.reset(seed=1)
>>> for _ in range(50):
...     actions = envs.sample_actions()
...     observations, rewards, terminations, truncations, infos = envs.step(actions)
>>> observations.shape, infos["action_mask"].shape
((4, 8, 8, 18), (4, 4672))

Gymnasium has one agent per environment; these games have two players. In `Env` the other one is played by an
opponent: random moves, a level of the engine, or a function.

In `VectorEnv` the agent plays both sides. Each step is one move: observations are those of the side to move,
rewards those of the player who has just moved, and `infos` names the side to move.
"""

import operator
from collections.abc import Callable, Sequence
from typing import Any, Literal, SupportsIndex

import numpy as np
from numpy.typing import ArrayLike, NDArray

try:
    from gymnasium import Env as GymnasiumEnv
    from gymnasium import spaces
    from gymnasium.vector import AutoresetMode
    from gymnasium.vector import VectorEnv as GymnasiumVectorEnv
    from gymnasium.vector.utils import batch_space
except ImportError as error:
    raise ImportError('Gymnasium is not installed: pip install "sandtable[gymnasium]"') from error

from sandtable import _sandtable
from sandtable._sandtable import Game, LevelPlayer

__all__ = ["Env", "VectorEnv"]

_Floats = NDArray[np.float32]
_Flags = NDArray[np.bool_]

_RENDER_MODES = ["ansi", "rgb_array"]

# How many games `Env.reset` starts until one reaches the agent's turn.
_ATTEMPTS = 100


def _check_render_mode(render_mode: str | None) -> None:
    if render_mode not in (None, *_RENDER_MODES):
        raise ValueError(f"unknown render mode {render_mode!r}: expected 'ansi', 'rgb_array' or None")


def _render(game: Game, render_mode: str, size: int) -> str | NDArray[np.uint8]:
    if render_mode == "ansi":
        return repr(game)
    from sandtable._render import rgb_array

    return rgb_array(game, size)


class Env(GymnasiumEnv[_Floats, np.int64]):
    """A game of one player, the agent, against an opponent. Gymnasium's `check_env` passes.

    `opponent` is `"random"`, a level of the engine from 0 to 9, or a function that takes a `Game` and returns
    the action to play; the function must not change the game. `player` is the side of the agent, 0 or 1, or
    None for a random side in every episode. `rules` and `text` are those of `sandtable.make`.

    `reset` and `step` play the moves of the opponent until it is the agent's turn. The reward is 0 until the
    end of the game, then 1 for a win of the agent, -1 for a loss and 0 for a draw. An episode is truncated
    after `max_plies` moves of both players, by default `Game.ply_limit`.

    `info` has `action_mask`, int8, as `action_space.sample` takes it, and `current_player`, the side of the
    agent. Observations are those of the side to move, at the end of an episode too. An illegal action loses
    the game, and `info["illegal_action"]` is then true; with `illegal="raise"` it raises `ValueError` and
    changes nothing.

    `game` is the game in progress; play in it only through `step`.
    """

    metadata: dict[str, Any] = {  # noqa: RUF012 – declared like this by Gymnasium
        "render_modes": _RENDER_MODES,
        "render_fps": 2,
    }
    game: Game

    def __init__(
        self,
        game: str,
        *,
        opponent: Literal["random"] | int | Callable[[Game], int] = "random",
        player: Literal[0, 1] | None = 0,
        rules: str | None = None,
        text: str | None = None,
        max_plies: int | None = None,
        layout: Literal["hwc", "chw"] = "hwc",
        illegal: Literal["lose", "raise"] = "lose",
        render_mode: Literal["ansi", "rgb_array"] | None = None,
        size: int = 400,
    ) -> None:
        """See the class."""
        _check_render_mode(render_mode)
        self._start = _sandtable.make(game, rules, text)
        if self._start.is_terminal():
            raise ValueError("the game is over in the first position")
        if not (callable(opponent) or opponent == "random" or isinstance(opponent, int)):
            raise ValueError(f"unknown opponent {opponent!r}: expected 'random', a level or a function")
        if isinstance(opponent, int):
            LevelPlayer(game, opponent, hash_mb=1)  # checks the level
        if player not in (0, 1, None):
            raise ValueError(f"unknown player {player!r}: expected 0, 1 or None")
        if illegal not in ("lose", "raise"):
            raise ValueError(f"unknown illegal {illegal!r}: expected 'lose' or 'raise'")
        self._max_plies = self._start.ply_limit if max_plies is None else max_plies
        if self._max_plies < 1:
            raise ValueError(f"max_plies must be at least 1, not {max_plies}")
        self._opponent = opponent
        self._side = player
        self._layout: Literal["hwc", "chw"] = layout
        self._illegal = illegal
        self._size = size
        self.render_mode = render_mode
        shape = self._start.observe(layout=layout).shape
        self.observation_space = spaces.Box(0.0, 1.0, shape, np.float32)
        self.action_space = spaces.Discrete(self._start.num_actions)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[_Floats, dict[str, Any]]:
        """Starts a game and plays the opponent's moves before the agent's first. `options` are ignored."""
        super().reset(seed=seed)
        # An opponent may end the game before the agent's first move: such a game has no step.
        for _ in range(_ATTEMPTS):
            self.game = self._start.clone()
            self._player = int(self.np_random.integers(2)) if self._side is None else self._side
            if isinstance(self._opponent, int):
                level_seed = int(self.np_random.integers(2**63))
                self._engine = LevelPlayer(self.game.name, self._opponent, seed=level_seed)
            self._play_opponent()
            if not self._is_over():
                return self._observation(), self._info()
        raise ValueError(
            f"the opponent ended {_ATTEMPTS} games before the first move of player {self._player}"
        )

    def step(self, action: SupportsIndex) -> tuple[_Floats, float, bool, bool, dict[str, Any]]:
        """Plays an action and the opponent's reply: (observation, reward, terminated, truncated, info)."""
        if self._is_over():
            raise ValueError("the episode is over: call reset")
        action = operator.index(action)
        if not 0 <= action < self.game.num_actions:
            raise ValueError(f"unknown action {action}: expected 0 to {self.game.num_actions - 1}")
        illegal = not self.action_masks()[action]
        if illegal and self._illegal == "raise":
            raise ValueError(f"action {action} is not legal in this position")
        if illegal:
            self.game.resign(self._player)
        else:
            self.game.apply_action(action)
            self._play_opponent()
        terminated = self.game.is_terminal()
        truncated = not terminated and self.game.ply >= self._max_plies
        info = self._info()
        if illegal:
            info["illegal_action"] = True
        return self._observation(), self.game.returns()[self._player], terminated, truncated, info

    def action_masks(self) -> _Flags:
        """The mask of legal actions as booleans, all false at the end of an episode."""
        return self.game.legal_actions_mask()

    def render(self) -> str | NDArray[np.uint8] | None:
        """The board as text or pixels, depending on `render_mode`; None without one."""
        return None if self.render_mode is None else _render(self.game, self.render_mode, self._size)

    def _is_over(self) -> bool:
        return self.game.is_terminal() or self.game.ply >= self._max_plies

    def _play_opponent(self) -> None:
        while not self._is_over() and self.game.current_player() != self._player:
            self.game.apply_action(self._reply())

    def _reply(self) -> int:
        if callable(self._opponent):
            return self._opponent(self.game)
        if isinstance(self._opponent, int):
            # Below level 9, only the level's own limits count, so that episodes do not depend on the machine.
            action = self._engine.choose(self.game, time=3600.0 if self._opponent < 9 else 1.0)
            assert action is not None, "the game is not over"
            return action
        return int(self.np_random.choice(self.game.legal_actions()))

    def _observation(self) -> _Floats:
        return self.game.observe(layout=self._layout)

    def _info(self) -> dict[str, Any]:
        return {"action_mask": self.action_masks().astype(np.int8), "current_player": self._player}


class VectorEnv(GymnasiumVectorEnv[_Floats, ArrayLike, NDArray[Any]]):
    """`sandtable.VectorEnv` with Gymnasium's interface.

    The arguments are those of `sandtable.VectorEnv`, except `seed`, which is an argument of `reset`, and
    three more. With `copy=False`, `reset` and `step` return the arrays that the next step overwrites. With
    `render_mode="ansi"`, `render()` returns every board as text; with `"rgb_array"` as pixels: uint8,
    (height, width, 3), `size` pixels wide.

    `infos` has `action_mask`, bool, and `current_player`, the side to move: 0 or 1. A game that ends is reset
    within the same step (`AutoresetMode.SAME_STEP`): `infos["final_obs"]` then has the last observation and
    `infos["final_info"]["returns"]` the results of players 0 and 1; `_final_obs` and `_final_info` mark the
    environments whose game ended.

    Sample legal actions with `sample_actions()`: `action_space` does not know which actions are legal. An
    illegal action raises `ValueError`; no environment is then changed.
    """

    metadata: dict[str, Any] = {  # noqa: RUF012 – declared like this by Gymnasium
        "autoreset_mode": AutoresetMode.SAME_STEP,
        "render_modes": _RENDER_MODES,
        "render_fps": 2,
    }

    def __init__(
        self,
        game: str,
        num_envs: int,
        *,
        threads: int = 1,
        rules: str | None = None,
        max_plies: int | None = None,
        opening_plies: int = 0,
        layout: Literal["hwc", "chw"] = "hwc",
        copy: bool = True,
        render_mode: Literal["ansi", "rgb_array"] | None = None,
        size: int = 400,
    ) -> None:
        """See the class."""
        _check_render_mode(render_mode)
        self.envs = _sandtable.VectorEnv(
            game,
            num_envs,
            threads=threads,
            rules=rules,
            max_plies=max_plies,
            opening_plies=opening_plies,
            layout=layout,
        )
        self.num_envs = num_envs
        self.render_mode = render_mode
        self._copy = copy
        self._size = size
        self.single_observation_space = spaces.Box(0.0, 1.0, self.envs.observations.shape[1:], np.float32)
        self.single_action_space = spaces.Discrete(self.envs.num_actions)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)

    def reset(
        self, *, seed: int | Sequence[int] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[_Floats, dict[str, Any]]:
        """Resets every game, and the random generators if `seed` is an integer or a sequence of integers.

        Before the first seed, the generators are seeded with 0. With `options={"reset_mask": mask}`, bool,
        (num_envs,), only the games of the mask are reset. There are no other options.
        """
        unknown = set(options or {}) - {"reset_mask"}
        if unknown:
            raise ValueError(f"unknown options {sorted(unknown)}: expected reset_mask")
        super().reset(seed=seed if isinstance(seed, int) else None)
        observations, _ = self.envs.reset(seed, mask=(options or {}).get("reset_mask"))
        return self._copied(observations), self._infos()

    def step(self, actions: ArrayLike) -> tuple[_Floats, _Floats, _Flags, _Flags, dict[str, Any]]:
        """Plays one action per environment: (observations, rewards, terminations, truncations, infos)."""
        movers = self.envs.players.copy()
        observations, returns, terminated, truncated, _ = self.envs.step(actions)
        infos = self._infos()
        ended = terminated | truncated
        if ended.any():
            final_obs = np.full(self.num_envs, None, dtype=object)
            for env in np.flatnonzero(ended):
                final_obs[env] = self.envs.final_observations[env].copy()
            infos |= {
                "final_obs": final_obs,
                "_final_obs": ended,
                "final_info": {"returns": returns.copy(), "_returns": ended},
                "_final_info": ended,
            }
        rewards = returns[np.arange(self.num_envs), movers]
        return self._copied(observations), rewards, self._copied(terminated), self._copied(truncated), infos

    def sample_actions(self) -> NDArray[np.int64]:
        """A uniformly random legal action for every environment."""
        return self.envs.sample_actions()

    def render(self) -> tuple[str | NDArray[np.uint8], ...] | None:
        """Every board as text or pixels, depending on `render_mode`; None without one."""
        if self.render_mode is None:
            return None
        games = [self.envs.game(env) for env in range(self.num_envs)]
        return tuple(_render(game, self.render_mode, self._size) for game in games)

    def _infos(self) -> dict[str, Any]:
        return {
            "action_mask": self._copied(self.envs.masks),
            "current_player": self._copied(self.envs.players),
        }

    def _copied(self, array: NDArray[Any]) -> NDArray[Any]:
        return array.copy() if self._copy else array
