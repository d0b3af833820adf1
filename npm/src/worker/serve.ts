// The program of an engine's worker. The build replaces `../wasm/all.js` by the glue of each module.

import { type Answer, describe, type Request, type SearchRequest } from '../protocol.js';
import * as raw from '../wasm/all.js';

/** The strongest level. */
const FULL_STRENGTH = 9;

/** Handles the messages of an engine. */
export function serve(send: (answer: Answer) => void): (request: Request) => void {
  let searcher: raw.Searcher | undefined;
  let hash = 16;
  let stopped: Int32Array | undefined;

  function search(request: SearchRequest): string | null {
    const { id, game: state, level } = request;
    const start = performance.now();
    const end = request.time === undefined ? Infinity : start + request.time;
    const game = raw.RawGame.restore(state.kind, state.rules, state.first, state.moves);
    try {
      const nodes = request.nodes === undefined ? undefined : BigInt(request.nodes);
      const shouldStop = (): boolean =>
        performance.now() >= end || (stopped !== undefined && Atomics.load(stopped, 0) >= id);
      if (level !== undefined && level < FULL_STRENGTH) {
        const seed = BigInt(request.seed ?? 0);
        return raw.levelMove(game, String(level), seed, request.depth, nodes, shouldStop) ?? null;
      }
      // Full strength is a search for the best move, which keeps its table.
      searcher ??= new raw.Searcher(hash);
      const report = (info: string): void =>
        send({ type: 'info', id, time: performance.now() - start, info });
      const found = searcher.search(game, request.depth, nodes, request.lines, report, shouldStop);
      return (JSON.parse(found) as { lines: { moves: string[] }[] }).lines[0]?.moves[0] ?? null;
    } finally {
      game.free();
    }
  }

  return (request) => {
    switch (request.type) {
      case 'init':
        ({ hash, stopped } = request);
        raw.initSync({ module: request.module });
        break;
      case 'clear':
        searcher?.clear();
        break;
      case 'network':
        try {
          raw.installNetwork(request.kind, request.bytes);
        } catch (error) {
          send({ type: 'warning', message: describe(error).message });
        }
        break;
      case 'search': {
        const { id } = request;
        try {
          send({ type: 'done', id, move: search(request) });
        } catch (error) {
          send({ type: 'error', id, error: describe(error) });
        }
      }
    }
  };
}
