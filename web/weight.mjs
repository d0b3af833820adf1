// Prints the compressed size of every file that the first view loads. Fails if the total exceeds the limit.
// `node weight.mjs site` checks the static page, and prints the size of the core, which it loads afterwards.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

const isSite = process.argv[2] === 'site';
const dist = join(import.meta.dirname, isSite ? 'dist-site' : 'dist');

function check(title, names, limit) {
  let total = 0;
  for (const name of names) {
    const size = gzipSync(readFileSync(join(dist, name)), { level: 9 }).length;
    total += size;
    console.log(`${String(size).padStart(7)} bytes  ${name}`);
  }
  console.log(`${String(total).padStart(7)} bytes  ${title}${limit ? `, limit ${limit}` : ''}`);
  if (limit && total > limit) process.exitCode = 1;
}

const page = readFileSync(join(dist, 'index.html'), 'utf8');
const loaded = [...page.matchAll(/(?:src|href)="\.?\/([^"]+)"/g)].map((found) => found[1]);
check('first view', ['index.html', ...loaded], isSite ? 100_000 : 200_000);
if (isSite) {
  // The npm package has a limit for the core.
  const core = readdirSync(join(dist, 'assets')).filter((name) => name.endsWith('.wasm'));
  check(
    'core',
    core.map((name) => `assets/${name}`),
  );
}
