// The types of the HTTP API, generated from the Rust types of `crates/contract` (see its `src/typescript.rs`).
// Do not edit: run `UPDATE_GENERATED=1 cargo test -p sandtable-contract --lib types`.

/** A player as JSON. */
export type Player = "first" | "second";

/** One value per player, as JSON. */
export type ByPlayer<T> = {
  /** The first player's value. */
  first: T;
  /** The second player's value. */
  second: T;
};

/** A kind of game. */
export type Kind = {
  name: string;
  rules: Array<string>;
  players: ByPlayer<string>;
  levels: number;
  /** How many positions each level searches for a move, about; null for the levels without such a limit. */
  level_nodes: Array<number | null>;
  /** The measured Elo of each level; null where it has not been measured. */
  level_elo: Array<number | null>;
  /** Whether a move may change several figures, so that it is previewed before it is played. */
  confirm_moves: boolean;
  record_extension: string;
  encoding: string;
  shape: Shape;
  planes: Array<PlaneDescription>;
  policy: {
    id: string;
    size: number;
  };
  fields: Array<ArrangementField>;
};

/** The shape of an observation, as JSON. */
export type Shape = {
  rows: number;
  cols: number;
  planes: number;
};

/** A plane of the observation. */
export type PlaneDescription = {
  name: string;
  description: string;
};

/** A field of an arrangement: everything but the figures and the side to move. */
export type ArrangementField = {
  name: string;
  default: string;
  description: string;
};

/** The request for a palette. */
export type PaletteRequest = {
  kind: string;
  rules?: string;
};

/** Every figure that an editor can place. */
export type Palette = {
  regions: Array<Array<string>>;
  figures: Array<{
    figure: Figure;
    region: number;
  }>;
};

/** A position, given by a start and the moves played from there. */
export type PositionRequest = {
  kind: string;
  rules?: string;
  position?: string;
  moves?: Array<string>;
  /** Whether the response lists the legal moves; true if absent. */
  legal_moves?: boolean;
  /** The index of the first legal move in the response; 0 if absent. */
  legal_offset?: number;
};

/** A position with its board, outcome, moves played and legal moves. */
export type View = {
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
  overlays: Array<Overlay>;
  /** At most [`MAX_LEGAL_MOVES`]; a position request with `legal_offset` asks for the next ones. */
  legal_moves: Array<LegalMove>;
  /** The number of all legal moves. */
  legal_count: number;
  moves_played: Array<PlayedMove>;
};

/** The outcome of a game. */
export type Outcome = {
  over: boolean;
  winner: Player | null;
  reason: string | null;
  description: string;
};

/** The board as a picture. */
export type Board = {
  outline: Outline;
  width: number;
  height: number;
  inks: ByPlayer<string>;
  cells: Array<Cell>;
  labels: Array<{
    text: string;
    x: number;
    y: number;
  }>;
  /** The landscape, from bottom to top; it replaces the grounds of the cells. */
  scenery: Array<{
    kind: "relief" | "water" | "swell" | "wave" | "bridge";
    /** SVG path data in hundredths of a cell. */
    path: string;
  }>;
};

/** The shape of the cells. */
export type Outline = "square" | "point" | "hexagon";

/** The ground of a cell, which decides its colour. */
export type Ground = "light" | "dark" | "gray" | "water" | "mixed" | "land";

/** A cell of the board. */
export type Cell = {
  name: string;
  index: string;
  x: number;
  y: number;
  ground: Ground;
  terrain: Array<string>;
  figure: Figure | null;
  marked: boolean;
};

/** What stands on a cell. */
export type Figure = {
  owner: Player;
  letters: string;
  token: string;
  starred: boolean;
  /** The leading piece first; the others are drawn on top of it. */
  pieces: Array<Piece>;
};

/** A piece of a figure. */
export type Piece = {
  kind: string;
  owner: Player;
  role: Role;
  /** The place in the box of the figure; null if the piece fills it. */
  place: {
    x: number;
    y: number;
    scale: number;
  } | null;
  height: number | null;
  starred: boolean;
  /** SVG path data in a box of 100 × 100: the body, then details on it. */
  outlines: Array<string>;
  /** SVG path data drawn on the body with the even-odd rule; empty if there is none. */
  symbol: string;
  /** SVG path data of the mark of a special rank; empty if there is none. */
  badge: string;
};

