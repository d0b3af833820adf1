"""The files of training: the sample format, damaged files, the replay window, and games of other origin."""

import pickle
import struct
import threading
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
import sandtable
from conftest import random_game
from sandtable.train.files import Lock, ShardError, replace
from sandtable.train.options import Options
from sandtable.train.replay import ReplayWindow, learned_plies, prefetch
from sandtable.train.samples import Result, SampleGame, open_writer, read_games
from sandtable.train.sources import engine_games, generated_games, recorded_games, result_of, split_records


def sample_game(name: str, number: int = 0, plies: int = 12) -> SampleGame:
    """A random game with policy targets in every other position."""
    rng = np.random.default_rng(number)
    counts: list[int] = []
    actions: list[int] = []
    weights: list[int] = []
    *positions, last = random_game(name, number, plies)
    board = sandtable.make(name)
    for ply, action in enumerate(last.actions_played()):
        legal = board.legal_actions()
        chosen = np.sort(rng.choice(legal, size=min(5, len(legal)), replace=False)) if ply % 2 else legal[:0]
        counts.append(len(chosen))
        actions.extend(chosen)
        weights.extend(rng.integers(1, 100, size=len(chosen)))
        board.apply_action(action)
    assert len(positions) >= len(counts)
    values = np.round(rng.uniform(-1, 1, len(counts)) * 32_767) / 32_767
    values[::3] = np.nan
    return SampleGame(
        number=number,
        network=3,
        result=Result(number % 4),
        start="",
        actions=np.array(last.actions_played(), np.uint32),
        values=values.astype(np.float32),
        counts=np.array(counts, np.uint16),
        policy_actions=np.array(actions, np.uint32),
        policy_weights=np.array(weights, np.uint16),
    )


def assert_equal(one: SampleGame, other: SampleGame) -> None:
    assert (one.number, one.network, one.result, one.start) == (
        other.number,
        other.network,
        other.result,
        other.start,
    )
    np.testing.assert_array_equal(one.actions, other.actions)
    np.testing.assert_allclose(one.values, other.values, atol=1e-7)
    np.testing.assert_array_equal(one.counts, other.counts)
    np.testing.assert_array_equal(one.policy_actions, other.policy_actions)
    np.testing.assert_array_equal(one.policy_weights, other.policy_weights)


def write(path: Path, name: str, games: list[SampleGame]) -> None:
    with open_writer(path, name, "standard") as writer:
        writer.append(game.encode() for game in games)


def test_games_survive_a_file(name: str, tmp_path: Path) -> None:
    path = tmp_path / "games.samples"
    games = [sample_game(name, number) for number in range(6)]
    write(path, name, games[:4])
    write(path, name, games[4:])
    read = read_games(path, name, "standard")
    assert len(read) == 6
    for one, other in zip(games, read, strict=True):
        assert_equal(one, other)


def test_golden_bytes(tmp_path: Path) -> None:
    # docs/training.md describes these bytes. They never change: a new layout has a new version.
    game = SampleGame(
        number=7,
        network=2,
        result=Result.SECOND_WINS,
        start="x",
        actions=np.array([5, 414_303], np.uint32),
        values=np.array([-1, np.nan], np.float32),
        counts=np.array([2, 0], np.uint16),
        policy_actions=np.array([5, 9], np.uint32),
        policy_weights=np.array([300, 1], np.uint16),
    )
    record = bytes.fromhex(
        "07000000 02000000 01 00 0100 02000000 02000000 78"
        "05000000 5f520600 0180 0080 0200 0000 05000000 09000000 2c01 0100"
    )
    assert game.encode() == record
    assert_equal(SampleGame.decode(record), game)
    path = tmp_path / "golden.samples"
    write(path, "tribun", [game])
    prefix = struct.pack("<II", len(record), zlib.crc32(record))
    assert path.read_bytes() == b"sandtable-samples 1 game=tribun rules=standard\n" + prefix + record


def test_a_torn_tail_is_removed_wherever_it_was_torn(tmp_path: Path) -> None:
    path = tmp_path / "torn.samples"
    games = [sample_game("chess", number, plies=2) for number in range(2)]
    write(path, "chess", games[:1])
    one = path.read_bytes()
    write(path, "chess", games[1:])
    two = path.read_bytes()
    for length in range(len(two)):
        path.write_bytes(two[:length])
        if length >= len(one):
            assert len(read_games(path, "chess", "standard")) == 1
        write(path, "chess", games[1:] if length >= len(one) else games)
        assert path.read_bytes() == two, length
    path.write_bytes(two + bytes(4096))
    assert len(read_games(path, "chess", "standard")) == 2


