"""Chess, Cờ Tư Lệnh and Tribun: exact, fast game engines for training neural networks.

>>> import sandtable
>>> game = sandtable.make("chess")
>>> game.apply_action(game.string_to_action("e4"))
>>> game.observe().shape, int(game.legal_actions_mask().sum())
((8, 8, 18), 20)

`ChessGame`, `CoTuLenhGame` and `TribunGame` share the interface of `Game`; `VectorEnv` steps many games at
once; `search` runs the engine, `review` judges the turns of a game, and `MCTS` is a tree search with your
network.
"""

from sandtable._sandtable import (
    GAMES,
    MCTS,
    Assessed,
    ChessGame,
    CoTuLenhGame,
    DrawOffer,
    Game,
    LevelPlayer,
    Line,
    Move,
    Outcome,
    Piece,
    Review,
    ReviewedTurn,
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
    review,
    search,
)
from sandtable._symmetry import Symmetry, symmetry

__all__ = [
    "GAMES",
    "MCTS",
    "Assessed",
    "ChessGame",
    "CoTuLenhGame",
    "DrawOffer",
    "Game",
    "LevelPlayer",
    "Line",
    "Move",
    "Outcome",
    "Piece",
    "Review",
    "ReviewedTurn",
    "RootMove",
    "SearchResult",
    "Square",
    "Stack",
    "Symmetry",
    "Tile",
    "TribunGame",
    "Unit",
    "VectorEnv",
    "__version__",
    "decode_observation",
    "encode_batch",
    "make",
    "review",
    "search",
    "symmetry",
]
