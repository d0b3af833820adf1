import { describe } from './protocol.js';

/** The class of an error, for programs. */
export type ErrorCode =
  | 'invalid_argument'
  | 'invalid_position'
  | 'illegal_move'
  | 'invalid_record'
  | 'draw_action'
  | 'out_of_memory'
  | 'disposed'
  | 'engine'
  | 'contract'
  | 'internal';

/** Any error of this package. The message is that of the Rust library. */
export class SandtableError extends Error {
  /** The class of the error. */
  readonly code: ErrorCode;

  constructor(code: ErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
    this.name = new.target.name;
  }
}

/** A class of errors that all have the same code. */
type ErrorClass = new (message: string, options?: ErrorOptions) => SandtableError;

function withCode(code: ErrorCode): ErrorClass {
  return class extends SandtableError {
    constructor(message: string, options?: ErrorOptions) {
      super(code, message, options);
    }
  };
}

/** An argument has the wrong type, or a value that no position allows. */
export class ArgumentError extends withCode('invalid_argument') {}

/** The text of a position cannot be read, or the position is invalid. */
export class PositionError extends withCode('invalid_position') {}

/** A move, turn or action is not legal. The game is unchanged. */
export class MoveError extends withCode('illegal_move') {}

/** A record cannot be read. */
export class RecordError extends withCode('invalid_record') {}

/** The state of the draw offer does not allow the action. The game is unchanged. */
export class DrawError extends withCode('draw_action') {}

/** There is not enough memory. */
export class MemoryError extends withCode('out_of_memory') {}

/** The game or engine was used after `dispose()`. */
export class DisposedError extends withCode('disposed') {}

/** The engine is busy, or its worker failed. */
export class EngineError extends withCode('engine') {}

/** A defect of this package. */
export class InternalError extends withCode('internal') {}

/** The classes of the errors that the WebAssembly module throws, by code. */
const THROWN = new Map<string, ErrorClass>([
  ['invalid_argument', ArgumentError],
  ['invalid_position', PositionError],
  ['illegal_move', MoveError],
  ['invalid_record', RecordError],
  ['draw_action', DrawError],
  ['out_of_memory', MemoryError],
]);

/** Converts an exception of the WebAssembly module. */
export function convert(error: unknown): SandtableError {
  if (error instanceof SandtableError) return error;
  const { code, message } = describe(error);
  const Class = THROWN.get(code) ?? InternalError;
  return new Class(message, { cause: error });
}

/** Calls the WebAssembly module and converts its exceptions. */
export function guard<T>(call: () => T): T {
  try {
    return call();
  } catch (error) {
    throw convert(error);
  }
}
