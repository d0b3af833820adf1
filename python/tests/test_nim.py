"""A game without a class of its own: the toy game, which only the test build has."""

import pickle
import random

import numpy as np
import pytest
import sandtable
from conftest import COMPLETE

NAME = "greedy-nim"


def test_only_the_test_build_has_the_toy_game() -> None:
    assert (*COMPLETE, NAME) == sandtable.GAMES


def test_the_class_is_made_from_the_registry() -> None:
    cls = sandtable.game_class(NAME)
    assert issubclass(cls, sandtable.Game) and cls.__name__ == "GreedyNimGame"
    game = cls()
    assert type(game) is cls and type(sandtable.make(NAME)) is cls
    assert game.num_actions == cls.POLICY_SIZE == 4  # type: ignore[attr-defined]
    assert game.observation_shape == cls.OBSERVATION_SHAPE == (1, 9, 2)  # type: ignore[attr-defined]
    assert type(game.clone()) is cls and type(pickle.loads(pickle.dumps(game))) is cls
    assert cls.from_text("5 second -").position_text() == cls("5 second -").position_text() == "5 second -"
    with pytest.raises(ValueError, match="invalid position `9`"):
        cls("9")
    with pytest.raises(TypeError, match="Game is abstract"):
        sandtable.Game()


def test_a_game_is_played_to_its_end() -> None:
    game = sandtable.make(NAME)
    for text in ["3", "1", "2", "0"]:
        game.play(text)
    # Taking one does not end the turn.
    assert game.current_player() == 1 and game.legal_moves() == ["0", "1", "2", "3"]
    game.play("3")
    assert game.is_terminal() and game.returns() == [-1.0, 1.0]
    read, _ = type(game).from_record(game.record())
    assert read == game and read.sans_played() == ["3", "1", "2", "0", "3"]


def test_engine_levels_trees_and_environments_support_it() -> None:
    game = sandtable.make(NAME, text="3 first -")
    assert sandtable.search(game, depth=3).move in ("1", "3")
    assert sandtable.level_elo(NAME, 5) is None
    player, rng = sandtable.LevelPlayer(NAME, 9), random.Random(1)
    game = sandtable.make(NAME)
    while not game.is_terminal():
        action = player.choose(game, time=0.01) if game.current_player() else rng.choice(game.legal_actions())
        assert action is not None
        game.apply_action(action)
    assert sum(game.returns()) == 0
    env = sandtable.VectorEnv(NAME, 4, seed=1)
    for _ in range(50):
        env.step(env.sample_actions())
    assert env.observations.shape == (4, 1, 9, 2) and np.isfinite(env.observations).all()
