// The packed package in an empty project: in Node, and bundled for a browser by Vite, webpack and esbuild.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { build as esbuild } from 'esbuild';
import { chromium } from 'playwright-core';
import { build as vite } from 'vite';
import webpack from 'webpack';

import { browser, repository } from './helpers.mjs';

const npm = fileURLToPath(new URL('..', import.meta.url));
const executablePath = browser();
const skip = executablePath ? false : 'Chromium is not installed';
let project;

function hasDeno() {
  try {
    execFileSync('deno', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

const APP = `
  import { Chess, Engine, Tribun } from 'sandtable';
  import { CoTuLenh } from 'sandtable/cotulenh';
  import { respond } from 'sandtable/contract';
  const engine = new Engine();
  const game = new Chess('6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1');
  const best = await engine.bestMove(game, { depth: 3 });
  // A search without limits: it ends only because it is stopped.
  const running = engine.analyze(new Tribun());
  await running.next();
  await running.return();
  const again = await engine.bestMove(game, { depth: 3 });
  globalThis.result = {
    best, again,
    moves: new CoTuLenh().moves().length,
    turn: respond('position', { kind: 'tribun' }).turn,
    shared: typeof SharedArrayBuffer,
  };
`;

function check(result) {
  assert.equal(result.best, 'd1d8');
  assert.equal(result.again, 'd1d8');
  assert.equal(result.moves, 116);
  assert.equal(result.turn, 'first');
  // The page has no COOP and COEP headers, so the worker is replaced.
  assert.equal(result.shared, 'undefined');
}

before(() => {
  project = mkdtempSync(join(tmpdir(), 'sandtable-pack-'));
  writeFileSync(join(project, 'package.json'), '{ "type": "module", "private": true }');
  const run = (args, cwd) =>
    execFileSync('npm', args, { cwd, shell: process.platform === 'win32' }).toString();
  const tarball = run(['pack', '--silent', '--pack-destination', project], npm).trim();
  run(['install', '--no-audit', '--no-fund', '--silent', '--offline', join(project, tarball)], project);
});

after(() => rmSync(project, { recursive: true, force: true }));

test('the snippet of the README runs in Node', () => {
  const readme = readFileSync(new URL('npm/README.md', repository), 'utf8');
  const [, snippet] = readme.match(/```js\n(.*?)```/s);
  writeFileSync(join(project, 'snippet.mjs'), snippet);
  const output = execFileSync(process.execPath, ['snippet.mjs'], { cwd: project }).toString();
  assert.match(
    output,
    /^\[ .*'Nf3'.* \] rnbqkbnr\/pppp1ppp\/8\/4p3\/4P3\/8\/PPPP1PPP\/RNBQKBNR w KQkq - 0 2$/m,
  );
  for (const depth of [1, 2, 3, 4, 5, 6]) assert.match(output, new RegExp(`^${depth} \\S+`, 'm'));
});

test('the entry points run in Node, without the repository', () => {
  const code = `
    import { Chess } from 'sandtable/chess';
    import { CoTuLenh } from 'sandtable/cotulenh';
    import { Tribun, Engine } from 'sandtable/tribun';
    import { respond } from 'sandtable/contract';
    const names = respond('kinds', {}).map((kind) => kind.name);
    const best = await new Engine().bestMove(new Tribun(), { depth: 1 });
    console.log(new Chess().perft(3), new CoTuLenh().perft(2), typeof best, names.includes('tribun'));`;
  writeFileSync(join(project, 'entries.mjs'), code);
  const output = execFileSync(process.execPath, ['entries.mjs'], { cwd: project }).toString();
  assert.equal(output.trim(), '8902 13460 string true');
});

test('the entry points run in Deno', { skip: hasDeno() ? false : 'Deno is not installed' }, () => {
  const output = execFileSync('deno', ['run', '--allow-all', 'entries.mjs'], { cwd: project }).toString();
  assert.equal(output.trim(), '8902 13460 string true');
});

test('the types are complete without those of Node', () => {
  const code = `
    import { Chess, type LegalMove } from 'sandtable';
    import { respond } from 'sandtable/contract';
    const moves: LegalMove[] = new Chess().moves({ verbose: true });
    const turn: 'first' | 'second' = respond('position', { kind: 'chess' }).turn;
    // @ts-expect-error: no such color
    new Chess().resign('r');
    console.log(moves, turn);`;
  writeFileSync(join(project, 'types.ts'), code);
  const tsc = join(npm, 'node_modules', 'typescript', 'bin', 'tsc');
  const options = [
    '--strict',
    '--noEmit',
    '--target',
    'es2022',
    '--module',
    'nodenext',
    '--lib',
    'es2022,dom,esnext.disposable',
  ];
  try {
    execFileSync(process.execPath, [tsc, ...options, 'types.ts'], { cwd: project });
  } catch (error) {
    assert.fail(error.stdout.toString());
  }
});

/** Serves a folder and returns what its page leaves in \`result\`. */
async function open(folder) {
  const types = { '.html': 'text/html', '.js': 'text/javascript', '.wasm': 'application/wasm' };
  const server = createServer((request, response) => {
    try {
      const path = new URL(request.url, 'http://x').pathname;
      const file = join(folder, path === '/' ? 'index.html' : path);
      response.setHeader('content-type', types[extname(file)] ?? 'text/plain');
      response.end(readFileSync(file));
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const chrome = await chromium.launch({
    executablePath,
    args: ['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking'],
  });
  try {
    const page = await chrome.newPage();
    const errors = [];
    page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
    page.on('pageerror', (error) => errors.push(String(error)));
    await page.goto(`http://127.0.0.1:${server.address().port}/`);
    await page.waitForFunction('globalThis.result', undefined, { timeout: 30_000 }).catch((error) => {
      throw new Error(`${error.message}\n${errors.join('\n')}`);
    });
    assert.deepEqual(
      errors.filter((text) => !text.includes('favicon')),
      [],
    );
    return await page.evaluate('globalThis.result');
  } finally {
    await chrome.close();
    server.close();
  }
}

const PAGE =
  '<!doctype html><meta charset="utf-8"><link rel="icon" href="data:,"><script type="module" src="./app.js"></script>';

test('Vite bundles an application that runs in Chromium', { skip }, async () => {
  const root = join(project, 'vite');
  mkdirSync(root);
  writeFileSync(join(root, 'index.html'), PAGE);
  writeFileSync(join(root, 'app.js'), APP);
  await vite({ root, configFile: false, logLevel: 'error', base: './', build: { outDir: 'out' } });
  check(await open(join(root, 'out')));
});

test(
  'the board element shows a position in Chromium',
  { skip: skip || !existsSync(join(npm, 'dist/board.js')) },
  async () => {
    const root = join(project, 'board');
    mkdirSync(root);
    writeFileSync(join(root, 'index.html'), PAGE);
    writeFileSync(
      join(root, 'app.js'),
      `
    import 'sandtable/board';
    const board = document.createElement('sandtable-board');
    board.setAttribute('game', 'cotulenh');
    board.addEventListener('update', ({ detail }) => {
      globalThis.result = detail.view.legal_moves.length;
    });
    document.body.append(board);`,
    );
    await vite({ root, configFile: false, logLevel: 'error', base: './', build: { outDir: 'out' } });
    assert.equal(await open(join(root, 'out')), 116);
  },
);

test('webpack bundles an application that runs in Chromium', { skip }, async () => {
  const out = join(project, 'webpack');
  mkdirSync(out);
  writeFileSync(join(project, 'app.js'), APP);
  const compiler = webpack({
    mode: 'production',
    context: project,
    entry: './app.js',
    output: { path: out, filename: 'app.js' },
    optimization: { minimize: false },
  });
  const stats = await new Promise((resolve, reject) => {
    compiler.run((error, stats) => (error ? reject(error) : resolve(stats)));
  });
  await new Promise((resolve) => compiler.close(resolve));
  assert.deepEqual(stats.toJson().errors, []);
  writeFileSync(join(out, 'index.html'), PAGE);
  check(await open(out));
});

test('esbuild bundles an application that runs in Chromium', { skip }, async () => {
  const out = join(project, 'esbuild');
  mkdirSync(out);
  writeFileSync(join(project, 'app.js'), APP);
  await esbuild({
    entryPoints: [join(project, 'app.js')],
    outdir: out,
    bundle: true,
    format: 'esm',
    target: 'es2022',
    logLevel: 'error',
  });
  // esbuild does not copy files that a module addresses: the documentation says how.
  for (const folder of ['nets', 'wasm']) {
    cpSync(join(project, 'node_modules/sandtable/dist', folder), join(out, folder), { recursive: true });
  }
  writeFileSync(join(out, 'index.html'), PAGE);
  check(await open(out));
});

test('a page without a bundler runs in Chromium', { skip }, async () => {
  const out = join(project, 'plain');
  mkdirSync(out);
  cpSync(join(project, 'node_modules/sandtable'), join(out, 'sandtable'), { recursive: true });
  writeFileSync(join(out, 'index.html'), PAGE);
  const address = (_, entry) => `'./sandtable/dist/${entry ?? 'index'}.js'`;
  writeFileSync(join(out, 'app.js'), APP.replace(/'sandtable(?:\/(\w+))?'/g, address));
  check(await open(out));
});
