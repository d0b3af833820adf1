// What every entry point exports beside its games. It must not import a WebAssembly module: each entry point has its own.

export type { KindInfo } from './core.js';
export {
  type AnalyzeOptions,
  type BestMoveOptions,
  type EngineOptions,
  type Line,
  type SearchInfo,
  type SearchLimits,
} from './engine.js';
export * from './errors.js';
export {
  type DrawAction,
  type DrawOffer,
  Game,
  type GameOptions,
  type Layout,
  type LegalMove,
  type MoveParts,
  type Outcome,
  type PlayedMove,
  type SvgOptions,
  type Turn,
} from './game.js';
