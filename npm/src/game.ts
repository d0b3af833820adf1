import * as check from './check.js';
import { type Core, type KindInfo, kindsOf, type RawGame } from './core.js';
import { ArgumentError, DisposedError, guard, MemoryError, MoveError } from './errors.js';

/** Options for a new game. */
export interface GameOptions {
  /** The name of the rules; the default rules of the game if omitted. */
  rules?: string;
}

/** A legal move with its details. No two legal moves of a position have the same details. */
export interface LegalMove {
  /** The long form that programs exchange: UCI in chess, LAN in Cờ Tư Lệnh. */
  readonly text: string;
  /** The short form that people write. */
  readonly san: string;
  /** The policy index. */
  readonly action: number;
  /** The action word, in Tribun. */
  readonly word?: number;
  /** The kind of move, as one word. */
  readonly kind: string;
  /** The cell of the moving figure, if there is exactly one. */
  readonly from?: string;
  /** The destination or target cell. */
  readonly to?: string;
  /** The pieces of the figure that move, where there is a choice. */
  readonly group?: readonly string[];
  /** Whether the move is a deployment step: the group leaves its stack, and the turn may continue. */
  readonly deploys?: boolean;
  /** The cell of the enemy figure that is captured or damaged. */
  readonly takes?: string;
  /** The kind of piece that the figure promotes to, where there is a choice. */
  readonly becomes?: string;
  /** The amount of damage or height, where there is a choice. */
  readonly amount?: number;
  /** The height that each cell gives or receives, if several cells take part. */
  readonly shares?: readonly { readonly cell: string; readonly amount: number }[];
}

/** A move that was played. */
export interface PlayedMove<Color extends string = string> {
  /** The player who moved. */
  readonly color: Color;
  /** The long form that programs exchange. */
  readonly text: string;
  /** The short form that people write. */
  readonly san: string;
  /** The policy index. */
  readonly action: number;
  /** The action word, in Tribun. */
  readonly word?: number;
}

/** The details that single out a legal move. All that are given must match, and exactly one legal move must. */
export type MoveParts = Partial<
  Pick<LegalMove, 'from' | 'to' | 'kind' | 'group' | 'deploys' | 'takes' | 'becomes' | 'amount'>
> & {
  /** As in chess.js: the letter of the piece that a pawn promotes to. */
  promotion?: string;
};

/** A complete turn and the position after it. */
export interface Turn {
  /** The turn as records write it. */
  readonly text: string;
  /** The moves of the turn. */
  readonly moves: readonly string[];
  /** The text of the position after the turn. */
  readonly position: string;
}

/** How a game ended. */
export interface Outcome<Color extends string = string> {
  /** The winner; `null` in a draw. */
  readonly winner: Color | null;
  /** The reason, such as `checkmate`. */
  readonly reason: string;
  /** The outcome in words: `White wins (checkmate)`. */
  readonly description: string;
}

/** An open or declined draw offer. */
export interface DrawOffer<Color extends string = string> {
  readonly status: 'open' | 'declined';
  /** The player who offered. */
  readonly color: Color;
}

/** An action on the draw offer. */
export type DrawAction = 'offer' | 'retract' | 'accept' | 'decline';

/** The memory order of an observation: planes last or planes first. */
export type Layout = 'hwc' | 'chw';

/** Options for a picture of the board. */
export interface SvgOptions {
  /** The width in pixels, 1 to 8192; 400 if omitted. */
  size?: number;
  /** Whether the second player is at the bottom. */
  flip?: boolean;
  /** Whether to mark the last move; true if omitted. */
  lastMove?: boolean;
  /** Whether to label each cell with its number in the board model. */
  indices?: boolean;
  /** Arrows from cell to cell. */
  arrows?: readonly (readonly [string, string])[];
}

const DRAW_ACTIONS = ['offer', 'retract', 'accept', 'decline'] as const;
const LAYOUTS = ['hwc', 'chw'] as const;
const PROMOTIONS: Record<string, string> = { q: 'queen', r: 'rook', b: 'bishop', n: 'knight' };
const PARTS = ['from', 'to', 'kind', 'group', 'deploys', 'takes', 'becomes', 'amount', 'promotion'] as const;

