import * as check from '../check.js';
import type { Core, Raw, RawGame } from '../core.js';
import { ArgumentError, guard } from '../errors.js';
import { Game } from '../game.js';

/** A player of Tribun: Black, who moves first, or White. */
export type TribunColor = 'b' | 'w';

/** A unit of Tribun. */
export interface Unit {
  readonly color: TribunColor;
  /** The height: 1, 2, 3, 4, 6 or 8. */
  readonly height: number;
  /** The height of the slave; `null` if there is none. */
  readonly slave: number | null;
  /** Whether the unit is its owner's tribun. */
  readonly isTribun: boolean;
}

/** A tile of the board. */
export interface Tile {
  /** The name: letter a to k for x and number 1 to 11 for y. */
  readonly name: string;
  /** The cid: 0 to 120 with gaps. */
  readonly cid: number;
  /** The x coordinate, -5 to 5. */
  readonly x: number;
  /** The y coordinate, -5 to 5. */
  readonly y: number;
  readonly color: 'gray' | 'black' | 'white';
}

const COLORS = ['b', 'w'] as const;
/** The number of cids, and of bytes in a board. */
const CIDS = 121;
const MAX_WORD = 2 ** 32 - 1;

const tables = new WeakMap<Raw, Map<string | number, Tile>>();

/** The tiles of the board, by name and by cid. */
function tilesOf({ raw }: Core): Map<string | number, Tile> {
  let table = tables.get(raw);
  if (!table) {
    table = new Map();
    for (const line of raw.tiles().split('\n')) {
      const [name, cid, x, y, color] = line.split(' ') as [string, string, string, string, Tile['color']];
      const tile = { name, cid: Number(cid), x: Number(x), y: Number(y), color };
      table.set(name, tile).set(tile.cid, tile);
    }
    tables.set(raw, table);
  }
  return table;
}

/** A game of Tribun. */
export abstract class TribunGame extends Game<TribunColor> {
  /** @internal */
  protected constructor(core: Core, create: (core: Core) => RawGame) {
    super({ core, kind: 'tribun', colors: COLORS }, create);
  }

  /** The unit on a tile, given by name or cid; `undefined` if it is empty. */
  get(tile: string | number): Unit | undefined {
    const { cid } = this.tile(tile);
    return this.unit(this.bytes()[cid]!);
  }

  /** The parts of a unit byte; `undefined` for 0, an empty tile. */
  unit(byte: number): Unit | undefined {
    const checked = check.integer('byte', byte, 0, 255);
    return (JSON.parse(guard(() => this.core.raw.unitParts(checked))) as Unit | null) ?? undefined;
  }

  /** The wire form of the board: the unit bytes of all 121 cids. */
  bytes(): Uint8Array {
    return guard(() => this.raw.boardBytes());
  }

  /** Starts over from the wire form of a board. After an error the game is unchanged. */
  loadBytes(bytes: Uint8Array, turn: TribunColor): void {
    const board = check.array('bytes', bytes, Uint8Array, CIDS);
    const number = this.number(turn);
    this.load(guard(() => this.core.raw.positionOfBytes(board, number)));
  }

  /** The tile of a player's tribun. */
  tribun(color: TribunColor): Tile {
    const number = this.number(color);
    return this.tile(guard(() => this.raw.tribun(number)));
  }

  /** The action words of the legal moves, ascending. Empty once the game is over. */
  legalWords(): Uint32Array {
    return guard(() => this.raw.legalWords());
  }

  /** The action words of the moves played. */
  historyWords(): Uint32Array {
    return guard(() => this.raw.wordsPlayed());
  }

  /** The action word of a legal move. */
  wordOf(move: string): number {
    const text = check.text('move', move);
    return guard(() => this.raw.wordOf(text));
  }

  /**
   * Applies an action word: a move, a draw action or an end of the game.
   *
   * Throws `MoveError` if it does not apply; the game is then unchanged.
   */
  applyWord(word: number): void {
    const checked = check.integer('word', word, 0, MAX_WORD);
    guard(() => this.raw.applyWord(checked));
  }

  /** The tiles of the units of both players that attack a tile. */
  attackers(tile: string | number): string[] {
    const { name } = this.tile(tile);
    return Array.from(
      guard(() => this.raw.tileAttackers(name)),
      (cid) => this.tile(cid).name,
    );
  }

  /** A tile by name or cid. */
  tile(tile: string | number): Tile {
    if (typeof tile !== 'string' && typeof tile !== 'number') {
      throw new ArgumentError('tile must be a name such as f6 or a cid such as 60');
    }
    const found = tilesOf(this.core).get(tile);
    if (found) return found;
    throw new ArgumentError(
      typeof tile === 'number' ? `cid ${tile} is off the board` : `invalid tile \`${tile}\``,
    );
  }

  /** All 91 tiles, by cid. */
  tiles(): Tile[] {
    return [...tilesOf(this.core)].filter(([key]) => typeof key === 'number').map(([, tile]) => tile);
  }
}
