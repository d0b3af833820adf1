// Every time limit, delay and interval of the page, in milliseconds. (The backends have their own.)

export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

// Requests

/** The delays before a failed request is sent again: the first one, doubled up to the longest. */
export const RETRY_DELAY = { first: 500, longest: 8 * SECOND };
/** The same for a lost connection, which the player waits for. */
export const RECONNECT_DELAY = { first: 250, longest: 4 * SECOND };
/** How long the error of a single lost request is shown at least. */
export const SHORTEST_ERROR = 2 * SECOND;
/** How often the lobby is requested. */
export const LOBBY_INTERVAL = 3 * SECOND;
/** How often a page that stays open looks for a new version. */
export const UPDATE_INTERVAL = HOUR;
/** When other screens are loaded at the latest, and when where the browser does not say that it is idle. */
export const PRELOAD_DELAY = { latest: 2 * SECOND, unknown: 500 };

// The engine

/** How long an analysis searches a position. */
export const ANALYSIS_TIME = MINUTE;
/** How long advice during a game is searched. */
export const ADVICE_TIME = SECOND;

// The board

/** How long a mouse rests on a figure, or a finger presses it, until the figure is described. */
export const DESCRIBE_DELAY = 600;
/** How long a figure glides to its new cell. */
export const GLIDE_TIME = 180;
/** How long a move is seen before the board turns. */
export const FLIP_DELAY = 700;
/** How long a refusal is shown. */
export const REFUSAL_TIME = 6 * SECOND;

// Games and their clocks

/** How often a clock with tenths of a second is updated, and a countdown of seconds. */
export const CLOCK_INTERVAL = 100;
export const COUNTDOWN_INTERVAL = 500;
/** Below this, a clock shows tenths of a second and a warning. */
export const LOW_TIME = 20 * SECOND;
/** If the difference between the browser's clock and the server's grows by more than this, one of them was set. */
export const CLOCK_JUMP = 5 * SECOND;
/** The limits of the time of a player, and of a whole game. */
export const SHORTEST_CLOCK = SECOND;
export const LONGEST_CLOCK = 600 * MINUTE;
export const LONGEST_GAME = 10 * LONGEST_CLOCK;
/** How long a game without a move is kept: the player may have only stepped aside. */
export const UNPLAYED_AGE = HOUR;
