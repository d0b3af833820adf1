import { core } from './core-cotulenh.js';
import type { RawGame } from './core.js';
import { type EngineOptions, SearchEngine } from './engine.js';
import type { GameOptions } from './game.js';
import { CoTuLenhGame } from './games/cotulenh.js';
import { Handle, opener, recordHandle } from './handle.js';

/** A game of Cờ Tư Lệnh. */
export class CoTuLenh extends CoTuLenhGame {
  /** A game from the start position, or from the text of a position. */
  constructor(position?: string, options?: GameOptions);
  /** @internal */
  constructor(handle: Handle);
  constructor(position?: string | Handle, options?: GameOptions) {
    super(core, opener('cotulenh', position, options));
  }

  /** Reads the first game of a record. */
  static fromRecord(record: string, options?: GameOptions): CoTuLenh {
    return new CoTuLenh(recordHandle(core, 'cotulenh', record, options));
  }

  /** @internal */
  protected override wrap(raw: RawGame): this {
    return new CoTuLenh(new Handle(raw)) as this;
  }
}

/** The engine: searches in a worker. */
export class Engine extends SearchEngine {
  constructor(options?: EngineOptions) {
    super(core, options);
  }
}

export type {
  CoTuLenhColor,
  CoTuLenhPiece,
  CoTuLenhPieceType,
  Deployment,
  Stack,
  Terrain,
} from './games/cotulenh.js';
export * from './shared.js';
