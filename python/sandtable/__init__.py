"""Chess, Cờ Tư Lệnh and Tribun: exact, fast game engines for training neural networks.

>>> import sandtable
>>> game = sandtable.make("chess")
>>> game.apply_action(game.string_to_action("e4"))
>>> game.observe().shape, int(game.legal_actions_mask().sum())
((8, 8, 18), 20)

`ChessGame`, `CoTuLenhGame` and `TribunGame` share the interface of `Game`; `VectorEnv` steps many games at
once; `search` runs the engine, `review` judges the turns of a game, `MCTS` is a tree search with your
network, and `BatchMCTS` searches many games at once.
"""

from sandtable._sandtable import (
    GAMES,
    MCTS,
    Assessed,
    BatchMCTS,
    ChessGame,
    CoTuLenhGame,
    DrawOffer,
    EngineGame,
    Game,
    LeafBatch,
    LevelPlayer,
    Line,
    Move,
    Outcome,
    Piece,
    Review,
    ReviewedTurn,
    RootMove,
    Roots,
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
    engine_game,
    game_class,
    level_elo,
    make,
    review,
    search,
)
from sandtable._symmetry import Symmetry, symmetry

__all__ = [
    "GAMES",
    "MCTS",
    "Assessed",
    "BatchMCTS",
    "ChessGame",
    "CoTuLenhGame",
    "DrawOffer",
    "EngineGame",
    "Game",
    "LeafBatch",
    "LevelPlayer",
    "Line",
    "Move",
    "Outcome",
    "Piece",
    "Review",
    "ReviewedTurn",
    "RootMove",
    "Roots",
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
    "engine_game",
    "game_class",
    "level_elo",
    "make",
    "review",
    "search",
    "symmetry",
]