def test_damage_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "damaged.samples"
    write(path, "chess", [sample_game("chess", number) for number in range(2)])
    data = bytearray(path.read_bytes())
    data[100] ^= 1
    path.write_bytes(data)
    with pytest.raises(ShardError, match="is damaged: the record at byte 46 has a wrong checksum"):
        read_games(path, "chess", "standard")
    with pytest.raises(ShardError, match="is damaged"):
        open_writer(path, "chess", "standard")
    assert path.read_bytes() == data, "a damaged file is not changed"


def test_other_files_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "other.samples"
    write(path, "chess", [sample_game("chess")])
    with pytest.raises(ShardError, match=r"game=chess rules=standard`, not `.*game=tribun"):
        read_games(path, "tribun", "standard")
    with pytest.raises(ShardError, match="has other settings"):
        open_writer(path, "tribun", "standard")
    path.write_bytes(path.read_bytes().replace(b"samples 1", b"samples 2"))
    with pytest.raises(ShardError, match="is not a file of the format `sandtable-samples 1`"):
        read_games(path, "chess", "standard")
    with pytest.raises(ShardError, match="it begins with `not a shard`"):
        path.write_bytes(b"not a shard")
        open_writer(path, "chess", "standard")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda record: record[:10], "at least 20 bytes, not 10"),
        (lambda record: record + b"\0", "bytes, not"),
        (lambda record: record[:8] + b"\4" + record[9:], "has the result 4"),
    ],
)
def test_a_record_that_is_no_game_is_refused(change: Callable[[bytes], bytes], message: str) -> None:
    with pytest.raises(ShardError, match=message):
        SampleGame.decode(change(sample_game("chess").encode()))


def test_replace_leaves_no_other_file(tmp_path: Path) -> None:
    path = tmp_path / "file"
    replace(path, b"one")
    replace(path, b"two")
    assert path.read_bytes() == b"two" and list(tmp_path.iterdir()) == [path]


def test_one_process_at_a_time(tmp_path: Path) -> None:
    lock = Lock(tmp_path)
    with pytest.raises(BlockingIOError, match="another process is training in"):
        Lock(tmp_path)
    lock.release()
    Lock(tmp_path).release()


def test_batches_equal_the_games(name: str) -> None:
    # Not number 3, which is truncated; number 8 has no policy targets.
    games = [sample_game(name, number) for number in (0, 1, 2, 8)]
    games[3].counts[:] = 0
    games[3].policy_actions, games[3].policy_weights = np.zeros(0, np.uint32), np.zeros(0, np.uint16)
    window = ReplayWindow(name, "standard", 10_000, value_mix=0.0)
    window.add(games)
    assert [learned_plies(game).tolist() for game in games] == [[1, 3, 5, 7, 9, 11]] * 3 + [list(range(12))]
    assert len(window) == 3 * 6 + 12
    batch = window.sample(64, np.random.default_rng(1))
    reflected = 0
    mirrored: set[bytes] = set()
    expected = {}
    for game in games:
        at = 0
        for ply, board in enumerate(game.replay(name, "standard")):
            if ply == len(game.actions):
                break
            count = int(game.counts[ply])
            entries = slice(at, at + count)
            policy = dict(
                zip(game.policy_actions[entries].tolist(), game.policy_weights[entries].tolist(), strict=True)
            )
            at += count
            result = game.result.value_for(board.current_player())
            expected[board.observe().tobytes(), result] = (board.legal_actions(), policy)
            if 1 in board.symmetries():
                mirror, actions = board.transformed(1), sandtable.symmetry(name, 1).actions
                moved = {int(actions[action]): weight for action, weight in policy.items()}
                expected.setdefault((mirror.observe().tobytes(), result), (mirror.legal_actions(), moved))
                mirrored.add(mirror.observe().tobytes())
    for row in range(64):
        span = slice(batch.offsets[row], batch.offsets[row + 1])
        win, draw, loss = batch.results[row].tolist()
        assert win + draw + loss == 1
        legal, policy = expected[batch.observations[row].tobytes(), int(win - loss)]
        assert sorted(batch.actions[span].tolist()) == legal
        reflected += batch.observations[row].tobytes() in mirrored
        assert bool(policy) == bool(batch.has_policy[row])
        total = sum(policy.values()) or 1
        target = [policy.get(action, 0) / total for action in batch.actions[span].tolist()]
        assert batch.policy[span] == pytest.approx(target)
    # Chess positions after few moves have castling rights, and the map of Cờ Tư Lệnh is not symmetric.
    assert (reflected > 16) == (name == "tribun")


