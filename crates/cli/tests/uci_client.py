"""Tests the engine with a real UCI client: the engine module of python-chess.

Usage: python uci_client.py PATH_TO_SANDTABLE
"""

import sys

import chess
import chess.engine


def main() -> None:
    with chess.engine.SimpleEngine.popen_uci([sys.argv[1], "uci"]) as engine:
        assert engine.id["name"].startswith("Sandtable"), engine.id
        engine.configure({"Hash": 8})

        board = chess.Board()
        while not board.is_game_over() and board.ply() < 60:
            result = engine.play(board, chess.engine.Limit(nodes=300))
            assert result.move in board.legal_moves, (board.fen(), result.move)
            board.push(result.move)

        mate = chess.Board("7k/8/8/8/8/8/R7/1R4K1 w - - 0 1")
        info = engine.analyse(mate, chess.engine.Limit(depth=5))
        assert info["score"].white() == chess.engine.Mate(2), info
        assert info["pv"][0] in mate.legal_moves

        lines = engine.analyse(chess.Board(), chess.engine.Limit(depth=4), multipv=3)
        assert len(lines) == 3 and len({line["pv"][0] for line in lines}) == 3, lines

        clock = chess.engine.Limit(white_clock=0.4, black_clock=0.4, white_inc=0.01, black_inc=0.01)
        assert engine.play(chess.Board(), clock).move in chess.Board().legal_moves

        with engine.analysis(chess.Board()) as analysis:
            for info in analysis:
                if info.get("depth", 0) >= 3:
                    break
        assert analysis.wait().move in chess.Board().legal_moves
    print("1 passed, 0 failed")


main()
