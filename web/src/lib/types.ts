// The types of the HTTP API, described in `crates/server/openapi.yaml`.

export type Player = 'first' | 'second';
export type ByPlayer<T> = { first: T; second: T };

export interface Kind {
  name: string;
  rules: string[];
  players: ByPlayer<string>;
  levels: number;
  /** Whether a move is previewed and confirmed before it is played. */
  confirm_moves: boolean;
  record_extension: string;
  encoding: string;
  shape: Shape;
  policy: { id: string; size: number };
  fields: ArrangementField[];
}
export interface Shape {
  rows: number;
  cols: number;
  planes: number;
}
export interface ArrangementField {
  name: string;
  default: string;
  description: string;
}
export interface Palette {
  regions: string[][];
  figures: { figure: Figure; region: number }[];
}

/** A position given by its start position and the moves played from it; the server stores nothing. */
export interface PositionRequest {
  kind: string;
  rules?: string;
  position?: string;
  moves?: string[];
  /** Whether the response lists the legal moves; true if absent. */
  legal_moves?: boolean;
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
  in_check: boolean | null;
  /** The cell of the figure in check. */
  cell_in_check: string | null;
  outcome: Outcome;
  board: Board;
  arrangement: Arrangement;
  turn_in_progress: TurnInProgress | null;
  overlays: Overlay[];
  moves_played: PlayedMove[];
  legal_moves: LegalMove[];
}
export interface Outcome {
  over: boolean;
  winner: Player | null;
  reason: string | null;
  description: string;
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
  /** The leading piece first; the others are drawn on top of it. */
  pieces: Piece[];
}
export interface Piece {
  kind: string;
  owner: Player;
  role: 'alone' | 'carrier' | 'passenger' | 'slave';
  height: number | null;
  starred: boolean;
  /** SVG path data in a box of 100 × 100: the body, then details on it. */
  outlines: string[];
  /** SVG path data drawn on the body with the even-odd rule; empty if there is none. */
  symbol: string;
}
export interface TurnInProgress {
  from: string;
  pieces: string[];
  steps: string[];
}
export interface Overlay {
  name: string;
  owner: Player;
  cells: { cell: string; sources: string[] }[];
}
export interface PlayedMove {
  text: string;
  san: string;
  action_word: number | null;
  index: number;
  player: Player;
}
export interface Share {
  cell: string;
  amount: number;
}
export interface LegalMove {
  text: string;
  san: string;
  action_word: number | null;
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
export interface SetupResponse {
  position: string | null;
  /** Empty if there is a position. */
  faults: Fault[];
}
export interface Fault {
  text: string;
  /** The cell it concerns. */
  place: string | null;
}

export interface Inspection {
  encoding: string;
  shape: Shape;
  frame: (string | null)[];
  planes: Plane[];
  policy: { id: string; size: number; legal_count: number };
  position: string;
  hash: string;
  bytes: { hex: string; base64: string } | null;
}
export interface Plane {
  name: string;
  description: string;
  values: number[];
}

export type Tags = [string, string][];
export interface GameRecord {
  record: string;
  extension: string;
}
export interface ParsedRecord {
  tags: Tags;
  view: View;
}

export type Seat = { type: 'human'; name?: string } | { type: 'engine'; level: number };
export type Seats = ByPlayer<Seat>;
export type DrawAction = 'offer' | 'retract' | 'accept' | 'decline';
export interface NewGame {
  kind: string;
  rules?: string;
  position?: string;
  moves?: string[];
  seats?: Seats;
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
  seats: Seats;
  thinking: boolean;
  clock: Clock | null;
  draw_offer: Player | null;
  tags: Tags;
  view: View;
}
export interface GameSummary {
  id: string;
  kind: string;
  rules: string;
  updated: number;
  seats: Seats;
  turn: Player;
  plies: number;
  position: string;
  outcome: Outcome;
  last_move: string | null;
}
export type GameMessage =
  { type: 'game'; game: Game } | { type: 'current'; version: number } | { type: 'deleted' };

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
  seldepth: number;
  nodes: number;
  time: number;
  lines: Line[];
}
export type AnalysisMessage =
  | { type: 'queued' | 'started'; id: number }
  | Report
  | { type: 'done'; id: number; reason: 'limit' | 'stopped' | 'game_over' }
  | { type: 'error'; id: number | null; error: ErrorBody };
export interface ErrorBody {
  code: string;
  message: string;
}

export function opponent(player: Player): Player {
  return player === 'first' ? 'second' : 'first';
}
