// What the page needs: rules, stored games and analysis. A server provides it, or the browser itself.

import type {
  AnalysisMessage,
  AnalysisRequest,
  DrawAction,
  Game,
  GameRecord,
  GameSummary,
  Inspection,
  Kind,
  NewGame,
  Palette,
  ParsedRecord,
  Player,
  PositionRequest,
  SetupRequest,
  SetupResponse,
  View,
  WriteRecordRequest,
} from '../types';

/** A request is rejected with an `ApiError`, or with an `UnreachableError` if it may succeed later. */
export interface Backend {
  kinds(): Promise<Kind[]>;
  palette(kind: string, rules: string): Promise<Palette>;
  position(position: PositionRequest): Promise<View>;
  inspect(position: PositionRequest): Promise<Inspection>;
  setup(setup: SetupRequest): Promise<SetupResponse>;
  readRecord(kind: string, rules: string, record: string): Promise<ParsedRecord>;
  writeRecord(position: WriteRecordRequest): Promise<GameRecord>;

  /** Up to 50 saved games that last changed before a time, the latest first. */
  games(before?: number): Promise<GameSummary[]>;
  newGame(options: NewGame): Promise<Game>;
  game(id: string): Promise<Game>;
  deleteGame(id: string): Promise<void>;
  move(id: string, text: string, version: number): Promise<Game>;
  undo(id: string, version: number): Promise<Game>;
  resign(id: string, player: Player): Promise<Game>;
  draw(id: string, player: Player, action: DrawAction): Promise<Game>;
  record(id: string): Promise<GameRecord>;
  /** Follows a game until the returned function is called. */
  follow(id: string, on: GameHandlers): () => void;

  /** Opens an analysis. A new request replaces the current one. */
  openAnalysis(on: AnalysisHandlers): Analysis;
}

export interface GameHandlers {
  /** The current state of the game, first and after every change. The same version may arrive twice. */
  game(game: Game): void;
  /** The game does not exist, or no longer. */
  deleted(): void;
  /** The connection was lost or restored. */
  connection(connected: boolean): void;
  /** The game cannot be read. */
  failed(error: unknown): void;
}

export interface Analysis {
  send(request: AnalysisRequest): void;
  close(): void;
}

export interface AnalysisHandlers {
  message(message: AnalysisMessage): void;
  /** The analysis accepts requests. Earlier ones are forgotten. */
  connected(): void;
  disconnected(): void;
}