/** The largest number that the module takes; it has bounds of its own. */
const MAX_U32 = 2 ** 32 - 1;
const MAX_SIZE = 8192;
/** No new games beyond this many bytes, so that running out of memory is an error and not a crash. */
const MAX_MEMORY = 3 * 2 ** 30;

/** The bindings of a game. */
export interface Binding {
  readonly core: Core;
  readonly kind: string;
  readonly colors: readonly [string, string];
}

const lines = (joined: string): string[] => (joined === '' ? [] : joined.split('\n'));

/**
 * A game in progress: a position with its history.
 *
 * Names are those of chess.js where the meaning is the same. A game holds memory of WebAssembly: it is freed when the
 * garbage collector finds the game, and at once by `dispose()` or `using`.
 */
export abstract class Game<Color extends string = string> {
  /** The name of the game. */
  readonly kind: string;
  /** The constants of the game: rules, planes, sizes. */
  readonly info: KindInfo;
  /** The WebAssembly module. @internal */
  protected readonly core: Core;
  readonly #colors: readonly [Color, Color];
  #raw: RawGame | undefined;

  /** @internal */
  protected constructor(binding: Binding, create: (core: Core) => RawGame) {
    this.core = binding.core;
    this.kind = binding.kind;
    this.#colors = binding.colors as readonly [Color, Color];
    const info = kindsOf(this.core.raw).find(({ name }) => name === binding.kind);
    if (!info) throw new ArgumentError(`this module has no game ${binding.kind}`);
    this.info = info;
    checkMemory(this.core);
    this.#raw = guard(() => create(this.core));
  }

  /** The handle in the module. @internal */
  protected get raw(): RawGame {
    if (!this.#raw) throw new DisposedError(`this game of ${this.kind} was disposed`);
    return this.#raw;
  }

  /** A new game of the same class around a handle. @internal */
  protected abstract wrap(raw: RawGame): this;

  /** The number of a player. @internal */
  protected number(color: Color): number {
    return this.#colors.indexOf(check.oneOf('color', color, this.#colors));
  }

  /** The colour of a player. @internal */
  protected color(number: number): Color {
    return this.#colors[number === 0 ? 0 : 1];
  }

  /** The text of the position: FEN in chess. */
  position(): string {
    return this.raw.position();
  }

  /** The text of the position that the game started from. */
  firstPosition(): string {
    return this.raw.firstPosition();
  }

  /** Starts over from the text of a position. After an error the game is unchanged. */
  load(position: string, options?: GameOptions): void {
    const text = check.text('position', position);
    const rules = check.optionalText('rules', check.options(options).rules) ?? this.rules();
    this.#replace(guard(() => this.core.raw.RawGame.create(this.kind, rules, text)));
  }

  /** Starts over from the start position. */
  reset(): void {
    this.#replace(guard(() => this.core.raw.RawGame.create(this.kind, this.rules())));
  }

  /** Reads the first game of a record. After an error the game is unchanged. */
  loadRecord(record: string, options?: GameOptions): void {
    const text = check.text('record', record, check.MAX_DOCUMENT);
    const rules = check.optionalText('rules', check.options(options).rules) ?? this.rules();
    this.#replace(guard(() => this.core.raw.RawGame.fromRecord(this.kind, rules, text)));
  }

  #replace(next: RawGame): void {
    this.raw.free();
    this.#raw = next;
  }

  /** The record of the game: PGN in chess. */
  record(): string {
    return this.raw.record();
  }

  /** The tags of the record, in order. */
  get tags(): readonly (readonly [name: string, value: string])[] {
    return JSON.parse(this.raw.tags()) as [string, string][];
  }

  /** Sets the tags of the record. A tag whose name a record cannot contain is not written. */
  set tags(tags: readonly (readonly [name: string, value: string])[]) {
    if (!Array.isArray(tags) || !tags.every(Array.isArray)) {
      throw new ArgumentError('tags must be an array of pairs of a name and a value');
    }
    const pairs = tags.map((pair: readonly unknown[]) => [
      check.text('the name of a tag', pair[0]),
      check.text('the value of a tag', pair[1]),
    ]);
    guard(() => this.raw.setTags(JSON.stringify(pairs)));
  }

