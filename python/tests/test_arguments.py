"""Errors for huge integers, and for a game that two threads use at the same time."""

import threading
from collections.abc import Callable
from typing import Any

import pytest
import sandtable
from sandtable import ChessGame, CoTuLenhGame, Game, Square, Tile, TribunGame, Unit

HUGE = 10**30


@pytest.mark.parametrize("number", [HUGE, -HUGE])
@pytest.mark.parametrize(
    "call",
    [
        lambda n: ChessGame().apply_action(n),
        lambda n: ChessGame().action_to_string(n),
        lambda n: ChessGame().get_move_from_index(n),
        lambda n: ChessGame().piece_at(n),
        lambda n: ChessGame().resign(n),
        lambda n: ChessGame().draw_action(n, "offer"),
        lambda n: ChessGame().perft(n),
        lambda n: ChessGame().perft(1, threads=n),
        lambda n: ChessGame().svg(size=n),
        lambda n: ChessGame().transformed(n),
        lambda n: CoTuLenhGame().stack_at(n),
        lambda n: CoTuLenhGame().commander(n),
        lambda n: TribunGame().unit_at(n),
        lambda n: TribunGame().action_from_word(n),
        lambda n: Square(n),
        lambda n: Tile(n),
        lambda n: Tile(60).neighbor(n),
        lambda n: Tile.from_coords(n, 0),
        lambda n: Unit(n),
        lambda n: sandtable.DrawOffer("open", n),
        lambda n: sandtable.LevelPlayer("chess", n),
        lambda n: sandtable.LevelPlayer("chess", 1, seed=n),
        lambda n: sandtable.LevelPlayer("chess", 1, hash_mb=n),
        lambda n: sandtable.decode_observation(ChessGame().observe(), player=n),
        lambda n: sandtable.search(ChessGame(), depth=n),
        lambda n: sandtable.search(ChessGame(), nodes=n),
        lambda n: sandtable.search(ChessGame(), depth=1, lines=n),
        lambda n: sandtable.search(ChessGame(), depth=1, hash_mb=n),
        lambda n: sandtable.review(ChessGame(), nodes=n),
        lambda n: sandtable.symmetry("chess", n),
    ],
)
def test_errors_name_huge_integers(call: Callable[[int], Any], number: int) -> None:
    with pytest.raises(ValueError, match=rf"(?<!\d){number}(?!\d)"):
        call(number)


def test_errors_name_integers_of_any_size() -> None:
    with pytest.raises(ValueError, match="1" + "0" * 60 + " is out of range: expected an integer"):
        ChessGame().apply_action(10**60)


def test_a_game_in_use_by_another_thread_cannot_change(name: str) -> None:
    game = sandtable.make(name)
    games = [game] * 3_000
    started = threading.Event()

    def encode() -> None:
        started.set()
        while not refused:
            sandtable.encode_batch(games)

    refused: list[str] = []
    thread = threading.Thread(target=encode, daemon=True)
    thread.start()
    started.wait()
    while not refused:
        try:
            game.resign(0)
        except RuntimeError as error:
            refused.append(str(error))
    thread.join()
    message = "the game is in use by another thread or call: give each thread a game of its own with clone()"
    assert refused == [message]


def test_threads_may_count_one_game_at_the_same_time() -> None:
    game: Game = sandtable.make("chess")
    counts: list[int] = []
    threads = [threading.Thread(target=lambda: counts.append(game.perft(4))) for _ in range(3)]
    for thread in threads:
        thread.start()
    # The threads count copies, so the game may change meanwhile.
    while any(thread.is_alive() for thread in threads):
        game.play("e2e4")
        game.undo()
    assert len(counts) == 3 and set(counts) <= {197_281, 206_603}
