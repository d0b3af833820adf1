// The messages between the page and the worker that holds the core and the games. Texts are JSON of the API.

import type { ErrorBody } from '../../types';
import type { Change } from './registry';
import type { StorageFault } from './store';

export type Call =
  | { method: 'respond'; route: string; body: string }
  | { method: 'list'; before: number | undefined }
  | { method: 'create'; newGame: string }
  | { method: 'game' | 'record' | 'review' | 'delete'; id: string }
  | { method: 'change'; id: string; change: Change; expected: number | undefined }
  /** Follows a game under a number that the page chooses. */
  | { method: 'follow'; id: string; follower: number }
  | { method: 'leave'; follower: number }
  /** Starts a search in place of the current one, under a number that the page chooses. */
  | { method: 'analyze'; analysis: number; request: string }
  | { method: 'stop' };

export type ToWorker = Call & { number: number };

export type Failure =
  | { type: 'api'; body: ErrorBody }
  | { type: 'storage'; fault: StorageFault }
  /** The core could not be loaded: the next call tries again. */
  | { type: 'unreachable' };

export type FromWorker =
  | { type: 'result'; number: number; result: string | undefined }
  | { type: 'failure'; number: number; failure: Failure }
  | { type: 'game'; follower: number; game: string }
  | { type: 'deleted'; follower: number }
  | { type: 'analysis'; analysis: number; message: string };

/** The response body of an error of the core. Other errors are faults of the program. */
export function errorBody(error: unknown): ErrorBody {
  if (error instanceof Error && 'body' in error) return error.body as ErrorBody;
  return internalError(error instanceof Error ? error.message : String(error));
}

/** A fault of the program, which has no translation. */
export function internalError(message: string): ErrorBody {
  return { code: 'internal', message, detail: { code: 'internal', params: {} } };
}