  /** The name of the rules. */
  rules(): string | undefined {
    return this.raw.rules();
  }

  /** The side to move. */
  turn(): Color {
    return this.color(this.raw.player());
  }

  /** The side to move as a number: 0 moves first in the start position. */
  player(): 0 | 1 {
    return this.raw.player() === 0 ? 0 : 1;
  }

  /** The number of moves played. */
  ply(): number {
    return this.raw.ply();
  }

  /** How often the current position has occurred in this game, including now. */
  occurrences(): number {
    return this.raw.occurrences();
  }

  /** The hash of the position, the same on every machine. Positions that count as repetitions share it. */
  hash(): bigint {
    return BigInt.asUintN(64, this.raw.hash());
  }

  /** Whether the side to move is in check; false in games without check. */
  isCheck(): boolean {
    return this.raw.inCheck() ?? false;
  }

  /** Whether the game is over. */
  isGameOver(): boolean {
    return this.raw.isOver();
  }

  /** Whether the game ended in a draw. */
  isDraw(): boolean {
    return this.outcome()?.winner === null;
  }

  /** How the game ended; `null` while it is in progress. */
  outcome(): Outcome<Color> | null {
    const outcome = JSON.parse(this.raw.outcome()) as {
      winner: number | null;
      reason: string;
      description: string;
    } | null;
    if (!outcome) return null;
    return { ...outcome, winner: outcome.winner === null ? null : this.color(outcome.winner) };
  }

  /** The legal moves as people write them; with `verbose`, with all details. None once the game is over. */
  moves(options?: { from?: string; verbose?: false }): string[];
  /** The legal moves with all details. None once the game is over. */
  moves(options: { from?: string; verbose: true }): LegalMove[];
  moves(options: { from?: string; verbose?: boolean }): string[] | LegalMove[];
  moves(options?: { from?: string; verbose?: boolean }): string[] | LegalMove[] {
    const wanted = check.options(options);
    const verbose = check.flag('verbose', wanted.verbose, false);
    const from = check.optionalText('from', wanted.from);
    if (from !== undefined && !lines(this.raw.cells()).includes(from)) {
      throw new ArgumentError(`from: \`${from}\` is not on the board`);
    }
    if (!verbose && from === undefined) return lines(this.raw.legalSans());
    const moves = JSON.parse(this.raw.legalMoves(from)) as LegalMove[];
    return verbose ? moves : moves.map(({ san }) => san);
  }

  /** The legal moves in the long form that programs exchange: UCI in chess. None once the game is over. */
  moveTexts(): string[] {
    return lines(this.raw.legalTexts());
  }

  /**
   * Plays a move, given in any notation of the game or by its details. The text of a complete turn plays all its moves.
   *
   * Returns the last move played. Throws `MoveError` if the move is not legal; the game is then unchanged.
   */
  move(move: string | MoveParts): PlayedMove<Color> {
    const text = typeof move === 'string' ? check.text('move', move) : this.#find(move);
    const played = this.played(guard(() => this.raw.play(text)));
    return played[played.length - 1]!;
  }

