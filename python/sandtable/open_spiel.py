"""The games for OpenSpiel: importing this module registers them.

>>> import pyspiel
>>> import sandtable.open_spiel
>>> game = pyspiel.load_game("sandtable_tribun")
>>> state = game.new_initial_state()
>>> state.apply_action(state.string_to_action(0, "b3-e5"))
>>> state.current_player(), state.observation_tensor() == state.game.observe().ravel().tolist()
(1, True)

The names are `sandtable_chess`, `sandtable_cotulenh` and `sandtable_tribun`. The parameters are `rules`, the
name of a rule set, and `max_plies`: a game in progress after that many moves is a draw, because OpenSpiel's
games have a bounded length. By default it is `Game.ply_limit`.

Actions are the policy indices of `Game`. The observation tensor is that of the side to move in the layout
(rows, columns, planes), for both players.
"""

from __future__ import annotations

from typing import Any

import numpy as np

try:
    import pyspiel
    from open_spiel.python.observation import IIGObserverForPublicInfoGame
except ImportError as error:
    raise ImportError("OpenSpiel is not installed: pip install open_spiel") from error

from sandtable._sandtable import GAMES, Game, make

__all__ = ["SandtableGame", "SandtableState"]

_PREFIX = "sandtable_"


class SandtableState(pyspiel.State):  # type: ignore[misc] # pyspiel has no types
    """A state: `game` is the game in progress; play in it only through `apply_action`."""

    game: Game

    def __init__(self, game: SandtableGame) -> None:
        """Creates the initial state; called by `SandtableGame.new_initial_state`."""
        super().__init__(game)
        self.game = make(game.name, game.rules)
        self._max_plies = game.max_plies

    def current_player(self) -> int:
        """The side to move, or `pyspiel.PlayerId.TERMINAL`."""
        return int(pyspiel.PlayerId.TERMINAL) if self.is_terminal() else self.game.current_player()

    def _legal_actions(self, player: int) -> list[int]:
        return self.game.legal_actions()

    def _apply_action(self, action: int) -> None:
        self.game.apply_action(action)

    def _action_to_string(self, player: int, action: int) -> str:
        return self.game.action_to_string(action)

    def is_terminal(self) -> bool:
        """Returns whether the game is over or has reached `max_plies`."""
        return self.game.is_terminal() or self.game.ply >= self._max_plies

    def returns(self) -> list[float]:
        """The results of players 0 and 1."""
        return self.game.returns()

    def __str__(self) -> str:
        """The position as a line of text."""
        return self.game.position_text()


class SandtableGame(pyspiel.Game):  # type: ignore[misc] # pyspiel has no types
    """A game: the subclasses are registered with OpenSpiel."""

    name: str
    game_type: Any

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        """Creates the game with the parameters `rules` and `max_plies`."""
        params = params or {}
        start = make(self.name, params.get("rules") or None)
        self.rules = start.rules
        self.max_plies = int(params.get("max_plies") or start.ply_limit)
        if self.max_plies < 1:
            raise ValueError(f"max_plies must be at least 1, not {self.max_plies}")
        info = pyspiel.GameInfo(
            num_distinct_actions=start.num_actions,
            max_chance_outcomes=0,
            num_players=2,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=self.max_plies,
        )
        super().__init__(self.game_type, info, params)

    def new_initial_state(self) -> SandtableState:
        """The initial state."""
        return SandtableState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Any:
        """The observer of the board; of the history of the game if it is asked for."""
        if iig_obs_type is None or (iig_obs_type.public_info and not iig_obs_type.perfect_recall):
            return _Observer(make(self.name, self.rules).observation_shape, params)
        return IIGObserverForPublicInfoGame(iig_obs_type, params)


class _Observer:
    """Writes observations to `tensor`; `dict` has the same memory with three dimensions."""

    def __init__(self, shape: tuple[int, int, int], params: Any) -> None:
        if params:
            raise ValueError(f"observation parameters are not supported: {params}")
        board = np.zeros(shape, np.float32)
        self.tensor = board.reshape(-1)
        self.dict = {"observation": board}

    def set_from(self, state: SandtableState, player: int) -> None:
        state.game.observe(out=self.dict["observation"])

    def string_from(self, state: SandtableState, player: int) -> str:
        return str(state)


def _register(name: str) -> None:
    start = make(name)
    game_type = pyspiel.GameType(
        short_name=_PREFIX + name,
        long_name=f"Sandtable {name}",
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.DETERMINISTIC,
        information=pyspiel.GameType.Information.PERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=2,
        min_num_players=2,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification={"rules": start.rules, "max_plies": start.ply_limit},
    )
    game = type(f"SandtableGame_{name}", (SandtableGame,), {"name": name, "game_type": game_type})
    # Pickle finds a class by its name in the module.
    globals()[game.__name__] = game
    pyspiel.register_game(game_type, game)


for _name in GAMES:
    if _PREFIX + _name not in pyspiel.registered_names():
        _register(_name)
