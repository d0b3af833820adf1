"""Tests the engine with a real UCI client: the engine module of python-chess.

Usage: python uci_client.py SANDTABLE [STOCKFISH]

Without STOCKFISH it tests the commands and plays one short game; with it, 20 games at 1 s + 10 ms
against that engine.
Everything that python-chess reports about the protocol, and every line on standard error, is a failure.
"""

import logging
import random
import sys
import time
from dataclasses import dataclass

import chess
import chess.engine
from chess.engine import Limit, SimpleEngine

GAMES = 20
MATE_IN_TWO = chess.Board("7k/8/8/8/8/8/R7/1R4K1 w - - 0 1")


class Complaints(logging.Handler):
    """Collects the warnings and errors of python-chess."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.messages: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.messages.append(record.getMessage())


complaints = Complaints()
logging.getLogger("chess.engine").addHandler(complaints)


def start(command: list[str], options: dict[str, str | int | bool]) -> SimpleEngine:
    engine = SimpleEngine.popen_uci(command)
    engine.configure(options)
    return engine


def node_limit(engine: SimpleEngine) -> None:
    board = chess.Board()
    while not board.is_game_over() and board.ply() < 60:
        result = engine.play(board, Limit(nodes=300))
        assert result.move in board.legal_moves, (board.fen(), result.move)
        board.push(result.move)


def depth_with_time(engine: SimpleEngine) -> None:
    assert engine.analyse(chess.Board(), Limit(depth=3, time=60))["depth"] == 3
    assert engine.analyse(chess.Board(), Limit(depth=90, time=0.05))["depth"] < 90


def mate(engine: SimpleEngine) -> None:
    for limit in (Limit(depth=5), Limit(mate=2)):
        info = engine.analyse(MATE_IN_TWO, limit)
        assert info["score"].white() == chess.engine.Mate(2), info
        assert info["pv"][0] in MATE_IN_TWO.legal_moves


def search_moves(engine: SimpleEngine) -> None:
    moves = [chess.Move.from_uci("a2a3"), chess.Move.from_uci("h2h4")]
    for chosen in (moves[:1], moves[1:], moves):
        result = engine.play(chess.Board(), Limit(depth=4), root_moves=chosen)
        assert result.move in chosen and result.ponder is not None, result
    lines = engine.analyse(chess.Board(), Limit(depth=3), root_moves=moves, multipv=5)
    assert {line["pv"][0] for line in lines} == set(moves), lines


def several_lines(engine: SimpleEngine) -> None:
    lines = engine.analyse(chess.Board(), Limit(depth=4), multipv=3)
    assert len(lines) == 3 and len({line["pv"][0] for line in lines}) == 3, lines
    for line in lines:
        assert {"depth", "seldepth", "multipv", "score", "nodes", "nps", "hashfull", "time"} <= line.keys(), (
            line
        )


def chances(engine: SimpleEngine) -> None:
    engine.configure({"UCI_ShowWDL": True})
    wdl = engine.analyse(chess.Board(), Limit(depth=4))["wdl"].white()
    assert wdl.total() == 1000 and min(wdl) > 0, wdl
    winning = chess.Board("4k3/8/8/8/8/8/8/QQ2K3 w - - 0 1")
    assert engine.analyse(winning, Limit(depth=2))["wdl"].white().winning_chance() > 0.9
    engine.configure({"UCI_ShowWDL": False})
    assert "wdl" not in engine.analyse(chess.Board(), Limit(depth=2))


def endless_analysis(engine: SimpleEngine) -> None:
    with engine.analysis(chess.Board()) as analysis:
        for info in analysis:
            if info.get("depth", 0) >= 3:
                break
    assert analysis.wait().move in chess.Board().legal_moves


def finished_game(engine: SimpleEngine) -> None:
    checkmate = chess.Board("R5k1/5ppp/8/8/8/8/8/K7 b - - 0 1")
    assert engine.play(checkmate, Limit(time=0.05)).move == chess.Move.null()


@dataclass
class Played:
    """A game that was played."""

    board: chess.Board
    late: chess.Color | None
    """The player who lost on time."""
    lowest: dict[chess.Color, float]
    """The least time on each clock, in seconds."""

    def __str__(self) -> str:
        outcome = self.board.outcome(claim_draw=True)
        if self.late is not None:
            result = f"{'0-1' if self.late == chess.WHITE else '1-0'} time forfeit"
        else:
            result = f"{outcome.result()} {outcome.termination.name.lower()}" if outcome else "*"
        white, black = (f"{1000 * self.lowest[color]:.0f} ms" for color in (chess.WHITE, chess.BLACK))
        return f"{result}, {self.board.ply()} plies, lowest clocks {white} and {black}"


def play_game(
    players: dict[chess.Color, SimpleEngine],
    board: chess.Board,
    *,
    base: float,
    increment: float,
    ponders: chess.Color | None = None,
) -> Played:
    """Plays a game with clocks. The player who `ponders` thinks during the opponent's moves, too."""
    game = object()
    clocks = {chess.WHITE: base, chess.BLACK: base}
    lowest = dict(clocks)
    while not board.is_game_over(claim_draw=True):
        turn = board.turn
        limit = Limit(
            white_clock=clocks[chess.WHITE],
            black_clock=clocks[chess.BLACK],
            white_inc=increment,
            black_inc=increment,
        )
        before = time.perf_counter()
        result = players[turn].play(board, limit, game=game, ponder=turn == ponders)
        clocks[turn] -= time.perf_counter() - before
        lowest[turn] = min(lowest[turn], clocks[turn])
        if clocks[turn] < 0:
            return Played(board, turn, lowest)
        clocks[turn] += increment
        assert result.move in board.legal_moves, (board.fen(), result.move)
        board.push(result.move)
    return Played(board, None, lowest)


