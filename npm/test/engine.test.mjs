import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';

import { ArgumentError, Chess, CoTuLenh, DisposedError, Engine, EngineError, Tribun } from 'sandtable';
import * as chessOnly from 'sandtable/chess';

const MATE_IN_ONE = '6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1';

/** All that an analysis yields. */
async function all(analysis) {
  const found = [];
  for await (const info of analysis) found.push(info);
  return found;
}

/** Waits for the first report of an analysis. */
const first = async (analysis) => (await analysis.next()).value;

test('an analysis yields one report per iteration', async () => {
  const engine = new Engine();
  const found = await all(engine.analyze(new Chess(MATE_IN_ONE), { depth: 4 }));
  assert.deepEqual(
    found.map(({ depth }) => depth),
    [1, 2, 3, 4],
  );
  const { lines, nodes, time, seldepth, hashfull } = found.at(-1);
  assert.equal(lines[0].mate, 1);
  assert.deepEqual([lines[0].moves[0], lines[0].san[0]], ['d1d8', 'Rd8#']);
  assert.ok([nodes, time, seldepth, hashfull].every((value) => typeof value === 'number'));
  assert.ok(!engine.isSearching);
  engine.dispose();
});

test('limits, lines and all games', async () => {
  const engine = new Engine({ hash: 4 });
  for (const game of [new Chess(), new CoTuLenh(), new Tribun()]) {
    const found = await all(engine.analyze(game, { nodes: 20_000, lines: 3 }));
    const { lines, nodes } = found.at(-1);
    assert.ok(nodes <= 20_000);
    assert.equal(new Set(lines.map(({ moves }) => moves[0])).size, 3);
    for (const { moves, centipawns, mate } of lines) {
      assert.ok((centipawns === undefined) !== (mate === undefined));
      const copy = game.clone();
      for (const move of moves) copy.move(move);
    }
  }
  const start = performance.now();
  await all(engine.analyze(new Chess(), { time: 200 }));
  assert.ok(performance.now() - start >= 190);
  engine.dispose();
});

test('the same search twice gives the same result', async () => {
  const search = async () => {
    const engine = new Engine();
    const found = await all(engine.analyze(new CoTuLenh(), { nodes: 10_000 }));
    engine.dispose();
    return found.map(({ time: _, ...rest }) => rest);
  };
  assert.deepEqual(await search(), await search());
});

// `npm run bench` measures how long stopping takes. Without limits, a search that is not stopped never ends.
test('a search stops by each way', async () => {
  const engine = new Engine();
  const game = new CoTuLenh();
  const analysis = () => engine.analyze(game);
  const ways = {
    async signal() {
      const controller = new AbortController();
      const running = engine.analyze(game, { signal: controller.signal });
      await first(running);
      return async () => {
        controller.abort();
        while (!(await running.next()).done);
      };
    },
    async leave() {
      const running = analysis();
      await first(running);
      return () => running.return();
    },
    async stop() {
      const running = analysis();
      await first(running);
      return async () => {
        engine.stop();
        while (!(await running.next()).done);
      };
    },
  };
  for (const way of Object.values(ways)) {
    for (let i = 0; i < 5; i++) {
      const stop = await way();
      assert.ok(engine.isSearching);
      await stop();
      assert.ok(!engine.isSearching);
    }
  }
  engine.dispose();
});

test('stopping without shared memory replaces the worker', async () => {
  const shared = globalThis.SharedArrayBuffer;
  delete globalThis.SharedArrayBuffer;
  try {
    const engine = new Engine();
    for (let i = 0; i < 3; i++) {
      const running = engine.analyze(new Chess());
      await first(running);
      await running.return();
      assert.ok(!engine.isSearching);
    }
    const best = engine.bestMove(new Chess());
    engine.stop();
    assert.equal(await best, null);
    assert.equal(await engine.bestMove(new Chess(MATE_IN_ONE), { depth: 3 }), 'd1d8');
    engine.dispose();
  } finally {
    globalThis.SharedArrayBuffer = shared;
  }
});

test('best moves: levels, limits, the end of the game', async () => {
  const engine = new Engine();
  const game = new Chess(MATE_IN_ONE);
  assert.equal(await engine.bestMove(game, { depth: 3 }), 'd1d8');
  // Weaker levels play some moves without thought.
  for (const level of [8, 9]) {
    assert.equal(await engine.bestMove(game, { level, time: 300 }), 'd1d8');
  }
  const legal = new Set(game.moveTexts());
  const random = new Set();
  for (let i = 0; i < 30; i++) random.add(await engine.bestMove(game, { level: 0 }));
  assert.ok(random.size > 3 && random.isSubsetOf?.(legal) !== false);
  game.move('Rd8');
  assert.equal(await engine.bestMove(game), null);
  assert.deepEqual(await all(engine.analyze(game)), []);
  engine.dispose();
});

