// The part of the WebAssembly core that the page uses. Requests and answers are the JSON texts of the HTTP API; times
// are milliseconds.

/** Answers stateless requests and creates sessions. Throws an error with the response `body` of the API. */
export interface Core {
  respond(route: string, body: string): string;
  Session: {
    create(newGame: string): Session;
    restore(settings: string, log: string): Session;
  };
}

/** A stored game: the fold of its log over its settings. */
export interface Session {
  settings(): string;
  version(): number;
  clone(): Session;
  free(): void;
  /** Applies a change and returns the new entries of the log as a JSON array. After an error the session is unusable. */
  change(change: string, expected: number | undefined, now: number): string;
  startClock(now: number): void;
  view(id: string, created: number, updated: number, wallTime: number, now: number): string;
  summary(id: string, created: number, updated: number): string;
  record(): string;
  /** The review that is stored with the game; `null` if there is none. */
  review(): string;
  /** The request of type `review` for one of type `review_game`, without its type. Throws if the game is not over. */
  reviewRequest(request: string): string;
  /** The time left to the side to move; undefined while the clock is stopped. */
  timeToFlag(now: number): number | undefined;
  /** What an engine has to decide now, for an engine worker. */
  engineTask(id: string, now: number): string | undefined;
}
