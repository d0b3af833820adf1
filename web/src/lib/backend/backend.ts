// What the page needs: rules, stored games and analysis. A server provides it, or the browser itself.

import type {
  AdviceKind,
  AnalysisMessage,
  ChatMessage,
  DeletedReason,
  DrawAction,
  Game,
  GameRecord,
  GameReview,
  GameSummary,
  Inspection,
  Kind,
  Link,
  ListedGame,
  Me,
  NewGame,
  Palette,
  ParsedRecord,
  Player,
  PositionRequest,
  Presence,
  RefusalRequest,
  RefusalResponse,
  SetupRequest,
  SetupResponse,
  StartSearch,
  View,
  WriteRecordRequest,
} from '../types';

/** A request is rejected with an `ApiError`, or with an `UnreachableError` if it may succeed later. */
export interface Backend {
  kinds(): Promise<Kind[]>;
  palette(kind: string, rules: string): Promise<Palette>;
  position(position: PositionRequest): Promise<View>;
  inspect(position: PositionRequest): Promise<Inspection>;
  /** Why a figure cannot act, or cannot act on a cell; null if it can. */
  refusal(request: RefusalRequest): Promise<RefusalResponse>;
  setup(setup: SetupRequest): Promise<SetupResponse>;
  readRecord(kind: string, rules: string, record: string): Promise<ParsedRecord>;
  writeRecord(position: WriteRecordRequest): Promise<GameRecord>;

  /** Up to 50 saved games that last changed before a time, the latest first. */
  games(before?: number): Promise<ListedGame[]>;
  newGame(options: NewGame): Promise<Game>;
  game(id: string): Promise<Game>;
  deleteGame(id: string): Promise<void>;
  move(id: string, text: string, version: number): Promise<Game>;
  undo(id: string, version: number): Promise<Game>;
  resign(id: string, player: Player): Promise<Game>;
  draw(id: string, player: Player, action: DrawAction): Promise<Game>;
  /** Counts advice of the engine that a player to move has asked for. */
  advice(id: string, player: Player, kind: AdviceKind): Promise<Game>;
  record(id: string): Promise<GameRecord>;
  /** The review that is stored with a game; null if there is none. */
  review(id: string): Promise<GameReview | null>;
  /** A game as it is stored, also if it cannot be opened. */
  rawGame(id: string): Promise<unknown>;
  /** Follows a game until the returned function is called. */
  follow(id: string, on: GameHandlers): () => void;

  /** Opens an analysis: of positions, or reviews. A new request replaces the current one. */
  openAnalysis(on: AnalysisHandlers): Analysis;

  /** What people on different machines need to play each other; null without a server. */
  readonly online: Online | null;
}

/** Seats, invitations, the lobby and chat. */
export interface Online {
  me(): Promise<Me>;
  /** The open challenges. */
  lobby(): Promise<GameSummary[]>;
  /** Games that everyone may watch, the latest first. */
  publicGames(): Promise<GameSummary[]>;
  /** Creates a link that takes the open seat once. Earlier links stop working. */
  invite(id: string): Promise<Link>;
  /** Creates a link that moves one's own seat to another device. */
  transfer(id: string, player: Player): Promise<Link>;
  /** Takes a seat: with the token of a link, or the open seat of a challenge. */
  takeSeat(id: string, seat: { token?: string; name?: string }): Promise<Game>;
  takeBack(id: string, player: Player, action: DrawAction): Promise<Game>;
  claim(id: string, player: Player, claim: 'draw' | 'victory'): Promise<Game>;
  /** Deletes a game before its second move. */
  abort(id: string): Promise<void>;
  /** Creates the rematch, or returns it if there is one. */
  rematch(id: string): Promise<Game>;
  chat(id: string): Promise<ChatMessage[]>;
  sendChat(id: string, text: string): Promise<void>;
}

export interface GameHandlers {
  /** The current state of the game, first and after every change. The same version may arrive twice. */
  game(game: Game): void;
  /** The game does not exist, or no longer. */
  deleted(reason?: DeletedReason): void;
  /** The connection was lost or restored. */
  connection(connected: boolean): void;
  /** The game cannot be read. */
  failed(error: unknown): void;
  /** A chat message arrived. */
  chat(message: ChatMessage): void;
  /** A player has connected or disconnected. */
  presence(presence: Presence): void;
}

export interface Analysis {
  send(request: StartSearch): void;
  close(): void;
}

export interface AnalysisHandlers {
  message(message: AnalysisMessage): void;
  /** The analysis accepts requests. Earlier ones are forgotten. */
  connected(): void;
  disconnected(): void;
}
