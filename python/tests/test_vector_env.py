"""`VectorEnv`: many games in lockstep behave like single games."""

import contextlib
import pickle
import threading

import numpy as np
import pytest
import sandtable
from conftest import played
from sandtable import VectorEnv


def test_environments_behave_like_single_games(name: str) -> None:
    env = VectorEnv(name, 4, seed=3, max_plies=60)
    games = [sandtable.make(name) for _ in range(4)]
    observations, masks = env.reset()
    ended = 0
    for _ in range(150):
        for number, game in enumerate(games):
            np.testing.assert_array_equal(observations[number], game.observe())
            np.testing.assert_array_equal(masks[number], game.legal_actions_mask())
            assert env.players[number] == game.current_player() and env.game(number) == game
        actions = env.sample_actions()
        observations, rewards, terminated, truncated, masks = env.step(actions)
        for number, game in enumerate(games):
            game.apply_action(actions[number])
            assert rewards[number].tolist() == game.returns()
            assert terminated[number] == game.is_terminal()
            assert truncated[number] == (not game.is_terminal() and game.ply == 60)
            if terminated[number] or truncated[number]:
                np.testing.assert_array_equal(env.final_observations[number], game.observe())
                games[number] = sandtable.make(name)
                ended += 1
    assert ended >= 6


def test_arrays_are_allocated_once(name: str) -> None:
    env = VectorEnv(name, 3, layout="chw")
    names = ["observations", "masks", "players", "rewards", "terminated", "truncated", "final_observations"]
    before = {attribute: getattr(env, attribute) for attribute in names}
    planes, (rows, columns) = len(sandtable.make(name).planes), sandtable.make(name).observation_shape[:2]
    assert env.observations.shape == (3, planes, rows, columns)
    first = env.reset()
    stepped = env.step(env.sample_actions())
    assert first[0] is stepped[0] is env.observations
    for attribute, array in before.items():
        now = getattr(env, attribute)
        assert now is array and now.flags.c_contiguous
    assert not env.masks.flags.writeable
    out = np.zeros(3, np.int64)
    assert env.sample_actions(out) is out


def play(name: str, threads: int, seed: int | list[int], steps: int = 60) -> list[bytes]:
    env = VectorEnv(name, 6, threads=threads, seed=seed, max_plies=25, opening_plies=2)
    results: list[bytes] = []
    for _ in range(steps):
        actions = env.sample_actions()
        observations, rewards, terminated, truncated, _ = env.step(actions)
        arrays = (actions, observations, rewards, terminated, truncated, env.players)
        results.extend(array.tobytes() for array in arrays)
    return results


def test_results_depend_on_seeds_but_not_on_threads(name: str) -> None:
    one = play(name, 1, 5)
    assert play(name, 2, 5) == one and play(name, 4, 5) == one
    assert play(name, 1, 6) != one


def test_one_seed_per_environment() -> None:
    env = VectorEnv("chess", 4, seed=[1, 2, 1, 2], opening_plies=8)
    texts = [env.game(number).position_text() for number in range(4)]
    assert texts[0] == texts[2] != texts[1] == texts[3]
    env.reset()
    assert env.game(0).position_text() != texts[0], "reset without a seed must not reseed the generators"
    env.reset(seed=[1, 2, 1, 2])
    assert [env.game(number).position_text() for number in range(4)] == texts
    env.reset(seed=7)
    assert len({env.game(number).position_text() for number in range(4)}) > 1


def test_default_seed_is_0() -> None:
    texts = [
        [
            VectorEnv("chess", 3, seed=seed, opening_plies=8).game(number).position_text()
            for number in range(3)
        ]
        for seed in (None, 0, 1)
    ]
    assert texts[0] == texts[1] != texts[2]


def test_illegal_actions_change_nothing() -> None:
    env = VectorEnv("chess", 3)
    before = [array.copy() for array in (env.observations, env.masks, env.players)]
    actions = env.sample_actions()
    for wrong in (0, -1, 4672, 2**62):
        with pytest.raises(ValueError, match=f"action {wrong} is not legal in environment 1"):
            env.step([actions[0], wrong, actions[2]])
    for kept, now in zip(before, (env.observations, env.masks, env.players), strict=True):
        np.testing.assert_array_equal(kept, now)
    assert [env.game(number).ply for number in range(3)] == [0, 0, 0]


