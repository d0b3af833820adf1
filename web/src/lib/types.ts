// The shapes of the server's API, as `/api/openapi.yaml` describes them.

export type Player = 'first' | 'second';
export type ByPlayer<T> = { first: T; second: T };

export interface Kind {
  name: string;
  rules: string[];
  players: ByPlayer<string>;
  levels: number;
  /** Is what comes of an action shown before it is played? */
  confirms: boolean;
  record_extension: string;
  encoding: string;
  shape: Shape;
  policy: { id: string; size: number };
  fields: Field[];
}
export interface Shape {
  rows: number;
  cols: number;
  planes: number;
}
export interface Field {
  name: string;
  default: string;
  means: string;
}
export interface Palette {
  regions: string[][];
  figures: { figure: Figure; region: number }[];
}

/** A position, said by how it came about. */
export interface Said {
  kind: string;
  rules?: string;
  position?: string;
  moves?: string[];
  actions?: boolean;
}

export interface View {
  kind: string;
  rules: string;
  players: ByPlayer<string>;
  first_position: string;
  position: string;
  hash: string;
  occurrences: number;
  turn: Player;
  check: boolean | null;
  /** The cell of the figure that is in check. */
  checked: string | null;
  outcome: Outcome;
  board: Board;
  arrangement: Arrangement;
  pending: Pending | null;
  overlays: Overlay[];
  history: Played[];
  actions: Action[];
}
export interface Outcome {
  over: boolean;
  winner: Player | null;
  reason: string | null;
  words: string;
}
export type Outline = 'square' | 'point' | 'hexagon';
export type Ground = 'light' | 'dark' | 'gray' | 'water' | 'mixed' | 'land';
export interface Board {
  outline: Outline;
  width: number;
  height: number;
  inks: ByPlayer<string>;
  cells: Cell[];
  labels: { text: string; x: number; y: number }[];
}
export interface Cell {
  name: string;
  index: string;
  x: number;
  y: number;
  ground: Ground;
  terrain: string[];
  figure: Figure | null;
  marked: boolean;
}
export interface Figure {
  owner: Player;
  letters: string;
  token: string;
  starred: boolean;
  /** The one that leads first; the others are drawn on it. */
  pieces: Piece[];
}
export interface Piece {
  kind: string;
  owner: Player;
  role: 'alone' | 'carrier' | 'passenger' | 'slave';
  height: number | null;
  starred: boolean;
  /** SVG path data in a box of 100 × 100: the body, then the lines over it. */
  outlines: string[];
  /** Painted on the body, by the even-odd rule. */
  symbol: string;
}
export interface Pending {
  from: string;
  pieces: string[];
  steps: string[];
}
export interface Overlay {
  name: string;
  owner: Player;
  cells: { cell: string; by: string[] }[];
}
export interface Played {
  text: string;
  san: string;
  word: number | null;
  index: number;
  player: Player;
}
export interface Share {
  cell: string;
  amount: number;
}
export interface Action {
  text: string;
  san: string;
  word: number | null;
  index: number;
  kind: string;
  from: string | null;
  to: string | null;
  group: string[];
  deploys: boolean;
  takes: string | null;
  becomes: string | null;
  amount: number | null;
  shares: Share[];
}
export interface Arrangement {
  cells: Record<string, string>;
  turn: Player;
  fields: Record<string, string>;
}
export interface SetupAnswer {
  position: string | null;
  reasons: { text: string; where: string | null }[];
}

export interface Inside {
  encoding: string;
  shape: Shape;
  frame: (string | null)[];
  planes: Plane[];
  policy: { id: string; size: number; legal: number };
  position: string;
  hash: string;
  bytes: { hex: string; base64: string } | null;
}
export interface Plane {
  name: string;
  means: string;
  values: number[];
}

export type Tags = [string, string][];
export interface GameRecord {
  record: string;
  extension: string;
}
export interface Loaded {
  tags: Tags;
  view: View;
}

export type PlayedBy = { who: 'person'; name?: string } | { who: 'engine'; level: number };
export interface NewGame {
  kind: string;
  rules?: string;
  position?: string;
  moves?: string[];
  players?: ByPlayer<PlayedBy>;
  clock?: { initial: number; increment: number } | null;
}
export interface Clock {
  initial: number;
  increment: number;
  left: ByPlayer<number>;
  running: Player | null;
}
export interface Game {
  id: string;
  version: number;
  created: number;
  updated: number;
  now: number;
  players: ByPlayer<PlayedBy>;
  thinking: boolean;
  clock: Clock | null;
  offer: Player | null;
  tags: Tags;
  view: View;
}
export interface GameSummary {
  id: string;
  kind: string;
  rules: string;
  updated: number;
  players: ByPlayer<PlayedBy>;
  turn: Player;
  plies: number;
  position: string;
  outcome: Outcome;
  last: string | null;
}
export type GameMessage =
  { type: 'game'; game: Game } | { type: 'current'; version: number } | { type: 'gone' };

export interface Score {
  centipawns: number | null;
  mate: number | null;
  text: string;
}
export interface Line {
  score: Score;
  moves: string[];
  san: string[];
}
export interface Report {
  type: 'report';
  id: number;
  turn: Player;
  depth: number;
  longest: number;
  nodes: number;
  time: number;
  lines: Line[];
}
export type AnalysisMessage =
  | { type: 'queued' | 'started'; id: number }
  | Report
  | { type: 'done'; id: number; why: 'limit' | 'stopped' | 'over' }
  | { type: 'refused'; id: number | null; error: ApiError };
export interface ApiError {
  error: string;
  message: string;
}

export function other(player: Player): Player {
  return player === 'first' ? 'second' : 'first';
}
