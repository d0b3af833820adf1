"""Squares, stacks, tiles and units: the board models of Cờ Tư Lệnh and Tribun."""

import pickle

import pytest
from conftest import random_game
from sandtable import CoTuLenhGame, Piece, Square, Stack, Tile, TribunGame, Unit


def test_square_index_is_the_mailbox_index() -> None:
    squares = Square.all()
    assert len(squares) == 132 and squares == sorted(squares)
    for square in squares:
        assert square.index == int(square) == square.rank_index * 16 + square.file
        assert square.rank == 12 - square.rank_index
        assert square.name == str(square) == "abcdefghijk"[square.file] + str(square.rank)
        assert square == Square(square.name) == Square(square.index) == Square(square)
        assert pickle.loads(pickle.dumps(square)) == square and hash(square) == hash(Square(square.name))
    assert [Square(name).index for name in ("a12", "k12", "a1", "k1", "e6", "f7", "d5", "h9")] == [
        0,
        10,
        176,
        186,
        100,
        85,
        115,
        55,
    ]


def test_terrain_and_zones() -> None:
    for square in Square.all():
        river = square.file in (3, 4) and square.rank in (6, 7)
        expected = "water" if square.file < 2 else "mixed" if square.file == 2 or river else "land"
        assert square.terrain == expected
        assert square.zone == ("upper" if square.rank_index <= 5 else "lower")


@pytest.mark.parametrize(
    ("wrong", "error"),
    [
        (11, ValueError),
        (187, ValueError),
        (-1, ValueError),
        (256, ValueError),
        ("l1", ValueError),
        ("a13", ValueError),
        ("", ValueError),
        (1.5, TypeError),
        (None, TypeError),
    ],
)
def test_rejects_invalid_squares(wrong: object, error: type[Exception]) -> None:
    with pytest.raises(error):
        Square(wrong)  # type: ignore[arg-type]
    with pytest.raises(error):
        CoTuLenhGame().stack_at(wrong)  # type: ignore[arg-type]


def test_stacks() -> None:
    game = CoTuLenhGame()
    stacks = game.stacks()
    assert len(stacks) == 38
    for square, stack in stacks.items():
        assert game.stack_at(square) == game.stack_at(square.name) == game.stack_at(square.index) == stack
        assert len(stack) == len(stack.pieces) == 1 and stack.carrier == stack.pieces[0]
        assert stack.owner == stack.carrier.owner == (0 if square.rank <= 5 else 1)
    assert game.commander(0) == Square("g1") and game.commander(1) == Square("g12")
    assert game.stack_at("e6") is None and game.deployment() is None
    kinds = sorted(stack.carrier.type for stack in stacks.values() if stack.owner == 0)
    assert "".join(kinds) == "aaceeffgghhiimnnstt"


def test_stack_with_a_heroic_carrier() -> None:
    text = "6c4/11/11/11/11/11/11/11/4(+FTI)6/11/11/6C4 r - - 0 1"
    game = CoTuLenhGame(text)
    stack = game.stack_at("e4")
    assert stack is not None and str(stack) == "(+FTI)" and len(stack) == 3
    assert [(piece.type, piece.heroic, piece.color) for piece in stack.pieces] == [
        ("f", True, "r"),
        ("t", False, "r"),
        ("i", False, "r"),
    ]
    assert stack.carrying == stack.pieces[1:] and stack.carrier.type == "f"
    deploy = next(action for action in game.legal_actions() if ">" in game.action_to_string(action))
    game.apply_action(deploy)
    assert game.deployment() == Square("e4") and game.current_player() == 0


