"""The interface that all games share."""

import copy
import pickle
import random
import subprocess
import sys

import numpy as np
import pytest
import sandtable
from conftest import played, random_game
from numpy.typing import NDArray
from typing_extensions import assert_type

RULES = {"chess": ["standard", "claims"], "cotulenh": ["standard", "club"], "tribun": ["standard", "ninety"]}


def test_make_returns_the_subclass_of_the_game(name: str) -> None:
    classes = {
        "chess": sandtable.ChessGame,
        "cotulenh": sandtable.CoTuLenhGame,
        "tribun": sandtable.TribunGame,
    }
    game = sandtable.make(name)
    assert type(game) is classes[name] and isinstance(game, sandtable.Game)
    assert (game.name, game.rules, game.ply, game.occurrences) == (name, "standard", 0, 1)
    assert game == classes[name]() and game.current_player() == 0
    for rules in RULES[name]:
        assert sandtable.make(name, rules=rules).rules == rules


def test_actions_moves_and_masks_agree(name: str) -> None:
    for game in random_game(name, seed=2, plies=30):
        actions = game.legal_actions()
        mask = game.legal_actions_mask()
        assert actions == sorted(set(actions)) == np.flatnonzero(mask).tolist()
        assert mask.dtype == np.bool_ and mask.shape == (game.num_actions,)
        assert sorted(map(game.string_to_action, game.legal_moves())) == actions
        for action in actions[::7]:
            assert game.string_to_action(game.action_to_string(action)) == action


def test_undo_restores_every_position(name: str) -> None:
    game = sandtable.make(name)
    texts = []
    for game in random_game(name, seed=3, plies=40):
        texts.append(game.position_text())
    while game.ply:
        assert game.position_text() == texts[game.ply]
        game.undo()
    assert game == sandtable.make(name)
    with pytest.raises(IndexError, match="no move to take back"):
        game.undo()


def test_returns_agree_with_the_outcome(name: str) -> None:
    ended = 0
    for seed in range(6):
        *_, game = random_game(name, seed, 2_000)
        outcome = game.outcome()
        assert game.is_terminal() == (outcome is not None)
        if outcome is None:
            continue
        ended += 1
        expected = [0.0, 0.0] if outcome.winner is None else [-1.0, -1.0]
        if outcome.winner is not None:
            expected[outcome.winner] = 1.0
        assert game.returns() == expected and outcome.reason
        assert game.legal_actions() == [] and not game.legal_actions_mask().any()
        with pytest.raises(ValueError, match="the game is over"):
            game.apply_action(0)
    assert ended


def test_illegal_actions_raise_and_change_nothing(name: str) -> None:
    game = played(name)
    before = game.clone()
    illegal = next(action for action in range(game.num_actions) if action not in set(game.legal_actions()))
    for action, reason in [
        (illegal, f"action {illegal} is not legal"),
        (game.num_actions, f"unknown action {game.num_actions}"),
        (-1, f"unknown action -1: expected 0 to {game.num_actions - 1}"),
        (2**40, f"unknown action {2**40}: "),
        (2**70, "unknown action"),
        (-(2**70), "unknown action -"),
    ]:
        with pytest.raises(ValueError, match=reason):
            game.apply_action(action)
        with pytest.raises(ValueError, match=reason):
            game.action_to_string(action)
    for wrong in ["e4", 1.0, None, [1]]:
        with pytest.raises(TypeError):
            game.apply_action(wrong)  # type: ignore[arg-type]
    with pytest.raises(ValueError):
        game.play("nonsense")
    assert game == before


def test_numpy_integers_are_actions(name: str) -> None:
    game = sandtable.make(name)
    game.apply_action(np.flatnonzero(game.legal_actions_mask())[0])
    assert game.ply == 1


