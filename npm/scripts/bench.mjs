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
head('perft', 'Node, million nodes a second', 'native', 'ratio');
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
  row(
    `${game.kind} ${depth}`,
    (nodes / here / 1000).toFixed(1),
    (nodes / there / 1000).toFixed(1),
    ratio.toFixed(2),
  );
}

console.log();
head('engine', 'Node, nodes a second', 'native', 'ratio', 'TypeScript engine');
for (const [game, typescript] of [[new Chess()], [new CoTuLenh(), 5_800], [new Tribun(), 28_000]]) {
  const nodes = 300_000;
  const rounds = [];
  for (let round = 0; round < ROUNDS; round++) {
    const engine = new Engine();
    await engine.bestMove(game, { nodes: 2_000 });
    let last;
    for await (const info of engine.analyse(game, { nodes })) last = info;
    engine.dispose();
    const found = JSON.parse(run('analyse', game.kind, '--nodes', String(nodes), '--hash', '16', '--json'));
    rounds.push([last.nodes / last.time, found.nodes / found.seconds / 1000]);
  }
  const [here, there] = [0, 1].map((side) => median(rounds.map((round) => round[side])) * 1000);
  const ratio = median(rounds.map(([a, b]) => a / b));
  const beside = typescript ? `${typescript} (${Math.round(here / typescript)} ×)` : '';
  row(game.kind, Math.round(here), Math.round(there), ratio.toFixed(2), beside);
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