/** The role of a piece within a figure. */
export type Role = "alone" | "carrier" | "passenger" | "slave";

/** A position as an editor shows it. */
export type Arrangement = {
  cells: { [key in string]: string };
  turn: Player;
  fields: { [key in string]: string };
};

/** A turn of which some steps are made. */
export type TurnInProgress = {
  from: string;
  pieces: Array<string>;
  steps: Array<string>;
};

/** Cells to highlight, such as the zones of air defence. */
export type Overlay = {
  name: string;
  owner: Player;
  /** The kinds of enemy pieces that it concerns. */
  concerns: Array<string>;
  cells: Array<{
    cell: string;
    sources: Array<string>;
  }>;
};

/** A move that was played. */
export type PlayedMove = {
  text: string;
  san: string;
  action_word: number | null;
  index: number;
  player: Player;
};

/** A legal move with its details. No two legal moves of a position have the same details. */
export type LegalMove = {
  text: string;
  san: string;
  action_word: number | null;
  index: number;
  kind: string;
  from: string | null;
  to: string | null;
  group: Array<string>;
  deploys: boolean;
  takes: string | null;
  becomes: string | null;
  amount: number | null;
  shares: Array<Share>;
};

/** A part of a move that affects another cell. */
export type Share = {
  cell: string;
  amount: number;
};

/** The observation, policy and raw forms of a position. */
export type Inspection = {
  encoding: string;
  shape: Shape;
  /** The cell at each place of a plane, row by row. */
  frame: Array<string | null>;
  planes: Array<Plane>;
  policy: {
    id: string;
    size: number;
    legal_count: number;
  };
  position: string;
  hash: string;
  bytes: {
    hex: string;
    base64: string;
  } | null;
};

/** A plane with its values, in the order of the frame. */
export type Plane = {
  name: string;
  description: string;
  values: Array<number>;
};

/** What a player has tried: a figure, and optionally its target and the pieces of it that act. */
export type RefusalRequest = {
  position: PositionRequest;
  /** The cell of the figure. */
  from: string;
  /** The target; without one, the question is why the figure cannot act at all. */
  to?: string;
  /** The pieces that act, as legal moves name them; any of them if empty. */
  group?: Array<string>;
};

/** The reason why the attempt is not a legal move. */
export type RefusalResponse = {
  /** Null if the attempt is a legal move, or may become one by further choices. */
  refusal: Refusal | null;
};

/** A reason: one sentence without a full stop. */
export type Refusal = {
  text: string;
  /** What a translation of the text needs. */
  detail: Detail;
};

/** The request to set up a position. */
export type SetupRequest = {
  kind: string;
  rules?: string;
  cells: { [key in string]: string };
  turn: Player;
  fields?: { [key in string]: string };
};

/** The position of an arrangement, or its faults. */
export type SetupResponse = {
  position: string | null;
  /** The outcome in the position, if there is one: no game can start from a position in which it is over. */
  outcome: Outcome | null;
  /** Empty if there is a position. */
  faults: Array<Fault>;
};

/** A fault of an arrangement. */
export type Fault = {
  text: string;
  /** The cell or field that it concerns. */
  place: string | null;
  /** What a translation of the text needs. */
  detail: Detail;
};

/** The request to read a record. */
export type ReadRecordRequest = {
  kind: string;
  rules?: string;
  record: string;
};

/** The game of a record. */
export type ParsedRecord = {
  tags: Array<[string, string]>;
  annotations: Annotations;
  /** The review that the annotations contain, if they do. */
  review: Review | null;
  view: View;
};

/** The annotations of a line of moves, as JSON. */
export type Annotations = {
  /** The comments and glyphs, by place. */
  notes: Array<Note>;
  /** The variations, by place. */
  variations: Array<Variation>;
};

/** A comment with glyphs. */
export type Note = {
  /** The number of moves before the note. */
  ply: number;
  glyphs: Array<number>;
  comment: string;
};