def test_the_window_keeps_the_most_recent_games() -> None:
    games = [sample_game("chess", number) for number in range(5)]
    window = ReplayWindow("chess", "standard", 12, value_mix=0.0)
    window.add(games)
    assert len(window) == 12
    again = ReplayWindow("chess", "standard", 12, value_mix=0.0)
    again.add(games[3:])
    one, other = (w.sample(8, np.random.default_rng(5)) for w in (window, again))
    np.testing.assert_array_equal(one.observations, other.observations)


def test_value_targets_mix_result_and_search() -> None:
    game = SampleGame.without_search(0, Result.FIRST_WINS, "", sandtable.ChessGame().legal_actions()[:1])
    game.values[:] = -0.5
    for mix, expected in [(0.0, [1, 0, 0]), (1.0, [0, 0.5, 0.5]), (0.5, [0.5, 0.25, 0.25])]:
        window = ReplayWindow("chess", "standard", 10, value_mix=mix)
        window.add([game])
        batch = window.sample(1, np.random.default_rng(1))
        assert batch.results[0] == pytest.approx(expected)


def test_a_truncated_game_has_the_value_of_its_last_search() -> None:
    *_, last = random_game("chess", 1, 4)
    game = SampleGame.without_search(0, Result.TRUNCATED, "", last.actions_played())
    game.values[:] = [0.9, 0.0, 0.5, np.nan]
    window = ReplayWindow("chess", "standard", 4, value_mix=0.0)
    window.add([game])
    results = window.sample(32, np.random.default_rng(1)).results
    # White expected half a point before its second move.
    assert {tuple(row) for row in results.tolist()} == {(0.5, 0.5, 0.0), (0.0, 0.5, 0.5)}
    game.values[:] = np.nan
    window.add([game])
    assert (window.sample(8, np.random.default_rng(1)).results == [0, 1, 0]).all(), "a draw"


def test_an_illegal_target_is_refused() -> None:
    game = sample_game("chess")
    game.policy_actions[0] = 4671
    with pytest.raises(ValueError, match="game 0, move 1: the policy target has an illegal action"):
        ReplayWindow("chess", "standard", 10, value_mix=0.0).add([game])


def test_prefetching_keeps_order_and_errors() -> None:
    assert list(prefetch(range(50))) == list(range(50))
    before = threading.active_count()
    for item in prefetch(iter(range(10**9))):
        if item == 3:
            break
    assert threading.active_count() == before

    def failing() -> Iterator[int]:
        yield 1
        raise RuntimeError("broken")

    with pytest.raises(RuntimeError, match="broken"):
        list(prefetch(failing()))


def test_engine_games_depend_on_their_number_alone() -> None:
    options = Options("chess", "standard", from_engine=3, engine_nodes=20, threads=2)
    games = list(engine_games(options, 0))
    assert [game.number for game in games] == [0, 1, 2]
    assert_equal(next(engine_games(options, 2)), games[2])
    assert all(4 <= (game.counts == 0).sum() < len(game.counts) / 2 for game in games), (
        "random moves are no targets"
    )
    window = ReplayWindow("chess", "standard", 10_000, value_mix=0.25)
    window.add(games)
    assert len(window) == sum(int(game.counts.sum()) for game in games)


def test_engine_games_have_values() -> None:
    options = Options("tribun", "standard", from_engine=2, engine_nodes=30)
    for game in engine_games(options, 0):
        searched = game.counts > 0
        assert (np.isnan(game.values) == ~searched).all()
        assert np.abs(game.values[searched]).max() <= 1
        *_, last = game.replay("tribun", "standard")
        if last.is_terminal():
            assert game.result is result_of(last)
        elif game.result is not Result.TRUNCATED:
            # The last scores of the winner are beyond 15 pawns.
            winner = np.arange(len(game.actions)) % 2 == game.result
            assert (game.values[winner & searched][-3:] > 0.9).all()