test('a game continues while it is analysed', async () => {
  const engine = new Engine();
  const game = new Tribun();
  const running = engine.analyze(game, { nodes: 20_000 });
  game.playAction(game.legalActions()[0]);
  game.dispose();
  assert.ok((await all(running)).length > 0);
  engine.dispose();
});

test('repetitions before the position count', async () => {
  const engine = new Engine();
  const game = new Chess();
  for (const move of 'Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1'.split(' ')) game.move(move);
  assert.equal(typeof (await engine.bestMove(game, { depth: 4 })), 'string');
  engine.dispose();
});

test('several engines at once; one engine does one search', async () => {
  const engines = Array.from({ length: 3 }, () => new Engine({ hash: 1 }));
  const moves = await Promise.all(engines.map((engine) => engine.bestMove(new Chess(), { nodes: 5_000 })));
  assert.ok(moves.every((move) => typeof move === 'string'));
  const [engine] = engines;
  const running = engine.analyze(new Chess());
  assert.throws(() => engine.analyze(new Chess()), EngineError);
  await assert.rejects(engine.bestMove(new Chess()), EngineError);
  assert.throws(() => engine.clear(), EngineError);
  await running.return();
  engine.clear();
  for (const engine of engines) engine.dispose();
});

test('an aborted search rejects with the reason', async () => {
  const engine = new Engine();
  const controller = new AbortController();
  const reason = new Error('enough');
  const best = engine.bestMove(new CoTuLenh(), { time: 60_000, signal: controller.signal });
  setTimeout(() => controller.abort(reason), 20);
  await assert.rejects(best, reason);
  await assert.rejects(engine.bestMove(new CoTuLenh(), { signal: controller.signal }), reason);
  assert.deepEqual(await all(engine.analyze(new CoTuLenh(), { signal: controller.signal })), []);
  engine.dispose();
});

test('wrong arguments and disposed engines', async () => {
  assert.throws(() => new Engine({ hash: 0 }), ArgumentError);
  const engine = new Engine();
  for (const options of [{ depth: 0 }, { nodes: -1 }, { lines: 0 }, { time: NaN }, { signal: 1 }, 7]) {
    assert.throws(() => engine.analyze(new Chess(), options), ArgumentError);
  }
  await assert.rejects(engine.bestMove(new Chess(), { level: 10 }), ArgumentError);
  await assert.rejects(engine.bestMove({}), ArgumentError);
  const running = engine.analyze(new Chess());
  await first(running);
  engine.dispose();
  engine.dispose();
  await assert.rejects(async () => {
    while (!(await running.next()).done);
  }, DisposedError);
  assert.throws(() => engine.analyze(new Chess()), DisposedError);
});

test('the engine uses the network of the game, or the hand-made evaluation', async () => {
  const scores = async (options) => {
    const engine = new Engine(options);
    const found = [];
    for (const game of [new Chess(), new CoTuLenh(), new Tribun()]) {
      found.push((await all(engine.analyze(game, { nodes: 3_000 }))).map(({ lines }) => lines[0].centipawns));
    }
    assert.equal(engine.warning, undefined);
    engine.dispose();
    return found;
  };
  const [network, hand] = [await scores(), await scores({ eval: 'hand' })];
  assert.deepEqual(network, await scores({ eval: 'network' }));
  for (const [i, found] of network.entries()) assert.notDeepEqual(found, hand[i]);
  assert.throws(() => new Engine({ eval: 'none' }), ArgumentError);
});

test('without its network the engine uses the hand-made evaluation, with a warning', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sandtable-'));
  try {
    cpSync(new URL('../dist', import.meta.url), join(folder, 'dist'), { recursive: true });
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
    rmSync(join(folder, 'dist/nets/chess.net'));
    writeFileSync(join(folder, 'dist/nets/tribun.net'), 'not a network');
    const copy = await import(pathToFileURL(join(folder, 'dist/index.js')).href);
    const engine = new copy.Engine();
    assert.equal(await engine.bestMove(new copy.Chess(MATE_IN_ONE), { depth: 2 }), 'd1d8');
    assert.match(engine.warning, /^no evaluation network for chess: .*chess\.net/);
    await engine.bestMove(new copy.CoTuLenh(), { depth: 1 });
    assert.equal(engine.warning, undefined);
    await engine.bestMove(new copy.Tribun(), { depth: 1 });
    assert.match(engine.warning, /not an evaluation network/);
    engine.dispose();
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('an engine searches a game of another module', async () => {
  const engine = new chessOnly.Engine();
  assert.equal(await engine.bestMove(new Chess(MATE_IN_ONE), { depth: 2 }), 'd1d8');
  engine.dispose();
});

test('an idle engine does not keep the process alive', () => {
  const program = `
    import { Chess, Engine } from 'sandtable';
    console.log(await new Engine().bestMove(new Chess(), { depth: 2 }));`;
  const options = { cwd: new URL('..', import.meta.url), timeout: 20_000 };
  const output = execFileSync(process.execPath, ['--input-type=module', '--eval', program], options);
  assert.match(output.toString(), /^[a-h][1-8][a-h][1-8]\n$/);
});