/** A variation. */
export type Variation = {
  /** The number of moves of its line before the first one that it replaces. */
  ply: number;
  /** Its moves, in the form that programs exchange. */
  moves: Array<string>;
  annotations: Annotations;
};

/** The request to write a record. */
export type WriteRecordRequest = {
  kind: string;
  rules?: string;
  position?: string;
  moves?: Array<string>;
  tags?: Array<[string, string]>;
  annotations?: Annotations;
  /** The annotations of a review, which is added to the others in place of an earlier one. */
  review?: Annotations;
};

/** A record and the file extension for it. */
export type GameRecord = {
  record: string;
  extension: string;
};

/** The request for a new game. */
export type NewGame = {
  kind: string;
  rules?: string;
  position?: string;
  moves?: Array<string>;
  seats?: ByPlayer<Seat>;
  clock?: ClockSettings | null;
  tags?: Array<[string, string]>;
  /** Whether everyone can find the game in the list of games to watch. */
  public?: boolean;
  /** Whether the lobby offers the open seat to everyone. */
  lobby?: boolean;
  /** Whether the players can send each other messages. */
  chat?: boolean;
};

/** A seat: the human or engine that plays one side. */
export type Seat = {
  "type": "human";
  /** The name, for the record. */
  name?: string;
} | {
  "type": "engine";
  /** The level, 0 to 9. */
  level: number;
} | {
  "type": "open"
};

/** The time control of a game, in milliseconds. */
export type ClockSettings = {
  initial: number;
  increment?: number;
  /** The time at the start of each turn before the player's clock runs. */
  delay?: number;
  /** The time for the whole game: when it has run out, the game is drawn. */
  max_game?: number | null;
};

/** An action on an offer: of a draw, or to take back a move. */
export type DrawAction = "offer" | "retract" | "accept" | "decline";

/** A game as JSON. */
export type Game = {
  /** The time of the host, in milliseconds since 1970. */
  now: number;
  access: Access;
  /** The sides that the requester plays. */
  you: Array<Player>;
  clock: Clock | null;
  /** Whether the player follows the game now. Engines always do. */
  connected: ByPlayer<boolean>;
  /** The time from which the opponent of this player may claim the win, in milliseconds since 1970, if the player is gone. */
  claim_from: ByPlayer<number | null>;
  id: string;
  version: number;
  created: number;
  updated: number;
  seats: ByPlayer<Seat>;
  thinking: boolean;
  draw_offer: Player | null;
  /** The player whose draw offer was declined in this position. */
  draw_declined: Player | null;
  /** The player who asks to take back a move. */
  take_back_offer: Player | null;
  /** The reasons of the draws that the side to move may claim. */
  claims: Array<string>;
  /** Whether the players can still abort the game. */
  abortable: boolean;
  /** The next game between the same players. */
  rematch: Rematch | null;
  /** How often the players have asked for advice of an engine. */
  advice: ByPlayer<AdviceCount>;
  /** Whether everyone can find the game in the list of games to watch. */
  public: boolean;
  /** Whether the lobby offers the open seat. */
  lobby: boolean;
  /** Whether the players can send each other messages. */
  chat_enabled: boolean;
  tags: Array<[string, string]>;
  view: View;
};

/** Who is connected to a game. */
export type Presence = {
  /** Whether the player follows the game now. Engines always do. */
  connected: ByPlayer<boolean>;
  /** The time from which the opponent of this player may claim the win, in milliseconds since 1970, if the player is gone. */
  claim_from: ByPlayer<number | null>;
};

/** The next game between the same players. */
export type Rematch = {
  /** The id of the next game. */
  id: string;
  /** The player who started it. */
  by: Player;
};

/** A kind of advice. */
export type AdviceKind = "hint" | "threats";

/** How often a player has asked for advice. */
export type AdviceCount = {
  hints: number;
  threats: number;
};

/** The clock of a game, in milliseconds. */
export type Clock = {
  initial: number;
  increment: number;
  /** The time at the start of each turn before the player's clock runs. */
  delay: number;
  /** The limit for the whole game. */
  max_game: number | null;
  left: ByPlayer<number>;
  /** The rest of the delay of the running clock. */
  delay_left: number;
  /** The time left for the whole game. */
  game_left: number | null;
  running: Player | null;
};

