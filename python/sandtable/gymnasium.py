"""A vector environment for Gymnasium.

>>> from sandtable import gymnasium
>>> envs = gymnasium.VectorEnv("chess", 4, max_plies=30)
>>> observations, infos = envs.reset(seed=1)
>>> for _ in range(50):
...     actions = envs.sample_actions()
...     observations, rewards, terminations, truncations, infos = envs.step(actions)
>>> observations.shape, infos["action_mask"].shape
((4, 8, 8, 18), (4, 4672))

Gymnasium has one agent per environment; these games have two players. Each step is one move: observations are
those of the side to move, rewards those of the player who has just moved, and `infos` names the side to move.
A learner that plays both sides needs nothing else.
"""

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

try:
    from gymnasium import spaces
    from gymnasium.vector import AutoresetMode
    from gymnasium.vector import VectorEnv as GymnasiumVectorEnv
    from gymnasium.vector.utils import batch_space
except ImportError as error:
    raise ImportError('Gymnasium is not installed: pip install "sandtable[gymnasium]"') from error

from sandtable import _sandtable

__all__ = ["VectorEnv"]

_Floats = NDArray[np.float32]
_Flags = NDArray[np.bool_]


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
        "render_modes": ["ansi", "rgb_array"],
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
        if render_mode not in (None, *self.metadata["render_modes"]):
            raise ValueError(f"unknown render mode {render_mode!r}: expected 'ansi', 'rgb_array' or None")
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
        if self.render_mode == "ansi":
            return tuple(repr(game) for game in games)
        from sandtable._render import rgb_array

        return tuple(rgb_array(game, self._size) for game in games)

    def _infos(self) -> dict[str, Any]:
        return {
            "action_mask": self._copied(self.envs.masks),
            "current_player": self._copied(self.envs.players),
        }

    def _copied(self, array: NDArray[Any]) -> NDArray[Any]:
        return array.copy() if self._copy else array
