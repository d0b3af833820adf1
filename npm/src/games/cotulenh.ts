import * as check from '../check.js';
import type { Core, Raw, RawGame } from '../core.js';
import { ArgumentError, guard } from '../errors.js';
import { Game, type PlayedMove, type Turn } from '../game.js';

/** A player of Cờ Tư Lệnh: Red or Blue. */
export type CoTuLenhColor = 'r' | 'b';

/** The letter of a kind of piece: commander, infantry, tank, militia, engineer, artillery, anti-air, missile, air force,
 * navy, headquarter. */
export type CoTuLenhPieceType = 'c' | 'i' | 't' | 'm' | 'e' | 'a' | 'g' | 's' | 'f' | 'n' | 'h';

/** A piece of Cờ Tư Lệnh. */
export interface CoTuLenhPiece {
  readonly color: CoTuLenhColor;
  readonly type: CoTuLenhPieceType;
  readonly heroic: boolean;
}

/** The pieces on a square. */
export interface Stack {
  /** The name of the square. */
  readonly square: string;
  /** The stack as FEN writes it. */
  readonly text: string;
  /** The pieces, the carrier first. */
  readonly pieces: readonly CoTuLenhPiece[];
}

/** The terrain of a square: `water` for the navy only, `land` for all but the navy, `mixed` for all. */
export type Terrain = 'water' | 'mixed' | 'land';

/** A deployment in progress. */
export interface Deployment {
  /** The square of the stack. */
  readonly from: string;
  /** The kinds of its pieces that have not acted yet. */
  readonly pieces: readonly string[];
  /** The steps of the turn so far. */
  readonly steps: readonly string[];
}

interface SquareInfo {
  readonly name: string;
  readonly index: number;
  readonly terrain: Terrain;
}

const COLORS = ['r', 'b'] as const;

const tables = new WeakMap<Raw, Map<string | number, SquareInfo>>();

/** The squares of the board, by name and by mailbox index. */
function squaresOf({ raw }: Core): Map<string | number, SquareInfo> {
  let table = tables.get(raw);
  if (!table) {
    table = new Map();
    for (const line of raw.squares().split('\n')) {
      const [name, index, terrain] = line.split(' ') as [string, string, Terrain];
      const square = { name, index: Number(index), terrain };
      table.set(name, square).set(square.index, square);
    }
    tables.set(raw, table);
  }
  return table;
}

function find(core: Core, square: string | number): SquareInfo {
  if (typeof square !== 'string' && typeof square !== 'number') {
    throw new ArgumentError('square must be a name such as e6 or a mailbox index such as 100');
  }
  const found = squaresOf(core).get(square);
  if (found) return found;
  throw new ArgumentError(
    typeof square === 'number' ? `mailbox index ${square} is off the board` : `invalid square \`${square}\``,
  );
}

/** A game of Cờ Tư Lệnh. A turn may take several moves: a stack deploys piece by piece. */
export abstract class CoTuLenhGame extends Game<CoTuLenhColor> {
  /** @internal */
  protected constructor(core: Core, create: (core: Core) => RawGame) {
    super({ core, kind: 'cotulenh', colors: COLORS }, create);
  }

  /** The FEN of the position. */
  fen(): string {
    return this.position();
  }

  /** The stack on a square, given by name or mailbox index; `undefined` if it is empty. */
  get(square: string | number): Stack | undefined {
    const { name } = find(this.core, square);
    return (JSON.parse(guard(() => this.raw.stacks(name))) as Stack[])[0];
  }

  /** All stacks, by mailbox index. */
  stacks(): Stack[] {
    return JSON.parse(guard(() => this.raw.stacks())) as Stack[];
  }

  /** The square of a player's commander; `undefined` once it is captured. */
  commander(color: CoTuLenhColor): string | undefined {
    const number = this.number(color);
    const index = guard(() => this.raw.commander(number));
    return index === undefined ? undefined : this.squareName(index);
  }

  /** The squares within range of a player's air defence. */
  fireZones(color: CoTuLenhColor): string[] {
    const number = this.number(color);
    return this.#names(guard(() => this.raw.fireZones(number)));
  }

  /** The squares from which a piece of either side attacks a square. */
  attackers(square: string | number): string[] {
    const { name } = find(this.core, square);
    return this.#names(guard(() => this.raw.squareAttackers(name)));
  }

  /** The deployment in progress; `null` if there is none. */
  deployment(): Deployment | null {
    return JSON.parse(this.raw.turnInProgress()) as Deployment | null;
  }

  /** Whether a deployment is in progress, so that the same player moves again. */
  isDeploying(): boolean {
    return this.deployment() !== null;
  }

  /** Ends the deployment in progress: the other pieces stay. Throws `MoveError` if that is not legal. */
  end(): PlayedMove<CoTuLenhColor> {
    return this.move({ kind: 'end' });
  }

  /** One complete turn for each different position that a turn can reach. */
  turns(): Turn[] {
    return JSON.parse(this.raw.turns()) as Turn[];
  }

  /** Plays a complete turn as records write it, and returns its moves. Throws `MoveError` if it is not legal as a whole. */
  playTurn(turn: string): PlayedMove<CoTuLenhColor>[] {
    const text = check.text('turn', turn);
    return this.played(guard(() => this.raw.play(text)));
  }

  /** The terrain of a square. */
  terrain(square: string | number): Terrain {
    return find(this.core, square).terrain;
  }

  /** The index of a square in the 16 × 16 mailbox: a12 is 0, e6 is 100. */
  squareIndex(square: string): number {
    return find(this.core, check.text('square', square)).index;
  }

  /** The name of the square with a mailbox index. */
  squareName(index: number): string {
    return find(this.core, check.integer('index', index, 0, 255)).name;
  }

  /** The names of all 132 squares, by mailbox index: a12 first, k1 last. */
  squares(): string[] {
    return [...squaresOf(this.core)].filter(([key]) => typeof key === 'number').map(([, { name }]) => name);
  }

  #names(indices: Uint8Array): string[] {
    return Array.from(indices, (index) => this.squareName(index));
  }
}
