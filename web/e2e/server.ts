// Starts `sandtable serve` on a free port with an empty data folder.

import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';

/** Whether the static page is tested, which needs no server. */
export const isSite = process.env.SANDTABLE_SITE !== undefined;

export interface Server {
  url: string;
  /** Kills the server without warning; the games stay on disk. */
  kill(): Promise<void>;
  /** Restarts the server on the same port with the same data. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

function binary(): string {
  const target = process.env.CARGO_TARGET_DIR ?? resolve(import.meta.dirname, '../../target');
  const found = [
    process.env.SANDTABLE,
    join(target, 'release/sandtable'),
    join(target, 'debug/sandtable'),
  ].find((path) => path && existsSync(path));
  if (!found)
    throw new Error(
      'program not found: run `cargo build --release --package sandtable-cli` or set SANDTABLE',
    );
  return found;
}

async function launch(
  data: string,
  port: string,
  flags: string[],
): Promise<{ child: ChildProcess; url: string }> {
  const child = spawn(
    binary(),
    ['serve', '--json', '--port', port, '--data', data, '--log', 'warn', ...flags],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  for await (const line of createInterface({ input: child.stdout })) {
    const { url } = JSON.parse(line) as { url: string };
    return { child, url };
  }
  throw new Error('the server exited before it was ready');
}

/** Analyses end soon, because an engine takes a processor from the other tests. */
const SHORT_ANALYSES = ['--analysis-time', '1s'];

/** Starts a server. With the flag `--seats`, seats belong to guests. */
export async function startServer(given: string[] = []): Promise<Server> {
  const flags = given.includes('--analysis-time') ? given : [...SHORT_ANALYSES, ...given];
  const data = mkdtempSync(join(tmpdir(), 'sandtable-e2e-'));
  let { child, url } = await launch(data, '0', flags);
  const end = (signal: NodeJS.Signals) =>
    new Promise<void>((done) => {
      if (child.exitCode !== null || child.signalCode !== null) return done();
      child.once('exit', () => done());
      child.kill(signal);
    });
  return {
    url,
    kill: () => end('SIGKILL'),
    restart: async () => {
      ({ child } = await launch(data, new URL(url).port, flags));
    },
    stop: async () => {
      await end('SIGTERM');
      rmSync(data, { recursive: true, force: true });
    },
  };
}
