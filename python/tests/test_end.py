"""The end of a game: by the rules, by declaration, and by draw offers."""

import pickle
from collections.abc import Callable

import numpy as np
import pytest
import sandtable
from conftest import random_game
from sandtable import ChessGame, CoTuLenhGame, DrawOffer, Outcome, pettingzoo

KNIGHTS = ["Nf3", "Nf6", "Ng1", "Ng8"]
COMMANDERS = ["Cg1f1", "Cg12f12", "Cf1g1", "Cf12g12"]


def after(game: sandtable.Game, moves: list[str]) -> sandtable.Game:
    for move in moves:
        game.play(move)
    return game


def resigned(name: str) -> sandtable.Game:
    game = sandtable.make(name)
    game.resign(0)
    return game


def agreed(name: str) -> sandtable.Game:
    game = sandtable.make(name)
    game.agree_draw()
    return game


def claimed() -> sandtable.Game:
    game = ChessGame()
    after(game, KNIGHTS * 2)
    game.claim_draw()
    return game


def tribun_attacked() -> sandtable.Game:
    games = (list(random_game("tribun", seed, 2_000))[-1] for seed in range(10))
    return next(game for game in games if game.outcome() == Outcome(1, "tribun attacked"))


#: Finished games with their winner and reason. In many of them the bare position still has legal moves.
ENDS: list[tuple[Callable[[], sandtable.Game], int | None, str]] = [
    (lambda: ChessGame("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1"), 0, "checkmate"),
    (lambda: ChessGame("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"), None, "stalemate"),
    (lambda: ChessGame("7k/8/6K1/8/8/8/8/8 w - - 0 1"), None, "insufficient material"),
    (lambda: ChessGame("7k/8/6K1/8/8/8/8/R7 w - - 150 100"), None, "75 moves without progress"),
    (lambda: after(ChessGame(), KNIGHTS * 4), None, "fivefold repetition"),
    (lambda: after(ChessGame(rules="claims"), KNIGHTS * 2), None, "threefold repetition"),
    (claimed, None, "threefold repetition"),
    (lambda: after(CoTuLenhGame(), COMMANDERS * 2), None, "threefold repetition"),
    (
        lambda: CoTuLenhGame("6c4/11/11/11/11/11/11/11/4T6/11/11/6C4 r - - 100 80"),
        None,
        "a hundred turns without a capture",
    ),
    (
        lambda: after(CoTuLenhGame("6c4/6T4/11/11/11/11/11/11/11/11/11/5C5 r - - 0 1"), ["Tg11xg12"]),
        0,
        "commander captured",
    ),
    (tribun_attacked, 1, "tribun attacked"),
    *((lambda name=name: resigned(name), 1, "resignation") for name in sandtable.GAMES),
    *((lambda name=name: agreed(name), None, "agreement") for name in sandtable.GAMES),
]


@pytest.mark.parametrize(("make", "winner", "reason"), ENDS)
def test_over_means_no_legal_moves(
    make: Callable[[], sandtable.Game], winner: int | None, reason: str
) -> None:
    game = make()
    assert game.is_terminal() and game.outcome() == Outcome(winner, reason)
    assert game.legal_actions() == [] and game.legal_moves() == []
    assert not game.legal_actions_mask().any()
    assert not game.legal_actions_mask(out=np.ones(game.num_actions, np.bool_)).any()
    if isinstance(game, ChessGame):
        assert game.get_legal_moves() == [] and not game.get_legal_moves_mask().any()
        assert game.is_game_over()
    assert sandtable.search(game, depth=1).lines == []
    tree = sandtable.MCTS(game, lambda observations, masks: (masks, np.zeros(len(masks))))
    tree.search(10)
    assert tree.root() == []

    before = pickle.dumps(game)
    # The bare position may have legal moves, if the end depends on the history or on a declaration.
    bare = type(game).from_text(game.position_text())
    for action in [*bare.legal_actions()[:3], 0]:
        with pytest.raises(ValueError, match="the game is over"):
            game.apply_action(action)
    for action in bare.legal_actions()[:3]:
        with pytest.raises(ValueError, match="the game is over"):
            game.play(bare.action_to_string(action))
        with pytest.raises(ValueError, match="the game is over"):
            game.action_to_string(action)
    for player in (0, 1):
        for draw_action in ("offer", "retract", "accept", "decline"):
            with pytest.raises(ValueError, match="the game is over"):
                game.draw_action(player, draw_action)
        # These have no effect.
        game.resign(player)
        game.agree_draw()
    assert pickle.dumps(game) == before and game.outcome() == Outcome(winner, reason)


