"""Three war games, exact and fast, for people who train networks on them: chess, Cờ Tư Lệnh and Tribun.

>>> import sandtable
>>> game = sandtable.make("chess")
>>> game.apply_action(game.string_to_action("e4"))
>>> game.observation().shape, int(game.legal_actions_mask().sum())
((8, 8, 18), 20)

`ChessGame`, `CoTuLenhGame` and `TribunGame` share what `Game` can do; `VectorEnv` steps many games at once;
`search` asks the engine and `MCTS` asks your network.
"""

from sandtable._sandtable import (
    GAMES,
    MCTS,
    ChessGame,
    CoTuLenhGame,
    Game,
    Line,
    Move,
    Outcome,
    Piece,
    RootMove,
    SearchResult,
    Square,
    Stack,
    Tile,
    TribunGame,
    Unit,
    VectorEnv,
    __version__,
    decode_observation,
    encode_batch,
    make,
    search,
)

__all__ = [
    "GAMES",
    "MCTS",
    "ChessGame",
    "CoTuLenhGame",
    "Game",
    "Line",
    "Move",
    "Outcome",
    "Piece",
    "RootMove",
    "SearchResult",
    "Square",
    "Stack",
    "Tile",
    "TribunGame",
    "Unit",
    "VectorEnv",
    "__version__",
    "decode_observation",
    "encode_batch",
    "make",
    "search",
]