def test_engine_games_are_values_and_name_bad_arguments() -> None:
    game = sandtable.engine_game("chess", 3, nodes=10, opening_plies=2, max_plies=4)
    assert game == sandtable.engine_game("chess", 3, nodes=10, opening_plies=2, max_plies=4)
    assert game == pickle.loads(pickle.dumps(game))
    assert game != sandtable.engine_game("chess", 3, seed=2, nodes=10, opening_plies=2, max_plies=4)
    assert [value is None for value in game.values] == [True] * 2 + [False] * 4
    assert len(game.actions) == 6 and game.truncated and game.winner is None
    for arguments, message in [
        ({"nodes": 0}, "nodes must be at least 1, not 0"),
        ({"random_moves": 101}, "random_moves must be 0 to 100, not 101"),
        ({"rules": "none"}, "none"),
    ]:
        with pytest.raises(ValueError, match=message):
            sandtable.engine_game("chess", 0, **arguments)  # type: ignore[arg-type]


def test_random_games_are_played_to_the_end(name: str) -> None:
    options = Options(name, "standard", from_engine=1, from_random=3, random_plies=24, engine_nodes=1)
    games = list(generated_games(options, 1))
    assert [game.number for game in games] == [0, 1, 2]
    assert_equal(next(generated_games(options, 3)), games[2])
    for game in games:
        *_, last = game.replay(name, "standard")
        assert result_of(last) is game.result and 0 < len(game.actions) <= 24
        assert last.is_terminal() and game.result < Result.DRAW
        assert not game.counts.any() and np.isnan(game.values).all()
    window = ReplayWindow(name, "standard", 1000, value_mix=0.25)
    window.add(games)
    assert len(window) == sum(len(game.actions) for game in games)
    assert not window.sample(8, np.random.default_rng(1)).has_policy.any()


def test_records_of_all_games(name: str, tmp_path: Path) -> None:
    boards = []
    for number in range(3):
        *_, board = random_game(name, number, 20)
        boards.append(board)
    boards[1].resign(0)
    path = tmp_path / "games.txt"
    path.write_text("\n".join(board.record() for board in boards), encoding="utf-8")
    assert len(split_records(path.read_text(encoding="utf-8"))) == 3
    games = list(recorded_games(Options(name, "standard", from_records=(str(path),))))
    assert [game.actions.tolist() for game in games] == [board.actions_played() for board in boards]
    assert games[1].result is Result.SECOND_WINS and games[0].start == ""


def test_wrapped_comments_do_not_split_games() -> None:
    tags = '[Event "?"]\n[Site "?"]\n\n'
    games = [
        tags + "1. e4 { long\n[%clk 0:01:00] } e5\n[%clk 0:00:59] *\n\n",
        '[Event "?"]\n\n[Site "?"]\n1. d4 *\n\n',
        tags + "1. c4 *\n",
    ]
    assert [record.strip() for record in split_records("".join(games))] == [game.strip() for game in games]


def test_records_with_a_start_position_and_errors(tmp_path: Path) -> None:
    board = sandtable.ChessGame("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1")
    board.play("d1d8")
    path = tmp_path / "mate.pgn"
    path.write_text(board.record())
    (game,) = recorded_games(Options("chess", "standard", from_records=(str(path),)))
    assert game.result is Result.FIRST_WINS and game.start.startswith("6k1/5ppp")
    path.write_text("1. e4 e5 2. Ke5 *\n")
    with pytest.raises(ValueError, match=r"mate.pgn, game 1: .*Ke5"):
        list(recorded_games(Options("chess", "standard", from_records=(str(path),))))


def test_files_of_the_command_line(tmp_path: Path) -> None:
    # Two moves of an opening, a searched move with the score -3, a random move; the first player wins.
    board = sandtable.ChessGame()
    actions = []
    for text in ("e2e4", "e7e5", "g1f3", "a7a6"):
        actions.append(board.string_to_action(text))
        board.play(text)

    def number(value: int) -> bytes:
        return bytes([value & 0x7F | 0x80]) + number(value >> 7) if value > 127 else bytes([value])

    first, second, third, fourth = actions
    record = b"\0" + b"".join(map(number, [2, first, second, third, 5, fourth, 65_535]))
    path = tmp_path / "0.games"
    header = b"sandtable-games 1 game=chess rules=standard engine=0.1.0 eval=hand nodes=10 shard=0/8\n"
    path.write_bytes(header + struct.pack("<II", len(record), zlib.crc32(record)) + record)
    (game,) = recorded_games(Options("chess", "standard", from_records=(str(tmp_path),)))
    assert game.actions.tolist() == actions and game.result is Result.FIRST_WINS
    assert game.counts.tolist() == [0, 0, 1, 0], "random moves are no targets"
    assert game.policy_actions.tolist() == [third]
    with pytest.raises(ShardError, match="has games of chess"):
        list(recorded_games(Options("tribun", "standard", from_records=(str(tmp_path),))))
