// The JSON contract of the server, without a server.

import * as check from './check.js';
import type {
  ErrorBody,
  GameRecord,
  Inspection,
  Kind,
  Palette,
  PaletteRequest,
  ParsedRecord,
  PositionRequest,
  ReadRecordRequest,
  SetupRequest,
  SetupResponse,
  View,
  WriteRecordRequest,
} from './contract-types.js';
import { core } from './core-all.js';
import { ArgumentError, convert, SandtableError } from './errors.js';

export type * from './contract-types.js';

/** The requests, by route: what goes in and what comes out. */
export interface Routes {
  /** The games, with their rules, encodings and setup fields. */
  kinds: { request: Record<string, never>; response: Kind[] };
  /** Every figure that an editor can place. */
  palette: { request: PaletteRequest; response: Palette };
  /** The view of a position: its board, outcome and legal moves. */
  position: { request: PositionRequest; response: View };
  /** What a neural network sees of a position. */
  inspect: { request: PositionRequest; response: Inspection };
  /** The position of an arrangement of figures, or its faults. */
  setup: { request: SetupRequest; response: SetupResponse };
  /** The game of a record. */
  'records/read': { request: ReadRecordRequest; response: ParsedRecord };
  /** The record of a game. */
  'records/write': { request: WriteRecordRequest; response: GameRecord };
}

/** The name of a request. */
export type Route = keyof Routes;

/** The error of a request, as the server sends it. */
export class ContractError extends SandtableError {
  /** The HTTP status that the server answers with. */
  readonly status: number;
  /** The body that the server answers with. */
  readonly body: ErrorBody;

  constructor(status: number, body: ErrorBody, options?: ErrorOptions) {
    super('contract', body.message, options);
    this.status = status;
    this.body = body;
  }
}

/**
 * Answers a request as the server does: an object in, an object out; or JSON text in, JSON text out.
 *
 * Throws `ContractError` with the body of the server's error.
 */
export function respond(route: Route, body: string): string;
export function respond<R extends Route>(route: R, body: Routes[R]['request']): Routes[R]['response'];
export function respond(route: string, body: unknown): unknown {
  const name = check.text('route', route);
  const isText = typeof body === 'string';
  const text = check.text('body', isText ? body : toJson(body), check.MAX_DOCUMENT);
  let answer: string;
  try {
    answer = core.raw.respond(name, text);
  } catch (error) {
    const { status, body } = Object(error) as { status?: unknown; body?: unknown };
    if (typeof status !== 'number') throw convert(error);
    throw new ContractError(status, body as ErrorBody, { cause: error });
  }
  return isText ? answer : (JSON.parse(answer) as unknown);
}

/** The JSON text of a body; `undefined` if it has none. */
function toJson(body: unknown): string | undefined {
  try {
    return JSON.stringify(body);
  } catch (error) {
    throw new ArgumentError(`body has no JSON form: ${String(error)}`, { cause: error });
  }
}
