// Checks of arguments. WebAssembly converts whatever it gets, so every argument is checked before the call.

import { ArgumentError } from './errors.js';

/** The longest text of a move, a position or a name, in UTF-16 code units. */
const MAX_TEXT = 1 << 16;

/** The longest record or request. */
export const MAX_DOCUMENT = 1 << 24;

function describe(value: unknown): string {
  if (value === null) return 'null';
  if (typeof value === 'number' || typeof value === 'bigint') return String(value);
  if (typeof value === 'object') return value.constructor?.name ?? 'object';
  return typeof value;
}

/** Requires a string. */
export function text(name: string, value: unknown, longest = MAX_TEXT): string {
  if (typeof value !== 'string') {
    throw new ArgumentError(`${name} must be a string, not ${describe(value)}`);
  }
  if (value.length > longest) {
    throw new ArgumentError(`${name} is too long: ${value.length} characters, at most ${longest}`);
  }
  return value;
}

/** Requires a string or nothing. */
export function optionalText(name: string, value: unknown): string | undefined {
  return value === undefined ? undefined : text(name, value);
}

/** Requires an integer of a range. */
export function integer(name: string, value: unknown, least: number, most: number): number {
  if (typeof value !== 'number' || !Number.isInteger(value) || value < least || value > most) {
    throw new ArgumentError(`${name} must be an integer from ${least} to ${most}, not ${describe(value)}`);
  }
  return value;
}

/** Requires an integer of a range, or nothing. */
export function optionalInteger(
  name: string,
  value: unknown,
  least: number,
  most: number,
): number | undefined {
  return value === undefined ? undefined : integer(name, value, least, most);
}

/** Requires a boolean, with a default for nothing. */
export function flag(name: string, value: unknown, byDefault: boolean): boolean {
  if (value === undefined) return byDefault;
  if (typeof value !== 'boolean') {
    throw new ArgumentError(`${name} must be a boolean, not ${describe(value)}`);
  }
  return value;
}

/** Requires one of several strings. */
export function oneOf<T extends string>(name: string, value: unknown, known: readonly T[]): T {
  const found = known.find((one) => one === value);
  if (found === undefined) {
    const shown = typeof value === 'string' ? `\`${value}\`` : describe(value);
    throw new ArgumentError(`${name} must be ${known.join(' or ')}, not ${shown}`);
  }
  return found;
}

/** Requires an object of options, or nothing. */
export function options<T extends object>(value: T | undefined): T {
  if (value === undefined) return {} as T;
  if (typeof value !== 'object' || value === null) {
    throw new ArgumentError(`options must be an object, not ${describe(value)}`);
  }
  return value;
}

/** Requires an array of an exact type and length, whose memory has not been transferred away. */
export function array<T extends Float32Array | Uint8Array>(
  name: string,
  value: unknown,
  type: { new (length: number): T; readonly name: string },
  length: number,
): T {
  if (!(value instanceof type)) {
    throw new ArgumentError(`${name} must be a ${type.name}, not ${describe(value)}`);
  }
  if (value.length !== length) {
    throw new ArgumentError(`${name} must have ${length} values, not ${value.length}`);
  }
  return value;
}