def short_game(engine: SimpleEngine) -> None:
    """Plays an even game to its end. It may be lost on time: the machine may be busy with other tests."""
    with start([sys.argv[1], "uci"], {"Hash": 8}) as opponent:
        players = {chess.WHITE: engine, chess.BLACK: opponent}
        played = play_game(players, random_opening(0), base=0.2, increment=0.002, ponders=chess.WHITE)
        print("short game:", played)


def random_opening(seed: int) -> chess.Board:
    rng = random.Random(seed)
    board = chess.Board()
    for _ in range(6):
        board.push(rng.choice(list(board.legal_moves)))
    return board


def play_stockfish(sandtable: str, stockfish: str) -> int:
    """Plays GAMES games, two from each opening, and returns how many of them we lost on time.

    We ponder in the second half of them.
    """
    strength: dict[str, str | int | bool] = {"Hash": 16, "UCI_LimitStrength": True, "UCI_Elo": 2200}
    losses = 0
    with start([sandtable, "uci"], {"Hash": 16}) as ours, start([stockfish], strength) as theirs:
        for number in range(GAMES):
            color = number % 2 == 0
            players = {color: ours, not color: theirs}
            ponders = color if number >= GAMES // 2 else None
            played = play_game(players, random_opening(number // 2), base=1, increment=0.01, ponders=ponders)
            note = ", pondering" if ponders is not None else ""
            print(f"game {number + 1}, {chess.COLOR_NAMES[color]}{note}: {played}", flush=True)
            losses += played.late == color
    return losses


COMMANDS = [
    node_limit,
    depth_with_time,
    mate,
    search_moves,
    several_lines,
    chances,
    endless_analysis,
    finished_game,
    short_game,
]


def main() -> None:
    if len(sys.argv) > 2:
        losses = play_stockfish(*sys.argv[1:3])
        assert losses == 0, f"{losses} games lost on time"
        passed = 1
    else:
        with start([sys.argv[1], "uci"], {"Hash": 8}) as engine:
            assert engine.id["name"].startswith("Sandtable"), engine.id
            for test in COMMANDS:
                test(engine)
                assert not complaints.messages, (test.__name__, complaints.messages)
        passed = len(COMMANDS)
    assert not complaints.messages, complaints.messages
    print(f"{passed} passed, 0 failed")


main()