def test_observations(name: str) -> None:
    game = played(name, plies=25)
    rows, columns, planes = game.observation_shape
    observation = game.observe()
    assert observation.shape == (rows, columns, planes) == (rows, columns, len(game.planes))
    assert observation.dtype == np.float32 and observation.flags.c_contiguous
    assert observation.min() >= 0.0 and observation.max() <= 1.0 and observation.any()
    first = game.observe(layout="chw")
    assert first.flags.c_contiguous
    np.testing.assert_array_equal(first, observation.transpose(2, 0, 1))

    out = np.full((rows, columns, planes), np.nan, np.float32)
    assert game.observe(out) is out
    np.testing.assert_array_equal(out, observation)
    batch = np.full((3, rows, columns, planes), np.nan, np.float32)
    game.observe(out=batch[1])
    np.testing.assert_array_equal(batch[1], observation)
    assert np.isnan(batch[[0, 2]]).all()


def misaligned(shape: tuple[int, ...]) -> NDArray[np.float32]:
    """Zeros at an address that is not a multiple of four."""
    return np.zeros(4 * int(np.prod(shape)) + 1, np.int8)[1:].view(np.float32).reshape(shape)


def test_rejects_out_arrays_that_do_not_fit(name: str) -> None:
    game = sandtable.make(name)
    shape = game.observation_shape
    for out, error, message in [
        (np.zeros(shape), TypeError, "out must have dtype float32, not float64"),
        (np.zeros(shape, ">f4"), TypeError, "out must have dtype float32"),
        (np.zeros(shape[:2], np.float32), ValueError, "out must have shape"),
        (np.zeros((2, *shape), np.float32), ValueError, "out must have shape"),
        (np.zeros((*shape[:2], 2 * shape[2]), np.float32)[..., ::2], ValueError, "must be C-contiguous"),
        (np.asfortranarray(np.zeros(shape, np.float32)), ValueError, "must be C-contiguous"),
        (misaligned(shape), ValueError, "out must be aligned"),
        ([0.0], TypeError, "out must be a NumPy array or None, not <class 'list'>"),
    ]:
        with pytest.raises(error, match=message):
            game.observe(out)  # type: ignore[arg-type]
    read_only = np.zeros(shape, np.float32)
    read_only.flags.writeable = False
    with pytest.raises(ValueError, match="cannot be written"):
        game.observe(read_only)
    with pytest.raises(ValueError, match="unknown layout `nhwc`: expected hwc"):
        game.observe(layout="nhwc")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="out must have dtype bool, not int8"):
        game.legal_actions_mask(np.zeros(game.num_actions, np.int8))
    with pytest.raises(ValueError, match=rf"out must have shape \({game.num_actions},\), not \(3,\)"):
        game.legal_actions_mask(np.zeros(3, np.bool_))


def test_copies_are_independent(name: str) -> None:
    game = played(name)
    before = game.position_text()
    for twin in [game.clone(), copy.copy(game), copy.deepcopy(game)]:
        assert twin == game and twin is not game and hash(twin) == hash(game) and type(twin) is type(game)
        twin.undo()
        assert twin != game and game.position_text() == before
    box = {"a": game, "b": [game]}
    assert copy.deepcopy(box) == box


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_pickling_keeps_the_history(name: str, protocol: int) -> None:
    for rules in RULES[name]:
        for plies in (0, 1, 60):
            game = played(name, seed=5, plies=plies, rules=rules)
            twin = pickle.loads(pickle.dumps(game, protocol))
            assert twin == game and twin.sans_played() == game.sans_played() and twin.rules == rules
            np.testing.assert_array_equal(twin.observe(), game.observe())
            while game.ply:
                game.undo()
                twin.undo()
            assert twin == game


def test_pickling_keeps_first_position_and_declared_end(name: str) -> None:
    middle = sandtable.make(name, text=played(name, seed=6, plies=10).position_text())
    middle.apply_action(middle.legal_actions()[0])
    assert pickle.loads(pickle.dumps(middle)) == middle
    for loser in (0, 1, None):
        game = middle.clone()
        if loser is None:
            game.agree_draw()
        else:
            game.resign(loser)
        twin = pickle.loads(pickle.dumps(game))
        assert twin == game != middle and twin.outcome() == game.outcome()