def test_accepts_every_integer_type() -> None:
    for convert in (list, tuple, lambda a: a.astype(np.int32), lambda a: a.astype(np.uint16)):
        env = VectorEnv("chess", 3)
        env.step(convert(env.sample_actions()))
        assert env.game(2).ply == 1
    env = VectorEnv("chess", 3)
    env.step(np.repeat(env.sample_actions(), 2)[::2])
    packed = np.zeros(3, dtype=[("a", "<i8"), ("p", "i1")])
    packed["a"] = expected = env.sample_actions()
    env.step(packed["a"])
    assert [env.game(number).actions_played()[1] for number in range(3)] == expected.tolist()
    for wrong in (np.zeros(3), ["e4"] * 3, None, np.zeros(3, bool)):
        with pytest.raises(TypeError):
            env.step(wrong)  # type: ignore[arg-type]
    for shape in ((2,), (4,), (3, 1), (), (0,)):
        with pytest.raises(ValueError, match=r"actions must have shape \(3,\)"):
            env.step(np.zeros(shape, np.int64))


def test_actions_are_copied_before_the_lock_is_released() -> None:
    # Enough environments that the other thread wakes up during a step.
    envs = 1_000
    env = VectorEnv("chess", envs, seed=1)
    legal = env.sample_actions()
    actions = legal.copy()
    over = threading.Event()

    def overwrite() -> None:
        while not over.is_set():
            actions.fill(0)
            actions[:] = legal

    thread = threading.Thread(target=overwrite)
    thread.start()
    try:
        for _ in range(30):
            env.reset()
            try:
                env.step(actions)
            except ValueError:
                assert [env.game(number).ply for number in range(envs)] == [0] * envs
            else:
                assert [env.game(number).actions_played()[0] for number in range(envs)] == legal.tolist()
    finally:
        over.set()
        thread.join()


def test_rejects_invalid_settings() -> None:
    for arguments, message in (
        ({"num_envs": 0}, "num_envs must be at least 1, not 0"),
        ({"num_envs": -1}, "num_envs must be at least 1, not -1"),
        ({"max_plies": 0}, "max_plies must be at least 1, not 0"),
        ({"max_plies": -(2**70)}, "max_plies must be at least 1, not -"),
        ({"opening_plies": -1}, "opening_plies must be at least 0, not -1"),
        ({"opening_plies": 9, "max_plies": 9}, r"opening_plies must be less than max_plies \(9\), not 9"),
    ):
        with pytest.raises(ValueError, match=message):
            VectorEnv("chess", **({"num_envs": 2} | arguments))  # type: ignore[arg-type]
    for threads in (0, 257, -1, 2**70):
        with pytest.raises(ValueError, match="threads must be 1 to 256, not"):
            VectorEnv("chess", 2, threads=threads)
    with pytest.raises(MemoryError):
        VectorEnv("tribun", 2**40)
    with pytest.raises(ValueError, match="unknown game `go`: expected"):
        VectorEnv("go", 2)
    with pytest.raises(ValueError, match="expected 2 seeds, one per environment, found 3"):
        VectorEnv("chess", 2, seed=[1, 2, 3])
    for seed in (-1, 2**64, [1, -1], np.array([1, -1])):
        with pytest.raises(ValueError, match="seed must be 0 to 18446744073709551615, not"):
            VectorEnv("chess", 2, seed=seed)  # type: ignore[arg-type]
    for wrong in (1.5, "x", [1, "x"]):
        with pytest.raises(TypeError, match="seed must be an integer"):
            VectorEnv("chess", 2, seed=wrong)  # type: ignore[arg-type]
    for number in (2, -1, 2**70):
        with pytest.raises(IndexError, match=r"unknown environment -?\d+: expected 0 to 1"):
            VectorEnv("chess", 2).game(number)


def test_properties(name: str) -> None:
    env = VectorEnv(name, 2, threads=2, opening_plies=3)
    assert (env.name, env.num_envs, len(env), env.threads) == (name, 2, 2, 2)
    assert env.num_actions == sandtable.make(name).num_actions == env.masks.shape[1]
    assert env.autoreset_mode == "SameStep" and env.max_plies > 100 and env.opening_plies == 3
    assert repr(env) == f"VectorEnv('{name}', 2, threads=2, rules='standard')"


