// Measures the package beside the native program: `npm run bench`. The program must be built:
// `cargo build --release --package sandtable-cli`. Prints a table for docs/performance.md.
//
// Both sides alternate, and each figure is the median of several rounds, because other programs may run.

import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, gzipSync } from 'node:zlib';

import { Chess, CoTuLenh, Engine, Tribun } from 'sandtable';

const npm = dirname(dirname(fileURLToPath(import.meta.url)));
const target = process.env.CARGO_TARGET_DIR ?? join(dirname(npm), 'target');
const native = process.env.SANDTABLE ?? join(target, 'release', 'sandtable');
if (!existsSync(native)) {
  console.error(`${native} was not found: run \`cargo build --release --package sandtable-cli\``);
  process.exit(1);
}

const ROUNDS = 7;
const median = (values) => values.sort((a, b) => a - b)[Math.floor(values.length / 2)];
const row = (...cells) => console.log(`| ${cells.join(' | ')} |`);
const head = (...cells) => {
  row(...cells);
  console.log(`|${'---|'.repeat(cells.length)}`);
};
/** What the native program prints. */
const run = (...args) => execFileSync(native, args, { stdio: ['ignore', 'pipe', 'pipe'] }).toString();

head('module', 'bytes', 'brotli', 'gzip -9');
for (const name of ['all', 'chess', 'cotulenh', 'tribun']) {
  const bytes = readFileSync(join(npm, 'dist', 'wasm', `${name}.wasm`));
  const kB = (size) => `${(size / 1000).toFixed(1)} kB`;
  row(name, kB(bytes.length), kB(brotliCompressSync(bytes).length), kB(gzipSync(bytes, { level: 9 }).length));
}

console.log();
head('perft', 'Node, million nodes a second', 'native', 'ratio', '÷ TypeScript engine');
// The perft figures of the TypeScript engines, in nodes a second.
const TYPESCRIPT = { cotulenh: 5_800, tribun: 28_000 };
for (const [game, depth] of [
  [new Chess(), 5],
  [new CoTuLenh(), 3],
  [new Tribun(), 3],
]) {
  // The first call compiles the code.
  const nodes = game.perft(depth);
  const rounds = Array.from({ length: ROUNDS }, () => {
    const start = performance.now();
    game.perft(depth);
    const here = performance.now() - start;
    const { seconds } = JSON.parse(run('perft', game.kind, String(depth), '--threads', '1', '--json'));
    return [here, seconds * 1000];
  });
  const [here, there] = [0, 1].map((side) => median(rounds.map((round) => round[side])));
  const ratio = median(rounds.map(([a, b]) => b / a));
  const typescript = TYPESCRIPT[game.kind];
  row(
    `${game.kind} ${depth}`,
    (nodes / here / 1000).toFixed(1),
    (nodes / there / 1000).toFixed(1),
    ratio.toFixed(2),
    typescript ? Math.round((nodes / here / typescript) * 1000) : '',
  );
}

console.log();
head('stopping a search', 'median', 'worst of 50');
for (const [name, isShared] of [
  ['with shared memory', true],
  ['without: the worker is replaced', false],
]) {
  const shared = globalThis.SharedArrayBuffer;
  if (!isShared) delete globalThis.SharedArrayBuffer;
  const engine = new Engine();
  const taken = [];
  for (let i = 0; i < 50; i++) {
    const running = engine.analyze(new CoTuLenh());
    await running.next();
    const start = performance.now();
    await running.return();
    taken.push(performance.now() - start);
  }
  engine.dispose();
  globalThis.SharedArrayBuffer = shared;
  row(name, `${median(taken).toFixed(1)} ms`, `${Math.max(...taken).toFixed(1)} ms`);
}

console.log();
head('engine', 'Node, nodes a second', 'native', 'ratio', 'Node, nodes per second of processor time');
for (const game of [new Chess(), new CoTuLenh(), new Tribun()]) {
  const nodes = 300_000;
  const rounds = [];
  for (let round = 0; round < ROUNDS; round++) {
    const engine = new Engine();
    await engine.bestMove(game, { nodes: 2_000 });
    const before = process.cpuUsage();
    let last;
    for await (const info of engine.analyze(game, { nodes })) last = info;
    const { user, system } = process.cpuUsage(before);
    engine.dispose();
    const found = JSON.parse(run('analyze', game.kind, '--nodes', String(nodes), '--hash', '16', '--json'));
    rounds.push([
      last.nodes / last.time,
      found.nodes / found.seconds / 1000,
      (last.nodes * 1000) / (user + system),
    ]);
  }
  const [here, there, busy] = [0, 1, 2].map((side) => median(rounds.map((round) => round[side])) * 1000);
  const ratio = median(rounds.map(([a, b]) => a / b));
  row(game.kind, Math.round(here), Math.round(there), ratio.toFixed(2), Math.round(busy));
}

console.log();
const program = `
  const start = performance.now();
  const { Chess } = await import('sandtable');
  new Chess().move('e4');
  console.log(performance.now() - start, performance.now());`;
const starts = Array.from({ length: 11 }, () =>
  execFileSync(process.execPath, ['--input-type=module', '--eval', program], { cwd: npm })
    .toString()
    .split(' ')
    .map(Number),
);
head('ready to play in Node', 'median', 'best');
const times = (side) => starts.map((start) => start[side]);
row('since the import', `${median(times(0)).toFixed(0)} ms`, `${Math.min(...times(0)).toFixed(0)} ms`);
row(
  'since the start of the process',
  `${median(times(1)).toFixed(0)} ms`,
  `${Math.min(...times(1)).toFixed(0)} ms`,
);
