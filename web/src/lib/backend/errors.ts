// The errors of a backend, in the player's language.

import { serverText } from '../../i18n';
import type { ErrorBody } from '../types';

/** The backend rejected a request. */
export class ApiError extends Error {
  constructor(readonly body: ErrorBody) {
    super(serverText(body.detail, body.message));
  }
}

/** The game does not exist. */
export function isNotFound(error: unknown): boolean {
  return error instanceof ApiError && error.body.code === 'not_found';
}

/** The request does not fit the current state of the game. */
export function isConflict(error: unknown): boolean {
  return error instanceof ApiError && error.body.code === 'conflict';
}

/** The message to show for an error. */
export function errorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