def test_equality_includes_the_history(name: str) -> None:
    game = played(name, plies=6)
    same = sandtable.make(name, text=game.position_text())
    assert same.position_text() == game.position_text() and same.position_hash == game.position_hash
    assert same != game, "only one of them has a history"
    assert game != "a game"
    others = [sandtable.make(other) for other in sandtable.GAMES if other != name]
    assert all(other != sandtable.make(name) for other in others)


def test_position_texts_round_trip(name: str) -> None:
    game = sandtable.make(name)
    for game in random_game(name, seed=8, plies=40):
        twin = type(game).from_text(game.position_text())
        assert twin.position_text() == game.position_text()
        # A game can also end by repetition, which depends on the history.
        assert game.is_terminal() or twin.legal_actions() == game.legal_actions()
    with pytest.raises(ValueError):
        type(game).from_text("no position")
    with pytest.raises(TypeError, match="Game is abstract: use ChessGame, CoTuLenhGame or TribunGame"):
        sandtable.Game.from_text(game.position_text())


def test_types_name_the_game() -> None:
    # mypy checks these types; at run time they are only played.
    chess = assert_type(sandtable.make("chess"), sandtable.ChessGame)
    assert_type(sandtable.make("cotulenh"), sandtable.CoTuLenhGame)
    assert_type(sandtable.make("tribun", "standard"), sandtable.TribunGame)
    assert_type(sandtable.make(sandtable.GAMES[0]), sandtable.Game)
    tree = sandtable.MCTS(chess, lambda observations, masks: (masks, np.zeros(len(masks))))
    assert assert_type(tree.game, sandtable.ChessGame).fen == chess.fen


def test_rejects_unknown_names() -> None:
    with pytest.raises(ValueError, match="unknown game `go`: expected chess, cotulenh"):
        sandtable.make("go")
    with pytest.raises(ValueError, match="unknown rules `club`: expected standard or claims"):
        sandtable.make("chess", rules="club")
    with pytest.raises(TypeError):
        sandtable.Game()
    with pytest.raises(TypeError):
        sandtable.make(1)  # type: ignore[call-overload]


def test_played_moves_reproduce_the_game(name: str) -> None:
    game = played(name, plies=12)
    again = sandtable.make(name)
    for action in game.actions_played():
        again.apply_action(action)
    assert again == game
    again = sandtable.make(name)
    for move in game.moves_played():
        again.play(move)
    assert again == game
    again = sandtable.make(name)
    for san in game.sans_played():
        assert again.play(san) == san
    assert again == game


def test_played_moves_are_written_like_actions(name: str) -> None:
    for seed in range(5):
        game, rng = sandtable.make(name), random.Random(seed)
        texts, actions = [], []
        for _ in range(40):
            if game.is_terminal():
                break
            action = rng.choice(game.legal_actions())
            texts.append(game.action_to_string(action))
            actions.append(action)
            assert texts[-1] in game.legal_moves() and game.string_to_action(texts[-1]) == action
            game.apply_action(action)
        assert game.moves_played() == texts and game.actions_played() == actions


ANNOTATED = {
    "chess": "1. e4 {the king's pawn} (1. d4 d5 (1... Nf6)) 1... e5 $1 2. Nf3! *",
    "cotulenh": "1. Ic6 {a soldier} (1. Ik6 Ik7) 1... Ic7 $1 *",
    "tribun": "1. b3-e5 {a leap} (1. f4-g5) 1... f8-e7 $1",
}


def test_records_with_comments_and_variations_can_be_read(name: str) -> None:
    game, tags = type(sandtable.make(name)).from_record(ANNOTATED[name])
    assert (game.ply, tags) == (3 if name == "chess" else 2, [])


