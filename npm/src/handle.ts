import * as check from './check.js';
import type { Core, RawGame } from './core.js';
import { ArgumentError, guard } from './errors.js';
import type { GameOptions } from './game.js';

/** A game of the module that is to be wrapped, in place of the arguments of a new game. */
export class Handle {
  readonly raw: RawGame;

  constructor(raw: RawGame) {
    this.raw = raw;
  }
}

/** Checks the arguments of a new game, and returns the function that creates it. */
export function opener(
  kind: string,
  position: string | Handle | undefined,
  options: GameOptions | undefined,
): (core: Core) => RawGame {
  if (position instanceof Handle) return () => position.raw;
  if (position !== undefined && typeof position !== 'string') {
    throw new ArgumentError('position must be a string');
  }
  const text = check.optionalText('position', position);
  const rules = check.optionalText('rules', check.options(options).rules);
  return ({ raw }) => raw.RawGame.create(kind, rules, text);
}

/** The first game of a record. */
export function recordHandle(core: Core, kind: string, record: string, options?: GameOptions): Handle {
  const text = check.text('record', record, check.MAX_DOCUMENT);
  const rules = check.optionalText('rules', check.options(options).rules);
  return new Handle(guard(() => core.raw.RawGame.fromRecord(kind, rules, text)));
}
