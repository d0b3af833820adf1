"""The test vectors of the Rust tests through Python. Independent implementations produced them."""

import base64
import hashlib
import json
from collections.abc import Iterator
from typing import Any

import pytest
import sandtable
from conftest import ROOT

COTULENH = ROOT / "crates/cotulenh/tests/vectors"
TRIBUN = ROOT / "crates/tribun/tests/vectors"


def lines(path: Any) -> Iterator[dict[str, Any]]:
    with open(path, encoding="utf-8") as file:
        yield from map(json.loads, file)


def sha(texts: list[str]) -> str:
    return hashlib.sha256("\n".join(texts).encode()).hexdigest()[:16]


def complete_turns(game: sandtable.Game) -> set[str]:
    """The texts of the distinct positions after one complete turn."""
    player, found, seen = game.current_player(), set(), set()
    waiting = [game]
    while waiting:
        position = waiting.pop()
        for action in position.legal_actions():
            after = position.clone()
            after.apply_action(action)
            text = after.position_text()
            if text in seen:
                continue
            seen.add(text)
            if after.current_player() != player or after.is_terminal():
                found.add(text)
            else:
                waiting.append(after)
    return found


@pytest.mark.parametrize("path", sorted(COTULENH.glob("*.jsonl")), ids=lambda path: path.stem)
def test_cotulenh(path: Any) -> None:
    rules = "club" if "club" in path.stem else "standard"
    checked = 0
    for vector in lines(path):
        game = sandtable.CoTuLenhGame(vector["fen"], rules=rules)
        assert game.position_text() == vector["fen"]
        assert game.in_check() == vector["check"], vector["fen"]
        steps = sorted(game.action_to_string(action) for action in game.legal_actions())
        assert steps == vector["steps"], vector["fen"]
        turns = complete_turns(game)
        assert len(turns) == vector["turns"], vector["fen"]
        assert sha(sorted(turns)) == vector["turns_sha"], vector["fen"]
        checked += 1
    assert checked >= 100


@pytest.mark.parametrize("path", sorted(TRIBUN.glob("*.jsonl")), ids=lambda path: path.stem)
def test_tribun(path: Any) -> None:
    checked = 0
    for vector in lines(path):
        game = sandtable.TribunGame(f"{vector['board']} {'bw'[vector['turn']]}")
        assert game.current_player() == vector["turn"]
        assert base64.b64encode(game.board_bytes()).decode() == vector["board"]
        words = sorted(game.action_word(action) for action in game.legal_actions())
        assert words == vector["actions"]
        boards = []
        for word in words:
            after = game.clone()
            after.apply_action(game.action_from_word(word))
            # Opcode 9, an attack on the tribun, ends the game: the vectors omit its board.
            boards.append("" if word >> 28 == 9 else base64.b64encode(after.board_bytes()).decode())
        assert sha(boards) == vector["next_sha"]
        checked += 1
    assert checked >= 70
