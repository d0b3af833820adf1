"""PettingZoo environments: AEC, like the classic games of PettingZoo.

>>> from sandtable import pettingzoo
>>> env = pettingzoo.env("tribun", render_mode="ansi")
>>> env.reset(seed=1)
>>> for agent in env.agent_iter(max_iter=10):
...     observation, reward, termination, truncation, info = env.last()
...     over = termination or truncation
...     env.step(None if over else env.action_space(agent).sample(observation["action_mask"]))
>>> env.unwrapped.game.ply
10

The agents are `player_0`, who moves first, and `player_1`. An observation is a dictionary of `observation`,
the result of `Game.observe`, and `action_mask`, int8. Both belong to the side to move: the other agent gets
the same observation and an empty mask. An agent may be selected several times in a row: in Cờ Tư Lệnh a
deployment takes several moves.

At the end the winner's reward is 1 and the loser's -1; all other rewards are 0. A game still in progress
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
    """The observation of an agent and its mask of legal actions."""

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
    """An environment with the wrappers of PettingZoo's classic games: an illegal action loses the game.

    Every episode starts at the position of `sandtable.make(game, rules, text)` and is truncated after
    `max_plies` moves, by default `Game.ply_limit`. With `render_mode="ansi"`, `render()` returns the board as
    text; with `"rgb_array"` as pixels: uint8, (height, width, 3), `size` pixels wide.

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
    """The environment without wrappers: an illegal action raises `ValueError` and changes nothing.

    `game` is the game in progress; play in it only through `step`.
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
            raise ValueError(f"unknown render mode {render_mode!r}: expected 'ansi', 'rgb_array' or None")
        if max_plies is not None and max_plies < 1:
            raise ValueError(f"max_plies must be at least 1, not {max_plies}")
        self.render_mode = render_mode
        self._first = make(game, rules=rules, text=text)
        self.game = self._first.clone()
        if self._first.is_terminal():
            raise ValueError("the game is already over at the first position: no agent could act")
        self._max_plies = self.game.ply_limit if max_plies is None else max_plies
        self._layout: Literal["hwc", "chw"] = layout
        self._size = size
        self.possible_agents = ["player_0", "player_1"]
        shape = self.game.observe(layout=layout).shape
        observation: dict[str, spaces.Space[Any]] = {
            "observation": spaces.Box(0.0, 1.0, shape, np.float32),
            "action_mask": spaces.Box(0, 1, (self.game.num_actions,), np.int8),
        }
        # A space has its own random generator, so every agent needs its own spaces.
        self._observation_spaces = {
            agent: spaces.Dict(copy.deepcopy(observation)) for agent in self.possible_agents
        }
        self._action_spaces = {
            agent: spaces.Discrete(self.game.num_actions) for agent in self.possible_agents
        }

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """The space of `Observation`, the same for both agents."""
        return self._observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """The space of policy indices. Sample with the mask of the observation."""
        return self._action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Restarts the game. `seed` has no effect, as nothing is random, and `options` are ignored."""
        self.game = self._first.clone()
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos = {agent: {} for agent in self.agents}
        self.agent_selection = self.possible_agents[self.game.current_player()]

    def observe(self, agent: str) -> Observation:
        """The observation of the side to move; the mask is empty if that is not `agent`."""
        mask = self.game.legal_actions_mask().view(np.int8)
        if agent != self.agent_selection:
            mask.fill(0)
        return {"observation": self.game.observe(layout=self._layout), "action_mask": mask}

    def step(self, action: int | None) -> None:
        """Plays an action for the selected agent; None if the agent is terminated or truncated."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if action is None:
            raise ValueError(f"{agent} needs an action: None is for agents that are terminated or truncated")
        self.game.apply_action(action)
        over = self.game.is_terminal()
        truncated = not over and self.game.ply >= self._max_plies
        self._cumulative_rewards[agent] = 0.0
        self.rewards = dict(zip(self.agents, self.game.returns(), strict=True))
        self.terminations = dict.fromkeys(self.agents, over)
        self.truncations = dict.fromkeys(self.agents, truncated)
        self.agent_selection = self.possible_agents[self.game.current_player()]
        self._accumulate_rewards()

    def render(self) -> str | NDArray[np.uint8] | None:
        """The board as text or pixels, depending on `render_mode`; None without one."""
        if self.render_mode == "ansi":
            return repr(self.game)
        if self.render_mode == "rgb_array":
            from sandtable._render import rgb_array

            return rgb_array(self.game, self._size)
        return None

    def close(self) -> None:
        """Does nothing: there are no resources to release."""
