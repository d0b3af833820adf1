import { core } from './core-tribun.js';
import type { RawGame } from './core.js';
import { type EngineOptions, SearchEngine } from './engine.js';
import type { GameOptions } from './game.js';
import { TribunGame } from './games/tribun.js';
import { Handle, opener, recordHandle } from './handle.js';

/** A game of Tribun. */
export class Tribun extends TribunGame {
  /** A game from the start position, or from the text of a position. */
  constructor(position?: string, options?: GameOptions);
  /** @internal */
  constructor(handle: Handle);
  constructor(position?: string | Handle, options?: GameOptions) {
    super(core, opener('tribun', position, options));
  }

  /** Reads the first game of a record. */
  static fromRecord(record: string, options?: GameOptions): Tribun {
    return new Tribun(recordHandle(core, 'tribun', record, options));
  }

  /** @internal */
  protected override wrap(raw: RawGame): this {
    return new Tribun(new Handle(raw)) as this;
  }
}

/** The engine: searches in a worker. */
export class Engine extends SearchEngine {
  constructor(options?: EngineOptions) {
    super(core, options);
  }
}

export type { Tile, TribunColor, Unit } from './games/tribun.js';
export * from './shared.js';