def test_legal_actions_can_be_lists_instead_of_masks(name: str) -> None:
    dense = VectorEnv(name, 6, seed=4, opening_plies=3, max_plies=20)
    sparse = VectorEnv(name, 6, seed=4, opening_plies=3, max_plies=20, masks=False)
    assert sparse.masks is None
    _, (actions, offsets) = sparse.reset(seed=5)
    _, masks = dense.reset(seed=5)
    for _ in range(30):
        assert actions.dtype == np.int32 and offsets.dtype == np.int64 and offsets[-1] == len(actions)
        for env in range(6):
            listed = np.sort(actions[offsets[env] : offsets[env + 1]])
            np.testing.assert_array_equal(listed, np.flatnonzero(masks[env]))
        chosen = dense.sample_actions()
        np.testing.assert_array_equal(chosen, sparse.sample_actions())
        *_, masks = dense.step(chosen)
        *_, (actions, offsets) = sparse.step(chosen)
        np.testing.assert_array_equal(dense.observations, sparse.observations)
    np.testing.assert_array_equal(dense.legal_actions()[0], sparse.legal_actions()[0])
    np.testing.assert_array_equal(dense.legal_actions()[1], sparse.legal_actions()[1])


def test_some_environments_can_be_reset() -> None:
    env = VectorEnv("tribun", 4, seed=1, opening_plies=2)
    for _ in range(5):
        env.step(env.sample_actions())
    before = [env.game(i) for i in range(4)]
    env.reset(mask=[True, False, False, True])
    after = [env.game(i) for i in range(4)]
    assert [game.ply for game in after] == [2, 7, 7, 2] and after[1:3] == before[1:3]
    for i in range(4):
        np.testing.assert_array_equal(env.observations[i], after[i].observe())
        np.testing.assert_array_equal(env.masks[i], after[i].legal_actions_mask())
    with pytest.raises(ValueError, match=r"mask must be one number or have shape \(4,\), not shape \(3,\)"):
        env.reset(mask=[True] * 3)
    with pytest.raises(TypeError, match="mask must be bool, not int64"):
        env.reset(mask=[1, 0, 0, 1])


def test_a_game_can_be_set(name: str) -> None:
    env = VectorEnv(name, 3, seed=1)
    game = played(name, plies=11)
    env.set_game(1, game)
    assert env.game(1) == game and env.game(0).ply == 0
    np.testing.assert_array_equal(env.observations[1], game.observe())
    np.testing.assert_array_equal(env.masks[1], game.legal_actions_mask())
    assert env.players[1] == game.current_player()
    env.step(env.sample_actions())
    assert env.game(1).ply == 12
    game.resign(0)
    with pytest.raises(ValueError, match="the game is over: an environment needs a game in progress"):
        env.set_game(0, game)
    with pytest.raises(IndexError, match="unknown environment 3: expected 0 to 2"):
        env.set_game(3, game)
    other = sandtable.make("chess" if name != "chess" else "tribun")
    with pytest.raises(TypeError, match=f"expected a game of {name}, not of {other.name}"):
        env.set_game(0, other)


@pytest.mark.parametrize("masks", [True, False])
def test_environments_can_be_pickled_with_their_random_state(name: str, masks: bool) -> None:
    env = VectorEnv(name, 5, seed=9, opening_plies=2, max_plies=12, threads=2, layout="chw", masks=masks)
    for _ in range(10):
        env.step(env.sample_actions())
    copy = pickle.loads(pickle.dumps(env))
    arrays = ["observations", "players", "rewards", "terminated", "truncated", "final_observations", "masks"]
    for array in arrays:
        np.testing.assert_array_equal(getattr(env, array), getattr(copy, array))
    for _ in range(15):
        actions = env.sample_actions()
        np.testing.assert_array_equal(actions, copy.sample_actions())
        for result, copied in zip(env.step(actions), copy.step(actions), strict=True):
            for mine, other in zip(result, copied, strict=True):
                np.testing.assert_array_equal(mine, other)
    assert [env.game(i) for i in range(5)] == [copy.game(i) for i in range(5)]


def test_observations_are_read_only_and_changes_of_the_view_do_not_reach_the_array() -> None:
    env = VectorEnv("chess", 4)
    with pytest.raises(ValueError, match="read-only"):
        env.observations[0] = 1
    view = env.observations
    view.dtype = np.uint8  # type: ignore[assignment, misc]
    env.step(env.sample_actions())
    view.dtype = np.float32  # type: ignore[assignment, misc]
    np.testing.assert_array_equal(view[0], env.game(0).observe())


def test_a_step_used_to_write_beyond_an_array_whose_dtype_had_changed() -> None:
    env = VectorEnv("chess", 4)
    actions = env.sample_actions()
    size = env.rewards.size
    array = env.rewards
    array.dtype = np.uint8  # type: ignore[assignment, misc]
    with contextlib.suppress(ValueError):
        array.resize(size, refcheck=False)
    with pytest.raises(TypeError, match="the dtype of an array was changed from float32 to uint8"):
        env.step(actions)
