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

/** An argument has the wrong type, or a value that no position allows. */
export class ArgumentError extends SandtableError {
  constructor(message: string, options?: ErrorOptions) {
    super('invalid_argument', message, options);
  }
}

/** The text of a position cannot be read, or the position is invalid. */
export class PositionError extends SandtableError {
  constructor(message: string, options?: ErrorOptions) {
    super('invalid_position', message, options);
  }
}

/** A move, turn or action is not legal. The game is unchanged. */
export class MoveError extends SandtableError {
  constructor(message: string, options?: ErrorOptions) {
    super('illegal_move', message, options);
  }
}

/** A record cannot be read. */
export class RecordError extends SandtableError {
  constructor(message: string, options?: ErrorOptions) {
    super('invalid_record', message, options);
  }
}

/** The state of the draw offer does not allow the action. The game is unchanged. */
export class DrawError extends SandtableError {
  constructor(message: string, options?: ErrorOptions) {
    super('draw_action', message, options);
  }
}

/** There is not enough memory. */
export class MemoryError extends SandtableError {
  constructor(message: string, options?: ErrorOptions) {
    super('out_of_memory', message, options);
  }
}

/** The game or engine was used after `dispose()`. */
export class DisposedError extends SandtableError {
  constructor(message: string) {
    super('disposed', message);
  }
}

/** The engine is busy, or its worker failed. */
export class EngineError extends SandtableError {
  constructor(message: string, options?: ErrorOptions) {
    super('engine', message, options);
  }
}

/** A defect of this package. */
export class InternalError extends SandtableError {
  constructor(message: string, options?: ErrorOptions) {
    super('internal', message, options);
  }
}

/** Converts an exception of the WebAssembly module. */
export function convert(error: unknown): SandtableError {
  if (error instanceof SandtableError) return error;
  const { code, message } = describe(error);
  const options = { cause: error };
  switch (code) {
    case 'invalid_argument':
      return new ArgumentError(message, options);
    case 'invalid_position':
      return new PositionError(message, options);
    case 'illegal_move':
      return new MoveError(message, options);
    case 'invalid_record':
      return new RecordError(message, options);
    case 'draw_action':
      return new DrawError(message, options);
    case 'out_of_memory':
      return new MemoryError(message, options);
    default:
      return new InternalError(message, options);
  }
}

/** The code and message of an exception, as a worker sends them. */
export function describe(error: unknown): { code: string; message: string } {
  const { code, message } = Object(error) as { code?: unknown; message?: unknown };
  return {
    code: typeof code === 'string' ? code : 'internal',
    message: typeof message === 'string' ? message : String(error),
  };
}

/** Calls the WebAssembly module and converts its exceptions. */
export function guard<T>(call: () => T): T {
  try {
    return call();
  } catch (error) {
    throw convert(error);
  }
}
