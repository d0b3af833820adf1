// Serves the static page below a path of its own, as a static host does.

import { existsSync, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, normalize, resolve } from 'node:path';
import type { Server } from './server';

const ROOT = resolve(import.meta.dirname, '../dist-site');
const PATH = '/games/sandtable/';
const TYPES: Partial<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.wasm': 'application/wasm',
  '.webmanifest': 'application/manifest+json',
};

export interface StaticServer extends Server {
  /** Changes files before they are sent, as a new version of the page does. */
  deploy(change: (path: string, text: string) => string): void;
}

export async function startStaticServer(): Promise<StaticServer> {
  if (!existsSync(join(ROOT, 'index.html')))
    throw new Error('the static page is not built: run `cargo xtask site`');
  let change = (_: string, text: string) => text;
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '', 'http://localhost');
    // A page of the same origin without content, for tests that prepare the storage.
    if (pathname === `${PATH}blank`) return response.setHeader('content-type', 'text/html').end();
    const path = normalize(decodeURIComponent(pathname)).slice(PATH.length) || 'index.html';
    const file = join(ROOT, path);
    const isFile = pathname.startsWith(PATH) && existsSync(file) && statSync(file).isFile();
    if (!isFile) return response.writeHead(404).end();
    response.setHeader('content-type', TYPES[extname(file)] ?? 'application/octet-stream');
    response.setHeader('cache-control', 'max-age=600');
    const isText = /\.(html|js)$/.test(file);
    response.end(isText ? change(path, readFileSync(file, 'utf8')) : readFileSync(file));
  });
  const listen = (port: number) =>
    new Promise<void>((done) => server.listen(port, 'localhost', () => done()));
  await listen(0);
  const { port } = server.address() as AddressInfo;
  const stop = () =>
    new Promise<void>((done) => {
      server.close(() => done());
      server.closeAllConnections();
    });
  return {
    url: `http://localhost:${port}${PATH}`,
    kill: stop,
    restart: () => listen(port),
    stop,
    deploy: (next) => (change = next),
  };
}