@pytest.mark.parametrize(("make", "winner", "reason"), ENDS)
def test_pickles_and_records_keep_the_end(
    make: Callable[[], sandtable.Game], winner: int | None, reason: str
) -> None:
    game = make()
    twin = pickle.loads(pickle.dumps(game))
    assert twin == game and twin.outcome() == Outcome(winner, reason)
    read, _ = type(game).from_record(game.record(), rules=game.rules)
    assert read.returns() == game.returns() and read.actions_played() == game.actions_played()
    assert pickle.loads(pickle.dumps(read)).outcome() == read.outcome()


def test_accepted_offers_end_the_game(name: str) -> None:
    game = sandtable.make(name)
    assert game.draw_offer is None
    game.draw_action(1, "offer")
    assert game.draw_offer == DrawOffer("open", 1) and not game.is_terminal()
    game.draw_action(0, "accept")
    assert game.outcome() == Outcome(None, "agreement") and game.legal_actions() == []


def test_declined_offers_block_the_player_until_the_opponent_offers(name: str) -> None:
    game = sandtable.make(name)
    game.draw_action(0, "offer")
    game.draw_action(1, "decline")
    assert game.draw_offer == DrawOffer("declined", 0)
    with pytest.raises(ValueError, match="your last draw offer was declined"):
        game.draw_action(0, "offer")
    game.draw_action(1, "offer")
    game.draw_action(1, "retract")
    assert game.draw_offer is None
    game.draw_action(0, "offer")
    assert game.draw_offer == DrawOffer("open", 0)


def test_impossible_draw_actions_change_nothing(name: str) -> None:
    game = sandtable.make(name)
    for action in ("retract", "accept", "decline"):
        with pytest.raises(ValueError, match="no draw offer is open"):
            game.draw_action(0, action)
    game.draw_action(0, "offer")
    for player, action, message in [
        (0, "offer", "a draw offer is already open"),
        (1, "offer", "a draw offer is already open"),
        (0, "accept", "the open draw offer is your own"),
        (0, "decline", "the open draw offer is your own"),
        (1, "retract", "the open draw offer is your opponent's"),
        (2, "accept", "unknown player 2"),
        (0, "resign", "unknown draw action `resign`: expected offer, retract, accept or decline"),
    ]:
        with pytest.raises(ValueError, match=message):
            game.draw_action(player, action)  # type: ignore[arg-type]
        assert game.draw_offer == DrawOffer("open", 0) and not game.is_terminal()


def test_offers_lapse_when_the_opponent_moves_except_in_tribun(name: str) -> None:
    game = sandtable.make(name)
    game.draw_action(0, "offer")
    moves = {"chess": ["e4", "e5"], "cotulenh": ["Ic5c6", "Ic8c7"], "tribun": ["b3-e5", "j9-g7"]}[name]
    game.play(moves[0])
    assert game.draw_offer == DrawOffer("open", 0)
    game.play(moves[1])
    assert game.draw_offer == (DrawOffer("open", 0) if name == "tribun" else None)


def test_offers_are_shown_in_tribun_only(name: str) -> None:
    game, offered = sandtable.make(name), sandtable.make(name)
    offered.draw_action(0, "offer")
    assert offered == game, "an offer is not part of equality"
    shown = name == "tribun"
    assert (offered.position_text() != game.position_text()) == shown
    assert (not np.array_equal(offered.observe(), game.observe())) == shown
    read = type(game).from_text(offered.position_text())
    assert read.draw_offer == (DrawOffer("open", 0) if shown else None)


def test_copies_and_pickles_keep_the_offer(name: str) -> None:
    game = sandtable.make(name)
    game.draw_action(0, "offer")
    for status in ("open", "declined"):
        if status == "declined":
            game.draw_action(1, "decline")
        for twin in (game.clone(), pickle.loads(pickle.dumps(game))):
            assert twin.draw_offer == game.draw_offer == DrawOffer(status, 0)
            assert twin.position_text() == game.position_text()


def test_reset_drops_the_offer(name: str) -> None:
    env = pettingzoo.raw_env(name)
    for player in (0, 1):
        env.game.draw_action(player, "offer")
        env.reset()
        assert (
            env.game.draw_offer is None and env.game.position_text() == sandtable.make(name).position_text()
        )


def test_draw_offers_are_values() -> None:
    offer = DrawOffer("declined", player=1)
    assert (offer.status, offer.player) == ("declined", 1)
    assert repr(offer) == "DrawOffer(status='declined', player=1)"
    assert pickle.loads(pickle.dumps(offer)) == offer != DrawOffer("open", 1)
    assert len({offer, DrawOffer("declined", 1), DrawOffer("declined", 0)}) == 2
    with pytest.raises(ValueError, match="unknown status `closed`: expected open or declined"):
        DrawOffer("closed", 0)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="unknown player 2"):
        DrawOffer("open", 2)
