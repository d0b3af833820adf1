import { core } from './core-chess.js';
import type { RawGame } from './core.js';
import { type EngineOptions, SearchEngine } from './engine.js';
import type { GameOptions } from './game.js';
import { ChessGame } from './games/chess.js';
import { Handle, opener, recordHandle } from './handle.js';

/** A game of chess. */
export class Chess extends ChessGame {
  /** A game from the start position, or from the text of a position. */
  constructor(position?: string, options?: GameOptions);
  /** @internal */
  constructor(handle: Handle);
  constructor(position?: string | Handle, options?: GameOptions) {
    super(core, opener('chess', position, options));
  }

  /** Reads the first game of a record. */
  static fromRecord(record: string, options?: GameOptions): Chess {
    return new Chess(recordHandle(core, 'chess', record, options));
  }

  /** @internal */
  protected override wrap(raw: RawGame): this {
    return new Chess(new Handle(raw)) as this;
  }
}

/** The engine: searches in a worker. */
export class Engine extends SearchEngine {
  constructor(options?: EngineOptions) {
    super(core, options);
  }
}

export type { ChessColor, ChessPiece, ChessPieceType, PlacedChessPiece } from './games/chess.js';
export * from './shared.js';
