"""The OpenSpiel adapter, with OpenSpiel's own tests of a game."""

import pickle
from typing import Any

import numpy as np
import pytest
import sandtable

pyspiel: Any = pytest.importorskip("pyspiel", reason="open_spiel is not installed")
open_spiel: Any = pytest.importorskip("sandtable.open_spiel")


@pytest.fixture
def game(name: str) -> Any:
    return pyspiel.load_game(f"sandtable_{name}", {"max_plies": 30})


def test_random_sim_test_of_open_spiel(game: Any) -> None:
    pyspiel.random_sim_test(game, num_sims=2, serialize=True, verbose=False)


def test_states_are_those_of_the_game(game: Any, name: str) -> None:
    state, ours = game.new_initial_state(), sandtable.make(name)
    rng = np.random.default_rng(1)
    assert game.num_distinct_actions() == ours.num_actions
    assert tuple(game.observation_tensor_shape()) == ours.observation_shape
    while not state.is_terminal():
        assert state.current_player() == ours.current_player() and str(state) == ours.position_text()
        assert state.legal_actions() == ours.legal_actions()
        assert np.array_equal(state.observation_tensor(0), ours.observe().ravel())
        action = int(rng.choice(state.legal_actions()))
        assert state.action_to_string(action) == ours.action_to_string(action)
        twin = state.clone()
        state.apply_action(action)
        assert twin.game == ours and twin.history() == state.history()[:-1]
        ours.apply_action(action)
    assert state.current_player() == pyspiel.PlayerId.TERMINAL and state.legal_actions() == []
    assert state.returns() == ours.returns()
    again = pyspiel.deserialize_game_and_state(pyspiel.serialize_game_and_state(game, state))[1]
    assert again.game == ours


def test_parameters(name: str) -> None:
    assert pyspiel.load_game(f"sandtable_{name}").max_game_length() == sandtable.make(name).ply_limit
    club = pyspiel.load_game("sandtable_cotulenh(rules=club,max_plies=7)")
    assert club.new_initial_state().game.rules == "club" and club.max_game_length() == 7
    state = club.new_initial_state()
    for _ in range(7):
        state.apply_action(state.legal_actions()[0])
    assert state.is_terminal() and state.returns() == [0.0, 0.0]
    assert str(pickle.loads(pickle.dumps(club))) == str(club)
    with pytest.raises(ValueError, match="max_plies must be at least 1, not -1"):
        pyspiel.load_game("sandtable_chess", {"max_plies": -1})
    with pytest.raises(ValueError, match="unknown rules `blitz`"):
        pyspiel.load_game("sandtable_chess", {"rules": "blitz"})


def test_search_of_open_spiel_plays_our_games() -> None:
    from open_spiel.python.algorithms import mcts

    game = pyspiel.load_game("sandtable_chess", {"max_plies": 400})
    state = game.new_initial_state()
    for move in ("f2f3", "e7e5", "g2g4"):
        state.apply_action(state.string_to_action(state.current_player(), move))
    bot = mcts.MCTSBot(
        game,
        2.0,
        120,
        mcts.RandomRolloutEvaluator(1, np.random.RandomState(1)),
        solve=True,
        random_state=np.random.RandomState(1),
    )
    assert state.action_to_string(bot.step(state)) == "d8h4", "mate in one"
