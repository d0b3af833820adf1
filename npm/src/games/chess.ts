import * as check from '../check.js';
import type { Core, RawGame } from '../core.js';
import { ArgumentError, guard } from '../errors.js';
import { Game, type GameOptions } from '../game.js';

/** A player of chess: White or Black. */
export type ChessColor = 'w' | 'b';

/** The kind of a chess piece. */
export type ChessPieceType = 'p' | 'n' | 'b' | 'r' | 'q' | 'k';

/** A chess piece. */
export interface ChessPiece {
  readonly type: ChessPieceType;
  readonly color: ChessColor;
}

/** A chess piece on its square. */
export interface PlacedChessPiece extends ChessPiece {
  readonly square: string;
}

const COLORS = ['w', 'b'] as const;

/** A game of chess. */
export abstract class ChessGame extends Game<ChessColor> {
  /** @internal */
  protected constructor(core: Core, create: (core: Core) => RawGame) {
    super({ core, kind: 'chess', colors: COLORS }, create);
  }

  /** The FEN of the position. */
  fen(): string {
    return this.position();
  }

  /** The record of the game as PGN. */
  pgn(): string {
    return this.record();
  }

  /** Reads the first game of a PGN. After an error the game is unchanged. */
  loadPgn(pgn: string, options?: GameOptions): void {
    this.loadRecord(pgn, options);
  }

  /** The piece on a square; `undefined` if it is empty. */
  get(square: string): ChessPiece | undefined {
    const name = check.text('square', square);
    if (!/^[a-h][1-8]$/.test(name)) throw new ArgumentError(`unknown square \`${name}\`: expected a1 to h8`);
    const row = 8 - Number(name[1]);
    const placed = this.board()[row]![name.charCodeAt(0) - 97];
    return placed ? { type: placed.type, color: placed.color } : undefined;
  }

  /** The board, as in chess.js: rows from rank 8 down, each from file a. */
  board(): (PlacedChessPiece | null)[][] {
    const letters = guard(() => this.raw.chessBoard());
    return Array.from({ length: 8 }, (_, row) =>
      Array.from({ length: 8 }, (_, column) => {
        const letter = letters[row * 8 + column]!;
        if (letter === '.') return null;
        const type = letter.toLowerCase() as ChessPieceType;
        const square = `${'abcdefgh'[column]}${8 - row}`;
        return { square, type, color: letter === type ? 'b' : 'w' };
      }),
    );
  }

  /** Whether the side to move is checkmated. */
  isCheckmate(): boolean {
    return this.outcome()?.reason === 'checkmate';
  }

  /** Whether the side to move is stalemated. */
  isStalemate(): boolean {
    return this.outcome()?.reason === 'stalemate';
  }

  /** The reason why the side to move may claim a draw; `undefined` if it may not. */
  claimableDraw(): string | undefined {
    return guard(() => this.raw.claimableDraw());
  }

  /** Claims a draw and returns the reason. Throws `DrawError` if there is none to claim. */
  claimDraw(): string {
    return guard(() => this.raw.claimDraw());
  }
}
