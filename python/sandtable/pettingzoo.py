"""The games as PettingZoo environments: agent after agent (AEC), as PettingZoo's own classic games are.

>>> from sandtable import pettingzoo
>>> env = pettingzoo.env("tribun", render_mode="ansi")
>>> env.reset(seed=1)
>>> for agent in env.agent_iter(max_iter=10):
...     observation, reward, termination, truncation, info = env.last()
...     over = termination or truncation
...     env.step(None if over else env.action_space(agent).sample(observation["action_mask"]))
>>> env.unwrapped.game.ply
10

Agents are `player_0`, who moves first, and `player_1`. An observation is a dictionary: `observation` as
`Game.observation` gives it, and `action_mask`, int8. Both are those of the player to move: the other agent
gets the same view of the board, and a mask without actions. The same agent may be selected again, as in Cờ Tư
Lệnh it may have more to deploy.

The winner is rewarded with 1 and the loser with -1 at the end; all else is 0. A game that is still going on
after `max_plies` moves is truncated.
"""

import copy
from typing import Any, Literal, TypedDict

import numpy as np
from numpy.typing import NDArray

try:
    from gymnasium import spaces
    from pettingzoo import AECEnv
    from pettingzoo.utils import wrappers
except ImportError as error:
    raise ImportError('PettingZoo is not installed: pip install "sandtable[pettingzoo]"') from error

from sandtable._sandtable import Game, make

__all__ = ["Observation", "env", "raw_env"]


class Observation(TypedDict):
    """What an agent sees: the board, and which actions it has."""

    observation: NDArray[np.float32]
    action_mask: NDArray[np.int8]


def env(
    game: str,
    *,
    rules: str | None = None,
    text: str | None = None,
    max_plies: int | None = None,
    layout: Literal["hwc", "chw"] = "hwc",
    render_mode: Literal["ansi", "rgb_array"] | None = None,
    size: int = 400,
) -> AECEnv[str, Observation, int | None]:
    """An environment in the wrappers of PettingZoo's classic games: an illegal action loses the game.

    `game`, `rules` and `text` are those of `sandtable.make`; every episode begins with that position. It is
    cut off after `max_plies` moves, or after `Game.ply_limit`. `render()` gives the board as text with
    `render_mode="ansi"`, and as pixels with `"rgb_array"`: uint8, (height, width, 3), `size` pixels wide.

    >>> from sandtable import pettingzoo
    >>> env = pettingzoo.env("chess", render_mode="rgb_array", size=200)
    >>> env.reset()
    >>> env.render().shape
    (200, 200, 3)
    """
    made: AECEnv[str, Observation, int | None] = raw_env(
        game,
        rules=rules,
        text=text,
        max_plies=max_plies,
        layout=layout,
        render_mode=render_mode,
        size=size,
    )
    made = wrappers.TerminateIllegalWrapper(made, illegal_reward=-1)
    made = wrappers.AssertOutOfBoundsWrapper(made)
    return wrappers.OrderEnforcingWrapper(made)


class raw_env(AECEnv[str, Observation, int | None]):
    """The environment without wrappers: an illegal action is a `ValueError`, and changes nothing.

    `game` is the game being played: look at it, and do not play in it.
    """

    game: Game

    def __init__(
        self,
        game: str,
        *,
        rules: str | None = None,
        text: str | None = None,
        max_plies: int | None = None,
        layout: Literal["hwc", "chw"] = "hwc",
        render_mode: Literal["ansi", "rgb_array"] | None = None,
        size: int = 400,
    ) -> None:
        """See `env`."""
        self.metadata = {
            "name": f"sandtable_{game}_v0",
            "render_modes": ["ansi", "rgb_array"],
            "is_parallelizable": False,
            "render_fps": 2,
        }
        if render_mode not in (None, *self.metadata["render_modes"]):
            raise ValueError(f"there is no render mode {render_mode!r}: it is 'ansi', 'rgb_array' or None")
        if max_plies is not None and max_plies < 1:
            raise ValueError(f"max_plies is {max_plies}, and has to be at least 1")
        self.render_mode = render_mode
        self.game = self._first = make(game, rules=rules, text=text)
        if self._first.is_terminal():
            raise ValueError("the game is over in this position: no agent could act")
        self._max_plies = self.game.ply_limit if max_plies is None else max_plies
        self._layout: Literal["hwc", "chw"] = layout
        self._size = size
        self.possible_agents = ["player_0", "player_1"]
        seen = self.game.observation(layout=layout).shape
        views: dict[str, spaces.Space[Any]] = {
            "observation": spaces.Box(0.0, 1.0, seen, np.float32),
            "action_mask": spaces.Box(0, 1, (self.game.num_actions,), np.int8),
        }
        # Every agent has spaces of its own, as each samples from its own random numbers.
        self._views = {agent: spaces.Dict(copy.deepcopy(views)) for agent in self.possible_agents}
        self._actions = {agent: spaces.Discrete(self.game.num_actions) for agent in self.possible_agents}

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """Of what an agent sees: a dictionary, alike for both agents."""
        return self._views[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """The indices of the policy. Sample with the mask of the observation."""
        return self._actions[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begins anew. Nothing is left to chance, so that `seed` changes nothing; there are no `options`."""
        self.game = self._first.clone()
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos = {agent: {} for agent in self.agents}
        self.agent_selection = self.possible_agents[self.game.current_player()]

    def observe(self, agent: str) -> Observation:
        """What the player to move sees; with an empty mask if that is not `agent`."""
        mask = self.game.legal_actions_mask().view(np.int8)
        if agent != self.agent_selection:
            mask.fill(0)
        return {"observation": self.game.observation(layout=self._layout), "action_mask": mask}

    def step(self, action: int | None) -> None:
        """Plays an action for the selected agent: None once it is terminated or truncated."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if action is None:
            raise ValueError(f"{agent} has to play an action: None is for an agent whose game is over")
        self.game.apply_action(action)
        over = self.game.is_terminal()
        cut_off = not over and self.game.ply >= self._max_plies
        self._cumulative_rewards[agent] = 0.0
        self.rewards = dict(zip(self.agents, self.game.returns(), strict=True))
        self.terminations = dict.fromkeys(self.agents, over)
        self.truncations = dict.fromkeys(self.agents, cut_off)
        self.agent_selection = self.possible_agents[self.game.current_player()]
        self._accumulate_rewards()

    def render(self) -> str | NDArray[np.uint8] | None:
        """The board as text or as pixels, as `render_mode` has it; None without one."""
        if self.render_mode == "ansi":
            return repr(self.game)
        if self.render_mode == "rgb_array":
            from sandtable._pictures import pixels

            return pixels(self.game, self._size)
        return None

    def close(self) -> None:
        """There is nothing to close."""