/** A game in the list of games, as JSON. */
export type GameSummary = {
  id: string;
  version: number;
  kind: string;
  rules: string;
  created: number;
  updated: number;
  seats: ByPlayer<Seat>;
  turn: Player;
  plies: number;
  position: string;
  outcome: Outcome;
  last_move: string | null;
  /** The sides that the requester plays. A server adds them to each response, if guests hold seats. */
  you?: Array<Player>;
  /** The time control. Games that have not changed since an earlier version of the server lack this field. */
  clock?: ClockSettings | null;
};

/** A game in the list whose summary cannot be read. It can be exported as stored, and deleted. */
export type DamagedGame = {
  id: string;
  created: number;
  updated: number;
  /** Always true. */
  damaged: boolean;
};

/** Who may do what on a host. */
export type Access = "open" | "seats";

/** What the host knows about a requester. */
export type Me = {
  /** Who may do what on this host. */
  access: Access;
  /** Whether the requester has a guest token. */
  guest: boolean;
  /** The networks that analyze on this host. */
  networks: Array<OfferedNetwork>;
};

/** A network of a host. */
export type OfferedNetwork = {
  /** The kind of game. */
  kind: string;
  /** The rules. */
  rules: string;
};

/** A link that gives a seat to the first who opens it. */
export type Link = {
  /** The single-use token. */
  token: string;
  /** The address of the page that takes the seat: absolute if the host knows its public address. */
  url: string;
};

/** A message of a player to the other one. */
export type ChatMessage = {
  /** The number of the message in the game, from 1. */
  number: number;
  /** When it was sent, in milliseconds since 1970. */
  at: number;
  /** The player who sent it. */
  player: Player;
  /** The text. */
  text: string;
};

/** A message to those who follow a game, other than `game` and `change`, which have the game itself. */
export type GameNotice = {
  "type": "current";
  /** The version. */
  version: number;
} | {
  "type": "deleted";
  /** Why. */
  reason: DeletedReason;
} | {
  "type": "chat";
  /** The message. */
  message: ChatMessage;
} | {
  "type": "presence"
} & Presence;

/** Why a game was deleted. */
export type DeletedReason = "aborted" | "deleted";

/** A message of a client about searches. A new request replaces the previous one. */
export type SearchRequest = {
  "type": "analyze"
} & AnalysisRequest | {
  "type": "review"
} & ReviewRequest | {
  "type": "try"
} & TryRequest | {
  "type": "review_game"
} & ReviewGameRequest | {
  "type": "stop"
};

/** The engine that analyses a position. */
export type AnalysisEngine = "built_in" | "network";

/** A request to analyze a position. */
export type AnalysisRequest = {
  id: number;
  position: PositionRequest;
  lines?: number;
  depth?: number;
  nodes?: number;
  time?: number;
  engine?: AnalysisEngine;
};

/** A request to review a game that is not stored. */
export type ReviewRequest = {
  id: number;
  /** The game: its start and its moves. */
  position: PositionRequest;
  /** The number of nodes for each position. */
  nodes?: number;
};

/** A request to review a stored game that is over. The review is stored with it. */
export type ReviewGameRequest = {
  /** The client's number of the request. */
  id: number;
  /** The id of the game. */
  game: string;
  /** The number of nodes for each position. */
  nodes?: number;
};

/** A request to compare a turn with the better one that a review has found. */
export type TryRequest = {
  id: number;
  /** The position before the turn. */
  position: PositionRequest;
  /** The moves of the turn. */
  moves: Array<string>;
  /** The moves of the better turn. */
  better: Array<string>;
  /** The number of nodes for each position of the review. */
  nodes?: number;
};

/** A message about an analysis. */
export type AnalysisMessage = {
  "type": "queued";
  /** The number of the request. */
  id: number;
} | {
  "type": "started";
  /** The number of the request. */
  id: number;
} | {
  "type": "report"
} & Report | {
  "type": "progress";
  /** The number of the request. */
  id: number;
  /** The finished part of `total`. */
  done: number;
  /** The whole. */
  total: number;
} | {
  "type": "reviewed";
  /** The number of the request. */
  id: number;
  review: Review;
  /** The review as annotations of the game. */
  annotations: Annotations;
} | {
  "type": "tried"
} & TriedTurn | {
  "type": "done";
  /** The number of the request. */
  id: number;
  /** Why it has ended. */
  reason: DoneReason;
} | {
  "type": "error";
  /** The number of the request, if it could be read. */
  id: number | null;
  /** The error. */
  error: ErrorBody;
};