def test_pieces_stacks_and_units_are_validated() -> None:
    stack = Stack([Piece("b", "i"), Piece("b", "t", heroic=True)])
    assert str(stack) == "(+ti)" and stack.carrier == Piece("b", "t", True) and stack.owner == 1
    assert Unit(0xC1).is_tribun and str(Unit(0xC1)) == "1*"
    for wrong, reason in [
        ([], "empty stack"),
        ([Piece("r", "i"), Piece("b", "t")], "mixed colours"),
        ([Piece("r", "i"), Piece("r", "i")], "duplicate I"),
    ]:
        with pytest.raises(ValueError, match=reason):
            Stack(wrong)
    for color, kind in [("g", "i"), ("r", "x")]:
        with pytest.raises(ValueError, match=r"unknown (color|type)"):
            Piece(color, kind)
    for byte in (0, 7, 0x80, 0x89):
        with pytest.raises(ValueError):
            Unit(byte)


def test_cid_is_computed_from_the_coordinates() -> None:
    tiles = Tile.all()
    assert len(tiles) == 91 and tiles == sorted(tiles)
    on_board = {(x, y) for x in range(-5, 6) for y in range(-5, 6) if max(abs(x), abs(y), abs(x - y)) <= 5}
    assert {(tile.x, tile.y) for tile in tiles} == on_board
    for tile in tiles:
        assert tile.cid == int(tile) == (tile.x + 5) * 11 + (tile.y + 5)
        assert tile == Tile(tile.cid) == Tile(tile.name) == Tile.from_coords(tile.x, tile.y) == Tile(tile)
        assert pickle.loads(pickle.dumps(tile)) == tile


def test_neighbors() -> None:
    vectors = [(1, 1), (1, 0), (0, 1), (-1, -1), (-1, 0), (0, -1)]
    tiles = {(tile.x, tile.y): tile for tile in Tile.all()}
    for (x, y), tile in tiles.items():
        neighbors = [tiles.get((x + dx, y + dy)) for dx, dy in vectors]
        assert [tile.neighbor(direction) for direction in range(6)] == neighbors
        assert [other for other in Tile.all() if tile.is_adjacent(other)] == sorted(
            other for other in neighbors if other is not None
        )
        for other in neighbors:
            assert other is None or other.color != tile.color
    assert (Tile.from_coords(0, 0).color, Tile.from_coords(1, 1).color, Tile.from_coords(-1, -1).color) == (
        "gray",
        "black",
        "white",
    )
    with pytest.raises(ValueError, match="unknown direction 6: expected 0 to 5"):
        Tile(60).neighbor(6)


@pytest.mark.parametrize("wrong", [121, 127, 128, -1, 300, 10, "z1", "a11"])
def test_rejects_invalid_tiles(wrong: object) -> None:
    with pytest.raises(ValueError):
        Tile(wrong)  # type: ignore[arg-type]
    with pytest.raises(ValueError):
        Tile.from_coords(5, -5)
    for x, y in ((300, 0), (0, -300), (2**70, 0)):
        with pytest.raises(ValueError, match=r"coordinate -?\d+ is off the board"):
            Tile.from_coords(x, y)


@pytest.mark.parametrize("wrong", [0, 7, -1, 256, 2**70])
def test_rejects_invalid_unit_bytes_and_action_words(wrong: int) -> None:
    with pytest.raises(ValueError):
        Unit(wrong)
    with pytest.raises(ValueError):
        TribunGame().action_from_word(wrong)


def test_unit_bytes_decode_to_units() -> None:
    for game in random_game("tribun", seed=4, plies=60):
        assert isinstance(game, TribunGame)
        board = game.board_bytes()
        units = game.units()
        assert len(board) == 121 and {tile.cid for tile in units} == {
            cid for cid, byte in enumerate(board) if byte
        }
        for tile, unit in units.items():
            assert game.unit_at(tile) == game.unit_at(tile.cid) == unit
            assert unit.byte == board[tile.cid]
            heights = [0, 1, 2, 3, 4, 6, 8]
            assert unit.height == heights[unit.byte & 7]
            assert unit.slave == (heights[unit.byte >> 3 & 7] or None)
            assert unit.owner == unit.byte >> 6 & 1 and unit.is_tribun == bool(unit.byte >> 7)
        for player in (0, 1):
            assert units[game.tribun(player)].is_tribun and units[game.tribun(player)].owner == player