def test_records_round_trip(name: str) -> None:
    for rules in RULES[name]:
        game = played(name, seed=7, plies=60, rules=rules)
        read, tags = type(game).from_record(game.record([("Event", "test")]), rules=rules)
        assert type(read) is type(game) and read == game and ("Event", "test") in tags
    with pytest.raises(ValueError):
        type(game).from_record("1. nonsense")
    with pytest.raises(TypeError, match="Game is abstract"):
        sandtable.Game.from_record(game.record())


DEPLOYMENT = "10c/11/11/11/11/11/11/4i6/11/2(NFT)8/11/6C4 r - - 0 1"


@pytest.mark.parametrize(
    ("turn", "steps"),
    [
        ("c3:T:N>c5,F>xe5", ["Nc3>c5", "Fc3>xe5", "end"]),
        ("c3:-:N>c5,F>xe5,T>c4", ["Nc3>c5", "Fc3>xe5", "Tc3>c4"]),
        ("c3:(NT):F>e3", ["Fc3>e3", "end"]),
        ("(NFT)c3c5", ["(NFT)c3c5"]),
    ],
)
def test_play_accepts_complete_turns(turn: str, steps: list[str]) -> None:
    by_turn, by_step = sandtable.CoTuLenhGame(DEPLOYMENT), sandtable.CoTuLenhGame(DEPLOYMENT)
    written = by_turn.play(turn)
    for step in steps:
        by_step.play(step)
    assert by_turn == by_step and by_turn.ply == len(steps)
    assert by_turn.current_player() == 1 and by_turn.deployment() is None
    if len(steps) > 1:
        assert written == turn and f" {turn} " in by_turn.record()


@pytest.mark.parametrize("turn", ["c3:N:N>c5,F>xe5", "c3:T:N>c5,F>xe6", "c3:T:N>c5", "c3:T"])
def test_illegal_turns_change_nothing(turn: str) -> None:
    game = sandtable.CoTuLenhGame(DEPLOYMENT)
    with pytest.raises(ValueError):
        game.play(turn)
    assert game == sandtable.CoTuLenhGame(DEPLOYMENT) and game.ply == 0


def test_resignation_and_agreement(name: str) -> None:
    for player in (0, 1):
        game = sandtable.make(name)
        game.resign(player)
        outcome = game.outcome()
        assert outcome is not None and (outcome.winner, outcome.reason) == (1 - player, "resignation")
        assert game.is_terminal()
    for player in (2, -1, 2**70):
        with pytest.raises(ValueError, match="unknown player"):
            sandtable.make(name).resign(player)


def test_perft(name: str) -> None:
    first = {"chess": 20, "cotulenh": 116, "tribun": 265}
    game = sandtable.make(name)
    assert game.perft(0) == 1
    assert game.perft(1) == len(game.legal_actions()) == first[name]
    assert game.perft(2) == game.perft(2, threads=3)
    for depth in (-1, 101, 2**32, 2**70):
        with pytest.raises(ValueError, match=r"depth must be 0 to 100, not -?\d+"):
            game.perft(depth)
    with pytest.raises(ValueError, match="threads must be 1 to 256, not -1"):
        game.perft(1, threads=-1)


def test_deepest_perft_does_not_overflow_the_stack(name: str) -> None:
    # The count takes forever, but the first descent to full depth takes no time.
    code = f"import sandtable\nprint('ready', flush=True)\nsandtable.make('{name}').perft(100, threads=2)"
    process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE)
    try:
        assert process.stdout is not None and process.stdout.readline().strip() == b"ready"
        with pytest.raises(subprocess.TimeoutExpired):
            process.wait(timeout=1)
    finally:
        process.kill()
        process.wait()


def test_subclasses_are_final(name: str) -> None:
    # Copies and pickles of a user-defined subclass would lose its type.
    with pytest.raises(TypeError, match="not an acceptable base type"):
        type("Mine", (type(sandtable.make(name)),), {})