/** Why an analysis has ended. */
export type DoneReason = "limit" | "complete" | "stopped" | "game_over";

/** The lines found so far, best first. */
export type Report = {
  id: number;
  turn: Player;
  depth: number;
  seldepth: number;
  nodes: number;
  time: number;
  hashfull: number;
  lines: Array<Line>;
};

/** A line of the analysis. */
export type Line = {
  score: Score;
  moves: Array<string>;
  san: Array<string>;
  /** The arrows of the first move, one from each cell that takes part. */
  arrows: Array<{
    from: string;
    to: string;
  }>;
};

/** A score from the first player's perspective. */
export type Score = {
  centipawns: number | null;
  mate: number | null;
  text: string;
};

/** A review, for the page and as annotations for a record. */
export type GameReview = {
  review: Review;
  /** The review as annotations of the game. */
  annotations: Annotations;
};

/** A review as JSON. */
export type Review = {
  /** The assessment of the first position. */
  start: Assessment;
  turns: Array<ReviewedTurn>;
  /** The accuracy in per cent; null without a turn of the player. */
  accuracy: ByPlayer<number | null>;
  /** How many errors the players have made. */
  errors: ByPlayer<ErrorCounts>;
};

/** What the engine thinks of a position. */
export type Assessment = {
  score: Score;
  /** The expected score of the first player: 1 for a win, 0.5 for a draw, 0 for a loss. */
  expected: number;
};

/** A turn and its judgement. */
export type ReviewedTurn = {
  /** The number of the turn as records count. */
  number: number;
  player: Player;
  /** The number of moves before the turn. */
  from: number;
  /** The number of moves after the turn. */
  to: number;
  /** The turn as records write it. */
  text: string;
  /** The position after the turn. */
  after: Assessment;
  /** The expected score that the turn loses, compared with the best turn: 0 to 1. */
  loss: number;
  judgement: Judgement | null;
  /** A better turn, if this one is an error. */
  better: BetterTurn | null;
};

/** How serious an error is. */
export type Judgement = "inaccuracy" | "mistake" | "blunder";

/** A better turn and the line that follows it. */
export type BetterTurn = {
  /** The line, the better turn first. */
  line: Array<TurnText>;
  /** The position after the better turn. */
  after: Assessment;
  /** The arrows of the better turn. */
  arrows: Array<{
    from: string;
    to: string;
  }>;
};

/** A turn of a line. */
export type TurnText = {
  /** The turn as records write it. */
  text: string;
  /** Its moves, in the form that programs exchange. */
  moves: Array<string>;
};

/** How many errors a player has made. */
export type ErrorCounts = {
  inaccuracies: number;
  mistakes: number;
  blunders: number;
};

/** A turn compared with the better one. */
export type TriedTurn = {
  id: number;
  /** The position after the turn. */
  after: Assessment;
  /** The expected score that the turn loses, compared with the better one: 0 to 1. */
  loss: number;
  /** Null if the turn is about as good. */
  judgement: Judgement | null;
};

/** An error, as its JSON body. */
export type ErrorBody = {
  code: ErrorCode;
  message: string;
  detail: Detail;
};

/** The kind of an error, for programs. */
export type ErrorCode = "bad_request" | "invalid_position" | "illegal_move" | "invalid_record" | "forbidden" | "not_found" | "method_not_allowed" | "request_timeout" | "conflict" | "payload_too_large" | "unsupported_media_type" | "too_many_requests" | "busy" | "internal";

/** The sentence of a message and its parameters, for clients that translate it. */
export type Detail = {
  /** The code of the sentence, such as `chess_fen.ranks`. */
  code: string;
  /** The parameters by name. */
  params: { [key in string]: DetailParam };
};

/** A parameter of a [`Detail`]. */
export type DetailParam = string | number | {
  /** The word. */
  term: string;
} | Detail | Array<DetailParam>;
