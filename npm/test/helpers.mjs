import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** Whether to run the slow tests too. */
export const deep = process.env.SANDTABLE_DEEP === '1';

/** The root of the repository. */
export const repository = new URL('../../', import.meta.url);

/** A seeded random number generator: mulberry32. */
export function random(seed) {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit) => Math.floor(next() * limit);
  return { next, below, pick: (items) => items[below(items.length)] };
}

/** The program `sandtable`, if it was built. */
export function program() {
  const target = process.env.CARGO_TARGET_DIR ?? fileURLToPath(new URL('target', repository));
  const candidates = [
    process.env.SANDTABLE,
    join(target, 'debug/sandtable'),
    join(target, 'release/sandtable'),
  ];
  return candidates.find((path) => path && existsSync(path));
}

/** Starts `sandtable serve` on a free port with an empty data folder. */
export async function startServer() {
  const data = mkdtempSync(join(tmpdir(), 'sandtable-npm-'));
  const options = ['serve', '--json', '--port', '0', '--data', data, '--log', 'warn'];
  const child = spawn(program(), options, { stdio: ['ignore', 'pipe', 'inherit'] });
  for await (const line of createInterface({ input: child.stdout })) {
    const { url } = JSON.parse(line);
    const stop = async () => {
      const exited = new Promise((resolve) => child.once('exit', resolve));
      child.kill();
      await exited;
      rmSync(data, { recursive: true, force: true });
    };
    return { url, stop };
  }
  throw new Error('the server exited before it was ready');
}

/** The path of an installed browser, if there is one. */
export function browser() {
  try {
    return execFileSync('sh', ['-c', 'command -v chromium || command -v google-chrome']).toString().trim();
  } catch {
    return undefined;
  }
}

/** Collects garbage, and lets the finalisers run. */
export async function collectGarbage() {
  const { setFlagsFromString } = await import('node:v8');
  const { runInNewContext } = await import('node:vm');
  setFlagsFromString('--expose-gc');
  const gc = runInNewContext('gc');
  for (let round = 0; round < 3; round++) {
    gc();
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
