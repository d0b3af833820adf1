"""Many games at once as a vector environment of Gymnasium.

>>> from sandtable import gymnasium
>>> envs = gymnasium.VectorEnv("chess", 4, max_plies=30)
>>> observations, infos = envs.reset(seed=1)
>>> for _ in range(50):
...     actions = envs.sample_actions()
...     observations, rewards, terminations, truncations, infos = envs.step(actions)
>>> observations.shape, infos["action_mask"].shape
((4, 8, 8, 18), (4, 4672))

Gymnasium knows one agent for each environment; these games have two players who take turns. So each step is
one move: observations are those of the player to move, rewards are those of the player who has just moved,
and `infos` says who is who. A learner that plays both sides needs nothing else.
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
    """`sandtable.VectorEnv` with Gymnasium's interface. The arguments are those of that class, all but
    `seed`, which `reset` takes, and these:

    With `copy=False`, arrays are those that the environments write into, to be read before the next step.
    `render()` gives each board as text with `render_mode="ansi"`, and as pixels with `"rgb_array"`: uint8,
    (height, width, 3), `size` pixels wide.

    `infos` has `action_mask`, bool, and `current_player`, who is to move: 0 or 1. A game that ends begins
    anew within the same step (`AutoresetMode.SAME_STEP`): `infos["final_obs"]` then has what the player to
    move saw at the end, and `infos["final_info"]["returns"]` the results of players 0 and 1; `_final_obs` and
    `_final_info` say for which environments.

    Sample actions with `sample_actions()`, which gives legal ones: `action_space` cannot know which they are.
    An illegal action is a `ValueError`, and no environment has then changed.
    """

    metadata: dict[str, Any] = {  # noqa: RUF012 – as Gymnasium declares it
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
            raise ValueError(f"there is no render mode {render_mode!r}: it is 'ansi', 'rgb_array' or None")
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
        """Begins every game anew; with a seed, or one for each environment, random numbers too.

        Until a seed is given, random numbers are those of seed 0. There are no `options`.
        """
        super().reset(seed=seed if isinstance(seed, int) else None)
        observations, _ = self.envs.reset(seed)
        return self._own(observations), self._infos()

    def step(self, actions: ArrayLike) -> tuple[_Floats, _Floats, _Flags, _Flags, dict[str, Any]]:
        """Plays an action in every environment: (observations, rewards, terminations, truncations, infos)."""
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
        return self._own(observations), rewards, self._own(terminated), self._own(truncated), infos

    def sample_actions(self) -> NDArray[np.int64]:
        """A legal action for every environment, each equally likely."""
        return self.envs.sample_actions()

    def render(self) -> tuple[str | NDArray[np.uint8], ...] | None:
        """Every board as text or as pixels, as `render_mode` has it; None without one."""
        if self.render_mode is None:
            return None
        games = [self.envs.game(env) for env in range(self.num_envs)]
        if self.render_mode == "ansi":
            return tuple(repr(game) for game in games)
        from sandtable._pictures import pixels

        return tuple(pixels(game, self._size) for game in games)

    def _infos(self) -> dict[str, Any]:
        return {"action_mask": self._own(self.envs.masks), "current_player": self._own(self.envs.players)}

    def _own(self, array: NDArray[Any]) -> NDArray[Any]:
        return array.copy() if self._copy else array