  #find(parts: MoveParts): string {
    if (typeof parts !== 'object' || parts === null) {
      throw new ArgumentError('move must be a string or an object with the details of a move');
    }
    const unknown = Object.keys(parts).find((key) => !(PARTS as readonly string[]).includes(key));
    if (unknown !== undefined) {
      throw new ArgumentError(`unknown detail \`${unknown}\` of a move: expected ${PARTS.join(', ')}`);
    }
    const { promotion, ...details } = parts;
    const wanted: Record<string, unknown> = { ...details };
    if (promotion !== undefined) {
      const letter = check.text('promotion', promotion).toLowerCase();
      wanted.becomes = PROMOTIONS[letter] ?? letter;
    }
    const given = Object.entries(wanted).filter(([, value]) => value !== undefined);
    const matches = this.moves({ verbose: true }).filter((legal) =>
      given.every(([key, value]) => sameDetail(key, legal[key as keyof LegalMove], value)),
    );
    const [found, another] = matches;
    if (found && !another) return found.text;
    const shown = given.map(([key, value]) => `${key} ${String(value)}`).join(', ');
    if (!found) throw new MoveError(`no legal move with ${shown || 'these details'}`);
    const texts = matches.map(({ text }) => text);
    const listed = texts.length > 6 ? `${texts.slice(0, 6).join(', ')}, …` : texts.join(', ');
    throw new MoveError(`${matches.length} legal moves with ${shown || 'no details'}: ${listed}`);
  }

  /** The moves played, from the JSON of the module. @internal */
  protected played(json: string): PlayedMove<Color>[] {
    const moves = JSON.parse(json) as {
      player: number;
      text: string;
      san: string;
      action: number;
      word?: number;
    }[];
    return moves.map(({ player, ...rest }) => ({ color: this.color(player), ...rest }));
  }

  /** Takes back the last move, and a resignation, agreement or claim after it. Returns it; `null` if there is none. */
  undo(): PlayedMove<Color> | null {
    return this.played(this.raw.undo())[0] ?? null;
  }

  /** The moves played, as people write them; with `verbose`, in all their forms. */
  history(options?: { verbose?: false }): string[];
  /** The moves played, in all their forms. */
  history(options: { verbose: true }): PlayedMove<Color>[];
  history(options?: { verbose?: boolean }): string[] | PlayedMove<Color>[] {
    const verbose = check.flag('verbose', check.options(options).verbose, false);
    return verbose ? this.played(this.raw.playedSince(0)) : lines(this.raw.sansPlayed());
  }

  /** The moves played, in the long form that programs exchange. */
  historyTexts(): string[] {
    return lines(this.raw.textsPlayed());
  }

  /** Resigns for a player. Does nothing if the game is over. */
  resign(color: Color): void {
    this.raw.resign(this.number(color));
  }

  /** Ends the game in a draw by agreement. Does nothing if the game is over. */
  agreeDraw(): void {
    this.raw.agreeDraw();
  }

  /** Ends the game with a loss on time for a player. Does nothing if the game is over. */
  flagFall(color: Color): void {
    this.raw.flagFall(this.number(color));
  }

  /** The state of the draw offer; `null` if both players may offer. */
  drawOffer(): DrawOffer<Color> | null {
    const offer = JSON.parse(this.raw.drawOffer()) as { status: 'open' | 'declined'; player: number } | null;
    return offer && { status: offer.status, color: this.color(offer.player) };
  }

  /** Offers, retracts, accepts or declines a draw. Throws `DrawError` if that is not possible. */
  drawAction(color: Color, action: DrawAction): void {
    const number = this.number(color);
    const known = check.oneOf('action', action, DRAW_ACTIONS);
    guard(() => this.raw.drawAction(number, known));
  }

  /** The policy indices of the legal moves, ascending. Empty once the game is over. */
  legalActions(): Uint32Array {
    return this.raw.legalActions();
  }

  /** The policy index of a legal move. */
  actionOf(move: string): number {
    const text = check.text('move', move);
    return guard(() => this.raw.actionOf(text));
  }

  /** The legal move with a policy index, in the long form. */
  moveAt(action: number): string {
    const index = this.#action(action);
    return guard(() => this.raw.moveAt(index));
  }

  /** Plays the legal move with a policy index. Throws `MoveError` if there is none; the game is then unchanged. */
  playAction(action: number): PlayedMove<Color> {
    const index = this.#action(action);
    return this.played(guard(() => this.raw.playAction(index)))[0]!;
  }

  #action(action: number): number {
    return check.integer('action', action, 0, this.info.policySize - 1);
  }

  /**
   * Writes the mask of legal policy indices: 1 for legal, 0 for illegal. All 0 once the game is over.
   *
   * Returns `out`, or a new array if it is omitted.
   */
  mask(out?: Uint8Array): Uint8Array {
    const length = this.info.policySize;
    const mask = out === undefined ? new Uint8Array(length) : check.array('out', out, Uint8Array, length);
    guard(() => this.raw.mask(mask));
    return mask;
  }

  /**
   * Writes the observation from the mover's perspective: `[row][column][plane]`, or `[plane][row][column]` with the layout
   * `chw`.
   *
   * Returns `out`, or a new array if it is omitted.
   */
  observe(out?: Float32Array, options?: { layout?: Layout }): Float32Array {
    const { layout } = check.options(options);
    const channelsFirst = layout !== undefined && check.oneOf('layout', layout, LAYOUTS) === 'chw';
    const length = this.info.observationShape.reduce((product, extent) => product * extent);
    const values =
      out === undefined ? new Float32Array(length) : check.array('out', out, Float32Array, length);
    guard(() => this.raw.observe(values, channelsFirst));
    return values;
  }

  /** The static evaluation for the side to move, in hundredths of the game's least valuable piece. */
  staticEval(): number {
    return this.raw.staticEval();
  }

  /** The number of legal move sequences of a length. */
  perft(depth: number): number {
    const plies = check.integer('depth', depth, 0, MAX_U32);
    return guard(() => this.raw.perft(plies));
  }

  /** Perft split by first move. Empty at depth 0. */
  divide(depth: number): { move: string; nodes: number }[] {
    const plies = check.integer('depth', depth, 0, MAX_U32);
    return JSON.parse(guard(() => this.raw.divide(plies))) as { move: string; nodes: number }[];
  }

  /** The board as text. */
  ascii(options?: { flip?: boolean }): string {
    return this.raw.ascii(check.flag('flip', check.options(options).flip, false));
  }

  /** The board as an SVG document. */
  svg(options?: SvgOptions): string {
    const { size, flip, lastMove, indices, arrows } = check.options(options);
    const width = check.optionalInteger('size', size, 1, MAX_SIZE) ?? 400;
    if (arrows !== undefined && !Array.isArray(arrows)) {
      throw new ArgumentError('arrows must be an array of pairs of cells');
    }
    const cells = (arrows ?? []).flatMap((arrow: unknown) => {
      if (!Array.isArray(arrow) || arrow.length !== 2) {
        throw new ArgumentError('arrows must be an array of pairs of cells');
      }
      return arrow.map((cell) => check.text('arrows', cell));
    });
    const [flipped, marked, numbered] = [
      check.flag('flip', flip, false),
      check.flag('lastMove', lastMove, true),
      check.flag('indices', indices, false),
    ];
    return guard(() => this.raw.svg(width, flipped, marked, numbered, cells));
  }

  /** A copy with the same history. */
  clone(): this {
    checkMemory(this.core);
    return this.wrap(this.raw.clone());
  }

  /** Whether both games are of the same kind and went through the same positions by the same moves to the same end. */
  equals(other: Game): boolean {
    if (!(other instanceof Game)) throw new ArgumentError('other must be a game');
    // Games of two modules have no common memory.
    if (other.core !== this.core) {
      return (
        other.kind === this.kind &&
        other.rules() === this.rules() &&
        other.firstPosition() === this.firstPosition() &&
        other.raw.textsPlayed() === this.raw.textsPlayed() &&
        other.raw.outcome() === this.raw.outcome()
      );
    }
    return this.raw.equals(other.raw);
  }

  /** Frees the memory of the game, which must not be used any more. */
  dispose(): void {
    this.#raw?.free();
    this.#raw = undefined;
  }

  /** Everything that a worker needs to continue the game. @internal */
  state(): { kind: string; rules: string | undefined; first: string; moves: string } {
    return {
      kind: this.kind,
      rules: this.rules(),
      first: this.firstPosition(),
      moves: this.raw.textsPlayed(),
    };
  }
}

// eslint-disable-next-line @typescript-eslint/no-unsafe-declaration-merging
export interface Game<Color extends string = string> extends Disposable {}

// Older engines have no `Symbol.dispose`, and a class member with that name would be called `undefined`.
if (typeof Symbol.dispose === 'symbol') {
  Object.defineProperty(Game.prototype, Symbol.dispose, {
    value(this: Game) {
      this.dispose();
    },
    configurable: true,
    writable: true,
  });
}

function sameDetail(key: string, legal: unknown, wanted: unknown): boolean {
  if (key === 'group') {
    return (
      Array.isArray(wanted) && [...wanted].sort().join() === [...((legal as string[]) ?? [])].sort().join()
    );
  }
  if (key === 'deploys') return (legal ?? false) === wanted;
  return legal === wanted;
}

function checkMemory(core: Core): void {
  if (core.memory.buffer.byteLength > MAX_MEMORY) {
    throw new MemoryError('too many games: dispose of those that are not needed any more');
  }
}
