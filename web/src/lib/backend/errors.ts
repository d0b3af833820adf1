// The errors of a backend, in the player's language.

import { serverText, t } from '../../i18n';
import type { ErrorBody } from '../types';

/** The backend rejected a request. */
export class ApiError extends Error {
  constructor(
    readonly body: ErrorBody,
    /** How many seconds the backend asks to wait before the next attempt. */
    readonly retryAfter: number | null = null,
  ) {
    const text = serverText(body.detail, body.message);
    super(retryAfter === null ? text : `${text} ${t('app.retryAfter', { seconds: retryAfter })}`);
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

/** The player may not do that. */
export function isForbidden(error: unknown): boolean {
  return error instanceof ApiError && error.body.code === 'forbidden';
}

/** The message to show for an error. */
export function errorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
