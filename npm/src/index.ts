import * as check from './check.js';
import { core } from './core-all.js';
import { type KindInfo, kindsOf, type RawGame } from './core.js';
import { type EngineOptions, SearchEngine } from './engine.js';
import { Game, type GameOptions } from './game.js';
import { ChessGame } from './games/chess.js';
import { CoTuLenhGame } from './games/cotulenh.js';
import { TribunGame } from './games/tribun.js';
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

const SIDES = ['first', 'second'] as const;

/** A game of any kind in `kinds`, by its name: all that the games share. Its colors are `first` and `second`. */
export class AnyGame extends Game<(typeof SIDES)[number]> {
  /** A game from the start position, or from the text of a position. */
  constructor(kind: string, position?: string, options?: GameOptions);
  /** @internal */
  constructor(kind: string, handle: Handle);
  constructor(kind: string, position?: string | Handle, options?: GameOptions) {
    const name = check.text('kind', kind);
    super({ core, kind: name, colors: SIDES }, opener(name, position, options));
  }

  /** Reads the first game of a record. */
  static fromRecord(kind: string, record: string, options?: GameOptions): AnyGame {
    return new AnyGame(kind, recordHandle(core, check.text('kind', kind), record, options));
  }

  /** @internal */
  protected override wrap(raw: RawGame): this {
    return new AnyGame(this.kind, new Handle(raw)) as this;
  }
}

/** The engine: searches in a worker. */
export class Engine extends SearchEngine {
  constructor(options?: EngineOptions) {
    super(core, options);
  }
}

/** The constants of all games. */
export const kinds: readonly KindInfo[] = kindsOf(core.raw);

export type { ChessColor, ChessPiece, ChessPieceType, PlacedChessPiece } from './games/chess.js';
export type {
  CoTuLenhColor,
  CoTuLenhPiece,
  CoTuLenhPieceType,
  Deployment,
  Stack,
  Terrain,
} from './games/cotulenh.js';
export type { Tile, TribunColor, Unit } from './games/tribun.js';
export * from './shared.js';
